"""Kernels that walk games of Othello and note what shows how each side plays: mobility, frontier, corners."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.othello_rules.discs import PASS, find_moves, find_turned
from hitonami.kernel import kernel

MADE: Final = (
    *("choices", "choices_left", "frontier", "their_frontier", "turned"),
    *("edges", "c_squares", "x_squares"),
)
"""What `play` fills, means over the side's discs."""
ONCE: Final = (
    *("corners", "lead_at_ply_20", "lead_at_ply_40"),
    *("diagonal", "perpendicular", "parallel", "passes", "own_moves"),
)
_ONCE_AT: Final = len(MADE)
WIDTH: Final = _ONCE_AT + len(ONCE)
_ONE: Final = np.uint64(1)
_LEFT_OFF: Final = np.uint64(0xFEFEFEFEFEFEFEFE)
_RIGHT_OFF: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_CORNERS: Final = np.uint64(0x8100000000000081)
_EDGES: Final = np.uint64(0xFF818181818181FF)
_C_SQUARES: Final = np.uint64(0x4281000000008142)
_X_SQUARES: Final = np.uint64(0x0042000000004200)
_RING: Final = np.uint64(0x0000240000240000)
"""The corners of the middle sixteen squares: c3, f3, c6, f6."""


@kernel
def _bits(board: Any) -> Any:
    count = 0
    while board:
        board &= board - _ONE
        count += 1
    return count


@kernel
def _beside(empty: Any) -> Any:
    """Squares next to an empty one, in any of the eight directions."""
    wide = empty | ((empty << _ONE) & _LEFT_OFF) | ((empty >> _ONE) & _RIGHT_OFF)
    return wide | (wide << np.uint64(8)) | (wide >> np.uint64(8))


@kernel
def play(boards: Any, side: int, move: int, out: Any) -> None:
    """Put a disc and fill out[:len(MADE)]."""
    own, other, disc = boards[side], boards[1 - side], _ONE << np.uint64(move)
    turned = find_turned(own, other, disc)
    out[0] = _bits(find_moves(own, other))
    own, other = own | disc | turned, other & ~turned & ~disc
    boards[side], boards[1 - side] = own, other
    near = _beside(~(own | other))
    out[1] = _bits(find_moves(other, own))
    out[2], out[3], out[4] = _bits(own & near), _bits(other & near), _bits(turned)
    out[5] = disc & _EDGES & ~_CORNERS & ~_C_SQUARES != 0
    out[6], out[7] = disc & _C_SQUARES != 0, disc & _X_SQUARES != 0


@kernel
def _note_answer(first: int, reply: int, out: Any) -> None:
    """White's first move, however the board is turned: on a corner of the middle, on the first move's side, or not."""
    out[_ONCE_AT + 3 : _ONCE_AT + 6] = 0.0
    row, column = reply // 8, reply % 8
    if _RING >> np.uint64(reply) & _ONE:
        out[_ONCE_AT + 3] = 1.0
    elif (first // 8 == row and row in (2, 5)) or (first % 8 == column and column in (2, 5)):
        out[_ONCE_AT + 5] = 1.0
    else:
        out[_ONCE_AT + 4] = 1.0


@kernel
def walk(starts: Any, usual: Any, setup: Any, moves: Any, movers: Any, begins: Any, out: Any) -> None:
    """Fill out [games, 2, WIDTH] from starts uint64 [setups, 2]; answers are of the usual start only."""
    noted = np.zeros(len(MADE))
    for game in range(len(setup)):
        boards, here = starts[setup[game]].copy(), out[game]
        here[:] = 0.0
        here[:, _ONCE_AT + 1 : _ONCE_AT + 6] = np.nan
        discs = np.zeros(2, np.int64)
        for at in range(begins[game], begins[game + 1]):
            mover, move, ply = movers[at], moves[at], at - begins[game] + 1
            own = here[mover]
            own[WIDTH - 1] += 1
            if move == PASS:
                own[WIDTH - 2] += 1
            else:
                play(boards, mover, move, noted)
                discs[mover] += 1
                own[:_ONCE_AT] += noted
                own[_ONCE_AT] += _CORNERS >> np.uint64(move) & _ONE
            if ply == 2 and usual[setup[game]]:
                _note_answer(moves[at - 1], move, own)
            if ply in (20, 40):
                lead = _bits(boards[0]) - _bits(boards[1])
                here[0, _ONCE_AT + ply // 20], here[1, _ONCE_AT + ply // 20] = lead, -lead
        for mover in range(2):
            if here[mover, WIDTH - 1] == 0:
                here[mover, :] = np.nan
            elif discs[mover]:
                here[mover, :_ONCE_AT] /= discs[mover]
            else:
                here[mover, :_ONCE_AT] = np.nan
