"""Calibration of expected results: the temperature T of each group by the spec's grid, and a curve over rating.

T is searched from 0.50 to 3.00 by 0.01 for the least cross-entropy of win, draw and loss on validation games, for each
group (as in the dissertation's table C.1) and as a curve over the mover's rating for each pool. Where the games ask
for it a pool also gets a lean (log-odds of winning against losing, constant or straight over rating) and an offset of
draws; without them this is T alone. A parameter is taken only where it gains more than chance would (half the 95%
point of chi-square with one degree, in nats over all games). T is never fitted to ECE: that would push all to 1/2.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Curve
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.evaluate.metrics import group_rows
from hitonami.evaluate.winrate import FLOOR, Outcomes, known_rows
from hitonami.fits.curves import LEAST, fit_curve, read_table

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Design = dict[str, Floats]
"""Columns [n, 3] by name: what is added, times a weight, to the log-odds of win, draw and loss."""
GRID: Final = np.arange(50, 301) / 100
WORTH: Final = 1.92
"""Nats over all games that a further parameter has to gain."""
_ENDS: Final = (5.0, 95.0)
_RIDGE: Final = 0.05
_MOST: Final = 6.0
_STEPS: Final = 50
_RESAMPLES: Final = 500
_WIN_LOSS: Final = np.array([0.5, 0.0, -0.5])
_DRAW: Final = np.array([0.0, 1.0, 0.0])
_EVERY: Final = ""


@dataclass(frozen=True)
class GroupTemperature:
    """One group's T alone, and the cross-entropy (three-way, nats) at 1 and at T."""

    group: str
    n: int
    temperature: Interval
    plain: float
    reached: float


@dataclass(frozen=True)
class PoolCalibration:
    """What is written for a pool. "" stands for all together, and serves pools that have nothing of their own."""

    pool: str
    n: int
    temperature: Curve
    lean: Curve
    draws: Curve
    plain: float
    with_temperature: float
    """Cross-entropy with one T for all and nothing else."""
    reached: float
    best_temperature: float
    """That one T."""

    def apply(self, wdl: Floats, ratings: Floats) -> Floats:
        """[n, 3] calibrated. Without a rating, the mean of a curve's ends, as the packaged minds have it."""
        knobs = (_read(curve, ratings) for curve in (self.temperature, self.lean, self.draws))
        return dist.calibrate(wdl, *knobs)


@dataclass(frozen=True)
class Calibration:
    """Everything that was fitted for one mind."""

    groups: tuple[GroupTemperature, ...]
    pools: tuple[PoolCalibration, ...]

    def of_pool(self, pool: str) -> PoolCalibration:
        own = [each for each in self.pools if each.pool == pool]
        return own[0] if own else next(each for each in self.pools if each.pool == _EVERY)

    def apply(self, facts: Facts, wdl: Floats) -> Floats:
        """[n, 3] each position by its pool's curves."""
        return self._by_pool(facts, lambda own, rows: own.apply(wdl[rows], facts.rating[rows]))

    def apply_temperature(self, facts: Facts, wdl: Floats) -> Floats:
        """[n, 3] each position by its pool's one T alone."""
        return self._by_pool(facts, lambda own, rows: dist.calibrate(wdl[rows], own.best_temperature))

    def _by_pool(self, facts: Facts, change: Callable[[PoolCalibration, Rows], Floats]) -> Floats:
        found = np.empty((len(facts.pool), 3))
        pools = np.array(facts.pool, dtype=object)
        for pool in set(facts.pool):
            rows = np.flatnonzero(pools == pool)
            found[rows] = change(self.of_pool(pool), rows)
        return found


def fit_calibration(facts: Facts, wdl: Floats, *, seed: int = 0) -> Calibration:
    """Fit to the rows whose result is known."""
    known = known_rows(facts)
    told = np.maximum(wdl, FLOOR)
    named = [(name, np.intersect1d(rows, known)) for name, rows in group_rows(facts)]
    groups = [_group(name, facts.score[rows], told[rows], seed) for name, rows in named if len(rows)]
    pools = np.array(facts.pool, dtype=object)
    own = [(pool, known[pools[known] == pool]) for pool in sorted(set(facts.pool)) if pool != _EVERY]
    fits = [_pool(pool, facts, told, rows) for pool, rows in own if len(rows) >= LEAST]
    return Calibration(tuple(groups), (_pool(_EVERY, facts, told, known, one_scale=len(own) == 1), *fits))


def log_likelihoods(score: Floats, wdl: Floats, lean: Floats | float = 0.0, draws: Floats | float = 0.0) -> Floats:
    """[n, GRID] the log-probability of each result at each temperature."""
    place = Outcomes(score, wdl).place
    rows = np.arange(len(score))
    return np.stack([np.log(dist.calibrate(wdl, value, lean, draws)[rows, place]) for value in GRID], axis=1)


def _group(name: str, score: Floats, wdl: Floats, seed: int) -> GroupTemperature:
    table = log_likelihoods(score, wdl)
    means = table.mean(axis=0)
    best = int(means.argmax())
    draws = [GRID[(counts @ table).argmax(axis=1)] for counts in resample_counts(len(score), seed, _RESAMPLES)]
    found = interval_of(float(GRID[best]), np.concatenate(draws))
    at_one = int(np.argmin(np.abs(GRID - 1.0)))
    return GroupTemperature(name, len(score), found, -float(means[at_one]), -float(means[best]))


