"""The fits find what people were made to choose by, agree with the minds, and refuse what they cannot do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami import dist
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import judge
from hitonami.fits.blend import blend_family, blend_knob, exponent_of
from hitonami.fits.curves import Shape, fit_curve
from hitonami.fits.distance import aim_at_distance, distance_knob, measure_distances, with_aim
from hitonami.fits.held_out import best_values, curve_values, group_values, measure_gain
from hitonami.fits.knobs import fit_knob
from hitonami.fits.restrict import measure_tails, restrict_knob
from hitonami.fits.run import Method, Wish
from hitonami.fits.sheet import Sheet, first_mind, judge_all
from hitonami.fits.softmax import softmax_knob
from hitonami.fits.weights import fit_weights, measure_weights

Floats = NDArray[np.float64]
MakeSheet = Callable[..., Sheet]


def by_weight(alpha: float) -> Callable[[Floats, float], Floats]:
    def scores(logs: Floats, rating: float) -> Floats:
        return alpha * logs[0] + (1 - alpha) * logs[1]

    return scores


def falling(logs: Floats, rating: float) -> Floats:
    alpha = 0.9 - 0.6 * (rating - 800) / 1600
    return alpha * logs[0] + (1 - alpha) * logs[1]


@pytest.mark.parametrize("alpha", [0.3, 0.8])
def test_the_weight_that_people_were_made_with_is_found(make_sheet: MakeSheet, alpha: float) -> None:
    fitted = fit_knob(make_sheet(4000, by_weight(alpha)), blend_knob())
    every = fitted.groups[-1]
    assert every.group == "all"
    assert every.by_likelihood.value == pytest.approx(alpha, abs=0.05)
    assert every.by_likelihood.low <= alpha <= every.by_likelihood.high
    assert every.by_accuracy.low <= alpha <= every.by_accuracy.high
    assert every.gain[1].low > 0
    assert [cost.value for cost in every.costs] == pytest.approx(
        [every.by_likelihood.value - 0.1, every.by_likelihood.value + 0.1]
    )
    assert all(cost.nats > 0 for cost in every.costs)


def test_the_curve_follows_rating_and_is_worth_more_than_one_value(make_sheet: MakeSheet) -> None:
    fitted = fit_knob(make_sheet(6000, falling), blend_knob())
    (found,) = fitted.curves
    values = [y for _, y in found.curve.points]
    assert values == sorted(values, reverse=True)
    assert found.curve(np.array([1000.0, 2200.0])).tolist() == pytest.approx([0.825, 0.375], abs=0.08)
    assert found.reached > found.constant
    bests = [group.by_likelihood.value for group in fitted.groups[:-1]]
    assert bests[0] > bests[-1]


def test_each_pool_has_a_curve_of_its_own_and_small_ones_have_none(make_sheet: MakeSheet) -> None:
    fitted = fit_knob(make_sheet(900, by_weight(0.5), pools=("a", "b", "b", "b", "b")), blend_knob())
    assert [each.pool for each in fitted.curves] == ["b"]
    assert {each.pool for each in fitted.groups[:-1]} == {"a", "b"}
    assert fitted.groups[-1].pool is None


def test_a_pool_without_ratings_has_one_value_which_needs_none(make_sheet: MakeSheet) -> None:
    rated = make_sheet(3000, by_weight(0.6))
    sheet = replace(rated, facts=replace(rated.facts, rating=np.full(rated.count, np.nan)))
    fitted = fit_knob(sheet, blend_knob())
    (found,) = fitted.curves
    ((_, value),) = found.curve.points
    assert value == fitted.groups[-1].by_likelihood.value == found.best_constant
    assert found.n == rated.count
    assert curve_values(fitted, sheet).tolist() == [value] * rated.count
    assert curve_values(fitted, rated).tolist() == [value] * rated.count


def test_unseen_games_confirm_the_gain_and_decisions_without_a_curve_are_left_out(make_sheet: MakeSheet) -> None:
    fitted = fit_knob(make_sheet(3000, falling), blend_knob())
    unseen = make_sheet(2000, falling, seed=1, pools=("lichess", "elsewhere"))
    values = curve_values(fitted, unseen)
    assert np.isnan(values[1::2]).all()
    assert not np.isnan(values[::2]).any()
    measured = measure_gain(fitted, unseen, values)
    assert measured is not None
    every = measured.pairs[0].all
    assert every.n == 1000
    assert every.cross_entropy.interval.high < 0
    assert every.accuracy.interval.value > 0


def test_groups_by_their_own_values_leave_out_those_that_the_fit_did_not_see(make_sheet: MakeSheet) -> None:
    fitted = fit_knob(make_sheet(3000, falling), blend_knob(), aim="accuracy")
    unseen = make_sheet(2000, falling, seed=1)
    best = best_values(fitted)
    assert best["800"] == fitted.groups[0].by_accuracy.value
    del best["800"]
    values = group_values(unseen, best)
    low = unseen.facts.rating < 1200
    assert np.isnan(values[low]).all()
    assert not np.isnan(values[~low]).any()
    measured = measure_gain(fitted, unseen, values)
    assert measured is not None
    assert [each.group for each in measured.pairs[0].groups] == ["1200", "1600", "2000", "all"]


def test_the_exponent_that_people_were_made_with_is_found(make_sheet: MakeSheet) -> None:
    sheet = make_sheet(4000, lambda logs, rating: 1.5 * logs[0], minds=1, sharp=1.0)
    fitted = fit_knob(sheet, softmax_knob())
    every = fitted.groups[-1]
    assert every.by_likelihood.value == pytest.approx(1.5, rel=0.1)
    assert {each.value for each in every.accuracy} == {every.plain_accuracy}  # it changes no first choice


def test_the_least_probability_that_people_play_is_found(make_sheet: MakeSheet) -> None:
    def careful(logs: Floats, rating: float) -> Floats:
        return np.where((logs[0] > np.log(0.02)) | (logs[0] == logs[0].max()), logs[0], -np.inf)

    sheet = make_sheet(4000, careful, minds=1)
    every = fit_knob(sheet, restrict_knob()).groups[-1]
    assert 0.015 < every.by_likelihood.value <= 0.02
    assert every.gain[1].low > 0
    assert every.gain[0].value == 0.0
    tails = [each for each in measure_tails(sheet) if each.group == "all"]
    assert [each.people.value for each in tails] == [0.0, 0.0, 0.0]
    assert all(each.mind.low > 0 for each in tails)


def test_the_tail_of_a_mind_that_is_right_is_left_alone(make_sheet: MakeSheet) -> None:
    sheet = make_sheet(4000, lambda logs, rating: logs[0], minds=1, sharp=3.0)
    every = fit_knob(sheet, restrict_knob()).groups[-1]
    assert every.by_likelihood.value < 1e-3
    for tail in measure_tails(sheet):
        if tail.group == "all":
            assert tail.people.low <= tail.mind.value <= tail.people.high


@given(st.integers(0, 50), st.floats(1e-4, 0.9))
@settings(max_examples=30)
def test_a_restricted_sheet_is_judged_as_the_mind_judges(seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    logs = np.log(rng.dirichlet(np.full(6, 0.7), 2)).astype(np.float32).reshape(1, 12)
    facts: Any = None
    sheet = Sheet(facts, np.array([0, 6, 12]), np.array([2, 9]), logs)
    found, hit = judge_all(sheet, restrict_knob().family, least)
    for at, own in enumerate(logs.reshape(2, 6)):
        kept = dist.restrict(own, least)
        assert found[at] == pytest.approx(judge(kept, int(sheet.played[at]) - 6 * at)[0], abs=1e-5)
        assert hit[at] == (1.0 if kept.argmax() == sheet.played[at] - 6 * at else 0.0)


def test_the_slope_of_distance_is_found_and_brings_the_mind_nearer_to_people(make_sheet: MakeSheet) -> None:
    rng = np.random.default_rng(5)
    apart = iter(rng.choice([0.0, 4.0, 6.0, 10.0, 14.0, 20.0], 100_000).astype(np.float32))
    held: list[np.float32] = []

    def attentive(logs: Floats, rating: float) -> Floats:
        own = [next(apart) for _ in logs[0]]
        held.extend(own)
        return logs[0] + np.log(0.1 + 0.15 * (14 - np.clip(own, 4, 14)))

    plain = make_sheet(3000, attentive, minds=1)
    sheet = Sheet(plain.facts, plain.begins, plain.played, plain.log_probs, np.array(held), 4.0, 14.0)
    fitted = fit_knob(sheet, distance_knob())
    best = fitted.groups[-1].by_likelihood
    assert best.low <= 0.15 <= best.high
    assert fitted.groups[-1].gain[0].low > 0
    *_, every = measure_distances(sheet, np.full(sheet.count, 0.15))
    assert every.human.low <= every.corrected.value <= every.human.high
    assert every.plain.value > every.human.high
    aimed = aim_at_distance(sheet)
    assert [each.group for each in aimed] == [each.group for each in fitted.groups]
    assert aimed[-1].m.low <= 0.15 <= aimed[-1].m.high
    by_distance = with_aim(fitted, aimed)
    assert by_distance.aim == "distance"
    [curve] = by_distance.curves
    assert [value for _, value in curve.curve.points] == [each.m.value for each in aimed[:-1]]


@pytest.mark.parametrize("mean", ["geometric", "arithmetic", "-0.5", "2"])
def test_weights_of_three_minds_are_found(make_sheet: MakeSheet, mean: str) -> None:
    exponent, weights = exponent_of(mean), [0.5, 0.2, 0.3]

    def mixed(logs: Floats, rating: float) -> Floats:
        return dist.mix(list(logs.astype(np.float32)), weights, exponent).astype(np.float64)

    sheet = make_sheet(2500, mixed, minds=3)
    *_, every = fits = fit_weights(sheet, exponent, "likelihood")
    assert every.weights == pytest.approx(weights, abs=0.1)
    assert sum(every.weights) == pytest.approx(1.0)
    assert every.cross_entropy < every.plain_cross_entropy
    measured = measure_weights(fits, exponent, make_sheet(800, mixed, minds=3, seed=1))
    assert measured.pairs[0].all.cross_entropy.interval.high < 0


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    alpha=st.integers(0, 100).map(lambda part: part / 100),
    exponent=st.sampled_from([0.0, 1.0, 0.5, -1.0]),
    excluded=st.booleans(),
)
def test_judgements_are_those_of_the_mind(seed: int, alpha: float, exponent: float, excluded: bool) -> None:
    rng = np.random.default_rng(seed)
    widths = rng.integers(2, 7, 12)
    begins = np.concatenate([[0], np.cumsum(widths)])
    parts = [[dist.normalise(rng.normal(size=width) * 2) for width in widths] for _ in range(2)]
    if excluded:  # never all of them
        for one in parts[seed % 2]:
            one[-1] = -np.inf
    flat = np.stack([np.concatenate(each) for each in parts])
    places = [int(rng.integers(width)) for width in widths]
    sheet = Sheet(None, begins, begins[:-1] + places, flat)  # type: ignore[arg-type]  # no fact is asked for
    log_prob, hit = judge_all(sheet, blend_family(exponent), alpha)
    for at, (one, other, place) in enumerate(zip(*parts, places, strict=True)):
        expected = judge(dist.mix([one, other], [alpha, 1 - alpha], exponent), place)
        assert log_prob[at] == pytest.approx(expected[0], abs=1e-5)
        assert hit[at] == expected[2]


def test_a_large_sheet_is_judged_in_parts_as_in_one(make_sheet: MakeSheet, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = make_sheet(50, by_weight(0.5))
    whole = judge_all(sheet, first_mind, 0.0)
    monkeypatch.setattr("hitonami.fits.sheet._MOVES_AT_ONCE", 7)
    assert len(list(sheet.parts())) > 20
    for one, other in zip(whole, judge_all(sheet, first_mind, 0.0), strict=True):
        np.testing.assert_array_equal(one, other)


def test_taking_decisions_keeps_their_moves_together(make_sheet: MakeSheet) -> None:
    sheet = make_sheet(30, by_weight(0.5))
    rows = np.array([7, 3, 29, 3])
    log_prob, hit = judge_all(sheet, first_mind, 0.0)
    taken = judge_all(sheet.take(rows), first_mind, 0.0)
    np.testing.assert_array_equal(taken[0], log_prob[rows])
    np.testing.assert_array_equal(taken[1], hit[rows])
    assert sheet.take(rows).facts.rating.tolist() == sheet.facts.rating[rows].tolist()


@given(
    first=st.floats(0, 1), last=st.floats(0, 1), low=st.floats(0, 3000), width=st.floats(0, 2000),
    link=st.sampled_from(["logit", "none"]),
)  # fmt: skip
def test_curves_are_monotone_and_stay_between_their_ends(
    first: float, last: float, low: float, width: float, link: str
) -> None:
    shape = Shape(low, low + width, link)  # type: ignore[arg-type]  # sampled from its values
    values = shape.at((first, last), np.linspace(low - 100, low + width + 100, 50))
    steps = np.diff(values)
    assert (steps >= -1e-12).all() or (steps <= 1e-12).all()
    edge = 1e-3 + 1e-9  # a weight of 0 or 1 is drawn to within a thousandth, but for rounding
    assert min(first, last) - edge <= values.min()
    assert values.max() <= max(first, last) + edge


def test_one_rating_alone_gives_a_curve_of_one_point() -> None:
    grid = np.array([0.0, 0.5, 1.0])
    curve = fit_curve(grid, np.tile([0.0, 1.0, 0.0], (10, 1)), np.full(10, 1500.0), "logit")
    ((rating, value),) = curve.points
    assert rating == 1500.0
    assert value == pytest.approx(0.5, abs=0.5 / 8)


@pytest.mark.parametrize(
    ("method", "rest", "told"),
    [
        ("blend", {"minds": ("uniform",)}, "two or more minds, got 1: uniform"),
        ("softmax", {"minds": ("a", "b")}, "takes one mind, got 2"),
        ("softmax", {"means": ("geometric",)}, "--mean is for blend"),
        ("softmax", {"aim": "accuracy"}, "cannot change which move is likeliest"),
        ("restrict", {"aim": "accuracy"}, "cannot change which move is likeliest"),
        ("blend", {"means": ("arithmetic",), "out": Path("x")}, "weights of the geometric mean"),
        ("blend", {"minds": ("a", "b", "c"), "out": Path("x")}, "no curve"),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(method: Method, rest: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Wish(method, **rest)


@pytest.mark.parametrize("mean", ["harmonic", "nan", "99", ""])
def test_a_mean_that_is_none_is_refused(mean: str) -> None:
    with pytest.raises(BadInput, match="geometric, arithmetic or an exponent"):
        exponent_of(mean)
