"""The input of Maia-3 networks: 64 squares with their pieces in the last eight positions, and both ratings.

Each past position is seen by the side that was to move in it, so the board turns from one to the next. Castling
rights, en passant, repetitions and clocks are not part of it. The network wants a number for each rating: a player
without one is taken to be of UNRATED, the middle of the ratings that it learned from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, Position, Query
from hitonami.games.chess import HISTORY, ChessPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import gather_rows, positions_of
from hitonami.models.encoders._chess_boards import BLOCK_BYTES, paint

HEAD_SIZE: Final = 64 * 64 + 8 * 8 * 4
UNRATED: Final = 1500
_PIECES: Final = 12
_PROMOTIONS: Final = {5: 0, 4: 1, 3: 2, 2: 3}
"""Queen, rook, bishop, knight by their number in a move id (see games/chess.py), in the head's order."""


@dataclass(frozen=True)
class Maia3:
    """{"tokens": float32 [B, 64, 96], "self_elo": int64 [B], "oppo_elo": int64 [B]}."""

    game = "chess"

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ChessPosition, self.game, [query.position for query in queries])
        return {
            "tokens": _tokens(positions),
            "self_elo": np.array([_rating(query.player) for query in queries], dtype=np.int64),
            "oppo_elo": np.array([_rating(query.opponent) for query in queries], dtype=np.int64),
        }

    def head_size(self, positions: Sequence[Position]) -> int:
        return HEAD_SIZE

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(ChessPosition, self.game, positions)
        return gather_rows(_move_table(), [position.to_move for position in known], known)

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]


def _rating(player: Player) -> int:
    return UNRATED if player.rating is None else round(player.rating)


def _tokens(positions: Sequence[ChessPosition]) -> NDArray[np.float32]:
    """[B, 64, 96] for each square, mover's first rank first: which piece stood there, the oldest position first.

    Before the first position that is known, that one stands again.
    """
    blocks, black = [], []
    for position in positions:
        history = position.history
        last = len(history) // BLOCK_BYTES - 1
        for age in (min(age, last) for age in reversed(range(HISTORY))):
            blocks.append(history[age * BLOCK_BYTES : (age + 1) * BLOCK_BYTES])
            black.append(bool(position.to_move ^ age & 1))
    boards = np.frombuffer(b"".join(blocks), dtype=np.uint64).reshape(-1, BLOCK_BYTES // 8)[:, :_PIECES].copy()
    rows = np.array(black, dtype=np.bool_)
    turned = boards[rows].byteswap()
    boards[rows, :6], boards[rows, 6:] = turned[:, 6:], turned[:, :6]
    planes = paint(boards, np.float32).reshape(-1, HISTORY, _PIECES, 64)
    return np.ascontiguousarray(planes.transpose(0, 3, 1, 2)).reshape(-1, 64, HISTORY * _PIECES)


@cache
def _move_table() -> NDArray[np.int32]:
    """[2, 6·4096] the place in the head by player and move id, -1 where there is none.

    64 · source + target, castling by the king's two squares; then promotions by the files of source and target.
    """
    table = np.full((2, 6 << 12), -1, dtype=np.int32)
    for move in range(1 << 12):
        source, target = move & 63, move >> 6
        table[0, move] = 64 * source + target
    for source in range(48, 56):
        for target in range(56, 64):
            for piece, at in _PROMOTIONS.items():
                place = 64 * 64 + 32 * (source % 8) + 4 * (target % 8) + at
                table[0, source | target << 6 | piece << 12] = place
    moves = np.arange(6 << 12)
    table[1] = table[0, moves ^ (56 | 56 << 6)]
    return table
