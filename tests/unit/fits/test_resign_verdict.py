"""What curves of resignation are worth on unseen turns, and how a run tells it."""

from collections.abc import Callable

import numpy as np
import pytest

from hitonami.errors import BadInput
from hitonami.fits.manners_run import MannersWish
from hitonami.fits.resign import fit_resignation, measure_resignation
from hitonami.fits.resign_run import RESIGN_FILTER, ResignFit, ResignRun
from hitonami.fits.resign_sample import Sample, usable
from hitonami.fits.resign_verdict import area_under, weigh_resignation
from hitonami.fits.turns import Turns
from hitonami.report.manners import resign_json, resign_lines, resign_page

MadeUp = Callable[..., Turns]


def test_the_area_counts_equal_scores_half() -> None:
    score = np.array([0.1, 0.4, 0.4, 0.8])
    assert area_under(score, np.array([False, False, True, True])) == pytest.approx((1.5 + 2) / 4)
    assert area_under(np.zeros(4), np.array([True, False, True, False])) == 0.5


def test_curves_stand_beside_a_threshold_and_a_run_tells_both(made_up: MadeUp) -> None:
    train, test = usable(made_up(400, 1)), usable(made_up(300, 2))
    model, sample = fit_resignation(Sample(train)), Sample(test)
    worth = weigh_resignation(model, sample)
    assert (worth.turns, worth.resigned) == (len(test), int(test["resigned"].sum()))
    assert worth.curves.auc > 0.5
    figures = measure_resignation(model, sample, np.array(["all"] * len(test)))
    [fitted] = [rule for rule in figures.rules if (rule.name, rule.fpr) == ("fitted", 0.001)]
    assert worth.curves.tpr == fitted.tpr
    best = max(rule.tpr.value for rule in figures.rules if rule.name.startswith("threshold") and rule.fpr == 0.001)
    assert worth.baseline.tpr.value == best
    wish = MannersWish("chess", 10, RESIGN_FILTER)
    fit = ResignFit(model, figures, len(train), int(train["resigned"].sum()), (), worth)
    for run in (ResignRun(wish, worth, fit), ResignRun(wish, worth, None, "too few"), ResignRun(wish, None, fit)):
        told = resign_json(run)
        assert told["tpr_at_fpr_0.001"] == worth.curves.tpr.value
        assert (told["auc"], told["ece_excess"]) == (worth.curves.auc, worth.ece_excess)
        assert told["n"] == len(test)
        assert set(told["baseline"]) >= {"tpr_at_fpr_0.001", "auc"}
        assert ("figures" in told) is (run.fit is not None)
        assert any("too few" in line for line in resign_lines(run)) is (run.fit is None)
        assert "Resignation: chess" in resign_page(run)


def test_games_that_nobody_gave_up_measure_nothing(made_up: MadeUp) -> None:
    turns = usable(made_up(400, 1))
    with pytest.raises(BadInput, match="0 were given up"):
        weigh_resignation(fit_resignation(Sample(turns)), Sample(turns.where(turns["resigned"] == 0)))
