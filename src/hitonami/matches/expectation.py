"""Do results agree with ratings? Pearson's chi-square on wins, draws and losses against Elo's expectation.

Ratings say how the points should be shared and nothing about draws, so the share of draws is a nuisance: Davidson's ν
is fitted to the same games by maximum likelihood, one for all pairs, and costs one degree of freedom. Without a single
draw the cells of draws are left out. Colours are taken to be balanced: the advantage of moving first is not modelled.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hitonami.matches.chances import chi_square_above
from hitonami.matches.elo import outcome_chances

SMALL_CELL = 5.0
"""Below this many expected games in a cell the p-value is rough."""
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Results of one player against another, and how many points the ratings put it ahead."""

    wins: float
    draws: float
    losses: float
    difference: float

    @property
    def games(self) -> float:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Agreement:
    """How well results agree with ratings. `expected` are games won, drawn and lost, a row a pairing."""

    statistic: float
    degrees: int
    p_value: float
    draw_ratio: float
    expected: tuple[tuple[float, float, float], ...]
    is_rough: bool
    """Whether some cell is too small for the p-value to be exact."""


def compare_with_ratings(pairings: Sequence[Pairing], fitted: int = 0) -> Agreement:
    """The test. `fitted` parameters of the ratings that came from these very games cost a degree of freedom each."""
    played = [pairing for pairing in pairings if pairing.games > 0]
    has_draws = any(pairing.draws for pairing in played)
    ratio = _fit_draws(played) if has_draws else 0.0
    expected = [_expect(pairing, ratio) for pairing in played]
    statistic, smallest = 0.0, math.inf
    for pairing, chances in zip(played, expected, strict=True):
        observed = (pairing.wins, pairing.draws, pairing.losses)
        for count, hoped in zip(observed, chances, strict=True):
            if hoped > 0.0:
                statistic += (count - hoped) ** 2 / hoped
                smallest = min(smallest, hoped)
    degrees = max(0, (2 if has_draws else 1) * len(played) - has_draws - fitted)
    p_value = chi_square_above(statistic, degrees)
    return Agreement(statistic, degrees, p_value, ratio, tuple(expected), smallest < SMALL_CELL)


def _expect(pairing: Pairing, ratio: float) -> tuple[float, float, float]:
    win, draw, loss = outcome_chances(pairing.difference, ratio)
    return pairing.games * win, pairing.games * draw, pairing.games * loss


def _fit_draws(pairings: Sequence[Pairing]) -> float:
    """The likeliest ν for the given differences, by golden-section search over ln ν from e⁻⁸ to e⁸."""

    def loss(log_ratio: float) -> float:
        total = 0.0
        for pairing in pairings:
            chances = outcome_chances(pairing.difference, math.exp(log_ratio))
            for count, chance in zip((pairing.wins, pairing.draws, pairing.losses), chances, strict=True):
                total -= count * math.log(max(chance, 1e-300)) if count else 0.0
        return total

    low, high = -8.0, 8.0
    while high - low > 1e-9:
        near, far = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, far) if loss(near) < loss(far) else (near, high)
    return math.exp(0.5 * (low + high))
