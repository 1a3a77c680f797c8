"""Two ways of thinking: intuition where it is sure, analysis of the moves that are in doubt, in a small memory.

One move stands out: it is played at once. Some do: those are analysed, the longer the more even they are. None does:
all are. `docs/intuition.md` has the formulas and what each knob does to the strength.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isinf
from time import monotonic
from typing import Any, ClassVar, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Line, Mind, Opinion, Query
from hitonami.intuition.analysis import Analysis, Found, Manner
from hitonami.intuition.knowledge import ANY_SIZE, load, measured_ladder, packaged
from hitonami.intuition.memory import Keep
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.minds._levelled import Levelled
from hitonami.minds.intuition import as_wdl
from hitonami.specs import Room

_USUAL_NODES: Final = 200


@dataclass(frozen=True)
class Dual:
    """Intuition, and an analysis of what it leaves in doubt.

    `simulations` is the most effort of a decision where a call names none (200); without it and without a `file` the
    mind plays as strong as the player's rating says, where levels were measured. `by_doubt` spends less where fewer
    moves are in doubt. `epsilon` is how easily it doubts: 0 never, large always. `memory` is how many positions it
    remembers, `keep` what is forgotten when two need the same place. `selection_noise` and `backup_noise` are added to
    scores (0..1) where a move is chosen to be looked at, and where what was found is carried up. `along` is how many
    plies intuition's own line is gone along before a new position is judged; without it as many as the file was learned
    with. `size` leaves out patterns of more conditions. The answer is by visits, N^(1/tau), with `prior_share` of
    intuition's own chances.
    `file` is what `hitonami learn` wrote; without one it is the package's.
    """

    file: str = ""
    simulations: int | None = None
    epsilon: Knob = 1.0
    memory: int = 5000
    keep: Keep = "two"
    c_puct: Knob = 0.5
    selection_noise: Knob = 0.0
    backup_noise: Knob = 0.0
    by_doubt: bool = True
    along: int | None = None
    size: int = 0
    tau: Knob = 0.5
    prior_share: Knob = 0.01

    GAMES: ClassVar[tuple[str, ...]] = tuple(packaged())
    """Where the package has an intuition. With a file it is for that file's game."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"simulations": 24},
        {"simulations": 30, "memory": 12, "keep": "visits", "epsilon": 2.0, "selection_noise": 0.1},
        {
            "simulations": 30,
            "memory": 7,
            "keep": "value",
            "by_doubt": False,
            "backup_noise": 0.1,
            "tau": 0.0,
            "along": 2,
        },
    )

    def __post_init__(self) -> None:
        for name, low, high in (
            ("simulations", 0, 2**31 - 1),
            ("epsilon", 0.0, 1e6),
            ("memory", 1, 10_000_000),
            ("c_puct", 0.0, 1e6),
            ("selection_noise", 0.0, 1.0),
            ("backup_noise", 0.0, 1.0),
            ("along", 0, 1000),
            ("size", 0, ANY_SIZE),
            ("tau", 0.0, 100.0),
            ("prior_share", 0.0, 1.0),
        ):
            check_knob(name, getattr(self, name) or 0, low, high)

    def open(self, room: Room) -> Mind:
        levelled = self.simulations is None and not self.file
        return Levelled(room, self, measured_ladder) if levelled else self

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        seed = int(effort.rng.integers(2**32)) if self.selection_noise or self.backup_noise else 0
        taus, shares = (read_knob(knob, queries).tolist() for knob in (self.tau, self.prior_share))
        opinions = []
        for query, asked, tau, share in zip(queries, self.manners(queries, effort), taus, shares, strict=True):
            knowledge = load(self.file, query.position.game.name, self.size or ANY_SIZE)
            manner = asked if self.along is not None else replace(asked, along=knowledge.along)
            analysis = Analysis(knowledge, query.position, manner, _own_chance(seed, query))
            analysis.run(_stopper(effort, len(queries)))
            opinions.append(conclude(query, analysis.found(), tau, share))
        return opinions

    def manners(self, queries: Sequence[Query], effort: Effort) -> list[Manner]:
        """How to analyse each query: the knobs for its player."""
        usual = _USUAL_NODES if self.simulations is None else self.simulations
        nodes = usual if effort.simulations is None else max(effort.simulations - 1, 0)
        if effort.simulations is None and effort.seconds is not None:
            nodes = 2**31 - 1 if effort.stop is not None or not isinf(effort.seconds) else nodes
        knobs = [
            read_knob(knob, queries).tolist()
            for knob in (self.epsilon, self.c_puct, self.selection_noise, self.backup_noise)
        ]
        return [
            Manner(nodes, self.memory, self.keep, epsilon, c_puct, selection, backup, self.by_doubt, self.along or 0)
            for epsilon, c_puct, selection, backup in zip(*knobs, strict=True)
        ]


def conclude(query: Query, found: Found, tau: float, prior_share: float) -> Opinion:
    """An opinion from an analysis. Moves that are proved lost have no chance but intuition's."""
    legal = query.position.legal.tolist()
    chosen = _answer(found, tau)
    mixed = (1 - prior_share) * chosen + prior_share * np.exp(found.chances)
    with np.errstate(divide="ignore"):
        log_probs = dist.normalise(np.log(mixed))
    order = np.argsort(-found.visits, kind="stable")
    lines = tuple(
        Line((legal[at],), as_wdl(float(found.values[at])), visits=int(found.visits[at]))
        for at in order.tolist()
        if found.visits[at]
    )
    return Opinion(log_probs, as_wdl(found.score), lines, found.effort)


def _answer(found: Found, tau: float) -> NDArray[np.float64]:
    """[moves] chances by what was found; intuition's favourite where nothing was looked at."""
    won = found.proved > 0
    if won.any():
        return won / won.sum()
    counts = np.where(found.proved < 0, 0.0, found.visits)
    if not counts.any():
        counts = found.visits
    if not counts.any():
        counts = np.zeros(len(found.chances))
        counts[found.places[0]] = 1.0
    if tau == 0:
        best = np.flatnonzero(counts == counts.max())
        at = best[int(np.argmax(found.values[best]))]
        return (np.arange(len(counts)) == at).astype(np.float64)
    powers = (counts / counts.max()) ** (1 / tau)
    return np.asarray(powers / powers.sum())


def _stopper(effort: Effort, shared: int) -> Callable[[], bool]:
    """Whether an analysis has to end: its share of the seconds is over, or somebody says so."""
    deadline = None if effort.seconds is None or isinf(effort.seconds) else monotonic() + effort.seconds / shared
    return lambda: effort.stopped or (deadline is not None and monotonic() >= deadline)


def _own_chance(seed: int, query: Query) -> np.random.Generator:
    """Randomness of one query, the same alone and in any batch."""
    return np.random.default_rng([seed, query.position.ply, crc32(query.position.legal.tobytes())])
