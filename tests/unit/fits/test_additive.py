"""Sums of curves are found again from what they made."""

import numpy as np
import pytest

from hitonami.fits.additive import Design, add_sums, centred, fit_chances, fit_means, hats, rising
from hitonami.fits.resign import ece_excess
from hitonami.knobs import Curve
from hitonami.manners.additive import Additive, to_chance

RNG = np.random.default_rng(7)


def test_hats_share_a_value_between_its_knots() -> None:
    shares = hats(np.array([-9.0, 0.0, 0.25, 9.0, np.nan]), (0.0, 1.0, 2.0))
    assert shares.tolist() == [[1, 0, 0], [1, 0, 0], [0.75, 0.25, 0], [0, 0, 1], [0, 0, 0]]


def test_chances_are_learned_with_their_pools() -> None:
    n = 20_000
    x, pools = RNG.uniform(-3, 3, n), RNG.choice(["a", "b"], n)
    truth = to_chance(np.abs(x) - 2 + 0.8 * (pools == "b"))
    happened = (RNG.random(n) < truth).astype(np.float64)
    knots = {"x": (-3.0, -1.5, 0.0, 1.5, 3.0)}
    model = fit_chances(Design(knots, ("a", "b")), {"x": x}, happened, pools)
    assert model.pools["b"] - model.pools["a"] == pytest.approx(0.8, abs=0.15)
    found = to_chance(model.score({"x": x}, pools))
    assert np.abs(found - truth).mean() < 0.02
    assert ece_excess(found, happened) < 0.005
    assert ece_excess(np.full(n, 0.9), happened) > 0.1


def test_means_are_learned_and_what_is_not_told_stays_at_nothing() -> None:
    x, y = RNG.uniform(0, 4, 5_000), np.full(5_000, np.nan)
    values = 2 * x + RNG.normal(0, 0.5, 5_000)
    design = Design({"x": (0.0, 2.0, 4.0), "y": (0.0, 1.0)})
    model = fit_means(design, {"x": x, "y": y}, values)
    assert np.abs(model.score({"x": x, "y": y}) - 2 * x).max() < 0.15
    assert [value for _, value in model.terms["y"].points] == [0.0, 0.0]


def test_sums_add_up_and_what_is_not_known_counts_as_usual() -> None:
    x = RNG.uniform(0, 4, 500)
    one = fit_means(Design({"x": (0.0, 2.0, 4.0)}), {"x": x}, 2 * x)
    other = fit_means(Design({"x": (0.0, 2.0, 4.0), "z": (0.0, 1.0)}), {"x": x, "z": x / 4}, 3 - x)
    both, features = add_sums(one, other), {"x": x, "z": x / 4}
    assert np.allclose(both.score(features), one.score(features) + other.score(features))
    usual = centred(one, features)
    assert np.allclose(usual.score(features), one.score(features))
    assert usual.score({"x": np.array([np.nan])}).item() == pytest.approx((2 * x).mean(), abs=0.1)


def test_chances_come_on_top_of_what_is_known() -> None:
    x, n = RNG.uniform(-2, 2, 8_000), 8_000
    known = RNG.normal(0, 2, n)
    happened = (RNG.random(n) < to_chance(known + x)).astype(np.float64)
    model = fit_chances(Design({"x": (-2.0, 0.0, 2.0)}), {"x": x}, happened, known=known)
    assert np.abs(model.score({"x": x}) - x).mean() < 0.2


def test_a_curve_that_falls_is_joined_by_how_many_turns_say_so() -> None:
    curve = Curve(((0.0, 3.0), (1.0, 0.0), (2.0, 1.0), (3.0, 5.0)))
    x = np.array([0.0] + [1.0] * 2 + [2.0] * 9)
    found = rising(Additive(1.0, {"x": curve}), "x", {"x": x})
    values = [y for _, y in found.terms["x"].points]
    assert values == pytest.approx([1.0, 1.0, 1.0, 5.0], abs=0.01)
    steady = rising(found, "x", {"x": x})
    assert [y for _, y in steady.terms["x"].points] == pytest.approx(values)
    sinking = rising(Additive(1.0, {"x": curve}), "x", {"x": x}, falls=True)
    down = [y for _, y in sinking.terms["x"].points]
    assert down == sorted(down, reverse=True)
    assert down[0] == pytest.approx(3.0, abs=0.01)
