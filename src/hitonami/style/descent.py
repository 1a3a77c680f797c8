"""Minimise a smooth convex function: L-BFGS with halved steps. No library that comes with playing has one."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
_KEPT: Final = 8
_ENOUGH: Final = 1e-4
_SMALLEST_STEP: Final = 1e-6


def minimise(
    function: Callable[[Vector], tuple[float, Vector]], start: Vector, *, rounds: int = 60, least_fall: float = 1e-6
) -> Vector:
    """From `start`, by value and slope. Ends when a round gains less than `least_fall` of the value."""
    here, (value, slope) = start, function(start)
    steps: list[tuple[Vector, Vector]] = []
    for _ in range(rounds):
        direction = _direction(slope, steps)
        length, fall = 1.0, float(direction @ slope)
        while True:
            there = here - length * direction
            reached, tilt = function(there)
            if reached <= value - _ENOUGH * length * fall or length < _SMALLEST_STEP:
                break
            length /= 2
        if reached >= value:
            return here
        moved, turned = there - here, tilt - slope
        if moved @ turned > 0:
            steps = [*steps, (moved, turned)][-_KEPT:]
        gained, here, value, slope = value - reached, there, reached, tilt
        if gained < least_fall * max(1.0, abs(value)):
            return here
    return here


def _direction(slope: Vector, steps: list[tuple[Vector, Vector]]) -> Vector:
    found, weights = slope.copy(), []
    for moved, turned in reversed(steps):
        weights.append(float(moved @ found / (turned @ moved)))
        found -= weights[-1] * turned
    if steps:
        moved, turned = steps[-1]
        found *= (moved @ turned) / (turned @ turned)
    else:
        found /= max(1.0, float(np.abs(slope).sum()))
    for (moved, turned), weight in zip(steps, reversed(weights), strict=True):
        found += moved * (weight - turned @ found / (turned @ moved))
    return found
