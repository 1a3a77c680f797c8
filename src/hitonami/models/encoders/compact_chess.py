"""Our own chess input: eight positions of pieces as small integers, and whole-board facts as a few scalars.

A fact about the whole board (a castling right, a repetition) is a scalar, which a network projects once and
adds to every square; as a plane it would cost 64 times as much to store and to convolve. Positions before
the start of the record are zeros, after a FEN as after the standard start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.games.chess import ChessPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._chess_boards import (
    HISTORY_BYTES,
    Masks,
    castling_masks,
    draw_clocks,
    paint,
    stack_histories,
    turns,
)
from hitonami.models.encoders._policy_index import ChessHead
from hitonami.models.players import encode_players

_PIECES: Final = 96
_SCALARS: Final = 13
_CLOCK_SCALE = 100.0


@dataclass(frozen=True)
class CompactChess(ChessHead):
    """{"planes": uint8 [B, 97, 8, 8], "scalars": float32 [B, 13], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `pools` are the rating pools that the network knows; `clock` adds the mover's remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ChessPosition, self.game, [query.position for query in queries])
        black = turns(positions)
        boards = stack_histories([position.history.ljust(HISTORY_BYTES, b"\0") for position in positions], black)
        masks = np.empty((len(positions), _PIECES + 1), dtype=np.uint64)
        masks[:, :_PIECES] = boards[:, :, :12].reshape(-1, _PIECES)
        masks[:, _PIECES] = _en_passant_masks(positions, black)
        scalars = np.empty((len(positions), _SCALARS), dtype=np.float32)
        scalars[:, :8] = boards[:, :, 12] != 0
        scalars[:, 8:12] = castling_masks(positions, boards, black) != 0
        scalars[:, 12] = draw_clocks(positions) / _CLOCK_SCALE
        players = encode_players(queries, self.pools, clock=self.clock)
        return {"planes": paint(masks, np.uint8), "scalars": scalars, **players}


def _en_passant_masks(positions: Sequence[ChessPosition], black: NDArray[np.bool_]) -> Masks:
    """[B] the square where a pawn may really take en passant; FEN without a legal capture must look the same."""
    squares = np.zeros(len(positions), dtype=np.uint64)
    for at, position in enumerate(positions):
        if position.rules.en_passant() is not None and (square := position.key[-1]) is not None:
            squares[at] = 1 << square
    squares[black] = squares[black].byteswap()
    return squares
