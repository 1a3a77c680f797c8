"""How strong an agent is, as a surface over its rating and the exponent ρ of its draw, and the ρ that a dial asks for.

Games alone tell how strong an agent plays, and each tells little. So agents of a few ratings, each with a few ρ, play
each other, and all games together fit one smooth surface:

    Elo(R, ρ) = c0 + c1 x + c2 x² + u (b0 + b1 x + b2 x²),   x = (R - middle) / reach,   u = ρ / (1 + ρ)

u is 0 where all moves that may be drawn are equally likely and 1 where nothing but the likeliest is left: strength is
finite at both ends, and nearly straight in u between them. It is linear in its coefficients, so that it is fitted like
ratings (`fit_linear`), with wide priors. A sharper draw has to be stronger everywhere: where a fit says
otherwise, its slope is made simpler until it does.

The dial is right where Elo(R, ρ(R)) rises as R does. One rating keeps its ρ, the anchor; ρ of the others follows from
the surface. It is not read beyond what was played: there the end is taken, and said not to be reached.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput, WorkFailed
from hitonami.evaluate.intervals import Interval, interval_of
from hitonami.matches.elo import Tally, fit_model

Floats = NDArray[np.float64]
BEYOND: Final = 1.25
"""How far beyond the exponents that were played the surface is read, as a factor."""
_DRAWS: Final = 1_000
_LEAST_SLOPE: Final = 100.0
"""Elo from u = 0 to 1 that a surface has at the least: below it ρ would be no knob at all."""
_TYPICAL: Final = np.array([0.0, 0.0, 0.0, 1500.0, 0.0, 0.0])
_SPREAD: Final = np.array([1000.0, 1000.0, 300.0, 1500.0, 600.0, 600.0])
"""Priors of c0 … b2: where they are centred, and how wide they are."""


@dataclass(frozen=True)
class LinearFit:
    """Ratings that are linear in few coefficients: those, with their covariance."""

    coefficients: Floats
    covariance: Floats
    log_likelihood: float


def fit_linear(design: Floats, base: Floats, tallies: Sequence[Tally], spread: Floats) -> LinearFit:
    """Players' ratings as base + design · coefficients: `design` [players, coefficients], `base` [players].

    `spread` [coefficients] are deviations of normal priors around 0; few games then have an answer too.
    """
    played = [tally for tally in tallies if tally.games > 0]
    if not played:
        raise BadInput("ratings need games, and none was played")
    model, point, inverse = fit_model(played, base, design, spread)
    free = design.shape[1]
    return LinearFit(point[:free], inverse[:free, :free], model.log_likelihood(point) - model.log_prior(point))


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """An agent: the rating that its mind is told, the exponent of its draw, how many positions it looks at."""

    rating: float
    rho: float
    looks: int | None = None
    """None for as many as its level does."""


@dataclass(frozen=True)
class Surface:
    """The fitted strength of every node, on a scale whose origin means nothing."""

    middle: float
    reach: float
    terms: tuple[int, ...]
    """Which of c0 … b2 are fitted; the others are 0."""
    fit: LinearFit

    def coefficients(self, drawn: Floats | None = None) -> Floats:
        """[6] c0 … b2, or those of a draw [terms] of the fitted ones."""
        found = np.zeros(len(_TYPICAL))
        found[list(self.terms)] = _TYPICAL[list(self.terms)] + (self.fit.coefficients if drawn is None else drawn)
        return found

    def elo(self, nodes: Sequence[Node]) -> Floats:
        """[nodes]"""
        return _design(nodes, self.middle, self.reach) @ self.coefficients()

    def slope(self, ratings: Sequence[float]) -> Floats:
        """[ratings] Elo that u is worth from 0 to 1."""
        return _powers(ratings, self.middle, self.reach) @ self.coefficients()[3:]


def fit_surface(nodes: Sequence[Node], tallies: Sequence[Tally]) -> Surface:
    """From games between nodes, named in tallies by their places. Raises BadInput for what cannot tell, WorkFailed
    where strength does not rise with ρ."""
    ratings, exponents = sorted({node.rating for node in nodes}), {node.rho for node in nodes}
    if len(ratings) < 2 or len(exponents) < 2:
        raise BadInput("a surface needs agents of two ratings or more, with two exponents or more")
    if any(node.rho <= 0.0 or not math.isfinite(node.rho) for node in nodes):
        raise BadInput("exponents of draws are above 0")
    middle, reach = 0.5 * (ratings[0] + ratings[-1]), 0.5 * (ratings[-1] - ratings[0])
    design = _design(nodes, middle, reach)
    for terms in ((0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4), (0, 1, 2, 3)):
        used = list(terms)
        fit = fit_linear(design[:, used], design[:, used] @ _TYPICAL[used], tallies, _SPREAD[used])
        found = Surface(middle, reach, terms, fit)
        if found.slope(np.linspace(ratings[0], ratings[-1], 31).tolist()).min() >= _LEAST_SLOPE:
            return found
    raise WorkFailed("by these games a sharper draw is not stronger: ρ is no knob of this mind's strength, or too few")


def _powers(ratings: Sequence[float], middle: float, reach: float) -> Floats:
    x = (np.asarray(ratings, dtype=np.float64) - middle) / reach
    return np.stack([np.ones_like(x), x, x * x], axis=1)


def _design(nodes: Sequence[Node], middle: float, reach: float) -> Floats:
    powers = _powers([node.rating for node in nodes], middle, reach)
    bent = np.array([[node.rho / (1.0 + node.rho)] for node in nodes])
    return np.hstack([powers, bent * powers])


@dataclass(frozen=True)
class Solved:
    """ρ at one rating. Where the dial's strength is not reached, `short` is how much Elo the agent is off: positive
    where it is too strong."""

    rating: float
    rho: Interval
    short: float = 0.0

    @property
    def reached(self) -> bool:
        return self.short == 0.0


@dataclass(frozen=True)
class Range:
    """The exponents that may be used at a rating."""

    low: float
    high: float


def range_at(nodes: Sequence[Node], rating: float) -> Range:
    """What was played at the nearest ratings on either side, straight between them in log ρ, and a little more."""
    ratings = sorted({node.rating for node in nodes})
    lows = [math.log(min(node.rho for node in nodes if node.rating == each)) for each in ratings]
    highs = [math.log(max(node.rho for node in nodes if node.rating == each)) for each in ratings]
    low, high = (math.exp(float(np.interp(rating, ratings, values))) for values in (lows, highs))
    return Range(low / BEYOND, high * BEYOND)


def solve(  # noqa: PLR0913
    surface: Surface,
    nodes: Sequence[Node],
    anchor: Node,
    ratings: Sequence[float],
    *,
    seed: int = 0,
    points: Callable[[float], float] = float,
) -> list[Solved]:
    """ρ of each rating, so that Elo differs from the anchor's by as much as the ratings do (or what they stand for,
    `points`), with its 95% interval."""
    rng = np.random.default_rng([seed, 0x501])
    drawn = rng.multivariate_normal(surface.fit.coefficients, surface.fit.covariance, size=_DRAWS)
    tried = np.stack([surface.coefficients(), *(surface.coefficients(each) for each in drawn)])
    found = []
    for rating in ratings:
        above = points(rating) - points(anchor.rating)
        values, short = _solve_one(tried, surface, anchor, rating, above=above, within=range_at(nodes, rating))
        found.append(Solved(rating, interval_of(float(values[0]), values[1:]), short))
    return found


def _solve_one(  # noqa: PLR0913
    tried: Floats, surface: Surface, anchor: Node, rating: float, *, above: float, within: Range
) -> tuple[Floats, float]:
    """[surfaces] ρ by each surface, and how much Elo is missing by the first because ρ may not go further."""
    if rating == anchor.rating:
        return np.full(len(tried), anchor.rho), 0.0
    powers = _powers([rating], surface.middle, surface.reach)[0]
    wanted = tried @ _design([anchor], surface.middle, surface.reach)[0] + above
    slope = np.maximum(tried[:, 3:] @ powers, 1e-6)
    u = (wanted - tried[:, :3] @ powers) / slope
    held = np.clip(u, within.low / (1.0 + within.low), within.high / (1.0 + within.high))
    return held / (1.0 - held), float(slope[0] * (held[0] - u[0]))
