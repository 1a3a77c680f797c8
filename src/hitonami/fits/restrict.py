"""The least probability of a move that counts (minds/restrict.py): those below it are left out.

A move that is left out and played counts as one of 1e-9 (evaluate.metrics.surprise), so likelihood asks how often
people play what the mind thinks nobody plays. The filter cannot change which move is likeliest: accuracy says nothing
about it. Beside the fit stand the tails themselves: how often people play moves below a probability, and how often the
mind expects them to. Where the two agree the tail is real, and leaving it out is a choice about play, not about people.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import group_means
from hitonami.fits.knobs import Knob
from hitonami.fits.sheet import Floats, Sheet

GRID: Final = np.round(np.geomspace(1e-6, 0.1, 51), 8)
"""Ten steps a factor of ten. The first leaves out next to nothing."""
TAILS: Final = (0.001, 0.005, 0.02)
_AROUND: Final = 0.005


@dataclass(frozen=True)
class Tail:
    """Moves below a probability in one group's decisions: the share that people played, and that the mind expects."""

    group: str
    n: int
    below: float
    people: Interval
    mind: Interval


def restrict_knob() -> Knob:
    """The least probability."""
    return Knob("restrict", "min_probability", GRID, _restricted, "log", _AROUND)


def _restricted(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
    scores = sheet.log_probs[0, moves].astype(np.float64)
    first, last = np.searchsorted(sheet.begins, (moves.start, moves.stop))
    begins = sheet.begins[first:last] - moves.start
    top = np.repeat(np.maximum.reduceat(scores, begins), np.diff(np.append(begins, len(scores))))
    return np.where((np.exp(scores) >= value) | (scores == top), scores, -np.inf)


def measure_tails(sheet: Sheet, *, seed: int = 0) -> list[Tail]:
    """For each probability of TAILS, by group, and last of all."""
    probs = np.exp(sheet.log_probs[0].astype(np.float64))
    columns = []
    for below in TAILS:
        is_below = probs < below
        columns += [is_below[sheet.played], np.add.reduceat(np.where(is_below, probs, 0.0), sheet.begins[:-1])]
    found = group_means(sheet.facts, np.column_stack(columns), seed)
    return [
        Tail(name, n, below, *means[2 * at : 2 * at + 2]) for at, below in enumerate(TAILS) for name, n, means in found
    ]
