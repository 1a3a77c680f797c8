"""The exponent ρ with which an agent plays at its level: it loses as much a move as people of its rating do.

Where `softmax` makes a mind's chances right, this makes the play right: drawing from good chances is weaker than the
people they describe, and always taking the likeliest move far stronger (GPW 2024). ρ is where the agent's mean loss
(judging/losses.py) equals that of people on the same positions. One pass of the judge serves all values.

For each group it is that value alone. Where none is enough, because even the likeliest move loses more than people do
or the flattest draw less, the end of the grid is taken and said to be one. For a curve over rating, decisions count at
each of its points by their distance in rating, with a normal weight whose width is a sixth of the range of ratings, so
the curve may rise and fall. Losses of people are noisy and answer to ρ only weakly; so at a point ρ is drawn towards
the one value that fits the whole pool, and that value in the same way towards 1, the mind's own chances: it makes
(excess / its error)² + (log(ρ / the value towards) / PULL)² least. Intervals are percentiles over resamples of games.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval, interval_of, resample_means, sum_by_game
from hitonami.evaluate.metrics import group_rows
from hitonami.judging.losses import LIKELIEST, Floats, Judged, Losses, expected_losses, measure_losses
from hitonami.knobs import Curve

GRID: Final = np.round(np.geomspace(0.4, 6.0, 82), 4)
"""Steps of a thirtieth. At 6 all but the likeliest moves are gone."""
LEAST: Final = 100
"""Rated decisions of a pool; with fewer there is no curve."""
_POINTS: Final = 9
_ENDS: Final = (5.0, 95.0)
_WIDTH: Final = 1 / 6
PULL: Final = 1.0
"""How far, on the scale of log ρ, a level may lie from its pool; by cross-validation (docs/studies/levels-chess.md)."""
_ERRORS: Final = 1.96


@dataclass(frozen=True)
class LevelFit:
    """ρ for one group, or at one point of a curve."""

    name: str
    n: int
    rho: Interval
    reached: bool
    """Whether the agent loses as much as people at this value: in a group exactly, on a curve within the error."""
    people: float
    """Mean losses: of people, of the mind's plain draw (ρ = 1) and of its likeliest move."""
    plain: float
    likeliest: float


@dataclass(frozen=True)
class LevelCurve:
    """The curve of a pool, with the fit at each of its points."""

    pool: str
    n: int
    curve: Curve
    points: tuple[LevelFit, ...]


@dataclass(frozen=True)
class FittedLevel:
    """Everything about one mind. The last of `groups` is "all"."""

    mind: str
    groups: tuple[LevelFit, ...]
    curves: tuple[LevelCurve, ...]


@dataclass(frozen=True)
class _Table:
    """What is read at every value of the grid."""

    game: NDArray[np.int64]
    """[n] places of the games."""
    excess: Floats
    """[n, values of the grid] the agent's mean loss less the person's."""
    told: Floats
    """[n, 3] losses of people, of the plain draw and of the likeliest move."""
    seed: int


@dataclass(frozen=True)
class _Weighing:
    """Which decisions count, and how much, for one value of ρ."""

    name: str
    rows: NDArray[np.int64]
    weights: Floats


def fit_level(judged: Judged, mind: str, *, seed: int = 0) -> FittedLevel:
    """Fit. What is not rated has no part in a curve."""
    table = _read_table(judged, mind, seed)
    groups = [_Weighing(name, rows, np.ones(len(rows))) for name, rows in group_rows(judged.facts)]
    fits = _fit(table, groups)
    curves = []
    for pool in sorted(set(judged.facts.pool)):
        places = _points_of(judged, pool)
        if places:
            rows = places[0][1].rows
            [whole] = _fit(table, [_Weighing(pool, rows, np.ones(len(rows)))], 1.0)
            found = _fit(table, [weighing for _, weighing in places], whole.rho.value)
            points = tuple((rating, fit.rho.value) for (rating, _), fit in zip(places, found, strict=True))
            curves.append(LevelCurve(pool, len(places[0][1].rows), Curve(points), tuple(found)))
    return FittedLevel(mind, tuple(fits), tuple(curves))


def _read_table(judged: Judged, mind: str, seed: int) -> _Table:
    _, game = np.unique(judged.facts.game, return_inverse=True)
    excess = np.column_stack([expected_losses(judged, mind, rho) - judged.person for rho in GRID.tolist()])
    told = [judged.person, *(expected_losses(judged, mind, rho) for rho in (1.0, LIKELIEST))]
    return _Table(game, excess, np.column_stack(told), seed)


