"""How far levels lie apart by games, against how far their ratings do: differences of neighbours, errors, the slope."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval
from hitonami.matches.chances import Z, normal_below
from hitonami.matches.elo import EloFit, Tally, fit_elo

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """Two neighbours on the dial."""

    low: float
    high: float
    games: int
    score: float
    """Of the higher one, 0..1."""
    elo: Interval
    """How much stronger the higher one is by games."""
    told: float
    """How much stronger it is said to be."""
    surely: float
    """How likely it is the stronger one, by these games."""


@dataclass(frozen=True)
class Spacing:
    """What games say of a dial."""

    steps: tuple[Step, ...]
    error: float
    """Mean absolute error of the steps."""
    worst: float
    by_chance: float
    """The mean absolute error that a perfect dial would show with as many games."""
    slope: Interval
    """Elo by games for each point of the dial."""
    span: Interval
    """Elo from the first level to the last."""


def measure_spacing(ratings: Sequence[float], tallies: Sequence[Tally], points: Sequence[float] = ()) -> Spacing:
    """Of levels in rising order; tallies name them by their places. Raises BadInput where games do not link them.

    `points` are what the levels stand for in Elo, where they are ranks.
    """
    told = points or ratings
    fit = fit_elo(len(ratings), tallies)
    steps = tuple(_step(fit, ratings, told, at, tallies) for at in range(len(ratings) - 1))
    off = [abs(each.elo.value - each.told) for each in steps]
    spreads = [(each.elo.high - each.elo.low) / (2.0 * Z) for each in steps]
    x = np.asarray(told, dtype=np.float64) - np.mean(told)
    ends = np.zeros(len(ratings))
    ends[0], ends[-1] = -1.0, 1.0
    return Spacing(
        steps,
        float(np.mean(off)),
        max(off),
        float(np.sqrt(2.0 / np.pi) * np.mean(spreads)),
        _combine(fit, x / (x @ x)),
        _combine(fit, ends),
    )


def _combine(fit: EloFit, weights: Floats) -> Interval:
    value = float(weights @ fit.ratings)
    half = Z * math.sqrt(max(float(weights @ fit.covariance @ weights), 0.0))
    return Interval(value, value - half, value + half)


def _step(fit: EloFit, ratings: Sequence[float], told: Sequence[float], at: int, tallies: Sequence[Tally]) -> Step:
    weights = np.zeros(len(ratings))
    weights[at], weights[at + 1] = -1.0, 1.0
    games = points = 0.0
    for each in tallies:
        if {each.first, each.second} == {at, at + 1}:
            games += each.games
            points += each.score if each.first == at + 1 else each.games - each.score
    elo = _combine(fit, weights)
    surely = normal_below(elo.value * 2.0 * Z / max(elo.high - elo.low, 1e-9))
    score = points / max(games, 1.0)
    return Step(ratings[at], ratings[at + 1], int(games), score, elo, told[at + 1] - told[at], surely)


def neighbours(count: int) -> tuple[tuple[int, int], ...]:
    """Places of the levels that meet: each with the next."""
    return tuple(pairwise(range(count)))
