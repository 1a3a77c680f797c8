"""Kernels that walk games of chess and note what shows how each side plays.

The board is int8[120] as in `games/chess_rules/mailbox.py`: ten squares a row, walls around, Black negative. A piece
controls a square that it could take on; what stands behind another piece is not controlled, pins are not seen.
"""
# ruff: noqa: PLR0913, PLR0917, PLR1714  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import (
    EMPTY,
    KING,
    KNIGHT,
    LEAPS,
    PAWN,
    QUEEN,
    ROOK,
    STEPS,
    WALL,
    is_attacked,
)
from hitonami.games.chess_rules.men import place
from hitonami.kernel import kernel

STANDING: Final = (
    *("control", "own_piece_control", "opponent_piece_control", "own_side_control", "opponent_side_control"),
    *("king1_control", "king2_control", "king1_pieces", "king2_pieces", "their_king_control", "cover_ratio"),
    *("doubled_pawns", "isolated_pawns", "passed_pawns", "pawn_islands", "pawn_advance"),
)
"""What `weigh` fills, of the side that has just moved."""
MADE: Final = (
    *("pawn", "knight", "bishop", "rook", "queen", "king"),
    *("captures", "recaptures", "checks", "flank_pawns", "retreats"),
)
"""What `play` notes of a move: 0 or 1."""
ONCE: Final = (
    *("castles_short", "castles_long", "castling_move", "queen_out_move", "first_capture_move"),
    *("queens_off", "men_at_ply_40", "fianchetto", "own_moves"),
)
_MADE_AT: Final = len(STANDING)
_ONCE_AT: Final = len(STANDING) + len(MADE)
WIDTH: Final = _ONCE_AT + len(ONCE)
_MEN_PLY: Final = 40
_FIANCHETTO_PLY: Final = 30
_NOTHING: Final = np.nan


@kernel
def _controls(board: Any, side: int, control: Any) -> None:
    """Count in control [120] how often each square is controlled by the side."""
    control[:] = 0
    for row in range(20, 100, 10):
        for square in range(row + 1, row + 9):
            kind = board[square] * side
            if kind <= 0:
                continue
            if kind == PAWN:
                control[square + 9 * side] += 1
                control[square + 11 * side] += 1
            elif kind == KNIGHT:
                for leap in LEAPS:
                    control[square + leap] += 1
            else:
                for index in range(4 if kind == 3 else 0, 4 if kind == ROOK else 8):
                    here = square + STEPS[index]
                    control[here] += 1
                    while kind != KING and board[here] == EMPTY:
                        here += STEPS[index]
                        control[here] += 1


@kernel
def _weigh_zone(board: Any, control: Any, king: int, side: int, reach: int, out: Any, at: int, pieces_at: int) -> None:
    """Controls, and pieces of the side, a square of the zone around a king, whose own square does not count."""
    squares, controls, pieces = 0, 0, 0
    row, file = king // 10, king % 10
    for r in range(max(2, row - reach), min(9, row + reach) + 1):
        for f in range(max(1, file - reach), min(8, file + reach) + 1):
            here = 10 * r + f
            if here == king:
                continue
            squares += 1
            controls += control[here]
            pieces += board[here] * side > 0
    out[at] = controls / squares
    if pieces_at >= 0:
        out[pieces_at] = pieces / squares


@kernel
def _weigh_pawns(board: Any, side: int, out: Any) -> None:
    own, lowest, highest = np.zeros(10, np.int64), np.full(10, 9), np.zeros(10, np.int64)
    count, advance = 0, 0
    for row in range(2, 10):
        rank = row - 1 if side > 0 else 10 - row
        for file in range(1, 9):
            kind = board[10 * row + file] * side
            if kind == PAWN:
                own[file] += 1
                count += 1
                advance += rank
                lowest[file] = min(lowest[file], rank)
            elif kind == -PAWN:
                highest[file] = max(highest[file], rank)
    doubled, isolated, islands = 0, 0, 0
    for file in range(1, 9):
        doubled += max(own[file] - 1, 0)
        isolated += own[file] if own[file - 1] == 0 and own[file + 1] == 0 else 0
        islands += own[file] > 0 and own[file - 1] == 0
    passed = 0
    for row in range(2, 10):
        rank = row - 1 if side > 0 else 10 - row
        for file in range(1, 9):
            if board[10 * row + file] * side == PAWN:
                passed += highest[file - 1] <= rank and highest[file] <= rank and highest[file + 1] <= rank
    out[11], out[12], out[13], out[14] = doubled, isolated, passed, islands
    out[15] = advance / count if count else _NOTHING


@kernel
def weigh(board: Any, side: int, control: Any, out: Any) -> None:
    """Fill out[:len(STANDING)] for the side."""
    _controls(board, side, control)
    out[:11] = 0.0
    king, their_king, covered = 0, 0, 0
    for row in range(2, 10):
        own_half = (row < 6) == (side > 0)
        for square in range(10 * row + 1, 10 * row + 9):
            piece, count = board[square] * side, control[square]
            if piece == KING:
                king = square
            elif piece == -KING:
                their_king = square
            if count:
                covered += 1
                out[0] += count
                out[1] += count if piece > 0 else 0
                out[2] += count if piece < 0 else 0
                out[3] += count if own_half else 0
                out[4] += 0 if own_half else count
    _weigh_zone(board, control, king, side, 1, out, 5, 7)
    _weigh_zone(board, control, king, side, 2, out, 6, 8)
    _weigh_zone(board, control, their_king, side, 1, out, 9, -1)
    out[10] = covered / 64.0
    _weigh_pawns(board, side, out)


