"""Kernels for Hex. A state is int32[2·size² + 1]: first the cells, row by row from the top, then the legal moves.
One array costs less to make and to hand over than two. The cells right of and below one are its neighbours, and so is
the one below and to the left.

A cell holds 0, or the side's number (1 or 2) plus 4 where the stone is joined to the side's first edge (the top for 1,
the left for 2) and plus 8 where it is joined to its second edge: a stone with both wins. So a move looks at its
neighbours alone, and spreads only what is new.
"""

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

WON: Final = 1 << 20
CHECKED: Final = 2
SWAP: Final = 4
_FIRST: Final = 4
_SECOND: Final = 8
_DOWN: Final = np.array([-1, -1, 0, 0, 1, 1], np.int64)
_RIGHT: Final = np.array([0, 1, -1, 1, -1, 0], np.int64)


@kernel
def join(state: Any, size: int, side: int, point: int) -> bool:
    """Put a stone of `side` (0 or 1) on `point` and join it to what it touches. Whether it wins.

    What is still to be looked at is kept where the moves of the state will be listed.
    """
    own, points = side + 1, size * size
    row, column = point // size, point % size
    along = row if side == 0 else column
    joined = (_FIRST if along == 0 else 0) | (_SECOND if along == size - 1 else 0)
    for way in range(6):
        near, beside = row + _DOWN[way], column + _RIGHT[way]
        if 0 <= near < size and 0 <= beside < size and state[near * size + beside] & 3 == own:
            joined |= state[near * size + beside] & 12
    state[point] = own | joined
    if joined:
        state[points] = point
        held = 1
        while held:
            held -= 1
            here = state[points + held]
            row = here // size
            column = here - row * size
            for way in range(6):
                near, beside = row + _DOWN[way], column + _RIGHT[way]
                if 0 <= near < size and 0 <= beside < size:
                    there = near * size + beside
                    if state[there] & 3 == own and state[there] & joined != joined:
                        state[there] |= joined
                        state[points + held] = there
                        held += 1
    return joined == _FIRST | _SECOND


@kernel
def list_cells(state: Any, size: int, swap: bool) -> int:
    """Fill the moves of a state with its empty cells, and `size²` where the second player may swap. Their count."""
    points = size * size
    out = points
    for point in range(points):
        state[out] = point  # written over where the cell is not empty: a branch would be guessed wrong half the time
        out += state[point] == 0
    if swap:
        state[out] = points
        out += 1
    return out - points


@kernel
def place(cells: Any, size: int, move: int, flags: int, new: Any) -> int:
    """Put a stone into the state `new`, and list the answers there.

    `flags` are the side (0 or 1), CHECKED, and SWAP where the answer may be a swap: one number costs less to hand over
    than three. Returns the count of answers, WON where the stone wins, -1 where it is not legal.
    """
    if move < 0 or move >= size * size or (flags & CHECKED and cells[move] != 0):
        return -1
    for at in range(size * size):
        new[at] = cells[at]
    if join(new, size, flags & 1, move):
        return WON
    return list_cells(new, size, flags & SWAP != 0)
