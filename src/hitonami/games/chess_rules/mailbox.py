"""Kernels for a chess board that PGN moves are resolved on: which piece can go there, is it legal, play it.

The board is int8[120], ten squares a row with a margin of walls, a1 = 21 … h8 = 98; pieces are
python-chess's numbers, negative for Black. Everything else is int64[16], indexed by the names below.
Castling is Chess960's: a right is the square of its rook, and standard chess is a case of it.

Nothing here lists moves: a PGN move names its piece and its square, and looking back from the square costs
a tenth of listing. Legality is full: a move counts only where its own king is safe after it.
"""
# ruff: noqa: PLR0913, PLR0917, PLR1714  (a kernel's state is its arguments; comparisons compile to less than `in`)

from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

EMPTY: Final = 0
PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
WALL: Final = 50

SIDE: Final = 0
"""1 where White is to move, -1 where Black is."""
PASSED: Final = 1
"""The square that a pawn has just jumped over, else 0."""
KINGS: Final = 2
"""White's king, then Black's."""
ROOKS: Final = 4
"""Rooks that may castle, else 0: White's short and long side, then Black's."""
QUIET: Final = 8
"""Plies since the last capture or pawn move."""
SHUFFLED: Final = 9
"""1 in Chess960, where castling is written as king takes rook."""
HASH: Final = 10
TAKEABLE: Final = 11
"""The part of the hash that stands for a real chance to take in passing."""

NOBODY: Final = 0
AMBIGUOUS: Final = -1

STEPS: Final = np.array([1, -1, 10, -10, 9, 11, -9, -11])
"""Rook's directions, then bishop's."""
LEAPS: Final = np.array([8, 12, 19, 21, -8, -12, -19, -21])
_KEYS: Final = np.random.default_rng(0xC4E55).integers(-(2**63), 2**63 - 1, size=(14, 120))
"""Zobrist keys: a row a piece (from -6 to 6, row 6 for castling rooks), then one for pawns passed and the side."""


def lay_out(position: chess.Board) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Board and state of a position that python-chess has checked."""
    board = np.full(120, WALL, np.int8)
    state = np.zeros(16, np.int64)
    for square in chess.SQUARES:
        piece = position.piece_at(square)
        board[_place(square)] = 0 if piece is None else piece.piece_type * (1 if piece.color else -1)
    state[SIDE] = 1 if position.turn else -1
    state[PASSED] = 0 if position.ep_square is None else _place(position.ep_square)
    for colour, own in ((chess.WHITE, 0), (chess.BLACK, 1)):
        king = position.king(colour)
        assert king is not None, "checked before"
        state[KINGS + own] = _place(king)
        rank = chess.BB_RANK_1 if colour else chess.BB_RANK_8
        for rook in chess.scan_forward(position.clean_castling_rights() & rank):
            state[ROOKS + 2 * own + (rook < king)] = _place(rook)
    state[QUIET] = position.halfmove_clock
    state[SHUFFLED] = position.chess960
    state[HASH] = hash_of(board, state)
    mark_takeable(board, state)
    return board, state


def _place(square: int) -> int:
    return 21 + square % 8 + 10 * (square // 8)


@kernel
def hash_of(board: Any, state: Any) -> Any:
    """The hash of pieces, side and castling rights, from nothing."""
    total = _KEYS[13, 0] if state[SIDE] < 0 else np.int64(0)
    for square in range(21, 99):
        if board[square] != EMPTY and board[square] != WALL:
            total ^= _KEYS[board[square] + 6, square]
    for index in range(ROOKS, ROOKS + 4):
        if state[index]:
            total ^= _KEYS[6, state[index]]
    return total


@kernel
def is_attacked(board: Any, square: int, by: int) -> Any:
    """Does a piece of `by` (1 White, -1 Black) attack the square?"""
    for step in LEAPS:
        if board[square + step] * by == KNIGHT:
            return True
    if board[square - 9 * by] * by == PAWN or board[square - 11 * by] * by == PAWN:
        return True
    for index in range(8):
        step = STEPS[index]
        here = square + step
        if board[here] * by == KING:
            return True
        while board[here] == EMPTY:
            here += step
        piece = board[here] * by
        if piece == QUEEN or piece == (ROOK if index < 4 else BISHOP):
            return True
    return False


@kernel
def is_safe(board: Any, state: Any, source: int, target: int) -> Any:
    """Is the mover's king out of check once the piece has gone there?"""
    side = state[SIDE]
    piece, taken = board[source], board[target]
    passed = 0
    if piece * side == PAWN and target == state[PASSED] and (target - source) % 10 != 0:
        passed = target - 10 * side
        board[passed] = EMPTY
    board[target], board[source] = piece, EMPTY
    king = target if piece * side == KING else state[KINGS + (side < 0)]
    safe = not is_attacked(board, king, -side)
    board[target], board[source] = taken, piece
    if passed:
        board[passed] = -side
    return safe