@kernel
def play(board: Any, side: int, move: int, retaken: int, out: Any) -> Any:
    """Make a legal move by its id and fill out[:len(MADE)]. What was taken, and 1 or 2 for castling short or long."""
    source, target, promoted = place(move & 63), place(move >> 6 & 63), move >> 12
    out[: len(MADE)] = 0.0
    kind, taken = board[source] * side, board[target] * side
    out[kind - 1] = 1.0
    if kind == KING and (taken == ROOK or abs(target - source) == 2):
        short = target > source
        rook_from = target if taken == ROOK else (target + 1 if short else target - 2)
        first = source // 10 * 10
        board[source], board[rook_from] = EMPTY, EMPTY
        board[first + (7 if short else 3)], board[first + (6 if short else 4)] = KING * side, ROOK * side
        return 0, 1 if short else 2
    gone = -taken
    if kind == PAWN and taken == EMPTY and (target - source) % 10 != 0:
        board[target - 10 * side] = EMPTY
        gone = PAWN
    board[source] = EMPTY
    board[target] = promoted * side if promoted else kind * side
    out[6], out[7] = gone > 0, gone > 0 and target == retaken
    file = source % 10
    out[9] = kind == PAWN and (file <= 2 or file >= 7)
    out[10] = kind != PAWN and (target // 10 - source // 10) * side < 0
    return gone, 0


@kernel
def _gives_check(board: Any, side: int) -> Any:
    for row in range(20, 100, 10):
        for square in range(row + 1, row + 9):
            if board[square] * side == -KING:
                return is_attacked(board, square, side)
    return False


@kernel
def _count(board: Any, kind: int) -> Any:
    """Pieces of a kind, of both sides; of all kinds for 0."""
    found = 0
    for square in range(21, 99):
        piece = board[square]
        found += piece != WALL and piece != EMPTY and (kind == 0 or abs(piece) == kind)
    return found


@kernel
def _begin(out: Any) -> None:
    out[:] = 0.0
    for at in range(_ONCE_AT + 2, _ONCE_AT + 5):
        out[:, at] = _NOTHING
    out[:, _ONCE_AT + 6] = _NOTHING


@kernel
def _note_once(board: Any, side: int, own: int, ply: int, gone: int, castled: int, queen: bool, out: Any) -> None:
    if castled:
        out[_ONCE_AT + castled - 1] = 1.0
        out[_ONCE_AT + 2] = own
    if queen and np.isnan(out[_ONCE_AT + 3]):
        out[_ONCE_AT + 3] = own
    if gone and np.isnan(out[_ONCE_AT + 4]):
        out[_ONCE_AT + 4] = own
    if ply <= _FIANCHETTO_PLY:
        row = 30 if side > 0 else 80
        out[_ONCE_AT + 7] = max(out[_ONCE_AT + 7], board[row + 2] * side == 3 or board[row + 7] * side == 3)


@kernel
def walk(starts: Any, setup: Any, moves: Any, movers: Any, begins: Any, out: Any) -> None:
    """Fill out [games, 2, WIDTH] from starts int8 [setups, 120]."""
    control, noted = np.zeros(120, np.int64), np.zeros(WIDTH)
    pawn_known = np.zeros(2)
    for game in range(len(setup)):
        board = starts[setup[game]].copy()
        here = out[game]
        _begin(here)
        pawn_known[:] = 0
        retaken, had_queens = -1, _count(board, QUEEN) > 0
        for at in range(begins[game], begins[game + 1]):
            mover = movers[at]
            side, own = 1 - 2 * mover, here[mover]
            gone, castled = play(board, side, moves[at], retaken, noted[_MADE_AT:])
            retaken = place(moves[at] >> 6 & 63) if gone else -1
            noted[_MADE_AT + 8] = _gives_check(board, side)
            weigh(board, side, control, noted)
            if np.isnan(noted[15]):
                noted[15] = 0.0
            else:
                pawn_known[mover] += 1
            own[:_ONCE_AT] += noted[:_ONCE_AT]
            own[WIDTH - 1] += 1
            ply = at - begins[game] + 1
            _note_once(board, side, own[WIDTH - 1], ply, gone, castled, noted[_MADE_AT + 4] > 0, own)
            if ply == _MEN_PLY:
                here[:, _ONCE_AT + 6] = _count(board, 0)
        off = had_queens and _count(board, QUEEN) == 0
        for mover in range(2):
            count, own = here[mover, WIDTH - 1], here[mover]
            own[_ONCE_AT + 5] = off if had_queens else _NOTHING
            if count:
                own[:15] /= count
                own[15] = own[15] / pawn_known[mover] if pawn_known[mover] else _NOTHING
                own[16:_ONCE_AT] /= count
            else:
                own[:] = _NOTHING


@kernel
def weigh_moves(boards: Any, sides: Any, moves: Any, begins: Any, out: Any) -> None:
    """Fill out [M, len(STANDING) + len(MADE)] for each move of boards int8 [n, 120], as if it were made.

    Whether a move takes back is not known here, and 0.
    """
    control = np.zeros(120, np.int64)
    for at in range(len(boards)):
        for move in range(begins[at], begins[at + 1]):
            board = boards[at].copy()
            play(board, sides[at], moves[move], -1, out[move, _MADE_AT:])
            out[move, _MADE_AT + 8] = _gives_check(board, sides[at])
            weigh(board, sides[at], control, out[move])
