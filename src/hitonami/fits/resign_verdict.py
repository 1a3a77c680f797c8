"""What curves of resignation are worth on turns that they never saw, in a few figures beside a threshold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval, interval_of
from hitonami.fits.resign import ece_excess, rule_at, threshold_scores
from hitonami.fits.resign_sample import Sample, columns_of
from hitonami.fits.saves import rows_of
from hitonami.manners.additive import Floats
from hitonami.manners.resignation import Resignation, resign_features

FPR: Final = 0.001


@dataclass(frozen=True)
class Verdict:
    """One rule on unseen turns; `auc` is the chance that a given-up turn scores above one that was played on."""

    name: str
    tpr: Interval
    auc: float


@dataclass(frozen=True)
class Worth:
    """Curves beside the better of two thresholds on the win rate."""

    turns: int
    resigned: int
    games: int
    curves: Verdict
    ece_excess: float
    baseline: Verdict
    gain: Interval
    """TPR over the baseline's, paired by games."""


def weigh_resignation(model: Resignation, sample: Sample) -> Worth:
    """The curves on usable turns. Raises BadInput where nobody gave up, or nobody played on."""
    every, decides, whole = sample.turns, sample.decides, len(sample.whole)
    columns, turns = columns_of(every), every.where(decides)
    resigned = turns["resigned"] == 1
    if not resigned.any() or resigned.all():
        raise BadInput(f"of {len(turns):,} turns of unseen games {resigned.sum():,} were given up: nothing to measure")
    features = rows_of(resign_features(columns), decides)
    chance = model.chance(features, turns["pool"])
    place = np.unique(turns["game"], return_inverse=True)[1]
    found = {}
    for name, score in {"curves": chance, **threshold_scores(columns, decides)}.items():
        rule, drawn = rule_at(name, score, FPR, turns, place)
        found[name] = Verdict(name, rule.tpr, area_under(score, resigned)), drawn
    (curves, ours), *rest = found.values()
    baseline, theirs = max(rest, key=lambda each: (each[0].tpr.value, each[0].auc))
    return Worth(
        len(turns), int(resigned.sum()), int(place.max()) + 1, curves,
        ece_excess(chance[:whole], sample.whole["resigned"].astype(np.float64)),
        baseline, interval_of(curves.tpr.value - baseline.tpr.value, ours - theirs),
    )  # fmt: skip


def area_under(score: Floats, happened: NDArray[np.bool_]) -> float:
    """The area under the curve of TPR over FPR; equal scores count half."""
    others = np.sort(score[~happened])
    below, upto = (np.searchsorted(others, score[happened], side) for side in ("left", "right"))
    return float((below + upto).mean() / 2 / len(others))


def tells_better(one: Resignation, other: Resignation, sample: Sample) -> bool:
    """Whether the first tells better than the second, by likelihood, at which turns of whole games people give up."""
    turns = sample.whole
    features, resigned = resign_features(columns_of(turns)), turns["resigned"] == 1
    said = []
    for model in (one, other):
        chance = np.clip(model.chance(features, turns["pool"]), 1e-6, 1 - 1e-6)
        said.append(float(np.where(resigned, np.log(chance), np.log(1 - chance)).mean()))
    return said[0] > said[1]