@kernel
def find_pawn(board: Any, state: Any, target: int, from_file: int, from_rank: int) -> Any:
    """The square of the pawn that may legally go there, or NOBODY. Only a capture needs its file named."""
    side = state[SIDE]
    file = target % 10 - 1
    source = target - 10 * side
    if from_file >= 0 and from_file != file:
        if abs(from_file - file) != 1 or (board[target] * side >= 0 and target != state[PASSED]):
            return NOBODY
        source += from_file - file
    else:
        if board[target] != EMPTY:
            return NOBODY
        if board[source] == EMPTY and target // 10 == (5 if side > 0 else 6):
            source -= 10 * side
    if board[source] * side != PAWN or (from_rank >= 0 and source // 10 - 2 != from_rank):
        return NOBODY
    return source if is_safe(board, state, source, target) else NOBODY


@kernel
def find_piece(board: Any, state: Any, kind: int, target: int, from_file: int, from_rank: int) -> Any:
    """The square of the one piece of that kind that may legally go there, NOBODY, or AMBIGUOUS. No pawns."""
    side = state[SIDE]
    if board[target] * side > 0:
        return NOBODY
    found = NOBODY
    for index in range(4 if kind == BISHOP else 0, 4 if kind == ROOK else 8):
        step = LEAPS[index] if kind == KNIGHT else STEPS[index]
        here = target + step
        if kind != KNIGHT and kind != KING:
            while board[here] == EMPTY:
                here += step
        if (
            board[here] * side == kind
            and (from_file < 0 or here % 10 - 1 == from_file)
            and (from_rank < 0 or here // 10 - 2 == from_rank)
            and is_safe(board, state, here, target)
        ):
            if found != NOBODY:
                return AMBIGUOUS
            found = here
    return found


@kernel
def may_castle(board: Any, state: Any, wing: int) -> Any:
    """May the mover castle short (0) or long (1)? The king's way must be free and not attacked."""
    side = state[SIDE]
    king, rook = state[KINGS + (side < 0)], state[ROOKS + 2 * (side < 0) + wing]
    if rook == 0:
        return False
    goal = king - king % 10 + (7 if wing == 0 else 3)
    beside = goal + (-1 if wing == 0 else 1)
    for here in range(min(king, rook, goal, beside), max(king, rook, goal, beside) + 1):
        if here != king and here != rook and board[here] != EMPTY:
            return False
    board[king] = EMPTY
    safe = True
    for here in range(min(king, goal), max(king, goal) + 1):
        if is_attacked(board, here, -side):
            safe = False
    board[rook] = EMPTY  # in Chess960 the rook may have covered its king
    board[beside] = ROOK * side
    if is_attacked(board, goal, -side):
        safe = False
    board[beside] = EMPTY
    board[king], board[rook] = KING * side, ROOK * side
    return safe


@kernel
def mark_takeable(board: Any, state: Any) -> Any:
    """Add the jumped square to the hash where a pawn may really take: only then is the position another one."""
    side, passed = state[SIDE], state[PASSED]
    state[TAKEABLE] = 0
    if passed == 0:
        return
    for source in (passed - 10 * side - 1, passed - 10 * side + 1):
        if board[source] * side == PAWN and is_safe(board, state, source, passed):
            state[TAKEABLE] = _KEYS[13, passed]


@kernel
def _drop_right(state: Any, index: int) -> Any:
    if state[index]:
        state[HASH] ^= _KEYS[6, state[index]]
        state[index] = 0


@kernel
def _lift(board: Any, state: Any, square: int) -> Any:
    state[HASH] ^= _KEYS[board[square] + 6, square]
    board[square] = EMPTY


@kernel
def _put(board: Any, state: Any, square: int, piece: int) -> Any:
    board[square] = piece
    state[HASH] ^= _KEYS[piece + 6, square]


@kernel
def castle(board: Any, state: Any, wing: int) -> Any:
    """Castle, which must be legal. Returns the squares that the move is written with."""
    side = state[SIDE]
    own = int(side < 0)
    king, rook = state[KINGS + own], state[ROOKS + 2 * own + wing]
    goal = king - king % 10 + (7 if wing == 0 else 3)
    _lift(board, state, king)
    _lift(board, state, rook)
    _put(board, state, goal, KING * side)
    _put(board, state, goal + (-1 if wing == 0 else 1), ROOK * side)
    state[KINGS + own] = goal
    _drop_right(state, ROOKS + 2 * own)
    _drop_right(state, ROOKS + 2 * own + 1)
    state[PASSED] = 0
    state[TAKEABLE] = 0
    state[QUIET] += 1
    state[SIDE] = -side
    state[HASH] ^= _KEYS[13, 0]
    return king, (rook if state[SHUFFLED] else goal)


@kernel
def play(board: Any, state: Any, source: int, target: int, promotion: int) -> Any:
    """Play a legal move that is not castling. Says whether it was a capture."""
    side, piece = state[SIDE], board[source]
    own = int(side < 0)
    pawn = piece * side == PAWN
    taken = target
    if pawn and target == state[PASSED] and (target - source) % 10 != 0:
        taken = target - 10 * side
    capture = board[taken] != EMPTY
    if capture:
        _lift(board, state, taken)
    _lift(board, state, source)
    _put(board, state, target, promotion * side if promotion else piece)
    if piece * side == KING:
        state[KINGS + own] = target
        _drop_right(state, ROOKS + 2 * own)
        _drop_right(state, ROOKS + 2 * own + 1)
    for index in range(ROOKS, ROOKS + 4):
        if state[index] == source or state[index] == target:
            _drop_right(state, index)
    state[QUIET] = 0 if pawn or capture else state[QUIET] + 1
    state[PASSED] = (source + target) // 2 if pawn and abs(target - source) == 20 else 0
    state[SIDE] = -side
    state[HASH] ^= _KEYS[13, 0]
    mark_takeable(board, state)
    return capture
