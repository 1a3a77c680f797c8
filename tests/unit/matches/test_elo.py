"""Ratings against an optimiser that knows nothing of them, and against the results that made them."""

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.errors import BadInput
from hitonami.matches.elo import Anchor, Floats, Tally, expected_score, fit_elo, outcome_chances

NeedModule = Callable[[str], ModuleType]


def simulate(ratings: list[float], games: int, draw_ratio: float, advantage: float, seed: int) -> list[Tally]:
    """`games` with each player first against each other."""
    rng = np.random.default_rng(seed)
    made = []
    for first, one in enumerate(ratings):
        for second, other in enumerate(ratings):
            if first != second:
                drawn = rng.multinomial(games, outcome_chances(one - other + advantage, draw_ratio))
                made.append(Tally(first, second, *map(float, drawn)))
    return made


def curvature(loss: Callable[[Floats], float], at: Floats) -> Floats:
    """The matrix of second derivatives, by differences."""
    steps = np.eye(len(at)) * 1e-3
    rows = [[loss(at + a + b) - loss(at + a - b) - loss(at - a + b) + loss(at - a - b) for b in steps] for a in steps]
    return np.array(rows) / 4e-6


@given(st.floats(-2000, 2000), st.floats(0, 50))
def test_chances_share_the_expected_score(difference: float, draw_ratio: float) -> None:
    win, draw, loss = outcome_chances(difference, draw_ratio)
    assert min(win, draw, loss) >= -1e-12
    assert win + draw + loss == pytest.approx(1)
    assert win + draw / 2 == pytest.approx(1 / (1 + 10 ** (-difference / 400)), abs=1e-12)
    assert draw == pytest.approx(draw_ratio * math.sqrt(max(win * loss, 0)), abs=1e-6)
    assert outcome_chances(-difference, draw_ratio) == pytest.approx((loss, draw, win))


def test_ratings_are_the_maximum_that_scipy_finds(need_module: NeedModule) -> None:
    """The same likelihood written from the formulas of the docstring and left to a general optimiser."""
    optimize = need_module("scipy.optimize")
    tallies = simulate([0, 120, -80, 300], 60, 0.9, 35, seed=3)

    def chances(gap: float, kappa: float) -> list[float]:
        lead = 2 / (1 + 10 ** (-gap / 400)) - 1
        decided = optimize.brentq(lambda t: (1 - t) ** 2 - kappa * (t * t - lead * lead), abs(lead), 1)
        return [(decided + lead) / 2, 1 - decided, (decided - lead) / 2]

    def loss(point: Floats) -> float:
        ratings, advantage, kappa = np.append(point[:3], -point[:3].sum()) * 100, point[3] * 100, math.exp(point[4])
        total = advantage**2 / (2 * 300**2) + point[4] ** 2 / (2 * 4**2)
        for tally in tallies:
            made = chances(ratings[tally.first] - ratings[tally.second] + advantage, kappa)
            total -= float(np.dot((tally.wins, tally.draws, tally.losses), np.log(made)))
        return total

    found = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6})
    fit = fit_elo(4, tallies)
    assert fit.ratings[:3] == pytest.approx(found.x[:3] * 100, abs=0.05)
    assert fit.advantage == pytest.approx(found.x[3] * 100, abs=0.05)
    assert fit.draw_ratio == pytest.approx(2 * math.exp(found.x[4] / 2), abs=1e-3)
    errors = np.sqrt(np.diag(np.linalg.inv(curvature(loss, found.x)))[:3]) * 100
    assert np.sqrt(np.diag(fit.covariance))[:3] == pytest.approx(errors, rel=0.05)  # expected against observed


def test_without_draws_it_is_logistic_regression(need_module: NeedModule) -> None:
    optimize = need_module("scipy.optimize")
    tallies = [Tally(0, 1, 30, 0, 11), Tally(1, 2, 25, 0, 20), Tally(0, 2, 40, 0, 5)]  # one order: no advantage
    design = np.array([[1, -1, 0], [0, 1, -1], [1, 0, -1]])
    won, lost = np.array([30, 25, 40]), np.array([11, 20, 5])

    def loss(free: Floats) -> float:
        logit = design @ np.array([0, *free])
        return float((won * np.log1p(np.exp(-logit)) + lost * np.log1p(np.exp(logit))).sum())

    found = optimize.minimize(loss, [0.0, 0.0], method="BFGS", options={"gtol": 1e-9}).x * 400 / math.log(10)
    fit = fit_elo(3, tallies, anchors={0: Anchor(1500)})
    assert fit.ratings == pytest.approx([1500, 1500 + found[0], 1500 + found[1]], abs=1e-3)
    assert (fit.advantage, fit.draw_ratio, fit.is_bounded) == (0, 0, True)
    logit = design @ (fit.ratings * math.log(10) / 400)
    weights = (won + lost) / (2 + np.exp(logit) + np.exp(-logit))
    information = (design[:, 1:].T * weights) @ design[:, 1:] * (math.log(10) / 400) ** 2
    assert fit.covariance[1:, 1:] == pytest.approx(np.linalg.inv(information), rel=1e-6)


