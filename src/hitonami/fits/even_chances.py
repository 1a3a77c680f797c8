"""Where a knob makes chances even: a logistic curve of the score over the knob's logarithm, half of it, an interval.

S1 plays a fixed program with exponents ρ of 1.00 … 2.00 and takes the one whose score is nearest to a half. One curve
through all of them uses every game. The interval resamples the games of each value.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval, interval_of

Floats = NDArray[np.float64]
_RESAMPLES: Final = 2_000
_STEPS: Final = 60
_RIDGE: Final = 1e-3
_RANGE: Final = (0.25, 8.0)
"""Values that even chances are looked for between; a curve that is even nowhere there is told by that end."""


@dataclass(frozen=True)
class EvenChances:
    """The value of the knob with even chances, and the curve: log-odds of a win are `level` + `slope` · ln(value)."""

    value: Interval
    level: float
    slope: float


def find_even_chances(values: Floats, points: Floats, games: Floats, *, seed: int = 0) -> EvenChances:
    """`points` [v] scored in `games` [v] at each of `values` [v]; a draw is half a point."""
    logs = np.log(np.asarray(values, dtype=np.float64))
    level, slope = _fit(logs, points, games)
    rng = np.random.default_rng([seed, 0xE7E2])
    shares = np.clip(points / games, 0.0, 1.0)
    drawn = rng.binomial(games.astype(np.int64), shares, size=(_RESAMPLES, len(values))).astype(np.float64)
    found = np.array([_even(*_fit(logs, row, games)) for row in drawn])
    return EvenChances(interval_of(_even(level, slope), found), level, slope)


def _even(level: float, slope: float) -> float:
    """Of a curve that does not rise, the end that its level points to."""
    low, high = _RANGE
    if slope <= 0:
        return low if level > 0 else high
    return float(np.clip(np.exp(np.clip(-level / slope, -10.0, 10.0)), low, high))


def _fit(logs: Floats, points: Floats, games: Floats) -> tuple[float, float]:
    """Newton's method on the log-likelihood, with a touch of ridge so that all won or all lost has an answer."""
    design = np.column_stack([np.ones_like(logs), logs])
    weights = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ weights, -30.0, 30.0)))
        slope = design.T @ (points - games * chance) - _RIDGE * weights
        bend = (design * (games * chance * (1.0 - chance))[:, None]).T @ design + _RIDGE * np.eye(2)
        step = np.linalg.solve(bend, slope)
        weights += np.clip(step, -2.0, 2.0)
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), float(weights[1])
