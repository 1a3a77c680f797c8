"""A knob as a smooth, monotone curve over rating, fitted to all decisions of a pool at once.

The curve has two parameters, its values at the 5th and the 95th percentile of the movers' ratings; between them it is
straight after a link (logistic for weights, logarithmic for exponents, none for slopes), and so monotone; beyond them
it is constant, because there is hardly anything to fit it to. Each decision counts with its own rating: there are no
bands in it. The best pair is found by a coarse grid and a pattern search; what is not rated has no part in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.knobs import Curve

Floats = NDArray[np.float64]
Link = Literal["logit", "log", "none"]
LEAST: Final = 200
"""Rated decisions of a pool; with fewer there is no curve."""
_ENDS: Final = (5.0, 95.0)
_POINTS: Final = 9
_COARSE: Final = 6
_FINEST: Final = 1 / 8
_EDGE: Final = 1e-3


@dataclass(frozen=True)
class Shape:
    """How the curve runs between its ends."""

    low: float
    high: float
    """Ratings of the ends."""
    link: Link

    def at(self, ends: tuple[float, float], ratings: Floats) -> Floats:
        """The curve's values."""
        if self.high <= self.low:
            return np.full(len(ratings), ends[0])
        share = (np.clip(ratings, self.low, self.high) - self.low) / (self.high - self.low)
        first, last = _linked(np.array(ends), self.link)
        return _unlinked(first + (last - first) * share, self.link)

    def points(self, ends: tuple[float, float]) -> Curve:
        """The curve by points close enough to be straight between."""
        if self.high <= self.low:
            return Curve(((self.low, round(ends[0], 4)),))
        ratings = np.linspace(self.low, self.high, 2 if self.link == "none" else _POINTS)
        values = self.at(ends, ratings)
        return Curve(tuple((round(x, 1), round(y, 4)) for x, y in zip(ratings.tolist(), values.tolist(), strict=True)))


def fit_curve(grid: Floats, table: Floats, ratings: Floats, link: Link) -> Curve:
    """The curve with the greatest mean of `table` [n, values of the grid], the gain of each decision at each value."""
    low, high = np.percentile(ratings, _ENDS).tolist()
    shape = Shape(low, high, link)
    ends = _search(grid, lambda ends: read_table(grid, table, shape.at(ends, ratings)))
    return shape.points(ends)


def read_table(grid: Floats, table: Floats, values: Floats) -> float:
    """The mean over decisions of the table read at one value each, straight between the values of the grid."""
    right = np.clip(np.searchsorted(grid, values), 1, len(grid) - 1)
    share = np.clip((values - grid[right - 1]) / (grid[right] - grid[right - 1]), 0.0, 1.0)
    rows = np.arange(len(table))
    return float(((1 - share) * table[rows, right - 1] + share * table[rows, right]).mean())


def _search(grid: Floats, gain: Callable[[tuple[float, float]], float]) -> tuple[float, float]:
    """The best pair of places on the grid, to an eighth of a step."""
    last = len(grid) - 1.0

    def value(place: tuple[float, float]) -> tuple[float, float]:
        first, second = np.interp(place, np.arange(len(grid)), grid).tolist()
        return first, second

    coarse = np.linspace(0.0, last, _COARSE).tolist()
    held = {(a, b): gain(value((a, b))) for a in coarse for b in coarse}
    best = max(held, key=lambda place: held[place])
    top, step = held[best], last / _COARSE
    while step >= _FINEST:
        moved = False
        for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            place = min(max(best[0] + a * step, 0.0), last), min(max(best[1] + b * step, 0.0), last)
            found = gain(value(place))
            if found > top:
                best, top, moved = place, found, True
        step = step if moved else step / 2
    return value(best)


def _linked(values: Floats, link: Link) -> Floats:
    if link == "logit":
        inside = np.clip(values, _EDGE, 1 - _EDGE)  # a weight of exactly 0 or 1 has no logit
        return np.log(inside / (1 - inside))
    return np.log(np.maximum(values, _EDGE)) if link == "log" else values


def _unlinked(values: Floats, link: Link) -> Floats:
    if link == "logit":
        return 1.0 / (1.0 + np.exp(-values))
    return np.exp(values) if link == "log" else values
