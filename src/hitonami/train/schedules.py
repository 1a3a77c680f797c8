"""Learning rates over a run, as pure functions of the step: nothing to save, nothing to restore."""

from math import cos, pi
from typing import Literal

Schedule = Literal["cosine", "steps", "constant"]
_DROPS = (1 / 5, 1 / 2, 9 / 10)


def rate_factor(schedule: Schedule, step: int, steps: int, *, warm_up: int = 0, floor: float = 0.0) -> float:
    """What the base learning rate is multiplied with at a step, counted from 0.

    All rise in a straight line over the first `warm_up` steps. "cosine" then falls to `floor`; "steps" divides by
    ten after 1/5, 1/2 and 9/10 of the run, as Maia's training did.

    >>> [rate_factor("steps", step, 100) for step in (0, 19, 20, 50, 90)]
    [1.0, 1.0, 0.1, 0.01, 0.001]
    >>> [round(rate_factor("cosine", step, 100, warm_up=10, floor=0.02), 3) for step in (0, 9, 10, 55, 100)]
    [0.1, 1.0, 1.0, 0.51, 0.02]
    """
    if step < warm_up:
        return (step + 1) / warm_up
    if schedule == "constant":
        return 1.0
    if schedule == "steps":
        dropped = sum(step >= drop * steps for drop in _DROPS)
        return float((1.0, 0.1, 0.01, 0.001)[dropped])
    share = min((step - warm_up) / max(steps - warm_up, 1), 1.0)
    return floor + (1.0 - floor) * 0.5 * (1.0 + cos(pi * share))
