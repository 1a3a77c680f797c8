"""Learn a ranker from people's moves, by likelihood: steps of Adam on small batches, the rate falling to nothing.

Needs torch (`pip install 'hitonami[train]'`); to use what was learned needs none. The same decisions and seed give the
same ranker on the same machine.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import WorkFailed
from hitonami.levels.rankers import Floats, Ranker

Whole = NDArray[np.int64]
Halves = NDArray[np.float16]
_BATCH: Final = 256
_RATE: Final = 2e-3
_DECAY: Final = 0.1
_WARM: Final = 0.1
_LEAST_STEPS: Final = 200
_PASSES: Final = 6
_MEASURED: Final = 50_000
"""Decisions from which the scale of each column is taken."""
_LEAST_SPREAD: Final = 0.02


@dataclass(frozen=True)
class _Size:
    """How large a ranker is, and how much of its hidden numbers is left out in each step."""

    hidden: int
    second: int
    left_out: float


_SMALL: Final = _Size(64, 32, 0.2)
"""Without leaving out a fifth, a third pass over 50,000 decisions learns them by heart."""
_LARGE: Final = _Size(256, 64, 0.1)
_MANY: Final = 200_000
"""Decisions that are enough for the large one: by 384,000 it is 0.005 nats better than the small one in chess."""


@dataclass(frozen=True)
class Choices:
    """Decisions [n] of people: the moves that came to mind in each, what was seen of them, and which was played."""

    columns: Halves
    """[M, game's columns and what is common], in 16 bits: there may be millions of moves."""
    players: Floats
    """[n, who plays]"""
    log_probs: Floats
    begins: Whole
    own: Whole
    """[n] the place of the played move among those of its decision, -1 where it did not come to mind."""

    def full(self) -> Floats:
        """[M, F] what was seen of each move, beside who plays."""
        told = np.repeat(self.players, np.diff(self.begins), axis=0)
        return np.concatenate([self.columns.astype(np.float32), told], axis=1)

    def take(self, rows: Whole) -> "Choices":
        widths = np.diff(self.begins)[rows]
        begins = np.concatenate([[0], np.cumsum(widths)])
        at = np.repeat(self.begins[:-1][rows] - begins[:-1], widths) + np.arange(begins[-1])
        return Choices(self.columns[at], self.players[rows], self.log_probs[at], begins, self.own[rows])


@dataclass(frozen=True)
class About:
    """What the ranker keeps beside its weights."""

    game: str
    columns: tuple[str, ...]
    pools: tuple[str, ...]
    ratings: tuple[float, float]
    provenance: Mapping[str, Any]
    unrated: bool = False


def learn(choices: Choices, about: About, *, seed: int = 0, report: Callable[[int], None] = lambda _: None) -> Ranker:
    """A ranker. Decisions whose move did not come to mind tell nothing of the ranking. `report` is told each step."""
    try:
        import torch
    except ImportError as missing:
        raise WorkFailed(f"fitting foresight needs {missing.name}: pip install 'hitonami[train]'") from None
    known = np.flatnonzero(choices.own >= 0)
    sample = choices.take(known[:: -(-len(known) // _MEASURED)]).full()
    shift, spread = sample.mean(axis=0), sample.std(axis=0)
    scale = np.where(spread < _LEAST_SPREAD, 1.0, spread).astype(np.float32)
    torch.set_num_threads(1)  # the matrices are small: threads wait for each other longer than they work
    torch.manual_seed(seed)
    size = _LARGE if len(known) >= _MANY else _SMALL
    first, second = torch.nn.Linear(len(shift), size.hidden), torch.nn.Linear(2 * size.hidden, size.second)
    third = torch.nn.Linear(size.second, 1, bias=False)
    torch.nn.init.zeros_(third.weight)  # nothing is added to the base at first
    parts = [*first.parameters(), *second.parameters(), *third.parameters()]
    steps = steps_for(choices)
    passes = steps // -(-len(known) // _BATCH)
    optimiser = torch.optim.AdamW(parts, lr=_RATE, weight_decay=_DECAY)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps + 1, pct_start=_WARM)
    for step, rows in enumerate(_batches(known, passes, np.random.default_rng(seed))):
        batch = choices.take(rows)
        widths = np.diff(batch.begins)
        row = torch.from_numpy(np.repeat(np.arange(len(widths)), widths))
        inner = torch.from_numpy(batch.log_probs)
        hidden = torch.relu(first(torch.from_numpy((batch.full() - shift) / scale)))
        mean = torch.zeros(len(rows), size.hidden).index_add(0, row, hidden * torch.exp(inner)[:, None])
        seen = torch.nn.functional.dropout(torch.cat([hidden, mean[row]], dim=1), size.left_out)
        scores = inner + third(torch.relu(second(seen)))[:, 0]
        total = torch.zeros(len(rows)).index_add(0, row, torch.exp(scores))
        loss = (torch.log(total) - scores[torch.from_numpy(batch.begins[:-1] + batch.own)]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rates.step()
        report(step + 1)
    learned = {"first": first.weight.T, "first_bias": first.bias, "second": second.weight.T}
    learned |= {"second_bias": second.bias, "third": third.weight[0]}
    weights = {name: each.detach().numpy().copy() for name, each in learned.items()}
    told = (about.game, about.columns, about.pools, about.ratings)
    return Ranker(*told, shift, scale, weights, about.provenance, about.unrated)


def steps_for(choices: Choices) -> int:
    """How many steps are taken: six passes, more where there is little."""
    known = int((choices.own >= 0).sum())
    return max(_PASSES, -(-_LEAST_STEPS * _BATCH // known)) * -(-known // _BATCH)


def _batches(known: Whole, passes: int, rng: np.random.Generator) -> Iterator[Whole]:
    for _ in range(passes):
        order = rng.permutation(known)
        for begin in range(0, len(order), _BATCH):
            yield order[begin : begin + _BATCH]
