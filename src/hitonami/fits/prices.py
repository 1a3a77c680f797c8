"""What resignations cost by the bound on the chance to save: how many lost games are ended, what is thrown away.

The agent draws: at a turn it gives up with the fitted chance where the chance to save is at most the bound. So nothing
is drawn here either: each turn of people's games counts by the chance that the agent would have given up there, and
not before. Of turns at which the person played on, the result is known.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Floats

BOUNDS: Final = (0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 1.0)


@dataclass(frozen=True)
class Price:
    """An agent that gives up only where the chance to save is at most `bound`."""

    bound: float
    given_up: float
    """Games that it would give up, expected, of those whose person played on from there."""
    ends: Interval
    """The share of lost sides that it ends before their end."""
    finds: Interval
    """The chance that it gives up where people did, the mean over such turns."""
    saved: Interval
    """Of what it gives up and the person did not, the share that was not lost."""


def price_bounds(
    turns: Turns, chance: Floats, saved: Floats, haste: float = 0.0, bounds: tuple[float, ...] = BOUNDS
) -> tuple[Price, ...]:
    """A row a bound. `chance` and `saved` [n] are the model's of these turns, which come in the order of play.

    Under the bound the agent is readier than people by `haste`, in log-odds.
    """
    chance = chance / (chance + (1 - chance) * np.exp(-haste))
    sides = turns["game"] * 2 + turns["side"]
    order = np.lexsort((turns["ply"], sides))
    _, first, place = np.unique(sides[order], return_index=True, return_inverse=True)
    games = np.unique(turns["game"][order], return_inverse=True)[1]
    resigned, score = turns["resigned"][order] == 1, turns["score"][order]
    found = []
    for bound in bounds:
        now = np.where(saved[order] <= bound, chance[order], 0.0)
        going = _going(now, first)
        stops = np.where(resigned, 0.0, going * now)
        rows = np.column_stack([
            stops, stops * (score > 0), stops * (score == 0), _ones_of_lost(place, score), resigned * now, resigned,
        ])  # fmt: skip
        sums = np.zeros((games.max() + 1, rows.shape[1]))
        np.add.at(sums, games, rows)
        draws = np.concatenate([drawn @ sums for drawn in resample_counts(len(sums), 0, 1_000)])
        total = sums.sum(axis=0)
        ends, finds, thrown = (_share(total, draws, top, bottom) for top, bottom in ((2, 3), (4, 5), (1, 0)))
        found.append(Price(bound, float(total[0]), ends, finds, thrown))
    return tuple(found)


def _going(now: Floats, first: np.ndarray) -> Floats:
    """[n] the chance that a side has not given up before this turn; turns of a side are together."""
    left = np.log1p(-np.minimum(now, 1 - 1e-9))
    before = np.cumsum(left) - left
    start = np.zeros(len(now))
    start[first] = np.diff(before[first], prepend=0.0)
    return np.asarray(np.exp(before - np.cumsum(start)), dtype=np.float64)


def _ones_of_lost(place: np.ndarray, score: Floats) -> Floats:
    """[n] a one at the first turn of each side that lost."""
    out = np.zeros(len(place))
    _, first = np.unique(place, return_index=True)
    out[first] = score[first] == 0
    return out


def _share(total: Floats, draws: Floats, top: int, bottom: int) -> Interval:
    if not total[bottom] > 0:
        return Interval(0.0, 0.0, 0.0)
    return interval_of(float(total[top] / total[bottom]), draws[:, top] / np.maximum(draws[:, bottom], 1e-12))
