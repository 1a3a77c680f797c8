"""Stop a match as soon as it has answered: the generalised sequential probability ratio test on Elo.

H0 says that the difference is `elo0`, H1 that it is `elo1`. The likelihood of each is the greatest that any
distribution of the results with that mean score can have (an empirical likelihood), so draws need no model. With paired
openings the unit is a pair of games, whose five possible sums (pentanomial) carry the correlation within the pair;
without, it is a game (trinomial). Bounds are Wald's. It does not say how large the difference is: a stopped match
overstates it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hitonami.errors import BadInput
from hitonami.matches.elo import Floats, expected_score

_ABSENT = 1e-3
"""Games that a result which never came is taken to have: zero would rule it out for ever."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses, and how often each may be wrongly rejected."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadInput(f"a sequential test needs two differences, the lower first, got {self.elo0:g},{self.elo1:g}")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise BadInput(f"error rates must lie between 0 and 0.5, got {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the log-likelihood ratio: H0 is taken at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where the test stands."""

    ratio: float
    """ln of the likelihood ratio of H1 to H0."""
    low: float
    high: float
    verdict: Literal["H0", "H1", "open"]


def watch(test: Sprt, games: Sequence[float], pairs: Sequence[tuple[float, float]] = ()) -> SprtState:
    """The state after scores of single games, or of pairs of games on one opening with colours swapped."""
    if pairs:
        counts = np.bincount([round(2 * (one + other)) for one, other in pairs], minlength=5).astype(np.float64)
    else:
        counts = np.bincount([round(2 * score) for score in games], minlength=3).astype(np.float64)
    ratio = log_likelihood_ratio(counts, expected_score(test.elo0), expected_score(test.elo1))
    low, high = test.bounds
    return SprtState(ratio, low, high, "H1" if ratio >= high else "H0" if ratio <= low else "open")


def log_likelihood_ratio(counts: Floats, mean0: float, mean1: float) -> float:
    """ln of the ratio for results that are evenly spaced scores from 0 to 1, `counts` of each."""
    if not counts.sum():
        return 0.0
    counts = np.where(counts == 0.0, _ABSENT, counts)
    scores = np.linspace(0.0, 1.0, len(counts))
    shares = counts / counts.sum()
    return float(counts @ (np.log(_tilt(shares, scores - mean1)) - np.log(_tilt(shares, scores - mean0))))


def _tilt(shares: Floats, offsets: Floats) -> Floats:
    """The likeliest distribution of mean 0: p = share / (1 + θ · offset), θ by bisection (Owen 1988)."""
    low, high = -1.0 / offsets.max(), -1.0 / offsets.min()
    for _ in range(100):
        theta = 0.5 * (low + high)
        falling = float((shares * offsets / (1.0 + theta * offsets)).sum())  # falls as θ rises
        low, high = (theta, high) if falling > 0.0 else (low, theta)
    return shares / (1.0 + 0.5 * (low + high) * offsets)
