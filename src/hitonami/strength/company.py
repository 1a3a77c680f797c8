"""What a player's company says of their rating: whom they are paired with, and how they fare.

Servers and tournaments pair people of like strength, so the ratings of opponents gather around one's own: by a line,
with a variance of the person, which no number of games removes, and one of each game. Given both ratings the result
follows the logistic curve that ratings are made by; its steepness is fitted too, since ranks are no points. Both
likelihoods are of the same rating and add up, beside what the moves say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput

Floats = NDArray[np.float64]
LEAST_MEETINGS: Final = 100
COUNTS: Final = (1, 5, 10, 20)
"""Numbers of games that are looked at."""
WITHIN: Final = 3.841
"""The square that 95% of a standard normal stay below."""
_STEPS: Final = 30


@dataclass(frozen=True)
class Meeting:
    """One game: the opponent's rating in the record, and what the player got, 0..1; None where it is not known."""

    opponent: float
    score: float | None


@dataclass(frozen=True)
class Company:
    """How opponents and results go with a rating, in one pool. Variances are those of an opponent's rating."""

    intercept: float
    slope: float
    """Opponents of people of rating R have intercept + slope · R on the average."""
    player_variance: float
    game_variance: float
    spread: float
    """Factor of the variance for people who had no part in the fit."""
    steepness: float
    """Log-odds of winning a point of rating; for Elo's curve ln 10 / 400."""

    def log_likelihood(self, meetings: Sequence[Meeting], ratings: Floats) -> Floats:
        """[ratings] how likely these opponents and results are for a player of each, but for a constant."""
        if not meetings:
            return np.zeros(len(ratings))
        own = np.array([each.opponent for each in meetings])
        variance = self.spread * (self.player_variance + self.game_variance / len(own))
        paired = -0.5 * (own.mean() - self.intercept - self.slope * ratings) ** 2 / variance
        known = [(each.opponent, each.score) for each in meetings if each.score is not None]
        if not known:
            return np.asarray(paired, dtype=np.float64)
        others, scores = np.array(known, dtype=np.float64).T
        odds = self.steepness * (ratings[:, None] - others[None])
        told = scores * -np.logaddexp(0.0, -odds) + (1 - scores) * -np.logaddexp(0.0, odds)
        return np.asarray(paired + told.sum(axis=1), dtype=np.float64)


def fit_company(people: Sequence[Sequence[tuple[float, Meeting]]]) -> Company:
    """From people's games, each with the rating that the person had. Raises BadInput for too few.

    The result is the second witness: opponents are weighed by how much people's company varies, results as they are.
    """
    people = [own for own in people if own]
    games = sum(map(len, people))
    if games < LEAST_MEETINGS or len(people) < 2:
        raise BadInput(f"{games} games against opponents with a rating are too few to learn from: {LEAST_MEETINGS}")
    ratings = np.array([rating for own in people for rating, _ in own])
    opponents = np.array([meeting.opponent for own in people for _, meeting in own])
    weights = np.array([1.0 / len(own) for own in people for _ in own])
    slope, intercept = np.polyfit(ratings, opponents, 1, w=np.sqrt(weights)) if ratings.std() else (1.0, 0.0)
    left = opponents - intercept - slope * ratings
    parts = np.split(left, np.cumsum([len(own) for own in people])[:-1])
    game, player = _variances(parts)
    spread = _excess(parts, game, player)
    scores = [(rating - meeting.opponent, meeting.score) for own in people for rating, meeting in own]
    known = np.array([pair for pair in scores if pair[1] is not None], dtype=np.float64)
    steepness = _steepness(*known.T) if len(known) >= LEAST_MEETINGS else 0.0
    return Company(float(intercept), float(slope), player, game, spread, steepness)


def _variances(parts: Sequence[Floats]) -> tuple[float, float]:
    """Of a game and of a person: what games of one person share is the person's."""
    total = float(np.mean([np.mean(own**2) for own in parts]))
    several = [own for own in parts if len(own) > 1]
    shared = [(own.sum() ** 2 - (own**2).sum()) / (len(own) * (len(own) - 1)) for own in several]
    player = float(np.clip(np.mean(shared), 0.0, total)) if shared else 0.5 * total
    return max(total - player, 1e-6), player


def _excess(parts: Sequence[Floats], game: float, player: float) -> float:
    """How much more people vary than the two variances say: intervals are to hold 95% of them."""
    squares = [
        float(own[:count].mean()) ** 2 / (player + game / count)
        for count in COUNTS
        for own in parts
        if len(own) >= count
    ]
    return float(np.quantile(squares, 0.95) / WITHIN)


def _steepness(gaps: Floats, scores: Floats) -> float:
    """The slope of a logistic curve through even chances at equal ratings, by Newton's method."""
    scale = float(gaps.std()) or 1.0
    x, slope = gaps / scale, 0.0
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(slope * x, -30, 30)))
        gradient, curvature = float(x @ (scores - chance)), float((x**2) @ (chance * (1 - chance))) + 1e-9
        slope += float(np.clip(gradient / curvature, -1.0, 1.0))
    return max(slope / scale, 0.0)
