"""Lc0's classical 112 input planes and its 1858-move head: what Lc0 and Maia networks eat.

Equal, plane for plane, to what Lc0 itself feeds such a network for the same start and moves. That
includes two habits of Lc0: a position before the start of the record is filled in (see `_fill`), and an
en-passant square makes a position another one even where the capture is not legal. Chess960 castling
rights are shown by side; this format has no place for the rooks' files. Ratings and clocks are not part
of it, so nothing about the players reaches the network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from struct import Struct
from sys import byteorder
from typing import Any, Final, Literal

import chess
import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query, walk_back
from hitonami.games.chess import HISTORY, Chess, ChessPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._chess_boards import (
    BLOCK_BYTES,
    FULL,
    Masks,
    castling_masks,
    castling_sides,
    draw_clocks,
    paint,
    paint_ranks,
    stack_histories,
    turns,
)
from hitonami.models.encoders._policy_index import ChessHead

_PLANES: Final = 112
_CASTLING, _BLACK, _RULE50, _ONES = slice(104, 108), 108, 109, 111
_START: Final = Chess().start()
_BLOCK = Struct("=13Q")
_LAST = Struct("=8Q")
_WHITE_PAWNS, _BLACK_PAWNS = 0, 6
_WHITE_KING, _BLACK_KING = slice(40, 48), slice(88, 96)
_MARKS = slice(96, None, BLOCK_BYTES)
"""The bytes of a history that tell of repetitions."""
_LARGEST_BYTE: Final = 255.0  # only the count of half-moves could pass it, in records that ignore the 75-move rule


@dataclass(frozen=True)
class Lc0(ChessHead):
    """{"planes": float32 [B, 112, 8, 8]}; docs/encoders.md lists the planes."""

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ChessPosition, self.game, [query.position for query in queries])
        return {"planes": paint_positions(positions, np.float32)}


def paint_positions(positions: Sequence[ChessPosition], dtype: type[Any]) -> NDArray[Any]:
    """[B, 112, 8, 8] the planes as numbers of a type that holds a count of half-moves, or its largest."""
    histories = [_full_history(position) for position in positions]
    if len(positions) == 1 and byteorder == "little" and not any(histories[0][_MARKS]):
        planes = _paint_one(positions[0], histories[0], dtype)
    else:
        planes = _paint_batch(positions, histories, dtype)
    clocks = draw_clocks(positions)
    planes[:, _RULE50] = (np.minimum(clocks, _LARGEST_BYTE) if dtype is np.uint8 else clocks)[:, None, None]
    return planes


def _paint_batch(positions: Sequence[ChessPosition], histories: Sequence[bytes], dtype: type[Any]) -> NDArray[Any]:
    black = turns(positions)
    boards = stack_histories(histories, black)
    _forget_en_passant(boards, positions)
    masks = np.zeros((len(positions), _PLANES), dtype=np.uint64)
    masks[:, :104] = boards.reshape(-1, 104)
    masks[:, _CASTLING] = castling_masks(positions, boards, black)
    masks[:, _BLACK] = black * FULL
    masks[:, _ONES] = FULL
    return paint(masks, dtype)


def _paint_one(position: ChessPosition, history: bytes, dtype: type[Any]) -> NDArray[Any]:
    """The same for one position without repetitions: a player's move waits for it, and numpy's calls are what it costs.

    A byte of the history is a rank already; turning the board for Black is one gathering of bytes.
    """
    turned = bool(position.to_move)
    order: Literal["little", "big"] = "big" if turned else "little"
    white, black = int.from_bytes(history[_WHITE_KING], order), int.from_bytes(history[_BLACK_KING], order)
    own, other = (black, white) if turned else (white, black)
    tail = _facts(castling_sides(position.rules.castling(), turned, own, other), turned)
    ranks = np.frombuffer(history + tail, dtype=np.uint8)
    return paint_ranks(ranks.take(_TURNED) if turned else ranks, dtype).reshape(1, _PLANES, 8, 8)


@lru_cache(maxsize=64)
def _facts(sides: tuple[int, int, int, int], turned: bool) -> bytes:
    """The last eight planes: castling, Black to move, the count (filled in later), zeros, ones."""
    return _LAST.pack(*sides, int(FULL) * turned, 0, 0, int(FULL))


def _turned_bytes() -> NDArray[np.intp]:
    """Where each byte of a history, as Black sees it, comes from: the colours exchanged, the ranks upside down."""
    places = np.arange(_PLANES * 8).reshape(_PLANES, 8)
    for block in range(0, 104, 13):
        own, other = places[block : block + 6, ::-1].copy(), places[block + 6 : block + 12, ::-1].copy()
        places[block : block + 6], places[block + 6 : block + 12] = other, own
    return places.reshape(-1)


_TURNED: Final = _turned_bytes()


def _full_history(position: ChessPosition) -> bytes:
    history = position.history
    missing = HISTORY - len(history) // BLOCK_BYTES
    return history + _fill(position, history[-BLOCK_BYTES:]) * missing if missing else history


def _fill(position: ChessPosition, first: bytes) -> bytes:
    """What stands for each position before the first: nothing before the standard start, else the first again.

    Where the FEN says that a pawn has just moved two squares, that pawn is back on its own square.
    """
    root = position
    while root.before is not None:
        root = root.before
    jumped = _jumped_pawn(root)
    if jumped is None:
        standard = first == _START.history and not root.to_move and root.rules.castling() == _START.rules.castling()
        return bytes(BLOCK_BYTES) if standard else first
    sets = list(_BLOCK.unpack(first))
    pawns, jump = (_BLACK_PAWNS, 16) if root.to_move == 0 else (_WHITE_PAWNS, -16)
    sets[pawns] ^= 1 << jumped | 1 << (jumped + jump)
    return _BLOCK.pack(*sets)


def _jumped_pawn(root: ChessPosition) -> int | None:
    """The square of the pawn that may be taken en passant, as the FEN has it, whoever stands ready to take it."""
    if root.before is not None or not root.setup.start:
        return None
    square = _en_passant_in(root.setup.start)
    if square is None:
        return None
    return square - 8 if root.to_move == 0 else square + 8


@lru_cache(maxsize=4096)
def _en_passant_in(fen: str) -> int | None:
    """The en-passant square in the text, which the rules drop where no pawn can take."""
    board = chess.Board(fen)
    return None if board.status() & chess.STATUS_INVALID_EP_SQUARE else board.ep_square


def _forget_en_passant(boards: Masks, positions: Sequence[ChessPosition]) -> None:
    """Clear the repetition marks that the rules see and Lc0 does not."""
    marks = boards[:, :, 12]
    for row in np.flatnonzero(marks.any(axis=1)).tolist() if marks.any() else ():
        for age, past in enumerate(islice(walk_back(positions[row]), HISTORY)):
            if past.repeats == 1 and _could_take_en_passant(past):
                boards[row, age, 12] = 0


def _could_take_en_passant(position: ChessPosition) -> bool:
    """Whether this position's only earlier self had an en-passant square: it can only be where the clock began."""
    reach = position.rules.halfmove_clock + 1
    first = list(islice(walk_back(position), reach))[-1]
    if first.key != position.key:
        return False
    return first.rules.en_passant() is not None or _jumped_pawn(first) is not None
