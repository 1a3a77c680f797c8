"""Other ways to calibrate, for comparison with a temperature: Platt's logistic curve and isotonic regression.

Both come from scikit-learn (the extra `fit`) and know the expected score alone, so a draw is half a win and half a
loss, and the share of draws is kept as far as the new expected score leaves room. Each pool is fitted by itself.
"""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.winrate import Outcomes, known_rows

Floats = NDArray[np.float64]
Rescale = Callable[[Floats], Floats]
_EDGE = 1e-3
_LEAST = 30
"""Games of a pool; with fewer it shares the fit of all."""


def is_available() -> bool:
    """Whether scikit-learn is installed."""
    return find_spec("sklearn") is not None


def fit_platt(expected: Floats, score: Floats) -> Rescale:
    """V ↦ 1 / (1 + exp(-(a · logit V + b))), the likeliest a and b, with no penalty to speak of."""
    from sklearn.linear_model import LogisticRegression

    inputs = np.concatenate([_logit(expected)] * 2)[:, None]
    results = np.repeat([1, 0], len(score))
    model = LogisticRegression(C=1e6).fit(inputs, results, sample_weight=np.concatenate([score, 1 - score]))
    return lambda values: model.predict_proba(_logit(values)[:, None])[:, 1]


def fit_isotonic(expected: Floats, score: Floats) -> Rescale:
    """The nearest rising step function; beyond what was seen it is constant."""
    from sklearn.isotonic import IsotonicRegression

    model = IsotonicRegression(y_min=_EDGE, y_max=1 - _EDGE, out_of_bounds="clip").fit(expected, score)
    rescale: Rescale = model.predict
    return rescale


def compare_on(fitted: tuple[Facts, Floats], unseen: tuple[Facts, Floats]) -> dict[str, Floats]:
    """By name, [n, 3] the chances of the unseen positions by each method, fitted to the first ones."""
    found = {}
    for name, fit in (("platt", fit_platt), ("isotonic", fit_isotonic)):
        chances = np.empty_like(unseen[1])
        for pool in set(unseen[0].pool):
            rows = np.flatnonzero(np.array(unseen[0].pool, dtype=object) == pool)
            chances[rows] = _rescaled(unseen[1][rows], _of_pool(fit, *fitted, pool))
        found[name] = chances
    return found


def _of_pool(fit: Callable[[Floats, Floats], Rescale], facts: Facts, wdl: Floats, pool: str) -> Rescale:
    known = known_rows(facts)
    own = known[np.array(facts.pool, dtype=object)[known] == pool]
    rows = own if len(own) >= _LEAST and len(np.unique(facts.score[own])) > 1 else known
    return fit(Outcomes(facts.score[rows], wdl[rows]).expected, facts.score[rows])


def _rescaled(wdl: Floats, rescale: Rescale) -> Floats:
    expected = np.clip(rescale(wdl[:, 0] + wdl[:, 1] / 2), _EDGE, 1 - _EDGE)
    draws = np.minimum(wdl[:, 1], 2 * np.minimum(expected, 1 - expected) * (1 - _EDGE))
    return np.column_stack([expected - draws / 2, draws, 1 - expected - draws / 2])


def _logit(values: Floats) -> Floats:
    inside = np.clip(values, 1e-6, 1 - 1e-6)
    return np.log(inside / (1 - inside))
