"""A piece of the warm-up."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hitonami.core import Position


@dataclass(frozen=True)
class Task:
    """Something to compile, in words, and what compiles it."""

    what: str
    run: Callable[[], None]


def playout(start: Position, count: int) -> Position:
    """The position after some random moves."""
    rng = np.random.default_rng(0)
    while len(start.legal) and start.ply < count:
        start = start.play(int(rng.choice(start.legal)))
    return start
