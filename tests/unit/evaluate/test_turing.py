"""Statistics of a Turing test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from hitonami.errors import BadInput
from hitonami.evaluate.turing import Answer, binomial_interval, binomial_test, summarise


@given(trials=st.integers(1, 300), share=st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_shares_are_those_of_scipy(trials: int, share: float) -> None:
    successes = round(share * trials)
    theirs = stats.binomtest(successes, trials)
    low, high = theirs.proportion_ci(0.95, method="exact")
    ours = binomial_interval(successes, trials)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-6)
    assert binomial_test(successes, trials) == pytest.approx(theirs.pvalue, abs=1e-9)


def test_no_share_of_nothing() -> None:
    with pytest.raises(BadInput):
        binomial_interval(0, 0)


@pytest.mark.parametrize(
    "fields", [{"likeness": 101.0}, {"likeness": -1.0}, {"scales": {"strong": 200.0}}, {"scales": {"pretty": 3.0}}]
)
def test_answers_off_the_scale_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        Answer(**{"opponent": "a", "judge": "j", "called_human": True, "likeness": 50.0} | fields)  # type: ignore[arg-type]


def _answers() -> list[Answer]:
    rng = np.random.default_rng(5)
    found = []
    for judge in range(40):
        bias = rng.normal(0, 10)
        for opponent, mean in (("people", 70), ("blend", 65), ("engine", 30)):
            likeness = float(np.clip(mean + bias + rng.normal(0, 8), 0, 100))
            scales = {"strong": 90.0} if opponent == "engine" else {}
            found.append(Answer(opponent, f"j{judge}", likeness > 50, likeness, scales))
    return found


def test_opponents_are_ordered_and_compared_with_people() -> None:
    rows = summarise(_answers(), humans=frozenset({"people"}))
    assert [row.opponent for row in rows] == ["people", "blend", "engine"]
    people, blend, engine = rows
    assert people.is_human
    assert people.likeness_against_people is None
    assert blend.likeness_against_people is not None
    assert engine.likeness_against_people is not None
    assert engine.likeness_against_people.high < blend.likeness_against_people.low
    assert engine.likeness_against_people.value == pytest.approx(-40, abs=4)
    # Judges differ in how they use the scale; differences within judges do not care, so they are known better.
    width = engine.likeness_against_people.high - engine.likeness_against_people.low
    assert width < 2**0.5 * (engine.likeness.high - engine.likeness.low)
    assert engine.p_value < 0.01
    assert engine.scales["strong"].value == 90.0
    assert "strong" not in people.scales
    assert (engine.answers, engine.judges) == (40, 40)


def test_a_judge_who_answers_often_is_one_judge() -> None:
    many = [Answer("a", "one", True, 100.0)] * 50 + [Answer("a", "other", False, 0.0)] * 50
    [row] = summarise(many)
    assert row.judges == 2
    assert row.called_human.high - row.called_human.low < 0.25
    assert (row.called_human_by_judge.low, row.called_human_by_judge.high) == (0.0, 1.0)


def test_nothing_answered_says_nothing() -> None:
    assert summarise([]) == []
