"""Calibration: the truth that results were drawn by is found again, and chance is not mistaken for it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Player
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import group_of
from hitonami.evaluate.winrate import Outcomes, bin_errors
from hitonami.fits.balance import Pairs, fit_balance
from hitonami.fits.calibration import GRID, Calibration, fit_calibration
from hitonami.fits.calibration_run import keep_calibration, raw_spec
from hitonami.fits.compare import compare_on
from hitonami.levels import read_levels
from hitonami.specs import mind_spec

Floats = NDArray[np.float64]


def ece_of(told: Outcomes) -> float:
    return float(np.abs(bin_errors(told).sum(axis=0)).sum() / len(told.score))


def make_results(
    count: int, truth: Callable[[Floats, Floats], Floats], *, seed: int = 1, pools: tuple[str, ...] = ("lichess",)
) -> tuple[Facts, Floats]:
    """Chances that a mind tells, and results drawn from what `truth(wdl, ratings)` makes of them."""
    rng = np.random.default_rng(seed)
    ratings = rng.uniform(800.0, 2400.0, count)
    logits = np.stack([1.3 * rng.normal(size=count), np.full(count, -1.0), np.zeros(count)], axis=1)
    wdl = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    real = truth(wdl, ratings)
    drawn = rng.random(count)
    score = np.where(drawn < real[:, 0], 1.0, np.where(drawn < real[:, 0] + real[:, 1], 0.5, 0.0))
    pool = tuple(pools[at % len(pools)] for at in range(count))
    held = [
        group_of(Player(float(rating), own), "chess", "rating", 800.0)
        for rating, own in zip(ratings, pool, strict=True)
    ]
    groups = tuple(sorted(set(held)))
    places = np.array([groups.index(each) for each in held], dtype=np.int32)
    legal = np.full(count, 20, dtype=np.int32)
    plies = np.arange(count, dtype=np.int32) % 90
    games = np.arange(count, dtype=np.uint64)
    return Facts(games, places, groups, plies, ratings, ratings, pool, legal, score), wdl


def points(fit: Calibration, knob: str, pool: str = "lichess") -> list[float]:
    return [value for _, value in getattr(fit.of_pool(pool), knob).points]


def test_the_grid_is_the_published_one() -> None:
    assert (GRID[0], GRID[50], GRID[-1], len(GRID)) == (0.5, 1.0, 3.0, 251)


@pytest.mark.parametrize("true", [5.0, 0.3])
def test_chances_far_too_sure_or_too_careful_are_searched_beyond_the_published_grid(true: float) -> None:
    facts, wdl = make_results(3000, lambda wdl, ratings: dist.calibrate(wdl, true))
    fit = fit_calibration(facts, wdl)
    every = fit.groups[-1]
    assert every.temperature.value == pytest.approx(true, rel=0.2)
    assert every.reached < every.plain
    by_group = fit.apply_by_group(facts, wdl)
    rows = np.flatnonzero(facts.group == 0)
    own = next(each for each in fit.groups if each.group == facts.groups[0].label(facts.pools))
    assert np.allclose(by_group[rows], dist.calibrate(wdl[rows], own.temperature.value))


def test_right_chances_are_left_as_they_are() -> None:
    fit = fit_calibration(*make_results(3000, lambda wdl, ratings: wdl))
    assert points(fit, "temperature") == pytest.approx([1.0], abs=0.1)
    assert points(fit, "lean") == pytest.approx([0.0], abs=0.15)
    assert points(fit, "draws") == pytest.approx([0.0], abs=0.15)
    assert fit.groups[-1].temperature.low < 1.0 < fit.groups[-1].temperature.high


@pytest.mark.parametrize("temperature", [0.6, 1.8])
def test_a_temperature_is_found_again_whatever_the_share_of_draws(temperature: float) -> None:
    fit = fit_calibration(*make_results(4000, lambda wdl, ratings: dist.calibrate(wdl, temperature, 0.0, -0.7)))
    [found] = points(fit, "temperature")
    assert found == pytest.approx(temperature, rel=0.2)
    assert points(fit, "lean") == pytest.approx([0.0], abs=0.15)
    [draws] = points(fit, "draws")
    assert draws == pytest.approx(-0.7, abs=0.25)
    for group in fit.groups:
        assert group.temperature.low <= group.temperature.value <= group.temperature.high
        assert group.reached <= group.plain


def test_a_lean_is_found_again() -> None:
    facts, wdl = make_results(4000, lambda wdl, ratings: dist.calibrate(wdl, 1.0, 0.5))
    fit = fit_calibration(facts, wdl)
    [lean] = points(fit, "lean")
    assert lean == pytest.approx(0.5, abs=0.12)
    right = fit.apply(facts, wdl)
    assert right[:, 0].mean() == pytest.approx((facts.score == 1.0).mean(), abs=0.01)
    assert ece_of(Outcomes(facts.score, right)) < ece_of(Outcomes(facts.score, wdl)) / 2


def test_a_temperature_that_falls_with_rating_becomes_a_curve() -> None:
    def truth(wdl: Floats, ratings: Floats) -> Floats:
        return dist.calibrate(wdl, np.interp(ratings, [800, 2400], [2.5, 0.8]))

    found = points(fit_calibration(*make_results(8000, truth)), "temperature")
    assert found[0] > 1.8
    assert found[-1] < 1.2
    assert found == sorted(found, reverse=True)


def test_a_lean_that_changes_with_rating_is_straight_between_its_ends() -> None:
    def truth(wdl: Floats, ratings: Floats) -> Floats:
        return dist.calibrate(wdl, 1.0, np.interp(ratings, [800, 2400], [1.0, -0.4]))

    low, high = points(fit_calibration(*make_results(8000, truth)), "lean")
    assert low == pytest.approx(1.0, abs=0.25)
    assert high == pytest.approx(-0.4, abs=0.25)


def test_each_pool_is_fitted_by_itself_and_a_small_one_shares_what_all_have() -> None:
    facts, wdl = make_results(4000, lambda wdl, ratings: dist.calibrate(wdl, 2.0), pools=("fide", "lichess"))
    fit = fit_calibration(facts, wdl)
    assert [each.pool for each in fit.pools] == ["", "fide", "lichess"]
    assert [each.n for each in fit.pools] == [4000, 2000, 2000]
    assert fit.of_pool("kgs").pool == ""


def test_unrated_players_get_the_middle_of_a_curve() -> None:
    def truth(wdl: Floats, ratings: Floats) -> Floats:
        return dist.calibrate(wdl, 1.0, np.interp(ratings, [800, 2400], [1.5, -1.5]))

    own = fit_calibration(*make_results(6000, truth)).of_pool("lichess")
    [low, high] = own.lean.points
    [found] = own.apply(np.array([[0.4, 0.2, 0.4]]), np.array([np.nan]))
    assert found == pytest.approx(dist.calibrate([0.4, 0.2, 0.4], own.temperature.points[0][1], (low[1] + high[1]) / 2))


def test_platt_and_isotonic_mend_a_lean_too() -> None:
    def truth(wdl: Floats, ratings: Floats) -> Floats:
        return dist.calibrate(wdl, 1.5, 0.6)

    fitted, unseen = make_results(4000, truth), make_results(4000, truth, seed=2)
    before = ece_of(Outcomes(unseen[0].score, unseen[1]))
    for name, chances in compare_on(fitted, unseen).items():
        assert np.allclose(chances.sum(axis=1), 1.0), name
        assert (chances >= 0).all(), name
        assert ece_of(Outcomes(unseen[0].score, chances)) < before / 2, name


def test_what_is_written_is_what_minds_read(tmp_path: Path) -> None:
    fit = fit_calibration(*make_results(2000, lambda wdl, ratings: dist.calibrate(wdl, 2.0, 0.4)))
    path = tmp_path / "chess.json"
    path.write_text('{"blend": {"weight": {"pool": {"": [[0, 0.5]]}}}}')
    keep_calibration(path, fit, {"minds": ["network x, sha256 0"], "split": "validation"})
    levels = read_levels(path)
    assert set(levels) == {"blend", "result"}
    for knob in ("temperature", "lean", "draws"):
        for each in fit.pools:
            assert levels["result"][knob][each.pool] == getattr(each, knob)


def test_packaged_minds_are_fitted_as_their_networks_speak() -> None:
    assert raw_spec("human") == mind_spec({"kind": "human", "calibrated": False})
    assert raw_spec("blend").kind == "pair"
    assert raw_spec("uniform") == mind_spec("uniform")
    with pytest.raises(BadInput):
        raw_spec("humann")


def test_balance_finds_the_lean_that_makes_both_sides_sum_to_one() -> None:
    rng = np.random.default_rng(5)
    ratings = rng.uniform(5.0, 35.0, 2000)
    real = np.clip(0.5 + 0.2 * rng.normal(size=2000), 0.05, 0.95)
    lean = np.interp(ratings, [5.0, 35.0], [1.2, 0.2])
    mover, opponent = (
        dist.calibrate(np.column_stack([own, np.zeros(2000), 1 - own]), 1.0, -lean) for own in (real, 1 - real)
    )
    [found] = fit_balance(Pairs(mover, opponent, ratings, ("ogs",) * 2000))
    assert found.before < 0.8
    assert found.after == pytest.approx(1.0, abs=0.01)
    for rating, value in found.lean.points:
        assert value == pytest.approx(np.interp(rating, [5.0, 35.0], [1.2, 0.2]), abs=0.1)
