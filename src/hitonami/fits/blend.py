"""The weight α of the first of two minds: P ∝ first^α · second^(1−α), or an arithmetic or power mean.

α is always the weight of the first mind, so 1 is the first alone and 0 the second alone: for `human` and `expert`, as
the packaged `blend` has it, α falls with strength. As in the mind, a part of weight 0 has no say.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.fits.knobs import Knob
from hitonami.fits.sheet import Family, Floats, Sheet

GRID: Final = np.arange(101) / 100
_AROUND: Final = 0.1
_EXPONENTS: Final = {"geometric": 0.0, "arithmetic": 1.0}


def exponent_of(mean: str) -> float:
    """The exponent of the mean of this name: geometric, arithmetic, or a number."""
    if mean in _EXPONENTS:
        return _EXPONENTS[mean]
    try:
        exponent = float(mean)
    except ValueError:
        exponent = np.nan
    if not -10.0 <= exponent <= 10.0:
        raise BadInput(f"a mean is geometric, arithmetic or an exponent between -10 and 10, got {mean!r}")
    return exponent


def blend_knob(exponent: float = 0.0) -> Knob:
    """The weight of the first mind against the second."""
    return Knob("blend", "weight", GRID, blend_family(exponent), "logit", _AROUND)


def blend_family(exponent: float) -> Family:
    """What a weight of the first mind does to the answers of two."""

    def mixed(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
        weights = np.stack([np.asarray(value, dtype=np.float64), 1.0 - np.asarray(value, dtype=np.float64)])
        return mix_scores(sheet.log_probs[:2, moves], weights, exponent)

    return mixed


def mix_scores(log_probs: NDArray[np.float32], weights: Floats, exponent: float) -> Floats:
    """[moves] the power mean of log_probs [minds, moves], but for normalising; weights [minds] or [minds, moves]."""
    parts = log_probs.astype(np.float64)
    scale = weights if weights.ndim == 2 else weights[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):  # an excluded move: -inf, times a weight of 0
        if exponent == 0.0:
            return np.where(scale > 0, scale * parts, 0.0).sum(axis=0)
        terms = np.where(scale > 0, exponent * parts + np.log(scale), -np.inf)
        return np.logaddexp.reduce(terms, axis=0) / exponent
