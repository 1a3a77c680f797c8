"""Uncertainty when decisions of one game belong together: resample games, never single moves.

Games are drawn with replacement from all games at once, and the same draws serve every mind, group and figure, so
differences are paired and groups that share games are treated as they are. Intervals are percentiles of the draws.
The p-value of a difference flips the sign of whole games (Fisher's randomisation: were the two minds alike, each game
might as well have gone the other way). Several groups are corrected by Holm's step-down method.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
_CELLS_AT_ONCE: Final = 4_000_000


@dataclass(frozen=True)
class Interval:
    """A figure and where it lies with 95% confidence."""

    value: float
    low: float
    high: float


def resample_counts(games: int, seed: int, resamples: int = RESAMPLES) -> Iterator[Floats]:
    """[resamples, games] how often each game is drawn in each resample, in blocks of rows."""
    rng = np.random.default_rng([seed, 0xB007])
    rows = max(1, _CELLS_AT_ONCE // max(games, 1))
    for begin in range(0, resamples, rows):
        count = min(rows, resamples - begin)
        drawn = rng.integers(0, games, size=(count, games))
        drawn += np.arange(count)[:, None] * games
        yield np.bincount(drawn.ravel(), minlength=count * games).reshape(count, games).astype(np.float64)


@dataclass(frozen=True)
class Sums:
    """Per-game sums of some rows: `games` are places among all games, `counts` [g] rows, `sums` [g, columns]."""

    games: NDArray[np.int64]
    counts: Floats
    sums: Floats

    @property
    def means(self) -> Floats:
        return self.sums.sum(axis=0) / self.counts.sum()


def sum_by_game(game: NDArray[np.int64], columns: Floats) -> Sums:
    """`game` [n] places of the games, `columns` [n, columns]."""
    games, place = np.unique(game, return_inverse=True)
    sums = np.zeros((len(games), columns.shape[1]))
    np.add.at(sums, place, columns)
    return Sums(games, np.bincount(place, minlength=len(games)).astype(np.float64), sums)


def resample_means(parts: Sequence[Sums], games: int, seed: int, resamples: int = RESAMPLES) -> list[Floats]:
    """For each part, [resamples, columns] its means in each resample; NaN where none of its games was drawn."""
    found: list[list[Floats]] = [[] for _ in parts]
    for counts in resample_counts(games, seed, resamples):
        for at, part in enumerate(parts):
            own = counts if len(part.games) == games else counts[:, part.games]
            rows = own @ part.counts
            with np.errstate(invalid="ignore", divide="ignore"):
                found[at].append(np.where(rows[:, None] > 0, own @ part.sums / rows[:, None], np.nan))
    return [np.concatenate(blocks) for blocks in found]


@dataclass(frozen=True)
class Part:
    """Some rows that are measured together: per-game sums, and [resamples, columns] the means in each resample."""

    rows: NDArray[np.int64]
    sums: Sums
    draws: Floats

    @property
    def games(self) -> int:
        return len(self.sums.games)

    def interval(self, column: int) -> Interval:
        return interval_of(float(self.sums.means[column]), self.draws[:, column])

    @property
    def intervals(self) -> list[Interval]:
        """Of all columns."""
        return [self.interval(column) for column in range(len(self.sums.means))]


def resample_parts(
    games: NDArray[Any], columns: Floats, rows: Sequence[NDArray[np.int64]], seed: int, resamples: int = RESAMPLES
) -> list[Part]:
    """Some parts of rows [n], whose games these are, resampled by the same draws of all games."""
    _, game = np.unique(games, return_inverse=True)
    sums = [sum_by_game(game[own], columns[own]) for own in rows]
    draws = resample_means(sums, int(game.max()) + 1, seed, resamples)
    return [Part(*each) for each in zip(rows, sums, draws, strict=True)]


def interval_of(value: float, draws: Floats) -> Interval:
    """The percentile interval. Draws that missed every game say nothing."""
    known = draws[~np.isnan(draws)]
    if not len(known):
        return Interval(value, value, value)
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high))


def mean_of(values: Sequence[float] | Floats, resamples: int = RESAMPLES) -> Interval:
    """The mean of a number a game, with its interval over resampled games; nothing of no values."""
    held = np.asarray(values, dtype=np.float64)
    if not len(held):
        return Interval(0.0, 0.0, 0.0)
    draws = np.concatenate([counts @ held / len(held) for counts in resample_counts(len(held), 0, resamples)])
    return interval_of(float(held.mean()), draws)


def flip_p_values(sums: Floats, seed: int, flips: int = RESAMPLES) -> Floats:
    """[columns] two-sided p-values that the per-game differences `sums` [games, columns] are centred at zero."""
    rng = np.random.default_rng([seed, 0xF11B])
    observed = np.abs(sums.sum(axis=0))
    slack = 1e-9 * np.abs(sums).sum(axis=0)  # equal up to rounding counts as equal
    reached = np.zeros(sums.shape[1])
    rows = max(1, _CELLS_AT_ONCE // max(len(sums), 1))
    for begin in range(0, flips, rows):
        count = min(rows, flips - begin)
        signs = rng.integers(0, 2, size=(count, len(sums)), dtype=np.int8).astype(np.float64) * 2 - 1
        reached += (np.abs(signs @ sums) >= observed - slack).sum(axis=0)
    return (1 + reached) / (1 + flips)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values (Holm 1979), in the given order."""
    order = np.argsort(p_values, kind="stable")
    adjusted, worst = [0.0] * len(p_values), 0.0
    for step, at in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - step) * p_values[at]))
        adjusted[at] = worst
    return adjusted
