"""Kernels for Othello on two bitboards, bit `row·8 + column` from a1 on the upper left; 64 passes.

Boards are uint64[2], Black's and White's discs. Nothing here keeps a game's history.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

PASS: Final = 64
OVER: Final = 1
ILLEGAL: Final = -1
AFTER_END: Final = -2
_LEFT_OFF: Final = np.uint64(0xFEFEFEFEFEFEFEFE)
"""All but the column a: what may stand right of something."""
_RIGHT_OFF: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE: Final = np.uint64(1)
_STEPS: Final = np.array([1, 7, 8, 9], np.uint64)
_UP_MASKS: Final = np.array([_LEFT_OFF, _RIGHT_OFF, _ALL, _LEFT_OFF], np.uint64)
_DOWN_MASKS: Final = np.array([_RIGHT_OFF, _LEFT_OFF, _ALL, _RIGHT_OFF], np.uint64)


@kernel
def find_moves(own: Any, other: Any) -> Any:
    """Squares where a disc of `own` turns some of `other` over, as bits."""
    found = np.uint64(0)
    for at in range(4):
        step, up, down = _STEPS[at], _UP_MASKS[at], _DOWN_MASKS[at]
        run = (own << step) & up & other
        for _ in range(5):
            run |= (run << step) & up & other
        found |= (run << step) & up
        run = (own >> step) & down & other
        for _ in range(5):
            run |= (run >> step) & down & other
        found |= (run >> step) & down
    return found & ~(own | other)


@kernel
def find_turned(own: Any, other: Any, disc: Any) -> Any:
    """The discs of `other` that a disc of `own` turns over, as bits."""
    turned = np.uint64(0)
    for at in range(4):
        step, up, down = _STEPS[at], _UP_MASKS[at], _DOWN_MASKS[at]
        run, line = (disc << step) & up, np.uint64(0)
        while run & other:
            line |= run
            run = (run << step) & up
        if run & own:
            turned |= line
        run, line = (disc >> step) & down, np.uint64(0)
        while run & other:
            line |= run
            run = (run >> step) & down
        if run & own:
            turned |= line
    return turned


@kernel
def list_moves(boards: Any, side: int, out: Any) -> int:
    """Fill `out` with the moves of `side`, ascending: a pass alone where only the other side can move. Their count."""
    moves = find_moves(boards[side], boards[1 - side])
    count = 0
    if moves:
        for square in range(64):
            if moves >> np.uint64(square) & _ONE:
                out[count] = square
                count += 1
    elif find_moves(boards[1 - side], boards[side]):
        out[0] = PASS
        count = 1
    return count


@kernel
def advance(boards: Any, side: int, move: int, checked: bool, new: Any, out: Any) -> int:
    """Play `move` of `side` into `new` and fill `out` with the answers. Their count, or -1 where it is not legal."""
    own, other = boards[side], boards[1 - side]
    new[side], new[1 - side] = own, other
    if move == PASS:
        if checked and (find_moves(own, other) or not find_moves(other, own)):
            return -1
        return list_moves(new, 1 - side, out)
    if move < 0 or move > PASS:
        return -1
    disc = _ONE << np.uint64(move)
    turned = find_turned(own, other, disc)
    if checked and ((own | other) & disc or not turned):
        return -1
    new[side], new[1 - side] = own | disc | turned, other & ~turned & ~disc
    return list_moves(new, 1 - side, out)


@kernel
def spread_discs(boards: Any, cells: Any) -> None:
    """Fill cells[64] with 1 for Black's discs and -1 for White's."""
    for at in range(64):
        cells[at] = int((boards[0] >> np.uint64(at)) & np.uint64(1)) - int((boards[1] >> np.uint64(at)) & np.uint64(1))


@kernel
def replay(squares: Any, boards: Any, out: Any) -> Any:
    """Play a record, whose passes may be left out, on `boards`, and fill `out` with its moves, passes put in.

    Their count and 0, or OVER where the game is; else the place of the first square that cannot be played, and why.
    """
    answers, new = np.empty(64, np.int32), boards.copy()
    side, count = 0, 0
    waiting = list_moves(boards, side, answers)
    for at in range(len(squares)):
        if waiting == 0:
            return at, AFTER_END
        if answers[0] == PASS and squares[at] != PASS:
            out[count] = PASS
            count, side = count + 1, 1 - side
        waiting = advance(boards, side, squares[at], True, new, answers)
        if waiting < 0:
            return at, ILLEGAL
        boards[0], boards[1] = new[0], new[1]
        out[count] = squares[at]
        count, side = count + 1, 1 - side
    return count, OVER if waiting == 0 else 0
