"""Knobs of minds: a number, or a fitted curve over rating. In a batch each query reads it at its player's rating."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.errors import BadInput


@dataclass(frozen=True)
class Curve:
    """A fitted value over rating: straight between its points, constant beyond them."""

    points: tuple[tuple[float, float], ...]
    _xs: tuple[float, ...] = field(init=False, repr=False, compare=False)
    _ys: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        xs = tuple(float(x) for x, _ in self.points)
        ys = tuple(float(y) for _, y in self.points)
        if not xs or any(a >= b for a, b in pairwise(xs)) or not np.isfinite(xs + ys).all():
            raise BadInput(f"a curve needs points [rating, value] with rising ratings, got {list(self.points)}")
        object.__setattr__(self, "_xs", xs)
        object.__setattr__(self, "_ys", ys)

    def __call__(self, ratings: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.interp(ratings, self._xs, self._ys)


Knob = float | Curve
"""A number, or a curve read at the mover's rating."""


def read_knob(knob: Knob, queries: Sequence[Query]) -> NDArray[np.float64]:
    """[B] the knob's value for each query. A curve needs ratings and refuses to guess one; one point is a number."""
    if not isinstance(knob, Curve):
        return np.full(len(queries), knob, dtype=np.float64)
    if len(knob.points) == 1:
        return np.full(len(queries), knob.points[0][1], dtype=np.float64)
    ratings = [query.player.rating for query in queries]
    if any(rating is None for rating in ratings):
        raise BadInput("this mind has a knob that depends on rating, and the player has none: give a rating")
    return knob(np.array(ratings, dtype=np.float64))


def check_knob(name: str, knob: Knob, low: float, high: float = np.inf) -> None:
    """Refuse a knob whose value anywhere leaves [low, high]."""
    values = [y for _, y in knob.points] if isinstance(knob, Curve) else [knob]
    for value in values:
        if not low <= value <= high:
            raise BadInput(f"{name} must lie between {low:g} and {high:g}, got {value:g}")
