"""Many searches of the same positions under different knobs, made affordable.

The searched mind is asked once about each position that is reached from a root (`Memory`); every further search of that
root reuses the answers, and the positions themselves. A search depends on t and c_puct alone: τ and the floor are
arithmetic on its visits. Visits are kept by (t, c_puct), in memory and, where a folder is given, on disk, so that a fit
that was interrupted goes on where it was. Without noise a search has no chance in it: all runs share their random
numbers in the strictest way. With noise at the root each decision is searched several times, with the same chance in
all runs.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Effort, Mind, Opinion, Position, Query
from hitonami.minds.search import ace_search, floor_of
from hitonami.search.policy import count_visits
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.tree import Tree

Floats = NDArray[np.float64]
NOISE_DRAWS: Final = 6
"""Searches of each decision with noise: people's moves are told by the mean of what they say."""
_NOISE_SEED: Final = 0x0A0E
_TOGETHER: Final = 128
"""Trees at once: full batches of a network, and no more memory than they need."""


class Memory:
    """A mind that is asked once about each position below the roots, and the moves that lead there, made once.

    Positions are remembered by identity, so another way to the same board, with another history, is another position.
    They take most of the room: about 5 kB each in chess.
    """

    def __init__(self, mind: Mind, roots: Sequence[Position]) -> None:
        self._mind = mind
        self._roots = list(roots)  # an id is of use only while its object lives
        self._children: dict[tuple[int, int], Position] = {}
        self._known: dict[int, Opinion] = {}

    def __len__(self) -> int:
        return len(self._known)

    def play(self, position: Position, move: int) -> Position:
        """The position after a move of one that is remembered: always the same object."""
        key = (id(position), move)
        if key not in self._children:
            self._children[key] = position.play(move)
        return self._children[key]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        missing = [query for query in queries if id(query.position) not in self._known]
        if missing:
            answers = self._mind(missing, effort)
            self._known.update((id(query.position), answer) for query, answer in zip(missing, answers, strict=True))
        return [self._known[id(query.position)] for query in queries]


@dataclass(frozen=True, slots=True)
class Noise:
    """Dirichlet noise in the priors of the root: its share ε, and its concentration α over all moves together."""

    share: float
    concentration: float


QUIET: Final = Noise(0.0, 10.0)