def _pool(pool: str, facts: Facts, wdl: Floats, rows: Rows, *, one_scale: bool = True) -> PoolCalibration:
    score, chances, ratings = facts.score[rows], wdl[rows], facts.rating[rows]
    fitting = _Fitting(score, np.log(chances), ratings if one_scale else np.full(len(rows), np.nan))
    lean, draws = fitting.shifts()
    table = log_likelihoods(score, chances, _read(lean, ratings), _read(draws, ratings))
    temperature, reached = _temperature(table, fitting.ratings)
    plain = log_likelihoods(score, chances)
    alone = int(plain.mean(axis=0).argmax())
    at_one = int(np.argmin(np.abs(GRID - 1.0)))
    means = -float(plain[:, at_one].mean()), -float(plain[:, alone].mean())
    return PoolCalibration(pool, len(rows), temperature, lean, draws, *means, -reached, float(GRID[alone]))


def _temperature(table: Floats, ratings: Floats) -> tuple[Curve, float]:
    """The curve where it is worth it, else one value for all; and the mean that it reaches."""
    best = int(table.mean(axis=0).argmax())
    constant, reached = Curve(((_middle(ratings), float(GRID[best])),)), float(table[:, best].mean())
    known = np.flatnonzero(~np.isnan(ratings))
    if len(known) < max(LEAST, len(ratings) // 2):
        return constant, reached
    curve = fit_curve(GRID, table[known], ratings[known], "log")
    values = _read(curve, ratings)
    gained = read_table(GRID, table, values)
    return (curve, gained) if (gained - reached) * len(table) > WORTH else (constant, reached)


@dataclass(frozen=True)
class _Fitting:
    """Results [n], log chances [n, 3] and ratings [n] of one pool."""

    score: Floats
    logs: Floats
    ratings: Floats

    def shifts(self) -> tuple[Curve, Curve]:
        """Lean and draws, each as far as it is worth it beside a temperature for all."""
        chosen: Design = {"log": self.logs}
        weights, reached = self._solve(chosen)
        trials: list[tuple[Design, str]] = [({"draws": self._all(_DRAW)}, ""), ({"lean": self._all(_WIN_LOSS)}, "")]
        for added, instead_of in [*trials, (self._sloped(), "lean")]:
            tried = {name: column for name, column in chosen.items() if name != instead_of} | added
            found, gained = self._solve(tried)
            if gained - reached > WORTH * max(len(tried) - len(chosen), 1):
                chosen, weights, reached = tried, found, gained
        values = dict(zip(chosen, weights.round(4).tolist(), strict=True))
        middle = _middle(self.ratings)
        draws = Curve(((middle, values.get("draws", 0.0)),))
        if "low" not in values:
            return Curve(((middle, values.get("lean", 0.0)),)), draws
        low, high = self._ends()
        return Curve(((low, values["low"]), (high, values["high"]))), draws

    def _all(self, shift: Floats) -> Floats:
        return np.broadcast_to(shift, self.logs.shape)

    def _ends(self) -> tuple[float, float]:
        low, high = np.percentile(self.ratings[~np.isnan(self.ratings)], _ENDS).round(1).tolist()
        return low, high

    def _sloped(self) -> Design:
        """A lean that is straight between the 5th and the 95th percentile of the ratings, where enough are known."""
        known = ~np.isnan(self.ratings)
        if known.sum() < max(LEAST, len(known) // 2) or len(np.unique(self._ends())) < 2:
            return {}
        low, high = self._ends()
        share = np.where(known, (np.clip(self.ratings, low, high) - low) / (high - low), 0.5)[:, None]
        return {"low": (1 - share) * _WIN_LOSS, "high": share * _WIN_LOSS}

    def _solve(self, design: Design) -> tuple[Floats, float]:
        """The weights of the columns with the greatest likelihood, by Newton's method, and that likelihood.

        The first column is log p, its weight 1 / T. A little ridge on the shifts keeps them finite where a result never
        occurs.
        """
        columns = np.stack(list(design.values()), axis=-1)
        place = Outcomes(self.score, self.logs).place
        own = columns[np.arange(len(place)), place]
        ridge = np.array([0.0, *[_RIDGE] * (len(design) - 1)])
        weights = np.array([1.0, *[0.0] * (len(design) - 1)])
        for _ in range(_STEPS):
            scores = columns @ weights
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            mean = np.einsum("nc,nck->nk", chances, columns)
            gradient = (own - mean).sum(axis=0) - ridge * weights
            second = np.einsum("nc,nck,ncl->kl", chances, columns, columns) - mean.T @ mean + np.diag(ridge + 1e-9)
            step = np.linalg.solve(second, gradient)
            weights = np.clip(weights + np.clip(step, -1.0, 1.0), [0.05, *[-_MOST] * (len(design) - 1)], _MOST)
            if np.abs(step).max() < 1e-8:
                break
        scores = columns @ weights
        found = (own @ weights - np.logaddexp.reduce(scores, axis=1)).sum()
        return weights, float(found)


def _middle(ratings: Floats) -> float:
    known = ratings[~np.isnan(ratings)]
    return round(float(np.median(known)), 1) if len(known) else 0.0


def _read(curve: Curve, ratings: Floats) -> Floats:
    unrated = (curve.points[0][1] + curve.points[-1][1]) / 2
    return np.where(np.isnan(ratings), unrated, curve(np.nan_to_num(ratings)))
