"""A rating from right and wrong answers to items of known difficulty.

Two estimates, each with a 95% interval:

*IRT*: the chance of a right answer is g + (1 - g) / (1 + 10^(-a·w·(θ - b)/400)), with the item's rating b, the player's
rating θ and a slope a, both by maximum likelihood, and a fixed chance g of guessing. w = 1 / √(1 + 3 (c·RD/π)²), with
c = ln 10 / 400, is Glicko's weight (Glickman 1999, eq. 3): an item whose own rating is uncertain by RD tells less. The
slope says whether the player tells easy from hard as the pool does (1); ln a has a prior of 0 ± 0.5, which matters
below some fifty items only. The interval is the sandwich one: it needs no chance to have been drawn, so answers may be
probabilities, and it covers the choice of items.

*Glicko*: one rating period from 1500 ± 350, slope 1, no guessing: the most likely rating and its deviation.
"""

import math
from dataclasses import dataclass

import numpy as np

from hitonami.errors import BadInput
from hitonami.matches.chances import Z
from hitonami.matches.elo import POINT, Floats

_SLOPE_SPREAD = 0.5
_START, _DEVIATION = 1500.0, 350.0
_STEPS = 200


@dataclass(frozen=True)
class Answers:
    """[N] ratings and deviations of the items, and how right each answer was: 0, 1, or a probability."""

    ratings: Floats
    deviations: Floats
    right: Floats

    def __post_init__(self) -> None:
        if not len(self.ratings):
            raise BadInput("a rating needs at least one answer")

    @property
    def weights(self) -> Floats:
        """[N] Glicko's weights."""
        weights: Floats = 1.0 / np.sqrt(1.0 + 3.0 * (POINT * self.deviations / math.pi) ** 2)
        return weights


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating with its interval. Infinite ends: every answer was right, or wrong, and nothing bounds it there."""

    rating: float
    low: float
    high: float
    slope: float = 1.0


def chance_right(answers: Answers, rating: float, slope: float = 1.0, guess: float = 0.0) -> Floats:
    """[N] what a player of this rating is expected to get right."""
    argument = slope * POINT * answers.weights * (rating - answers.ratings)
    chances: Floats = guess + (1.0 - guess) * 0.5 * (1.0 + np.tanh(0.5 * argument))
    return chances


def estimate_irt(answers: Answers, guess: float = 0.0) -> Estimate:
    """By maximum likelihood over rating and slope; Fisher scoring with halved steps."""
    if not 0.0 <= guess < 1.0:
        raise BadInput(f"the chance of guessing must be at least 0 and below 1, got {guess:g}")
    if (bound := _unbounded(answers)) is not None:
        return bound
    point = np.array([float(answers.ratings.mean()), 0.0])
    best = _log_likelihood(answers, point, guess)
    for _ in range(_STEPS):
        scores, information = _scores(answers, point, guess)
        gradient = scores.sum(axis=0) - np.array([0.0, point[1] / _SLOPE_SPREAD**2])
        step = np.linalg.solve(information, gradient)
        while np.abs(step).max() > 1e-10 and _log_likelihood(answers, point + step, guess) < best:
            step = step / 2.0
        point = point + step
        best = _log_likelihood(answers, point, guess)
        if np.abs(step).max() < 1e-8:
            break
    scores, information = _scores(answers, point, guess)
    bread = np.linalg.inv(information)
    centred = scores - scores.mean(axis=0)
    count = len(centred)
    meat = centred.T @ centred * count / max(count - 1, 1)
    error = math.sqrt(float((bread @ meat @ bread)[0, 0]))
    return Estimate(float(point[0]), float(point[0]) - Z * error, float(point[0]) + Z * error, math.exp(point[1]))


def _log_likelihood(answers: Answers, point: Floats, guess: float) -> float:
    chances = np.clip(chance_right(answers, float(point[0]), math.exp(point[1]), guess), 1e-300, 1.0 - 1e-16)
    said = answers.right @ np.log(chances) + (1.0 - answers.right) @ np.log1p(-chances)
    return float(said) - 0.5 * (float(point[1]) / _SLOPE_SPREAD) ** 2


def _scores(answers: Answers, point: Floats, guess: float) -> tuple[Floats, Floats]:
    """[N, 2] each answer's part of the gradient by (rating, ln slope), and the expected information with the prior."""
    slope = math.exp(point[1])
    chances = np.clip(chance_right(answers, float(point[0]), slope, guess), 1e-12, 1.0 - 1e-12)
    steep = (chances - guess) * (1.0 - chances) / (1.0 - guess)
    by_rating = slope * POINT * answers.weights
    arms = np.stack([by_rating, by_rating * (point[0] - answers.ratings)], axis=1)
    scores: Floats = (steep * (answers.right - chances) / (chances * (1.0 - chances)))[:, None] * arms
    information = (arms.T * (steep**2 / (chances * (1.0 - chances)))) @ arms
    information[1, 1] += _SLOPE_SPREAD**-2
    return scores, information


def _unbounded(answers: Answers) -> Estimate | None:
    if (answers.right >= 1.0).all():
        top = float(answers.ratings.max())
        return Estimate(math.inf, top, math.inf)
    if (answers.right <= 0.0).all():
        return Estimate(-math.inf, -math.inf, float(answers.ratings.min()))
    return None


def estimate_glicko(answers: Answers) -> Estimate:
    """One rating period from 1500 ± 350: Newton's method on the posterior, which is concave."""
    rating = _START
    information = _DEVIATION**-2
    for _ in range(_STEPS):
        chances = chance_right(answers, rating)
        slopes = POINT * answers.weights
        gradient = float(slopes @ (answers.right - chances)) - (rating - _START) / _DEVIATION**2
        information = float((slopes**2) @ (chances * (1.0 - chances))) + _DEVIATION**-2
        step = float(np.clip(gradient / information, -200.0, 200.0))
        rating += step
        if abs(step) < 1e-8:
            break
    half = Z / math.sqrt(information)
    return Estimate(rating, rating - half, rating + half)