@dataclass
class Searches:
    """Decisions of one level, searched on demand. Arrays of moves stand decision after decision."""

    queries: Sequence[Query]
    played: NDArray[np.int64]
    """[n] the place of the move played among the decision's own moves."""
    memory: Memory
    simulations: int
    folder: Path | None = None
    report: Callable[[int], None] = lambda searches: None
    made: int = 0
    """Searches of all decisions that were really run, not remembered."""
    _visits: dict[tuple[float, float], Floats] = field(default_factory=dict)
    _noisy: dict[tuple[float, float, Noise], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        widths = [len(query.position.legal) for query in self.queries]
        self.begins = np.concatenate([[0], np.cumsum(widths)])[:-1].astype(np.int64)
        self.widths = np.array(widths, dtype=np.int64)
        opinions = _asked(self.memory, self.queries)
        self.prior = np.concatenate([each.log_probs for each in opinions]).astype(np.float64)
        if self.folder is not None:
            self.folder = self.folder / self._digest()
            disk.make_folder(self.folder)

    @property
    def runs(self) -> list[tuple[float, float]]:
        """(t, c_puct) of all that was searched, in order of value."""
        return sorted(self._visits)

    def visits(self, prior_temperature: float, c_puct: float) -> Floats:
        """[moves] visits of the root's moves under these knobs."""
        key = (round(prior_temperature, 6), round(c_puct, 6))
        if key not in self._visits:
            path = None if self.folder is None else self.folder / f"t{key[0]:.6f}-c{key[1]:.6f}.npy"
            known = _read(path, len(self.prior))
            self._visits[key] = self._search(*key) if known is None else known
            if path is not None and known is None:
                _write(path, self._visits[key])
            self.report(len(self._visits))
        return self._visits[key]

    def noisy_visits(self, prior_temperature: float, c_puct: float, noise: Noise) -> Floats:
        """[draws, moves] visits under noise, another draw of it in each row. Kept in memory alone."""
        key = (round(prior_temperature, 6), round(c_puct, 6), noise)
        if key not in self._noisy:
            rows = [self._search(key[0], key[1], noise, draw) for draw in range(NOISE_DRAWS)]
            self._noisy[key] = np.stack(rows)
            self.report(len(self._visits) + len(self._noisy))
        return self._noisy[key]

    def log_prob(self, tau: float, prior_temperature: float, c_puct: float, noise: Noise = QUIET) -> Floats:
        """[n] of the move played, under the visits with a floor of the prior: what `ace_search` answers."""
        rows = self.noisy_visits(prior_temperature, c_puct, noise) if noise.share else None
        with np.errstate(divide="ignore"):
            draws = self.visits(prior_temperature, c_puct)[None] if rows is None else rows
            by_visits = np.mean([np.exp(self._own(np.log(each) / tau)) for each in draws], axis=0)
            floor = self._own(self.prior / prior_temperature)
            share = floor_of(self.simulations)
            found: Floats = np.log((1.0 - share) * by_visits + share * np.exp(floor))
        return found

    def log_prob_alone(self, prior_temperature: float) -> Floats:
        """[n] of the move played, under the prior at this temperature, without any search."""
        return self._own(self.prior / prior_temperature)

    def _own(self, scores: Floats) -> Floats:
        """[n] the log-probability of the move played, from scores [moves] that are one but for a constant."""
        top = np.maximum.reduceat(scores, self.begins)
        total = np.add.reduceat(np.exp(scores - np.repeat(top, self.widths)), self.begins)
        return scores[self.begins + self.played] - top - np.log(total)

    def _search(self, prior_temperature: float, c_puct: float, noise: Noise = QUIET, draw: int = 0) -> Floats:
        self.made += 1
        puct, effort = ace_search(self.memory, self.simulations, (1.0, prior_temperature, c_puct)), Effort.seeded()
        counts: list[Floats] = []
        for begin in range(0, len(self.queries), _TOGETHER):
            group = self.queries[begin : begin + _TOGETHER]
            settings, _ = puct.read_knobs(group)
            trees = [Tree(query, each, self.memory.play) for query, each in zip(group, settings, strict=True)]
            plant(trees, self.memory, effort)
            if noise.share:
                for at, tree in enumerate(trees, begin):
                    tree.disturb(noise.share, noise.concentration, np.random.default_rng([_NOISE_SEED, draw, at]))
            search(trees, self.memory, Budget(self.simulations, None, effort))
            counts += [count_visits(tree) for tree in trees]
        return np.concatenate(counts)

    def _digest(self) -> str:
        """Of what visits depend on. The mind is known by its favourites at the roots: names outlive weights."""
        digest = sha256(f"{self.simulations}".encode())
        for at, query in zip(self.begins.tolist(), self.queries, strict=True):
            own = self.prior[at : at + len(query.position.legal)]
            digest.update(f"{query.position.ply} {own.argmax()} {query.position.legal.tobytes().hex()}".encode())
        return digest.hexdigest()[:16]


def _asked(memory: Memory, queries: Sequence[Query]) -> list[Opinion]:
    effort = Effort.seeded()
    found: list[Opinion] = []
    for begin in range(0, len(queries), _TOGETHER):
        found += memory(queries[begin : begin + _TOGETHER], effort)
    return found


def _read(path: Path | None, moves: int) -> Floats | None:
    """Visits kept by an earlier run; None where there are none, or what is there is damaged."""
    if path is None or not path.exists():
        return None
    try:
        kept = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return kept.astype(np.float64) if kept.shape == (moves,) else None


def _write(path: Path, visits: Floats) -> None:
    held = io.BytesIO()
    np.save(held, visits.astype(np.int32))
    disk.write_bytes(path, held.getvalue())
