"""Kernels that walk games of shogi and note what shows how each side plays: table 5.1 of the source.

A piece controls a cell that it could take on; what stands behind another piece is not controlled, pins are not seen.
A side is four ranks deep here: the middle rank belongs to neither. The source says "side" and no more.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.shogi_rules.cells import CELLS, FLIPPED, RAYS, SHORT, STEPS, WALL, WIDE, cell_of, lay_out
from hitonami.kernel import kernel

STANDING: Final = (
    *("control_cnt", "own_piece_control_cnt", "opponent_piece_control_cnt"),
    *("own_side_control_cnt", "opponent_side_control_cnt"),
    *("king_surround1_control_per_sq", "king_surround2_control_per_sq"),
    *("king_surround1_piece_per_sq", "king_surround2_piece_per_sq", "hand_cnt", "cover_ratio"),
)
"""The source's names. What `weigh` fills, of the side that has just moved."""
PIECES: Final = (
    *("pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"),
    *("promoted_pawn", "promoted_lance", "promoted_knight", "promoted_silver", "horse", "dragon"),
)
"""By cshogi's piece type, less one. A drop is a move of the piece that is dropped."""
MADE: Final = (
    *("drop_own_side_cnt", "drop_opponent_side_cnt", *PIECES),
    *("drops", "promotions", "captures", "checks"),
)
ONCE: Final = ("ranging_rook", "king_left", "bishops_off", "own_moves")
_MADE_AT: Final = len(STANDING)
_ONCE_AT: Final = len(STANDING) + len(MADE)
WIDTH: Final = _ONCE_AT + len(ONCE)
_KING, _KNIGHT, _BISHOP, _ROOK, _PROMOTED, _DROP = 8, 3, 5, 6, 8, 80
_FORMED_PLY: Final = 40
"""By then people have chosen where rook and king go."""


@kernel
def _rank(cell: int, side: int) -> Any:
    """0 is the own back rank, 8 the opponent's."""
    return 10 - cell % WIDE if side > 0 else cell % WIDE - 2


@kernel
def _controls(board: Any, side: int, control: Any) -> None:
    control[:] = 0
    for cell in range(WIDE, CELLS - WIDE):
        kind = board[cell] * side
        if kind <= 0 or board[cell] == WALL:
            continue
        if kind == _KNIGHT:
            control[cell - WIDE - 2 * side] += 1
            control[cell + WIDE - 2 * side] += 1
            continue
        for way in range(8):
            step = STEPS[way if side > 0 else FLIPPED[way]]
            if RAYS[kind] >> way & 1:
                here = cell + step
                control[here] += 1
                while board[here] == 0:
                    here += step
                    control[here] += 1
            elif SHORT[kind] >> way & 1:
                control[cell + step] += 1


@kernel
def _weigh_zone(board: Any, control: Any, king: int, side: int, reach: int, out: Any, at: int) -> None:
    """Controls and pieces of the side a cell around the king, whose own cell does not count."""
    cells, controls, pieces = 0, 0, 0
    for across in range(-reach, reach + 1):
        for along in range(-reach, reach + 1):
            file, rank = king // WIDE + across, king % WIDE + along
            if file < 1 or file > 9 or rank < 2 or rank > 10 or (across == 0 and along == 0):
                continue
            here = file * WIDE + rank
            cells += 1
            controls += control[here]
            pieces += board[here] * side > 0
    out[at], out[at + 2] = controls / cells, pieces / cells


@kernel
def weigh(board: Any, side: int, hand: int, control: Any, out: Any) -> None:
    """Fill out[:len(STANDING)] for the side. A side without a king has nothing around it."""
    _controls(board, side, control)
    out[: len(STANDING)] = 0.0
    king, covered = 0, 0
    for cell in range(WIDE, CELLS - WIDE):
        if board[cell] == WALL:
            continue
        piece, count, rank = board[cell] * side, control[cell], _rank(cell, side)
        if piece == _KING:
            king = cell
        covered += count > 0
        out[0] += count
        out[1] += count if piece > 0 else 0
        out[2] += count if piece < 0 else 0
        out[3] += count if rank < 4 else 0
        out[4] += count if rank > 4 else 0
    if king:
        _weigh_zone(board, control, king, side, 1, out, 5)
        _weigh_zone(board, control, king, side, 2, out, 6)
    out[9], out[10] = hand, covered / 81.0


@kernel
def play(board: Any, hands: Any, side: int, move: int, out: Any) -> None:
    """Make a legal move by its id and fill out[:len(MADE)] but for checks."""
    target, source = cell_of(move & 127), move >> 7 & 127
    out[: len(MADE)] = 0.0
    own, drops, promotes = (0 if side > 0 else 1), source > _DROP, move >> 14 & 1
    taken = board[target] != 0
    if drops:
        kind = source - _DROP
        rank = _rank(target, side)
        out[0], out[1] = rank < 4, rank > 4
        hands[own] -= 1
    else:
        kind = board[cell_of(source)] * side
        board[cell_of(source)] = 0
    hands[own] += taken
    board[target] = (kind + _PROMOTED if promotes else kind) * side
    out[1 + kind] = 1.0
    first = 2 + len(PIECES)
    out[first], out[first + 1], out[first + 2] = drops, promotes, taken


@kernel
def _find(board: Any, piece: int) -> Any:
    for cell in range(WIDE, CELLS - WIDE):
        if board[cell] == piece:
            return cell
    return 0


@kernel
def _note_formed(board: Any, out: Any) -> None:
    """Where rook and king have gone; files are counted from the own right."""
    bishops = 0
    for side in (1, -1):
        own = out[0 if side > 0 else 1]
        rook, king = _find(board, _ROOK * side), _find(board, _KING * side)
        bishops += _find(board, _BISHOP * side) > 0
        own[_ONCE_AT] = (rook // WIDE >= 5 if side > 0 else rook // WIDE <= 5) if rook else np.nan
        own[_ONCE_AT + 1] = king // WIDE > 5 if side > 0 else king // WIDE < 5
    out[:, _ONCE_AT + 2] = bishops == 0


@kernel
def walk(starts: Any, hands_at_start: Any, setup: Any, moves: Any, movers: Any, begins: Any, out: Any) -> None:
    """Fill out [games, 2, WIDTH] from starts uint8 [setups, 96] as `ShogiPosition.history` packs them."""
    board, control, noted = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64), np.zeros(WIDTH)
    for game in range(len(setup)):
        lay_out(starts[setup[game]], board)
        hands, here = hands_at_start[setup[game]].copy(), out[game]
        here[:] = 0.0
        here[:, _ONCE_AT : _ONCE_AT + 3] = np.nan
        for at in range(begins[game], begins[game + 1]):
            mover = movers[at]
            side, own = 1 - 2 * mover, here[mover]
            play(board, hands, side, moves[at], noted[_MADE_AT:])
            weigh(board, side, hands[mover], control, noted)
            king = _find(board, -_KING * side)
            noted[_ONCE_AT - 1] = king > 0 and control[king] > 0
            own[:_ONCE_AT] += noted[:_ONCE_AT]
            own[WIDTH - 1] += 1
            if at - begins[game] + 1 == _FORMED_PLY:
                _note_formed(board, here)
        for mover in range(2):
            count = here[mover, WIDTH - 1]
            if count:
                here[mover, :_ONCE_AT] /= count
            else:
                here[mover, :] = np.nan
