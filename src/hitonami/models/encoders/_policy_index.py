"""The 1858 moves of Lc0's policy head, and where the legal moves of a chess position stand in it.

Moves are seen from the mover: for Black the board is turned upside down. The table holds every move of
a queen or a knight on an empty board, by source and then target (a1 = 0 … h8 = 63), then the promotions
to queen, rook and bishop from a7 to h7. Promotion to a knight is the plain move; castling is the king's
move onto its own rook, in standard chess as in Chess960.
"""

from collections.abc import Sequence
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.games.chess import ChessPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import gather_rows, positions_of

HEAD_SIZE: Final = 1858
_QUEEN, _ROOK, _BISHOP, _KNIGHT = 5, 4, 3, 2
_E1, _CASTLED = 4, {6: 7, 2: 0}  # the king's target to the rook's square


def _connected(source: int, target: int) -> bool:
    """Whether a queen or a knight goes from source to target on an empty board."""
    files, ranks = abs(source % 8 - target % 8), abs(source // 8 - target // 8)
    return source != target and (0 in (files, ranks) or files == ranks or {files, ranks} == {1, 2})


def _white_index() -> dict[int, int]:
    """Move id (see games/chess.py) of a move up the board to its place in the head."""
    pairs = [(source, target) for source in range(64) for target in range(64) if _connected(source, target)]
    index = {source | target << 6: at for at, (source, target) in enumerate(pairs)}
    plain = dict(index)
    steps = [
        (source, source + 8 + side) for source in range(48, 56) for side in (-1, 0, 1) if 0 <= source % 8 + side < 8
    ]
    for source, target in steps:
        index[source | target << 6 | _KNIGHT << 12] = plain[source | target << 6]
    promotions = [(step, piece) for step in steps for piece in (_QUEEN, _ROOK, _BISHOP)]
    for at, ((source, target), piece) in enumerate(promotions, start=len(pairs)):
        index[source | target << 6 | piece << 12] = at
    return index


def _move_table() -> NDArray[np.int32]:
    """[4, 6·4096] head place by move id, -1 where there is none; row = player to move + 2 if his king may castle."""
    table = np.full((4, 6 << 12), -1, dtype=np.int32)
    for move, at in _white_index().items():
        table[0, move] = at
        table[1, move ^ (56 | 56 << 6)] = at
    table[2:] = table[:2]
    for target, rook in _CASTLED.items():
        for player, turn in ((0, 0), (1, 56 | 56 << 6)):
            table[2 + player, (_E1 | target << 6) ^ turn] = table[player, (_E1 | rook << 6) ^ turn]
    return table


_TABLE: Final = _move_table()
_KING_ON_E = (1 << _E1, 1 << (_E1 ^ 56))
_BITBOARD = Struct("=Q")


def _row(position: ChessPosition) -> int:
    """In standard chess a king on e1 that goes to g1 or c1 castles; in Chess960 ids name the rook's square already."""
    player = position.to_move
    if position.setup.variant == "chess960":
        return player
    (king,) = _BITBOARD.unpack_from(position.history, (5 + 6 * player) * _BITBOARD.size)
    return player + 2 if king == _KING_ON_E[player] else player


class ChessHead:
    """The policy head that Lc0's networks and our own chess networks share."""

    game = "chess"

    def head_size(self, positions: Sequence[Position]) -> int:
        return HEAD_SIZE

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(ChessPosition, self.game, positions)
        return gather_rows(_TABLE, [_row(position) for position in known], known)

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]
