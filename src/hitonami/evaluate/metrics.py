"""Figures from rows: accuracy, cross-entropy and likelihood by group, paired differences, calibration.

Accuracy is the share of decisions where the mind's likeliest move was played. Cross-entropy is the mean of
-log p(played) in nats; likelihood is its exp(-x), the geometric mean of the probability of the move played. A
probability under FLOOR counts as FLOOR, and how often that happened is told: one excluded move would otherwise make
every comparison infinite.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.decisions import Answers, DecisionTable, Facts
from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.intervals import (
    RESAMPLES,
    Interval,
    Part,
    flip_p_values,
    holm,
    interval_of,
    resample_parts,
)

FLOOR: Final = 1e-9
BINS: Final = 10
Floats = NDArray[np.float64]
Parts = dict[str, Part]
"""Every group, weakest first, and then all of them together: a hit and a surprise column for each mind."""


@dataclass(frozen=True)
class Figures:
    """One mind in one group."""

    group: str
    n: int
    games: int
    accuracy: Interval
    cross_entropy: Interval
    likelihood: Interval
    zero_probability: int
    """Moves that the mind gave less than FLOOR."""
    mean_rank: float


@dataclass(frozen=True)
class Difference:
    """a − b on the same decisions. `p` is that of chance alone; `p_holm` is corrected over the groups."""

    interval: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class PairedGroup:
    group: str
    n: int
    games: int
    accuracy: Difference
    cross_entropy: Difference


@dataclass(frozen=True)
class Pair:
    """Two minds. The last of `groups` is "all"; `equal` weighs every group alike, whatever its size."""

    a: str
    b: str
    groups: tuple[PairedGroup, ...]
    equal: tuple[Interval, Interval]
    """Accuracy and cross-entropy."""

    @property
    def all(self) -> PairedGroup:
        return self.groups[-1]


@dataclass(frozen=True)
class Bin:
    """Decisions whose top move had a probability in [low, high)."""

    low: float
    high: float
    n: int
    probability: float
    accuracy: float


@dataclass(frozen=True)
class MindFigures:
    """One mind. The last of `groups` is "all"; `equal` (accuracy, cross-entropy) weighs every group alike."""

    mind: str
    groups: tuple[Figures, ...]
    equal: tuple[Interval, Interval]
    calibration: tuple[Bin, ...]


@dataclass(frozen=True)
class Measured:
    minds: tuple[MindFigures, ...]
    pairs: tuple[Pair, ...]


def measure(table: DecisionTable, *, seed: int = 0, resamples: int = RESAMPLES) -> Measured:
    """All figures of a table, with intervals from one set of resamples."""
    names, named = list(table.answers), group_rows(table.facts)
    columns = np.stack([each for a in table.answers.values() for each in (a.hit, surprise(a.log_prob))], axis=1)
    found = resample_parts(table.facts.game, columns, [rows for _, rows in named], seed, resamples)
    parts = dict(zip((name for name, _ in named), found, strict=True))
    minds = tuple(_mind_figures(name, at, parts, table.answers[name]) for at, name in enumerate(names))
    pairs = tuple(
        _pair((names[a], a), (names[b], b), parts, seed, resamples) for a, b in combinations(range(len(names)), 2)
    )
    return Measured(minds, pairs)


def surprise(log_prob: Floats) -> Floats:
    """-log p, with probabilities under FLOOR taken as FLOOR."""
    return -np.maximum(log_prob, log(FLOOR))


def group_rows(facts: Facts) -> list[tuple[str, NDArray[np.int64]]]:
    """The rows of each group, by its label, and last of all of them."""
    pools = facts.pools
    named = [(group.label(pools), np.flatnonzero(facts.group == at)) for at, group in enumerate(facts.groups)]
    kept = [(name, rows) for name, rows in named if name != ALL]
    return [*kept, (ALL, np.arange(len(facts.group)))]


def group_means(facts: Facts, columns: Floats, seed: int) -> list[tuple[str, int, list[Interval]]]:
    """`means_of` for each group and last of all, without rows that hold a NaN; a group of none has no place."""
    known = np.flatnonzero(~np.isnan(columns).any(axis=1))
    named = [(name, np.intersect1d(rows, known)) for name, rows in group_rows(facts)]
    kept = [(name, rows) for name, rows in named if len(rows)]
    return means_of(facts, columns, kept, seed) if kept else []


def means_of(
    facts: Facts, columns: Floats, named: Sequence[tuple[str, NDArray[np.int64]]], seed: int
) -> list[tuple[str, int, list[Interval]]]:
    """For each group, its size and the mean of each column with its interval from resampled games."""
    parts = resample_parts(facts.game, columns, [rows for _, rows in named], seed)
    return [(name, len(rows), part.intervals) for (name, rows), part in zip(named, parts, strict=True)]


def _mind_figures(name: str, at: int, parts: Parts, answers: Answers) -> MindFigures:
    groups = tuple(_figures(group, part, at, answers) for group, part in parts.items())
    equal = _equal_weighted(parts, 2 * at), _equal_weighted(parts, 2 * at + 1)
    return MindFigures(name, groups, equal, calibration_of(answers))


def _figures(group: str, part: Part, at: int, answers: Answers) -> Figures:
    accuracy, cross_entropy = part.interval(2 * at), part.interval(2 * at + 1)
    return Figures(
        group=group,
        n=len(part.rows),
        games=part.games,
        accuracy=accuracy,
        cross_entropy=cross_entropy,
        likelihood=Interval(exp(-cross_entropy.value), exp(-cross_entropy.high), exp(-cross_entropy.low)),
        zero_probability=int((answers.log_prob[part.rows] < log(FLOOR)).sum()),
        mean_rank=float(answers.rank[part.rows].mean()),
    )


def _equal_weighted(parts: Parts, column: int, minus: int | None = None) -> Interval:
    """The mean over groups; resamples that miss a group altogether are left out."""
    own = [*parts.values()][:-1] or [*parts.values()]

    def of(part: Part) -> tuple[float, Floats]:
        value, draws = part.sums.means[column], part.draws[:, column]
        return (value, draws) if minus is None else (value - part.sums.means[minus], draws - part.draws[:, minus])

    values, draws = zip(*map(of, own), strict=True)
    return interval_of(float(np.mean(values)), np.mean(draws, axis=0))


def _pair(a: tuple[str, int], b: tuple[str, int], parts: Parts, seed: int, resamples: int) -> Pair:
    groups = [_paired_group(name, part, (a[1], b[1]), seed, resamples) for name, part in parts.items()]
    bands = groups[:-1]
    accuracy = holm([group.accuracy.p for group in bands])
    cross_entropy = holm([group.cross_entropy.p for group in bands])
    corrected = [
        PairedGroup(each.group, each.n, each.games, _with_holm(each.accuracy, p), _with_holm(each.cross_entropy, q))
        for each, p, q in zip(bands, accuracy, cross_entropy, strict=True)
    ]
    equal = tuple(_equal_weighted(parts, 2 * a[1] + kind, minus=2 * b[1] + kind) for kind in (0, 1))
    return Pair(a[0], b[0], (*corrected, groups[-1]), (equal[0], equal[1]))


def _with_holm(difference: Difference, p_holm: float) -> Difference:
    return Difference(difference.interval, difference.p, p_holm)


def _paired_group(group: str, part: Part, minds: tuple[int, int], seed: int, resamples: int) -> PairedGroup:
    a, b = minds
    columns = [(2 * a, 2 * b), (2 * a + 1, 2 * b + 1)]
    sums = np.stack([part.sums.sums[:, x] - part.sums.sums[:, y] for x, y in columns], axis=1)
    p_values = flip_p_values(sums, seed, resamples)
    found = [
        Difference(
            interval_of(float(sums[:, at].sum() / len(part.rows)), part.draws[:, x] - part.draws[:, y]), float(p)
        )
        for at, ((x, y), p) in enumerate(zip(columns, p_values, strict=True))
    ]
    return PairedGroup(group, len(part.rows), part.games, found[0], found[1])


def calibration_of(answers: Answers) -> tuple[Bin, ...]:
    """How often the likeliest move was played, by the probability that it was given. Empty bins are left out."""
    place = np.minimum((answers.top * BINS).astype(np.int64), BINS - 1)
    found = []
    for at in np.unique(place):
        rows = place == at
        mean, hits = float(answers.top[rows].mean()), float(answers.hit[rows].mean())
        found.append(Bin(at / BINS, (at + 1) / BINS, int(rows.sum()), mean, hits))
    return tuple(found)
