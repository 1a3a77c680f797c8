"""How human is a mind, beyond the move it finds likeliest? Its probabilities, its distances, its levels.

Calibration of move probabilities: of all moves that were given about p, a share p should be played. Distance (Go,
Rémi's |dx| + |dy| + max): how far from the last move the mind expects people to play, and how far they do. Coherence
over ratings: told rising levels, a mind should not leave a move and come back to it, and its fondness of what the
strongest level likes best should not fall. Population match stands in `population`. Nothing here judges moves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind, Opinion, Position, index_of
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, Columns, Facts, at_level, batches_of, opinions_of
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import group_means, means_of
from hitonami.evaluate.selection import Selected
from hitonami.minds.near import remi_distances
from hitonami.progress import Report, unheard

Floats = NDArray[np.float64]
EDGES: Final = (0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Bins of move probabilities: most moves are unlikely, so the bins are narrow there."""
_SLACK: Final = 0.01
"""A fall of a probability that is no fall."""


@dataclass(frozen=True)
class MoveBin:
    """Moves that were given a probability in [low, high): how many, their mean probability, the share played."""

    low: float
    high: float
    n: int
    probability: float
    played: float


@dataclass(frozen=True)
class DistanceOf:
    """Mean distances to the last move in one group: people's, and the mind's expectation."""

    group: str
    n: int
    people: Interval
    mind: Interval


@dataclass(frozen=True)
class Coherence:
    """How a mind's choice changes over rising levels. Shares of positions, with intervals."""

    levels: tuple[float, ...]
    n: int
    same: Interval
    """The likeliest move is the same at all levels."""
    no_return: Interval
    """A likeliest move that was left is not taken up again at a higher level."""
    rising: Interval
    """The probability of what the highest level likes best never falls from level to level (by more than 0.01)."""
    step: Interval
    """Mean total variation between neighbouring levels; 0 for a mind that does not know levels."""


@dataclass(frozen=True)
class Likeness:
    """One mind. `calibration_error` is the mean over decisions of |Σ p − played| by bin."""

    mind: str
    bins: tuple[MoveBin, ...]
    calibration_error: float
    distances: tuple[DistanceOf, ...]
    coherence: Coherence | None


def measure_likeness(
    drawn: Selected, minds: Mapping[str, Mind], levels: Sequence[float] = (), *, report: Report = unheard
) -> list[Likeness]:
    """Ask every mind about every decision once, and once more for each level. Levels must rise."""
    check_levels(levels)
    columns, found = Columns(), {name: _Collected() for name in minds}
    done = 0
    for batch in batches_of(drawn):
        columns.add(batch)
        for name, mind in minds.items():
            found[name].add(batch, mind, levels, Effort(np.random.default_rng([drawn.plan.seed, done])))
        done += len(batch)
        report(done, done * len(minds) * (1 + len(levels)))
    facts = columns.facts()
    return [each.likeness(name, facts, levels, drawn.plan.seed) for name, each in found.items()]


def check_levels(levels: Sequence[float]) -> None:
    """Raises BadInput for levels over which nothing can be coherent."""
    if list(levels) != sorted(set(levels)) or len(levels) == 1:
        raise BadInput(f"coherence needs two or more rising levels, got {list(levels)}")


class _Collected:
    """What is kept of one mind's answers."""

    def __init__(self) -> None:
        self._moves = np.zeros((len(EDGES) - 1, 3))
        self._distances: list[tuple[float, float]] = []
        self._changes: list[tuple[float, float, float, float]] = []

    def add(self, batch: Sequence[Asked], mind: Mind, levels: Sequence[float], effort: Effort) -> None:
        queries = [sample.query for sample, _, _ in batch]
        for (sample, _, _), opinion in zip(batch, opinions_of(mind, queries, effort), strict=True):
            place = index_of(sample.query.position, sample.move)
            probs = np.exp(opinion.log_probs.astype(np.float64))
            self._count(probs, place)
            self._distances.append(_distances(sample.query.position, probs, place))
        told = [opinions_of(mind, [at_level(query, level) for query in queries], effort) for level in levels]
        self._changes += [_changes(views) for views in zip(*told, strict=True)]

    def _count(self, probs: Floats, place: int) -> None:
        at = np.clip(np.searchsorted(EDGES, probs, side="right") - 1, 0, len(EDGES) - 2)
        np.add.at(self._moves, at, np.column_stack([np.ones_like(probs), probs, np.zeros_like(probs)]))
        self._moves[at[place], 2] += 1

    def likeness(self, name: str, facts: Facts, levels: Sequence[float], seed: int) -> Likeness:
        bins = tuple(
            MoveBin(low, high, int(count), float(mass / count), float(hits / count))
            for low, high, (count, mass, hits) in zip(EDGES[:-1], EDGES[1:], self._moves.tolist(), strict=True)
            if count
        )
        error = float(np.abs(self._moves[:, 1] - self._moves[:, 2]).sum() / len(facts.ply))
        distances = _distance_figures(facts, np.array(self._distances).reshape(-1, 2), seed)
        coherence = _coherence(facts, np.array(self._changes), tuple(levels), seed) if levels else None
        return Likeness(name, bins, error, distances, coherence)


def _distances(position: Position, probs: Floats, place: int) -> tuple[float, float]:
    """(people's, the mind's) distance to the last move; NaN where the game or the position has none."""
    apart = remi_distances(position).astype(np.float64)
    known = ~np.isnan(apart)
    if not known.any() or probs[known].sum() <= 0:
        return np.nan, np.nan
    return float(apart[place]), float((probs[known] * apart[known]).sum() / probs[known].sum())


def _changes(views: Sequence[Opinion]) -> tuple[float, float, float, float]:
    """(same, no return, rising, step) of one position over rising levels."""
    probs = np.exp(np.stack([view.log_probs for view in views]).astype(np.float64))
    tops = probs.argmax(axis=1).tolist()
    runs = [tops[0], *(move for before, move in pairwise(tops) if move != before)]
    liked = probs[:, tops[-1]]
    steps = np.abs(np.diff(probs, axis=0)).sum(axis=1) / 2
    return (
        float(len(runs) == 1),
        float(len(set(runs)) == len(runs)),
        float((np.diff(liked) >= -_SLACK).all()),
        float(steps.mean()),
    )


def _distance_figures(facts: Facts, columns: Floats, seed: int) -> tuple[DistanceOf, ...]:
    return tuple(DistanceOf(name, n, *means) for name, n, means in group_means(facts, columns, seed))


def _coherence(facts: Facts, columns: Floats, levels: tuple[float, ...], seed: int) -> Coherence:
    [(_, n, intervals)] = means_of(facts, columns, [("all", np.arange(len(columns)))], seed)
    return Coherence(levels, n, *intervals)