def test_two_players_have_the_difference_of_their_score() -> None:
    fit = fit_elo(2, [Tally(0, 1, 40, 30, 10), Tally(1, 0, 20, 30, 30)])
    gap, error = fit.difference(0, 1)
    assert expected_score(gap) == pytest.approx(100 / 160, abs=0.005)
    assert 15 < error < 30
    assert fit.superiority(0, 1) > 0.99
    assert fit.superiority(0, 1) + fit.superiority(1, 0) == pytest.approx(1)
    assert fit.ratings.sum() == pytest.approx(0)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth = [0.0, 150.0, -150.0]
    held = 0
    for seed in range(200):
        fit = fit_elo(3, simulate(truth, 20, 0.8, 30, seed))
        low, high = fit.interval(1)
        held += low <= 150 <= high
    assert 180 <= held <= 199  # 95% of 200 is 190; three standard errors are 9


def test_anchors_stay_and_move_the_others() -> None:
    tallies = simulate([0, 200, 400], 50, 0.5, 0, seed=1)
    one, two = fit_elo(3, tallies, {0: Anchor(1000)}), fit_elo(3, tallies, {0: Anchor(1000), 2: Anchor(1300)})
    assert one.ratings[0] == 1000
    assert one.interval(0) == (1000, 1000)
    assert one.ratings[2] == pytest.approx(1400, abs=80)
    assert (two.ratings[0], two.ratings[2]) == (1000, 1300)
    assert 1000 < two.ratings[1] < 1300
    assert fit_elo(3, tallies, mean=1500).ratings.mean() == pytest.approx(1500)


def test_uncertain_anchors_give_way_by_what_is_known_of_them() -> None:
    tallies = simulate([0, 200, 400], 400, 0.5, 0, seed=1)
    free = fit_elo(3, tallies, {0: Anchor(1000)})
    span = free.ratings[2] - 1000
    loose = fit_elo(3, tallies, {0: Anchor(1000, 30), 2: Anchor(1300, 60)})
    error = (free.difference(2, 0)[1] ** 2 + 60**2) ** 0.5
    shift = 30**2 / (30**2 + error**2) * (1300 - 1000 - span)  # two normal opinions of the first, joined
    assert loose.ratings[0] == pytest.approx(1000 + shift, abs=2)
    assert loose.covariance[0, 0] == pytest.approx(1 / (30**-2 + error**-2), rel=0.01)
    nearly = fit_elo(3, tallies, {0: Anchor(1000, 1e-6), 2: Anchor(1300, 1e9)})
    assert nearly.ratings == pytest.approx(free.ratings, abs=1e-3)
    both = fit_elo(3, tallies, {0: Anchor(1000, 50), 1: Anchor(1200, 50), 2: Anchor(1400, 50)})
    assert both.covariance.diagonal().min() > 25**2  # what anchors share is not known better by any number of games


def test_everything_anchored_leaves_only_the_advantage() -> None:
    fit = fit_elo(2, [Tally(0, 1, 30, 5, 10), Tally(1, 0, 25, 5, 15)], {0: Anchor(1200), 1: Anchor(1200)})
    assert list(fit.ratings) == [1200, 1200]
    assert fit.advantage > 50


@pytest.mark.parametrize(
    "tallies",
    [
        [Tally(0, 1, 10, 0, 0), Tally(1, 0, 0, 0, 10)],
        [Tally(0, 1, 0, 10, 0), Tally(1, 0, 0, 10, 0)],
        [Tally(0, 1, 10, 0, 0), Tally(1, 0, 10, 0, 0)],
        [Tally(0, 1, 9, 1, 0)],
        [Tally(0, 1, 1, 0, 0)],
    ],
)
def test_one_sided_results_have_finite_ratings(tallies: list[Tally]) -> None:
    fit = fit_elo(2, tallies)
    score = sum(t.score if t.first == 0 else t.games - t.score for t in tallies) / sum(t.games for t in tallies)
    assert np.isfinite(fit.ratings).all()
    assert np.isfinite(fit.covariance).all()
    assert fit.is_bounded == (0 < score < 1)
    assert np.sign(round(float(fit.ratings[0] - fit.ratings[1]), 6)) == np.sign(score - 0.5)


def test_players_that_never_met_have_no_ratings() -> None:
    with pytest.raises(BadInput, match="link every player"):
        fit_elo(4, [Tally(0, 1, 1, 1, 1), Tally(2, 3, 1, 1, 1)])
