"""Lc0's 112 planes with who is playing beside them: for networks that began as Lc0 or Maia networks.

The planes are those of `lc0`, as small integers: each holds zeros, ones or a count of half-moves. The
conditioning never touches them, so such a network can start out exactly as the one that it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.games.chess import ChessPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._policy_index import ChessHead
from hitonami.models.encoders.lc0 import paint_positions
from hitonami.models.players import encode_players


@dataclass(frozen=True)
class Lc0Rated(ChessHead):
    """{"planes": uint8 [B, 112, 8, 8], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `pools` are the rating pools that the network knows; `clock` adds the mover's remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ChessPosition, self.game, [query.position for query in queries])
        return {"planes": paint_positions(positions, np.uint8), **encode_players(queries, self.pools, clock=self.clock)}
