"""Who is playing, as numbers: ratings, pool and clock, the same for every network of ours.

Unknown is a value of its own (a flag of 0 beside a number of 0), never a guessed rating. Ratings of
different pools are different scales; the pool's index stands beside them so that a network can learn each.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query

PLAYER_FIELDS: Final = ("rating", "rating_known", "opponent_rating", "opponent_rating_known")
CLOCK_FIELDS: Final = ("remaining", "remaining_known")
_CENTRE, _SPREAD = 1500.0, 1000.0  # keeps the ratings of people within about -1.5 .. 1.5
_LOG_SCALE = 8.0  # log(1 + 50 minutes): a classical clock is about 1, ten seconds about 0.3


def encode_players(queries: Sequence[Query], *, clock: bool) -> NDArray[np.float32]:
    """[B, 4], or [B, 6] with the mover's clock: PLAYER_FIELDS, then CLOCK_FIELDS."""
    width = len(PLAYER_FIELDS) + (len(CLOCK_FIELDS) if clock else 0)
    rows = np.zeros((len(queries), width), dtype=np.float32)
    for row, query in zip(rows, queries, strict=True):
        if query.player.rating is not None:
            row[0], row[1] = (query.player.rating - _CENTRE) / _SPREAD, 1.0
        if query.opponent.rating is not None:
            row[2], row[3] = (query.opponent.rating - _CENTRE) / _SPREAD, 1.0
        if clock and query.clock is not None:
            row[4], row[5] = np.log1p(max(query.clock.remaining_seconds, 0.0)) / _LOG_SCALE, 1.0
    return rows


def encode_pools(queries: Sequence[Query], pools: tuple[str, ...]) -> NDArray[np.int64]:
    """[B] 1 + the place of the mover's pool in `pools`, 0 for a pool that is not named or not among them."""
    index = {pool: at for at, pool in enumerate(pools, start=1) if pool}
    return np.fromiter((index.get(query.player.pool, 0) for query in queries), dtype=np.int64, count=len(queries))
