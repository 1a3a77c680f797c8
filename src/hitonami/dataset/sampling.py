"""How often games of each level and pool are drawn: rare cells in full, crowded ones thinned.

A *cell* is a band of ratings in one pool. A cell of n games gives about n^power of them: with a power of 1/2, a
hundred times the games are seen ten times as often. Games are thinned before they are replayed, so that what is
left out costs nothing. Which games are left out changes from epoch to epoch.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

Cell = tuple[str, float | None]
"""A pool, and the lower end of a band; None where the rating is unknown."""
_COLUMNS = ["rating_0", "pool_0", "rating_1", "pool_1"]


@dataclass(frozen=True)
class Sampling:
    """How to thin. `pools` multiplies the chance of each named pool's games; 0 leaves a pool out."""

    band: float = 200.0
    power: float = 0.5
    full_below: int = 1_000
    """Cells with fewer games (sides of games, to be exact) are taken whole."""
    pools: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Acceptance:
    """The chance of each cell's games, as a frozen table: picklable, and the same in every process."""

    band: float
    chances: tuple[tuple[Cell, float], ...]

    def of(self, games: pa.Table) -> NDArray[np.float64]:
        """[games] the mean chance of a game's two sides."""
        known = dict(self.chances)
        sides = [[known.get(cell, 1.0) for cell in _cells(games, side, self.band)] for side in (0, 1)]
        return np.mean(sides, axis=0)


def count_acceptance(shards: Sequence[Path], sampling: Sampling) -> Acceptance:
    """Count the cells of some shards (four columns are read) and say how often each is to be drawn."""
    counts: Counter[Cell] = Counter()
    for path in shards:
        table = pq.read_table(path, columns=_COLUMNS)
        for side in (0, 1):
            counts.update(_cells(table, side, sampling.band))
    weights = dict(sampling.pools)
    chances = {}
    for cell, count in counts.items():
        thinned = (sampling.full_below / max(count, sampling.full_below)) ** (1.0 - sampling.power)
        chances[cell] = thinned * weights.get(cell[0], 1.0)
    largest = max(chances.values(), default=1.0) or 1.0
    ordered = sorted(chances.items(), key=lambda item: (item[0][0], item[0][1] is None, item[0][1] or 0.0))
    return Acceptance(sampling.band, tuple((cell, chance / max(largest, 1.0)) for cell, chance in ordered))


def _cells(games: pa.Table, side: int, band: float) -> list[Cell]:
    pools, ratings = games[f"pool_{side}"].to_pylist(), games[f"rating_{side}"].to_pylist()
    return [(pool or "", _floor(rating, band)) for pool, rating in zip(pools, ratings, strict=True)]


def _floor(rating: float | None, band: float) -> float | None:
    return None if rating is None or isnan(rating) else rating // band * band
