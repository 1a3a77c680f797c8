"""The exponent of a level: people made with a known one are found again, and what cannot be reached is said."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import group_of
from hitonami.fits.level import GRID, crossing, curve_exponents, fit_level, measure_level
from hitonami.judging.losses import Judged
from hitonami.report.fit_level import fit_rows
from hitonami.report.losses import loss_rows

Floats = NDArray[np.float64]


def make(count: int, rho_of: Callable[[float], float], *, seed: int = 0, pools: tuple[str, ...] = ("a",)) -> Judged:
    """Likelier moves are better on the whole; people draw by the mind's chances to the power rho_of(rating)."""
    rng = np.random.default_rng(seed)
    ratings = rng.uniform(1000.0, 2200.0, count)
    pool = tuple(pools[at % len(pools)] for at in range(count))
    logs, losses, person = [], [], []
    for rating in ratings.tolist():
        own = rng.normal(size=6) * 1.5
        own -= np.log(np.exp(own).sum())
        lost = np.maximum(0.0, 0.25 - 0.06 * (own - own.min()) + 0.05 * rng.normal(size=6))
        lost -= lost.min()
        powered = np.exp(rho_of(rating) * own)
        person.append(lost[rng.choice(6, p=powered / powered.sum())])
        logs.append(own)
        losses.append(lost)
    held = [group_of(Player(rating, own), "chess", "rating", 400.0) for rating, own in zip(ratings, pool, strict=True)]
    groups = tuple(sorted(set(held)))
    facts = Facts(
        game=np.arange(count, dtype=np.uint64) // 3,
        group=np.array([groups.index(each) for each in held], dtype=np.int32),
        groups=groups,
        ply=np.arange(count, dtype=np.int32),
        rating=ratings,
        opponent_rating=ratings,
        pool=pool,
        legal=np.full(count, 6, dtype=np.int32),
        score=np.full(count, 0.5),
    )
    begins = 6 * np.arange(count + 1, dtype=np.int64)
    phase = np.zeros(count, dtype=np.int8)
    return Judged(facts, phase, begins, np.concatenate(losses), np.array(person), {"m": np.concatenate(logs)}, "j", 5)


def rising(rating: float) -> float:
    return 0.8 + 1.2 * (rating - 1000.0) / 1200.0


def test_the_exponent_that_people_were_made_with_is_found() -> None:
    fitted = fit_level(make(3000, lambda rating: 1.6), "m")
    every = fitted.groups[-1]
    assert every.name == "all"
    assert every.reached
    assert every.rho.low <= 1.6 <= every.rho.high
    assert every.rho.value == pytest.approx(1.6, rel=0.12)
    assert every.likeliest < every.people < every.plain


def test_a_curve_follows_rating_and_holds_on_unseen_games() -> None:
    fitted = fit_level(make(4000, rising), "m")
    [curve] = fitted.curves
    values = [value for _, value in curve.curve.points]
    assert values[0] < values[4] < values[-1]
    assert curve.curve(np.array([1600.0]))[0] == pytest.approx(1.4, rel=0.15)
    found = measure_level(fitted, make(2000, rising, seed=1))
    for row in found.groups:
        level, plain = row.agents["level"], row.agents["plain draw"]
        assert row.people.loss.low <= level.loss.value <= row.people.loss.high
        assert level.difference is not None
        assert plain.difference is not None
        assert level.difference.low <= 0 <= level.difference.high
    assert found.groups[-1].agents["plain draw"].difference.low > 0  # type: ignore[union-attr]
    assert found.groups[-1].agents["likeliest"].difference.high < 0  # type: ignore[union-attr]


def test_what_no_exponent_reaches_is_said() -> None:
    flawless = make(300, lambda rating: 1.0)
    stronger = fit_level(replace(flawless, person=np.zeros(300) - 0.01), "m").groups[-1]
    assert (stronger.rho.value, stronger.reached) == (GRID[-1], False)
    weaker = fit_level(replace(flawless, person=np.ones(300)), "m").groups[-1]
    assert (weaker.rho.value, weaker.reached) == (GRID[0], False)
    assert "not reached" in fit_rows([stronger])[1][2]


def test_where_the_excess_crosses_zero() -> None:
    middle = len(GRID) // 2
    straight = np.log(GRID[middle]) - np.log(GRID)
    value, reached = crossing(straight)
    assert reached
    assert value == pytest.approx(GRID[middle], abs=1e-3)
    assert crossing(np.ones(len(GRID))) == (GRID[-1], False)
    twice = np.where(np.arange(len(GRID)) == 10, -0.1, 0.5)
    assert GRID[9] < crossing(twice)[0] <= GRID[10]


def test_a_point_that_little_is_known_of_stays_near_its_pool() -> None:
    few, many = (fit_level(make(count, rising), "m").curves[0] for count in (120, 4000))
    spread = [max(values) / min(values) for values in ([v for _, v in each.curve.points] for each in (few, many))]
    assert spread[1] > 1.5  # made with 0.9 to 1.9 between its ends
    assert all(GRID[0] < value < GRID[-1] for _, value in few.curve.points)
    assert all(point.reached for point in many.points)
    widths = [np.mean([point.rho.high / point.rho.low for point in each.points]) for each in (few, many)]
    assert widths[0] > widths[1]


def test_small_pools_have_no_curve_and_their_decisions_no_exponent() -> None:
    judged = make(400, rising, pools=("a", "a", "a", "a", "b"))
    fitted = fit_level(judged, "m")
    assert [each.pool for each in fitted.curves] == ["a"]
    assert np.isnan(curve_exponents(fitted, judged)).sum() == 80
    with pytest.raises(BadInput, match="pool without a curve"):
        measure_level(fitted, judged)


def test_tables_are_full() -> None:
    judged = make(600, rising)
    rows = loss_rows(measure_level(fit_level(judged, "m"), judged).groups)
    assert {len(row) for row in rows} == {8}
    assert [row[2] for row in rows[1:5]] == ["people", "plain draw", "level", "likeliest"]
