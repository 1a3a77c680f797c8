"""miniosl's input: 176 planes of a shogi position and its last seven moves, for networks trained with miniosl.

Computed without that library and equal to its `export_features` (checked position by position in the tests).
Beside pieces and hands the planes show attacks, checks and mates in one move, so they are more than a picture
of the board: docs/encoders.md lists them. Some depend on which of several equal pieces is meant, and so on
the whole game: a position without its history may differ there from one reached by playing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import cshogi
import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query
from hitonami.games.shogi import ShogiPosition
from hitonami.games.shogi_rules.sfen import START
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import gather_rows, positions_of
from hitonami.models.encoders._miniosl_board import (
    BASIC,
    FIRST_NUMBER,
    IN_HAND,
    KIND_OF,
    KING,
    KING_KIND,
    PIECES,
    UNUSED,
)
from hitonami.models.encoders._miniosl_planes import ONE, PLANES, paint_games
from hitonami.models.encoders._shogi_head import mirror_table, move_table

HEAD_SIZE: Final = 27 * 81
_STEPS: Final = ((1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1))
"""(file, rank) of a step up-left, up, up-right, left, right, down-left, down, down-right."""
_FIRST_WAY: Final = 7
_HAND_KINDS: Final = (10, 11, 12, 13, 9, 14, 15)
"""In the order of `ShogiPosition.history`."""
_NUMBER_ROOM: Final = 512  # starts of games: few in a data set, one a position where each is given by its SFEN


@dataclass(frozen=True)
class Miniosl:
    """{"input": float32 [B, 176, 9, 9]}: whole numbers from 0 to 36, divided by 36."""

    game = "shogi"
    symmetries = 2
    """As it is, and left for right: the rules know no side, though rook and bishop make people's games lopsided."""

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        planes = paint(positions_of(ShogiPosition, self.game, [query.position for query in queries]))
        return {"input": planes.astype(np.float32) / np.float32(ONE)}

    def head_size(self, positions: Sequence[Position]) -> int:
        return HEAD_SIZE

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(ShogiPosition, self.game, positions)
        return gather_rows(_head_table(), [position.to_move for position in known], known)

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]

    def turn(self, arrays: Mapping[str, NDArray[Any]], way: int) -> dict[str, NDArray[Any]]:
        """Mirrored planes may show another of several mates in one move than the mirrored game's would."""
        return {
            name: np.ascontiguousarray(array[..., ::-1]) if way and array.ndim == 4 else array
            for name, array in arrays.items()
        }

    def head_turn(self, size: int, way: int) -> HeadIndex:
        return _mirrored_head() if way else np.arange(size, dtype=np.int32)


def paint(positions: Sequence[ShogiPosition]) -> NDArray[np.uint8]:
    """[B, 176, 9, 9] the planes as they are before the division by 36."""
    planes = np.zeros((len(positions), PLANES, 81), dtype=np.uint8)
    if not positions:
        return planes.reshape(0, PLANES, 9, 9)
    games = [_trace(position) for position in positions]
    moves = np.array([move for _, played in games for move in played], dtype=np.int64)
    ends = np.cumsum([len(played) for _, played in games])
    pieces = np.stack([_number_pieces(start.sfen, start.history) for start, _ in games])
    turned = np.array([position.to_move for position in positions])
    paint_games(pieces, moves, ends, turned, planes)
    return planes.reshape(-1, PLANES, 9, 9)


def _trace(position: ShogiPosition) -> tuple[ShogiPosition, list[int]]:
    """The start of the game and the moves from there."""
    moves = []
    while position.before is not None and position.last_move is not None:
        moves.append(position.last_move)
        position = position.before
    moves.reverse()
    return position, moves


@lru_cache(maxsize=_NUMBER_ROOM)
def _number_pieces(sfen: str, history: bytes) -> NDArray[np.int64]:
    """[3, 40] square, kind and side of the pieces as miniosl numbers them at the start of a game.

    By kind, in the order of an SFEN and Black's hand before White's. The standard start has an order of its own.
    """
    codes = [(square, code & 15, code >> 4) for square, code in enumerate(history[:81]) if code]
    order = _standard_order if sfen == START else _reading_order
    listed = [(square, int(KIND_OF[kind]), side) for square, kind, side in sorted(codes, key=order)]
    for side in (0, 1):
        for kind, count in zip(_HAND_KINDS, history[81 + 7 * side :][:7], strict=True):
            listed += [(IN_HAND, kind, side)] * count
    out = np.full((3, PIECES), UNUSED, dtype=np.int64)
    following = FIRST_NUMBER.tolist()
    for square, kind, side in listed:
        basic = kind if kind >= BASIC else kind + BASIC
        number = KING + side if kind == KING_KIND else following[basic]
        following[basic] += 1
        out[:, number] = square, kind, side
    return out


def _reading_order(piece: tuple[int, int, int]) -> tuple[int, int]:
    square, _, _ = piece
    return square % 9, -square


def _standard_order(piece: tuple[int, int, int]) -> tuple[int, int]:
    square, kind, side = piece
    return (-(square // 9), side) if kind == cshogi.PAWN else (side, square)


@cache
def _head_table() -> NDArray[np.int32]:
    """The planes run along ranks, and gold is the first of the drops."""
    drops = [int(KIND_OF[kind]) - int(KIND_OF[cshogi.GOLD]) for kind in range(1, 8)]
    return move_table(_STEPS, drops, _FIRST_WAY, _place)


@cache
def _mirrored_head() -> HeadIndex:
    return mirror_table(_STEPS, _FIRST_WAY, _place)


def _place(square: int) -> int:
    """Of a square in a plane, along the ranks."""
    return square % 9 * 9 + square // 9
