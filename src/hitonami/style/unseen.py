"""What twins are worth on games that they never saw, with people as the unit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval
from hitonami.style.decisions import Decisions, Played
from hitonami.style.learning import Choices, Learned, plain_prior
from hitonami.twins.twin import Named

Floats = NDArray[np.float64]
_RESAMPLES: Final = 2_000
_SURE: Final = 1.96
_OFTEN: Final = 5


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
    choices, found = _ask(learned, held, sizes)
    base = held.log_probs.astype(np.float64)
    points = 100.0 * (choices.hits(found) - choices.hits(base))
    return Unseen(held.ply, held.game - held.game.min(), points, choices.nats(found) - choices.nats(base))


def _ask(learned: Learned, held: Decisions, sizes: Sequence[int]) -> tuple[Choices, Floats]:
    """The decisions as they are laid out, and [L] what the twin says."""
    leanings, prior = learned.leanings, plain_prior(held, sizes)
    if leanings is not None:
        prior = replace(prior, shift=leanings.shift, scale=leanings.scale)
    choices, found = Choices(held, prior, sizes), held.log_probs.astype(np.float64)
    if leanings is not None:
        found = choices.lean(np.concatenate([leanings.weights, *leanings.kinds.values()]).astype(np.float64))
    for way, memory in enumerate(learned.memories.get(scene) for scene in learned.scenes):
        for at, mark in enumerate(held.scenes[:, way]) if memory is not None else ():
            if memory is None or mark not in memory.counts:
                continue
            span = slice(choices.legal_begins[at], choices.legal_begins[at + 1])
            told = Named.of(held.names[span, way], memory.counts[str(mark)])
            found[span] = told.recall(found[span], memory.doubt)
    return choices, found


def diverge(learned: Learned, held: Decisions, played: Sequence[Played], sizes: Sequence[int]) -> Floats:
    """[m, 2] how far base and twin lie from the moves of positions that came often: Jensen–Shannon divergence, in bits.

    `played` is what the person did in the unseen games, position by position; each position that was asked about and
    came five times at least counts once. So few moves lie away from any chances; both are measured alike.
    """
    choices, found = _ask(learned, held, sizes)
    counts: dict[str, Counter[int]] = {}
    for _, mark, move in played:
        counts.setdefault(mark, Counter())[move] += 1
    rows = []
    for mark in np.unique(held.scenes[:, -1]).tolist():
        if mark not in counts or counts[mark].total() < _OFTEN:
            continue
        at = int(np.flatnonzero(held.scenes[:, -1] == mark)[0])
        span = slice(choices.legal_begins[at], choices.legal_begins[at + 1])
        names, group = np.unique(held.names[span, -1], return_inverse=True)
        own = np.array([counts[mark][name] for name in names.tolist()], dtype=np.float64)
        chances = [np.bincount(group, np.exp(each[span].astype(np.float64))) for each in (held.log_probs, found)]
        rows.append([divergence(own / own.sum(), chance / chance.sum()) for chance in chances])
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def divergence(one: Floats, other: Floats) -> float:
    """Jensen–Shannon, in bits, of two distributions over the same moves."""

    def entropy(shares: Floats) -> float:
        some = shares[shares > 0]
        return float(-(some * np.log2(some)).sum())

    return entropy((one + other) / 2) - (entropy(one) + entropy(other)) / 2


def pool_people(people: Sequence[Unseen], seed: int = 0) -> tuple[Interval, Interval, int]:
    """Points and nats over all decisions, with intervals over people, and how many decisions those are."""
    sums = np.array([[each.points.sum(), each.nats.sum(), len(each.ply)] for each in people])
    rng = np.random.default_rng(seed)
    drawn = sums[rng.integers(0, len(sums), (_RESAMPLES, len(sums)))].sum(axis=1)
    means, total = drawn[:, :2] / drawn[:, 2:], sums.sum(axis=0)
    lows, highs = np.quantile(means, [0.025, 0.975], axis=0)
    points, nats = (Interval(float(total[at] / total[2]), float(lows[at]), float(highs[at])) for at in (0, 1))
    return points, nats, int(total[2])


def pool_means(people: Sequence[Floats], seed: int = 0) -> Interval:
    """The mean of values [m] of each person over all, with an interval over people."""
    sums = np.array([[each.sum(), len(each)] for each in people if len(each)])
    drawn = sums[np.random.default_rng(seed).integers(0, len(sums), (_RESAMPLES, len(sums)))].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    return Interval(float(sums[:, 0].sum() / sums[:, 1].sum()), float(low), float(high))
