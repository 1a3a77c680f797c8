"""Lc0's 112 planes, who is playing, and 32 planes that show what hangs: what a small network cannot count by itself.

The first 112 planes are those of `lc0-rated`, so a network can start out as one that knows nothing of the rest
(`added_planes`). docs/encoders.md lists the planes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.games.chess import ChessPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._chess_boards import BLOCK_BYTES, turns
from hitonami.models.encoders._policy_index import ChessHead
from hitonami.models.encoders.lc0 import paint_positions
from hitonami.models.players import encode_players


@dataclass(frozen=True)
class Lc0Tactics(ChessHead):
    """{"planes": uint8 [B, 144, 8, 8], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `pools` are the rating pools that the network knows; `clock` adds the mover's remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ChessPosition, self.game, [query.position for query in queries])
        planes = np.concatenate([paint_positions(positions, np.uint8), _tactics_of(positions)], axis=1)
        return {"planes": planes, **encode_players(queries, self.pools, clock=self.clock)}


def _tactics_of(positions: Sequence[ChessPosition]) -> NDArray[np.uint8]:
    """[B, 32, 8, 8], seen from the mover's side."""
    from hitonami.models.encoders._chess_tactics import PLANES, show_tactics  # numba: only who uses it waits for it

    black = turns(positions)
    now = b"".join(position.history[: BLOCK_BYTES - 8] for position in positions)
    sets = np.frombuffer(now, dtype=np.uint64).reshape(-1, 12).copy()
    turned = sets[black].byteswap()
    sets[black, :6], sets[black, 6:] = turned[:, 6:], turned[:, :6]
    out = np.zeros((len(positions), PLANES, 64), dtype=np.uint8)
    show_tactics(sets, out)
    return out.reshape(-1, PLANES, 8, 8)
