"""One weight for all decisions: fitted on one sheet, judged on another.

For players of one kind, where a curve over rating has nothing to follow. The weight is chosen twice, by accuracy (as
S0 does it) and by likelihood; both are judged on decisions that had no say in the choice, paired against the first
mind as it is.
"""

from dataclasses import dataclass

import numpy as np

from hitonami.errors import BadInput
from hitonami.evaluate.decisions import DecisionTable
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import Difference, Figures, measure
from hitonami.fits.blend import blend_knob
from hitonami.fits.knobs import fit_knob
from hitonami.fits.sheet import Sheet, answers_at

_FIRST, _SECOND, _ACCURATE, _LIKELY = "first mind", "second mind", "by accuracy", "by likelihood"


@dataclass(frozen=True)
class Choice:
    """A weight of the first mind, with its interval where it was fitted, and what it does where it was not."""

    weight: Interval
    figures: Figures
    accuracy_gain: Difference
    cross_entropy_gain: Difference
    """blend − first mind: below 0 the blend predicts better."""


@dataclass(frozen=True)
class OneWeight:
    """Two minds alone, and their blends, on the decisions of the judgement."""

    fitted_on: int
    first: Figures
    second: Figures
    by_accuracy: Choice
    by_likelihood: Choice


@dataclass(frozen=True)
class RungFigures:
    """One network of the small-data ladder with one expert."""

    base: str
    games: int
    expert: str
    found: OneWeight


def fit_one_weight(fit_on: Sheet, judge_on: Sheet, *, exponent: float = 0.0, seed: int = 0) -> OneWeight:
    """Both sheets hold the same two minds, in the same order. Raises BadInput for any other number."""
    minds = len(fit_on.log_probs), len(judge_on.log_probs)
    if minds != (2, 2):
        raise BadInput(f"one weight is for two minds on both sheets, got {minds[0]} and {minds[1]}")
    knob = blend_knob(exponent)
    best = fit_knob(fit_on, knob, seed=seed).groups[-1]
    weights = {_ACCURATE: best.by_accuracy.value, _LIKELY: best.by_likelihood.value, _FIRST: 1.0, _SECOND: 0.0}
    answers = {
        name: answers_at(judge_on, knob.family, np.full(judge_on.count, value)) for name, value in weights.items()
    }
    measured = measure(DecisionTable(judge_on.facts, answers), seed=seed)
    figures = {each.mind: each.groups[-1] for each in measured.minds}
    gains = {pair.a: pair.all for pair in measured.pairs if pair.b == _FIRST}

    def choice(name: str, weight: Interval) -> Choice:
        return Choice(weight, figures[name], gains[name].accuracy, gains[name].cross_entropy)

    return OneWeight(
        fit_on.count,
        figures[_FIRST],
        figures[_SECOND],
        choice(_ACCURATE, best.by_accuracy),
        choice(_LIKELY, best.by_likelihood),
    )
