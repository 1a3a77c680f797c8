"""Calibration of expected results: the temperature T of each group by the spec's grid, and a curve over rating.

T is searched from 0.50 to 3.00 by 0.01 (from 0.10 to 10.00 where an end is the best) for the least cross-entropy on
validation games, for each group (as in the dissertation's table C.1) and as a curve over the mover's rating for each
pool. It is fitted to decided games, by the odds of winning against losing, which tempering all three chances changes by
T alone; so T means the same whatever the share of draws. Where the games ask for it a pool also gets a lean (added to
those log-odds) and an offset of draws, constant or straight over rating. T is never fitted to ECE: that would push all
to 1/2.

T is the grid's, always. Anything more (a lean, an offset of draws, whatever depends on rating) has to gain log(n) / 2
nats over all games for each parameter, Schwarz's criterion. docs/winrate.md tells what a softer rule gave, and that
this one was chosen with the test games of Go in view.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.evaluate.metrics import group_rows
from hitonami.evaluate.winrate import FLOOR, Outcomes, known_rows
from hitonami.fits.curves import LEAST, fit_curve, read_table
from hitonami.knobs import Curve

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Design = dict[str, Floats]
"""Columns [n] by name: what is added, times a weight, to log-odds."""
GRID: Final = np.arange(50, 301) / 100
WIDE: Final = np.arange(10, 1001) / 100
"""Where the best of the published grid is one of its ends: a value that is too sure asks for more than 3.00, one that
is far too careful for less than 0.50."""
_ENDS: Final = (5.0, 95.0)
_RIDGE: Final = 0.05
_MOST: Final = 6.0
_STEPS: Final = 50
_RESAMPLES: Final = 500
_ROUNDS: Final = 2
_EVERY: Final = ""


@dataclass(frozen=True)
class GroupTemperature:
    """One group's T alone, and the cross-entropy of its decided games, nats, at 1 and at T."""

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
    """Cross-entropy of win, draw and loss as given; then with one T for all and nothing else; then with all three."""
    with_temperature: float
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

    def apply_by_group(self, facts: Facts, wdl: Floats) -> Floats:
        """[n, 3] each position by its group's own T, as published; by its pool's where the group had too few games."""
        found = self.apply_temperature(facts, wdl)
        held = {each.group: each.temperature.value for each in self.groups if each.n >= LEAST}
        named = group_rows(facts)
        for name, rows in named:
            if name in held and (name != ALL or len(named) == 1):
                found[rows] = dist.calibrate(wdl[rows], held[name])
        return found

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
    decided = [(name, rows[facts.score[rows] != 0.5]) for name, rows in named]
    groups = [_group(name, facts.score[rows], told[rows], seed) for name, rows in decided if len(rows)]
    pools = np.array(facts.pool, dtype=object)
    own = [(pool, known[pools[known] == pool]) for pool in sorted(set(facts.pool)) if pool != _EVERY]
    fits = [_pool(pool, facts, told, rows) for pool, rows in own if len(rows) >= LEAST]
    return Calibration(tuple(groups), (_pool(_EVERY, facts, told, known, one_scale=len(own) == 1), *fits))


def log_likelihoods(score: Floats, odds: Floats, lean: Floats | float = 0.0, grid: Floats = GRID) -> Floats:
    """[n, grid] the log-probability of each decided result at each temperature, from the log-odds of a win."""
    sign = np.where(score > 0.5, 1.0, -1.0)
    shifted = odds[:, None] / grid + np.broadcast_to(lean, odds.shape)[:, None]
    return -np.logaddexp(0.0, -sign[:, None] * shifted)


def _log_odds(wdl: Floats) -> Floats:
    """Of a win against a loss."""
    return np.log(wdl[:, 0]) - np.log(wdl[:, 2])


def _table_of(score: Floats, odds: Floats) -> tuple[Floats, Floats]:
    """A grid, and the log-likelihoods on it: the published grid unless one of its ends is the best."""
    table = log_likelihoods(score, odds)
    if 0 < int(table.sum(axis=0).argmax()) < len(GRID) - 1:
        return GRID, table
    return WIDE, log_likelihoods(score, odds, grid=WIDE)


def _group(name: str, score: Floats, wdl: Floats, seed: int) -> GroupTemperature:
    grid, table = _table_of(score, _log_odds(wdl))
    means = table.mean(axis=0)
    best = int(means.argmax())
    draws = [grid[(counts @ table).argmax(axis=1)] for counts in resample_counts(len(score), seed, _RESAMPLES)]
    found = interval_of(float(grid[best]), np.concatenate(draws))
    return GroupTemperature(name, len(score), found, -float(means[grid.searchsorted(1.0)]), -float(means[best]))


def _pool(pool: str, facts: Facts, wdl: Floats, rows: Rows, *, one_scale: bool = True) -> PoolCalibration:
    score, chances = facts.score[rows], wdl[rows]
    ratings = facts.rating[rows] if one_scale else np.full(len(rows), np.nan)
    decided = score != 0.5
    odds = _Odds(_log_odds(chances)[decided], score[decided] > 0.5, ratings[decided])
    temperature, lean = odds.fit_temperature()
    tempered = dist.calibrate(chances, _read(temperature, ratings), _read(lean, ratings))
    draws = _Odds(np.log(tempered[:, 1] / (1 - tempered[:, 1])), ~decided, ratings).fit_shift()
    reached = dist.calibrate(tempered, 1.0, 0.0, _read(draws, ratings))
    alone = odds.best_temperature()
    plain, tempered_alone = _cross_entropy(score, chances), _cross_entropy(score, dist.calibrate(chances, alone))
    means = plain, tempered_alone, _cross_entropy(score, reached)
    return PoolCalibration(pool, len(rows), temperature, lean, draws, *means, alone)


