"""Tails, the chi-square test and the sequential test, against scipy and by simulation."""

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.errors import BadInput
from hitonami.matches.chances import chi_square_above, normal_below
from hitonami.matches.elo import expected_score, outcome_chances
from hitonami.matches.expectation import Pairing, compare_with_ratings
from hitonami.matches.sprt import Sprt, log_likelihood_ratio, watch

NeedModule = Callable[[str], ModuleType]


def test_tails_are_scipys(need_module: NeedModule) -> None:
    stats = need_module("scipy.stats")
    for degrees in (1, 2, 3, 7, 30, 200):
        for statistic in (0.01, 0.5, 1.0, 3.84, 10.0, 45.0, 250.0):
            expected = float(stats.chi2.sf(statistic, degrees))
            assert chi_square_above(statistic, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    for z in (-8.0, -1.96, 0.0, 0.3, 5.0):
        assert normal_below(z) == pytest.approx(float(stats.norm.cdf(z)), rel=1e-12)
    assert chi_square_above(0.0, 3) == 1.0


def test_agreement_is_scipys_chi_square(need_module: NeedModule) -> None:
    stats = need_module("scipy.stats")
    pairings = [Pairing(60, 25, 15, 200), Pairing(40, 30, 30, 0), Pairing(70, 20, 10, 300)]
    found = compare_with_ratings(pairings)
    observed = [count for each in pairings for count in (each.wins, each.draws, each.losses)]
    expected = [count for row in found.expected for count in row]
    # three rows of fixed sums, and one fitted share of draws
    theirs = stats.chisquare(observed, expected, ddof=len(observed) - 1 - found.degrees)
    assert found.degrees == 5
    assert found.statistic == pytest.approx(float(theirs.statistic))
    assert found.p_value == pytest.approx(float(theirs.pvalue))
    for pairing, row in zip(pairings, found.expected, strict=True):
        assert (row[0] + row[1] / 2) / 100 == pytest.approx(expected_score(pairing.difference))
    assert not found.is_rough


def test_without_draws_only_wins_and_losses_are_compared() -> None:
    found = compare_with_ratings([Pairing(75, 0, 25, 0), Pairing(50, 0, 50, 0)])
    assert (found.degrees, found.draw_ratio) == (2, 0)
    assert found.statistic == pytest.approx(25)
    assert found.p_value < 1e-5


def test_p_values_are_even_where_the_ratings_are_right() -> None:
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(400):
        drawn = [(gap, rng.multinomial(100, outcome_chances(gap, 0.9))) for gap in (0.0, 100.0, 250.0)]
        rejected += compare_with_ratings([Pairing(row[0], row[1], row[2], gap) for gap, row in drawn]).p_value < 0.05
    assert 8 <= rejected <= 34  # 20 expected, three standard errors are 13


def test_wrong_ratings_are_found() -> None:
    assert compare_with_ratings([Pairing(50, 20, 30, 400)]).p_value < 1e-6
    assert compare_with_ratings([Pairing(2, 0, 1, 0)]).is_rough


@given(st.lists(st.integers(1, 60), min_size=3, max_size=5), st.floats(-50, 50))
def test_the_ratio_has_the_sign_of_the_nearer_hypothesis(counts: list[int], middle: float) -> None:
    weights = np.array(counts, dtype=np.float64)
    ratio = log_likelihood_ratio(weights, expected_score(middle - 20), expected_score(middle + 20))
    swapped = log_likelihood_ratio(weights[::-1].copy(), expected_score(-middle - 20), expected_score(-middle + 20))
    assert ratio == pytest.approx(-swapped, abs=1e-6)
    score = float(weights @ np.linspace(0, 1, len(weights)) / weights.sum())
    if abs(score - expected_score(middle)) > 0.03:
        assert (ratio > 0) == (score > expected_score(middle))


def test_the_ratio_is_the_best_that_each_hypothesis_allows(need_module: NeedModule) -> None:
    """The maximum under a fixed mean, found by a general constrained optimiser."""
    optimize = need_module("scipy.optimize")
    counts, scores = np.array([30.0, 50.0, 45.0]), np.array([0.0, 0.5, 1.0])

    def best(mean: float) -> float:
        rules = [
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ scores - mean},
        ]
        start = np.array([(1 - mean) * 0.6, 0.4, mean * 0.6])
        bounds = [(1e-6, 1)] * 3
        found = optimize.minimize(lambda p: -counts @ np.log(p), start, constraints=rules, bounds=bounds, tol=1e-12)
        return float(-found.fun)

    assert log_likelihood_ratio(counts, 0.5, 0.55) == pytest.approx(best(0.55) - best(0.5), abs=1e-4)


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_error_rates_are_kept(truth: float, wrong: str) -> None:
    rng, test = np.random.default_rng(int(truth) + 1), Sprt(0.0, 60.0, 0.1, 0.1)
    chances, matches, mistakes = outcome_chances(truth, 0.8), 150, 0
    for _ in range(matches):
        scores: list[float] = []
        verdict = "open"
        while verdict == "open":
            scores += rng.choice([1.0, 0.5, 0.0], size=8, p=chances).tolist()
            verdict = watch(test, scores).verdict
        mistakes += verdict == wrong
    assert mistakes <= 26  # 15 expected at most; three standard errors are 11


def test_pairs_that_cancel_out_end_the_test_sooner() -> None:
    """On an opening that always wins for the first side, pairs are all 1-1: surely no difference of 50 points."""
    games = [1.0, 0.0] * 60
    pairs = [(1.0, 0.0)] * 60
    test = Sprt(0.0, 50.0)
    assert watch(test, games).verdict == "open"
    assert watch(test, [], pairs).verdict == "H0"
    assert watch(test, []).ratio == 0.0


def test_impossible_tests_are_refused() -> None:
    with pytest.raises(BadInput, match="the lower first, got 10,0"):
        Sprt(10, 0)
    with pytest.raises(BadInput, match="error rates"):
        Sprt(0, 10, alpha=0.7)
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))
