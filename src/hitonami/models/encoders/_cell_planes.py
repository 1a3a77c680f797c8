"""Boards of any game as planes, painted from rows of numbers (abilities.Lanes says what those hold).

Planes, as the mover sees the board: a plane for each kind of his pieces, for each kind of the other side's, where the
last move came from, where it went, ones where the position has stood before, where it has stood twice or more, and
ones where player 1 is to move.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

MARKS: Final = 5
"""Planes besides those of pieces."""
VIEWS: Final = {"same": 0, "turned": 1, "transposed": 2}


@kernel
def see_square(square: int, rows: int, columns: int, view: int) -> int:
    """Where player 1 sees a square."""
    if view == 1:
        return rows * columns - 1 - square
    if view == 2:
        return square % columns * rows + square // columns
    return square


@kernel
def paint(states: Any, rows: int, columns: int, kinds: int, view: int, planes: Any) -> None:
    """Fill [B, 2·kinds + 5, squares] that hold zeros."""
    points = rows * columns
    for at in range(len(states)):
        state, out = states[at], planes[at]
        side = state[points]
        seen = view if side == 1 else 0
        sign = 1 - 2 * side
        for square in range(points):
            piece = state[square] * sign
            if piece != 0:
                out[piece - 1 if piece > 0 else kinds - piece - 1, see_square(square, rows, columns, seen)] = 1
        for mark in range(2):
            if state[points + 1 + mark] >= 0:
                out[2 * kinds + mark, see_square(state[points + 1 + mark], rows, columns, seen)] = 1
        for mark in range(2):
            if state[points + 3] > mark:
                out[2 * kinds + 2 + mark, :] = 1
        if side == 1:
            out[2 * kinds + 4, :] = 1


def paint_states(states: NDArray[np.int16], rows: int, columns: int, kinds: int, view: str) -> NDArray[np.uint8]:
    """[B, planes, rows, columns]"""
    planes = np.zeros((len(states), 2 * kinds + MARKS, rows * columns), np.uint8)
    paint(states, rows, columns, kinds, VIEWS[view], planes)
    return planes.reshape(len(states), 2 * kinds + MARKS, rows, columns)
