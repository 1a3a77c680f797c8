"""Who is playing, as numbers: ratings, pool and clock, the same for every network of ours.

Unknown is a value of its own (a flag of 0 beside a number of 0), never a guessed rating. Ratings of
different pools are different scales; the pool's index stands beside them so that a network can learn each.
"""

from collections.abc import Sequence
from math import log1p
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query

PLAYER_FIELDS: Final = ("rating", "rating_known", "opponent_rating", "opponent_rating_known")
CLOCK_FIELDS: Final = ("remaining", "remaining_known")
RATING_CENTRE, RATING_SPREAD = 1500.0, 1000.0  # keeps the ratings of people within about -1.5 … 1.5
_LOG_SCALE = 8.0  # log(1 + 50 minutes): a slow game's clock is about 1, ten seconds are 0.3


def encode_players(queries: Sequence[Query], pools: tuple[str, ...], *, clock: bool) -> dict[str, NDArray[Any]]:
    """{"player": float32 [B, 4], or [B, 6] with the mover's clock; "pool": int64 [B]}.

    The columns are PLAYER_FIELDS, then CLOCK_FIELDS. A pool is 1 + its place in `pools`, and 0 where it is
    not named or not among them.
    """
    index = {pool: at for at, pool in enumerate(pools, start=1) if pool}
    rows = [_row(query, clock) for query in queries]
    width = len(PLAYER_FIELDS) + (len(CLOCK_FIELDS) if clock else 0)
    return {
        "player": np.array(rows, dtype=np.float32).reshape(len(queries), width),
        "pool": np.array([index.get(query.player.pool, 0) for query in queries], dtype=np.int64),
    }


def _row(query: Query, clock: bool) -> tuple[float, ...]:
    row = (*_scaled(query.player.rating), *_scaled(query.opponent.rating))
    if not clock:
        return row
    if query.clock is None:
        return *row, 0.0, 0.0
    return *row, log1p(max(query.clock.remaining_seconds, 0.0)) / _LOG_SCALE, 1.0


def _scaled(rating: float | None) -> tuple[float, float]:
    return (0.0, 0.0) if rating is None else ((rating - RATING_CENTRE) / RATING_SPREAD, 1.0)