def _points_of(judged: Judged, pool: str) -> list[tuple[float, _Weighing]]:
    """The ratings at which the pool's curve has points, with what counts there; none where there is too little."""
    pools, rating = np.array(judged.facts.pool, dtype=object), judged.facts.rating
    rows = np.flatnonzero((pools == pool) & ~np.isnan(rating))
    if len(rows) < LEAST:
        return []
    low, high = np.percentile(rating[rows], _ENDS).tolist()
    places = np.linspace(low, high, _POINTS).tolist() if high > low else [low]
    width = max((high - low) * _WIDTH, 1e-9)
    return [
        (round(place, 1), _Weighing(f"{place:.0f}", rows, np.exp(-0.5 * ((rating[rows] - place) / width) ** 2)))
        for place in places
    ]


def _fit(table: _Table, weighings: list[_Weighing], towards: float | None = None) -> list[LevelFit]:
    """Where the weighted mean of the excess is 0, or near that `towards` a value."""
    game, excess = table.game, table.excess
    sums = [sum_by_game(game[each.rows], excess[each.rows] * each.weights[:, None]) for each in weighings]
    draws = resample_means(sums, int(game.max()) + 1, table.seed)
    found = []
    for each, part, drawn in zip(weighings, sums, draws, strict=True):
        known = drawn[~np.isnan(drawn[:, 0])]
        if towards is None:
            value, reached = crossing(part.means)
            spread = np.array([crossing(row)[0] for row in known])
        else:
            value, reached, spread = _pulled(part.means, known, towards)
        means = np.average(table.told[each.rows], axis=0, weights=each.weights).tolist()
        found.append(LevelFit(each.name, len(each.rows), interval_of(value, spread), reached, *means))
    return found


def _pulled(means: Floats, draws: Floats, towards: float) -> tuple[float, bool, Floats]:
    """The value near `towards`, whether its excess is 0 within the error, and the values of the resamples."""
    errors = np.maximum(draws.std(axis=0), 1e-12)
    pull = (np.log(GRID / towards) / PULL) ** 2
    at = int(((means / errors) ** 2 + pull).argmin())
    spread = GRID[((draws / errors) ** 2 + pull).argmin(axis=1)]
    return float(GRID[at]), bool(abs(means[at]) <= _ERRORS * errors[at]), spread


def crossing(excess: Floats) -> tuple[float, bool]:
    """ρ where the excess over people, one for each value of GRID, comes down to 0, and whether it does.

    Straight between values, on the scale of log ρ. A sharper draw loses less almost everywhere; where the excess comes
    down several times, the first is taken: it changes the mind's chances least beyond 1.
    """
    if excess[0] <= 0.0:
        return float(GRID[0]), bool(excess[0] == 0.0)
    below = np.flatnonzero(excess <= 0.0)
    if not len(below):
        return float(GRID[-1]), False
    at = int(below[0])
    share = excess[at - 1] / (excess[at - 1] - excess[at])
    left, right = np.log(GRID[at - 1 : at + 1])
    return round(float(np.exp(left + share * (right - left))), 4), True


def curve_exponents(fitted: FittedLevel, judged: Judged) -> Floats:
    """[n] ρ for each decision by its pool's curve, NaN where there is none."""
    values = np.full(judged.count, np.nan)
    pools = np.array(judged.facts.pool, dtype=object)
    for each in fitted.curves:
        rows = np.flatnonzero((pools == each.pool) & ~np.isnan(judged.facts.rating))
        values[rows] = each.curve(judged.facts.rating[rows])
    return values


def measure_level(fitted: FittedLevel, judged: Judged, *, seed: int = 0) -> Losses:
    """People against the plain draw, the level's draw and the likeliest move. Raises BadInput without a curve."""
    values = curve_exponents(fitted, judged)
    if np.isnan(values).any():
        raise BadInput("there are decisions without a rating, or of a pool without a curve: choose one with --pool")
    agents: Mapping[str, tuple[str, Floats | float]] = {
        "plain draw": (fitted.mind, 1.0),
        "level": (fitted.mind, values),
        "likeliest": (fitted.mind, LIKELIEST),
    }
    return measure_losses(judged, agents, seed=seed)
