"""What twins are worth on games that they never saw, with people as the unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval
from hitonami.style.decisions import Decisions
from hitonami.style.learning import Choices, Learned

Floats = NDArray[np.float64]
_RESAMPLES: Final = 2_000
_SURE: Final = 1.96


@dataclass(frozen=True)
class Unseen:
    """Decisions [n] of one person in games that the twin did not learn from."""

    ply: NDArray[np.int64]
    game: NDArray[np.int64]
    points: Floats
    """100 where only the twin found the move, -100 where only its base did."""
    nats: Floats
    """What the twin needs more than its base."""

    def late(self, first_ply: int) -> "Unseen":
        rows = self.ply >= first_ply
        return Unseen(self.ply[rows], self.game[rows], self.points[rows], self.nats[rows])

    @property
    def is_worse(self) -> bool:
        """Whether the twin finds fewer moves, beyond chance over games."""
        off = np.bincount(self.game, self.points - self.points.mean())
        return bool(self.points.sum() + _SURE * np.sqrt(np.square(off).sum()) < 0)


def act_out(learned: Learned, held: Decisions, sizes: Sequence[int]) -> Unseen:
    """Ask a twin about decisions that its base was asked about."""
    leanings = learned.leanings
    wide = held.columns.shape[1]
    shift = np.zeros(wide, np.float32) if leanings is None else leanings.shift
    scale = np.ones(wide, np.float32) if leanings is None else leanings.scale
    choices, base = Choices(held, shift, scale, sizes), held.log_probs.astype(np.float64)
    found = base.copy()
    if leanings is not None:
        found = choices.lean(np.concatenate([leanings.weights, *leanings.kinds.values()]).astype(np.float64))
    for way, memory in enumerate(learned.memories.get(scene) for scene in learned.scenes):
        for at, mark in enumerate(held.scenes[:, way]) if memory is not None else ():
            if memory is None or mark not in memory.counts:
                continue
            span = slice(choices.legal_begins[at], choices.legal_begins[at + 1])
            names, told = held.names[span, way], memory.counts[str(mark)]
            counts = np.array([told.get(str(name), 0) / (names == name).sum() for name in names.tolist()])
            found[span] = np.log((counts + memory.doubt * np.exp(found[span])) / (counts.sum() + memory.doubt))
    points = 100.0 * (choices.hits(found) - choices.hits(base))
    return Unseen(held.ply, held.game - held.game.min(), points, choices.nats(found) - choices.nats(base))


def pool_people(people: Sequence[Unseen], seed: int = 0) -> tuple[Interval, Interval, int]:
    """Points and nats over all decisions, with intervals over people, and how many decisions those are."""
    sums = np.array([[each.points.sum(), each.nats.sum(), len(each.ply)] for each in people])
    rng = np.random.default_rng(seed)
    drawn = sums[rng.integers(0, len(sums), (_RESAMPLES, len(sums)))].sum(axis=1)
    means, total = drawn[:, :2] / drawn[:, 2:], sums.sum(axis=0)
    lows, highs = np.quantile(means, [0.025, 0.975], axis=0)
    points, nats = (Interval(float(total[at] / total[2]), float(lows[at]), float(highs[at])) for at in (0, 1))
    return points, nats, int(total[2])
