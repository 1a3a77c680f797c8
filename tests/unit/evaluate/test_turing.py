"""Statistics of a Turing test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from hitonami.errors import BadInput
from hitonami.evaluate.turing import Answer, Mean, binomial_interval, binomial_test, summarise


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


def _span(mean: Mean | None) -> tuple[float, float]:
    assert mean is not None
    assert mean.low is not None
    assert mean.high is not None
    return mean.low, mean.high


def test_opponents_are_ordered_and_compared_with_people() -> None:
    rows = summarise(_answers(), humans=frozenset({"people"}))
    assert [row.opponent for row in rows] == ["people", "blend", "engine"]
    people, blend, engine = rows
    assert people.is_human
    assert people.likeness_against_people is None
    assert _span(engine.likeness_against_people)[1] < _span(blend.likeness_against_people)[0]
    assert engine.likeness_against_people is not None
    assert engine.likeness_against_people.value == pytest.approx(-40, abs=4)
    # Judges differ in how they use the scale; differences within judges do not care, so they are known better.
    (low, high), (own_low, own_high) = _span(engine.likeness_against_people), _span(engine.likeness)
    assert high - low < 2**0.5 * (own_high - own_low)
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


def test_one_judge_has_no_interval_but_the_binomial() -> None:
    [row] = summarise([Answer("a", "one", True, 50.0, {"strong": 10.0}), Answer("a", "one", True, 58.0)])
    assert row.likeness == Mean(54.0, None, None)
    assert row.scales["strong"] == Mean(10.0, None, None)
    assert (row.called_human_by_judge.low, row.called_human_by_judge.high) == (None, None)
    assert row.called_human.low < 0.3 < row.called_human.high == 1.0


def test_one_judge_among_many_has_no_interval_either() -> None:
    """Others have judged other opponents, or have left this scale out."""
    rows = summarise(
        [Answer("a", "one", True, 54.0)]
        + [Answer("b", f"j{at}", False, 10.0 + at) for at in range(5)]
        + [Answer("a", f"j{at}", False) for at in range(5)],
        humans=frozenset({"b"}),
    )
    [first, second] = rows
    assert (first.opponent, first.answers, first.judges, first.likeness) == ("a", 6, 6, Mean(54.0, None, None))
    assert first.likeness_against_people == Mean(42.0, None, None)
    assert second.likeness is not None
    assert second.likeness.low is not None
    assert second.likeness.low < second.likeness.value


def test_what_was_left_out_is_no_answer() -> None:
    """It pulls no mean to the middle of the scale."""
    given = [Answer("a", f"j{at}", True, 90.0, {"strong": 80.0}) for at in range(4)]
    rows = summarise([*given, *(Answer("a", f"k{at}", False) for at in range(4)), Answer("nothing", "z", True)])
    assert [row.opponent for row in rows] == ["a", "nothing"]
    assert rows[0].likeness is not None
    assert rows[0].likeness.value == 90.0
    assert rows[0].scales["strong"].value == 80.0
    assert rows[0].called_human.value == 0.5
    assert (rows[1].likeness, rows[1].scales, rows[1].likeness_against_people) == (None, {}, None)