def _cross_entropy(score: Floats, wdl: Floats) -> float:
    chances = wdl / wdl.sum(axis=1, keepdims=True)
    return -float(np.log(chances[np.arange(len(score)), Outcomes(score, wdl).place]).mean())


@dataclass(frozen=True)
class _Odds:
    """Log-odds [n] that a mind gives to something, whether it was so, and the movers' ratings (NaN where unknown)."""

    told: Floats
    was_so: NDArray[np.bool_]
    ratings: Floats

    def best_temperature(self) -> float:
        """One T for all, by the grid."""
        grid, table = _table_of(self.was_so.astype(float), self.told)
        return float(grid[table.sum(axis=0).argmax()])

    def fit_temperature(self) -> tuple[Curve, Curve]:
        """Temperature and lean: T alone, then the lean that goes with it, and both once more where there is one."""
        lean = self._constant(0.0)
        temperature = self._by_grid(lean)
        for _ in range(_ROUNDS):
            tempered = _Odds(self.told / _read(temperature, self.ratings), self.was_so, self.ratings)
            found = tempered.fit_shift()
            if found == lean:
                break
            lean, temperature = found, self._by_grid(found)
        return temperature, lean

    def _by_grid(self, lean: Curve) -> Curve:
        """The best T of the grid, as a curve where that is worth it."""
        table = log_likelihoods(self.was_so.astype(float), self.told, _read(lean, self.ratings))
        best = int(table.sum(axis=0).argmax())
        known = np.flatnonzero(~np.isnan(self.ratings))
        if self._are_rated():
            curve = fit_curve(GRID, table[known], self.ratings[known], "log")
            gained = len(table) * read_table(GRID, table, _read(curve, self.ratings)) - float(table[:, best].sum())
            if gained > self._worth:
                return curve
        return self._constant(float(GRID[best]))

    def fit_shift(self) -> Curve:
        """What is added to the log-odds."""
        return self._shift(self._choose([{"all": np.ones_like(self.told)}, self._sloped()]))

    @property
    def _worth(self) -> float:
        """What each further parameter has to gain."""
        return np.log(max(len(self.told), 2)) / 2

    def _constant(self, value: float) -> Curve:
        known = self.ratings[~np.isnan(self.ratings)]
        return Curve(((round(float(np.median(known)), 1) if len(known) else 0.0, value),))

    def _shift(self, weights: dict[str, float]) -> Curve:
        if "low" not in weights:
            return self._constant(weights.get("all", 0.0))
        low, high = self._ends()
        return Curve(((low, weights["low"]), (high, weights["high"])))

    def _are_rated(self) -> bool:
        """Whether enough have ratings, and not all the same, for anything to depend on them."""
        known = ~np.isnan(self.ratings)
        return bool(known.sum() >= max(LEAST, len(known) // 2)) and self._ends()[0] < self._ends()[1]

    def _ends(self) -> tuple[float, float]:
        low, high = np.percentile(self.ratings[~np.isnan(self.ratings)], _ENDS).round(1).tolist()
        return low, high

    def _sloped(self) -> Design:
        """A shift that is straight between the 5th and the 95th percentile of the ratings, in place of one for all."""
        if not self._are_rated():
            return {}
        low, high = self._ends()
        share = (np.clip(np.nan_to_num(self.ratings, nan=(low + high) / 2), low, high) - low) / (high - low)
        return {"low": 1 - share, "high": share}

    def _choose(self, trials: Sequence[Design]) -> dict[str, float]:
        """Take each trial in turn, in place of the one before, where it is worth it. The weights by name."""
        chosen: Design = {}
        weights, reached = self._solve(chosen)
        for tried in trials:
            found, gained = self._solve(tried)
            if gained - reached > self._worth * (len(tried) - len(chosen)):
                chosen, weights, reached = tried, found, gained
        return dict(zip(chosen, weights.round(4).tolist(), strict=True))

    def _solve(self, design: Design) -> tuple[Floats, float]:
        """The weights of the columns with the greatest likelihood, by Newton's method, and that likelihood.

        A little ridge keeps them finite where something never happens.
        """
        columns = np.stack([*design.values()], axis=1) if design else np.empty((len(self.told), 0))
        weights = np.zeros(columns.shape[1])
        for _ in range(_STEPS if design else 0):
            chance = 1.0 / (1.0 + np.exp(-(self.told + columns @ weights)))
            gradient = columns.T @ (self.was_so - chance) - _RIDGE * weights
            second = (columns.T * (chance * (1 - chance))) @ columns + _RIDGE * np.eye(len(weights))
            step = np.clip(np.linalg.solve(second, gradient), -1.0, 1.0)
            weights = np.clip(weights + step, -_MOST, _MOST)
            if np.abs(step).max() < 1e-8:
                break
        scores = self.told + columns @ weights
        return weights, -float(np.logaddexp(0.0, np.where(self.was_so, -scores, scores)).sum())


def _read(curve: Curve, ratings: Floats) -> Floats:
    unrated = (curve.points[0][1] + curve.points[-1][1]) / 2
    return np.where(np.isnan(ratings), unrated, curve(np.nan_to_num(ratings)))
