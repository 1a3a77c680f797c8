"""One weight, chosen on one sheet and judged on another: found, honest, and refused for other numbers of minds."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from ladder_figures import fit_one_weight
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.fits.sheet import Sheet, first_mind, judge_all

Floats = NDArray[np.float64]
MakeSheet = Callable[..., Sheet]


def mostly_second(logs: Floats, rating: float) -> Floats:
    return 0.3 * logs[0] + 0.7 * logs[1]


def first_alone(logs: Floats, rating: float) -> Floats:
    return logs[0]


def test_the_weight_is_found_and_its_gain_is_that_on_unseen_decisions(make_sheet: MakeSheet) -> None:
    fit_on, judge_on = (make_sheet(count, mostly_second, seed=seed) for count, seed in ((3000, 1), (1500, 2)))
    found = fit_one_weight(fit_on, judge_on)
    assert found.fitted_on == 3000
    assert (found.first.n, found.second.n) == (1500, 1500)
    for choice in (found.by_accuracy, found.by_likelihood):
        assert choice.weight.low <= 0.3 <= choice.weight.high
        assert choice.accuracy_gain.interval.low > 0
        assert choice.cross_entropy_gain.interval.high < 0
        difference = choice.figures.accuracy.value - found.first.accuracy.value
        assert choice.accuracy_gain.interval.value == pytest.approx(difference)
    assert found.second.accuracy.value > found.first.accuracy.value


def test_the_minds_alone_are_as_they_are(make_sheet: MakeSheet) -> None:
    sheet = make_sheet(400, mostly_second)
    found = fit_one_weight(sheet, sheet)
    log_prob, hit = judge_all(sheet, first_mind, 1.0)
    assert found.first.accuracy.value == pytest.approx(hit.mean())
    assert found.first.cross_entropy.value == pytest.approx(-log_prob.mean(), abs=1e-5)


def test_a_second_mind_that_nobody_follows_gets_no_weight(make_sheet: MakeSheet) -> None:
    found = fit_one_weight(make_sheet(3000, first_alone, seed=1), make_sheet(1000, first_alone, seed=2))
    assert found.by_likelihood.weight.value > 0.9
    gain = found.by_likelihood.cross_entropy_gain.interval
    assert gain.low <= 0.0 <= gain.high or abs(gain.value) < 0.01


def test_other_numbers_of_minds_are_refused(make_sheet: MakeSheet) -> None:
    sheet = make_sheet(10, mostly_second)
    with pytest.raises(BadInput, match="two minds"):
        fit_one_weight(sheet, replace(sheet, log_probs=sheet.log_probs[:1]))
