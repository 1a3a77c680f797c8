"""The exponent ρ of one mind: P ∝ first^ρ. Above 1 people are surer than the mind, below 1 less sure.

ρ cannot change which move is likeliest, so accuracy says nothing about it: it is fitted by likelihood alone. What it
makes of the level of play is a question for games and judges, not for this fit.
"""

from typing import Final

import numpy as np

from hitonami.fits.knobs import Knob
from hitonami.fits.sheet import Floats, Sheet

GRID: Final = np.round(np.geomspace(0.25, 4.0, 113), 4)
"""Steps of a fortieth."""
_AROUND: Final = 0.1


def softmax_knob() -> Knob:
    """The exponent of the first mind."""
    return Knob("softmax", "rho", GRID, _tempered, "log", _AROUND)


def _tempered(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
    return value * sheet.log_probs[0, moves].astype(np.float64)
