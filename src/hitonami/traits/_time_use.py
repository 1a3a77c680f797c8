"""Time use, of any game whose records tell it: where a player's time goes, whatever the time control."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.traits._trait import Trait

TIME_USE: Final = (
    Trait("seconds_a_move", "seconds a move, in the geometric mean (of time + 1 s)"),
    Trait("time_spread", "how much the time of a move varies (spread of its logarithm)"),
    Trait("quick_moves", "moves in less than a quarter of the own mean time", share=True),
    Trait("time_in_opening", "time spent on the first ten moves", share=True),
)
_LEAST: Final = 5
_FIRST: Final = 10


def measure_time_use(games: Columns) -> NDArray[np.float32]:
    """[games, 2, 4]; NaN for a side of whom fewer than five moves are timed."""
    seat = 2 * games.game_of_move + games.movers
    known = ~np.isnan(games.think_seconds)
    seats, seconds = seat[known], games.think_seconds[known].astype(np.float64)
    total = 2 * len(games)

    def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(seats, values, total), dtype=np.float64)

    count = sums(np.ones(len(seats)))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(seconds + 1.0)
        mean_log = sums(logs) / count
        spread = np.sqrt(np.maximum(sums(np.square(logs)) / count - np.square(mean_log), 0.0))
        mean = sums(seconds) / count
        quick = sums((seconds < mean[seats] / 4) * 1.0) / count
        early = sums(seconds * (_own_number(games)[known] < _FIRST)) / sums(seconds)
    found = np.stack([np.exp(mean_log) - 1.0, spread, quick, early], axis=1)
    found[count < _LEAST] = np.nan
    return found.reshape(len(games), 2, len(TIME_USE)).astype(np.float32)


def _own_number(games: Columns) -> NDArray[np.int64]:
    """[M] how many moves the mover made before in this game."""
    row, first = games.game_of_move, games.movers == 0
    before = np.cumsum(first) - first
    before_game = np.append(before, first.sum())[games.begins[:-1]]
    own = before - before_game[row]
    ply = np.arange(len(row)) - games.begins[row]
    return np.where(first, own, ply - own)
