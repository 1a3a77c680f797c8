"""Ratings from answers: against general optimisers, and against players whose rating is known."""

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from hitonami.errors import BadInput
from hitonami.matches.elo import Floats
from hitonami.strength.item_response import Answers, chance_right, estimate_glicko, estimate_irt

NeedModule = Callable[[str], ModuleType]


def answer(rating: float, count: int, seed: int, slope: float = 1.0, guess: float = 0.0) -> Answers:
    """A player of this rating on items spread around 1500."""
    rng = np.random.default_rng(seed)
    ratings, deviations = rng.normal(1500, 400, count), rng.uniform(60, 150, count)
    blank = Answers(ratings, deviations, np.zeros(count))
    right = rng.random(count) < chance_right(blank, rating, slope, guess)
    return Answers(ratings, deviations, right.astype(np.float64))


@pytest.mark.parametrize("guess", [0.0, 0.2])
def test_the_maximum_is_the_one_that_scipy_finds(need_module: NeedModule, guess: float) -> None:
    optimize = need_module("scipy.optimize")
    answers = answer(1650, 120, seed=2, slope=0.7, guess=guess)
    weights = 1 / np.sqrt(1 + 3 * (math.log(10) / 400 * answers.deviations / math.pi) ** 2)

    def loss(point: Floats) -> float:
        power = -math.exp(point[1]) * weights * (1000 * point[0] - answers.ratings) / 400
        chances = guess + (1 - guess) / (1 + 10**power)
        said = answers.right * np.log(chances) + (1 - answers.right) * np.log(1 - chances)
        return float(point[1] ** 2 / (2 * 0.5**2) - said.sum())

    found = optimize.minimize(loss, [1.5, 0.0], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12}).x
    ours = estimate_irt(answers, guess)
    assert ours.rating == pytest.approx(1000 * found[0], abs=0.05)
    assert ours.slope == pytest.approx(math.exp(found[1]), abs=1e-3)


def test_glicko_is_the_mode_of_its_posterior(need_module: NeedModule) -> None:
    optimize = need_module("scipy.optimize")
    answers = answer(1800, 60, seed=4)

    def loss(rating: float) -> float:
        chances = chance_right(answers, rating)
        said = answers.right @ np.log(chances) + (1 - answers.right) @ np.log(1 - chances)
        return float((rating - 1500) ** 2 / (2 * 350**2) - said)

    found = optimize.minimize_scalar(loss, bounds=(500, 3000), method="bounded", options={"xatol": 1e-6}).x
    ours = estimate_glicko(answers)
    assert ours.rating == pytest.approx(found, abs=0.01)
    curvature = (loss(found + 1) - 2 * loss(found) + loss(found - 1)) / 1
    assert (ours.high - ours.low) / 2 / 1.96 == pytest.approx(1 / math.sqrt(curvature), rel=0.01)


def test_glickmans_own_example() -> None:
    """The worked example of the Glicko paper: 1500 ± 200 against 1400 ± 30 (won), 1550 ± 100 and 1700 ± 300 (lost).

    It updates by one Newton step from another prior; the weights are what we share with it.
    """
    weights = Answers(np.array([1400.0, 1550, 1700]), np.array([30.0, 100, 300]), np.array([1.0, 0, 0])).weights
    assert weights == pytest.approx([0.9955, 0.9531, 0.7242], abs=2e-4)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    runs = [estimate_irt(answer(1700, 150, seed)) for seed in range(200)]
    held = sum(run.low <= 1700 <= run.high for run in runs)
    assert 178 <= held <= 199  # 190 expected, three standard errors are 9
    assert np.mean([run.rating for run in runs]) == pytest.approx(1700, abs=15)


def test_probabilities_give_the_same_rating_with_less_noise() -> None:
    drawn, known = [], []
    for seed in range(60):
        answers = answer(1700, 100, seed)
        drawn.append(estimate_irt(answers).rating)
        chances = chance_right(answers, 1700)
        known.append(estimate_irt(Answers(answers.ratings, answers.deviations, chances)).rating)
    assert np.mean(known) == pytest.approx(1700, abs=5)
    assert np.std(known) < 0.2 * np.std(drawn)


def test_nothing_bounds_a_perfect_player() -> None:
    items = np.array([1000.0, 1500.0, 2000.0]), np.full(3, 80.0)
    best, worst = estimate_irt(Answers(*items, np.ones(3))), estimate_irt(Answers(*items, np.zeros(3)))
    assert (best.rating, best.low, best.high) == (math.inf, 2000, math.inf)
    assert (worst.rating, worst.high) == (-math.inf, 1000)
    glicko = estimate_glicko(Answers(*items, np.ones(3)))
    assert 1500 < glicko.rating < glicko.high < 3000


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(BadInput, match="at least one answer"):
        Answers(np.array([]), np.array([]), np.array([]))
    with pytest.raises(BadInput, match="guessing"):
        estimate_irt(answer(1500, 10, 0), guess=1.0)
