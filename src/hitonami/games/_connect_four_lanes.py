"""Connect Four over rows of numbers (see games/_lanes.py): rows from the top, moves are columns."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.kernel import kernel

WIDE: Final = 7
HIGH: Final = 6
_POINTS: Final = WIDE * HIGH
_ALONG: Final = np.array([[0, 1], [1, 0], [1, 1], [1, -1]], np.int64)


@kernel
def makes_four(cells: Any, square: int) -> bool:
    """Whether the disc on a square is one of four in a row."""
    row, column, disc = square // WIDE, square % WIDE, cells[square]
    for way in range(4):
        down, right = _ALONG[way, 0], _ALONG[way, 1]
        run = 1
        for sign in (-1, 1):
            at, beside = row + sign * down, column + sign * right
            while 0 <= at < HIGH and 0 <= beside < WIDE and cells[at * WIDE + beside] == disc:
                run += 1
                at += sign * down
                beside += sign * right
        if run >= 4:
            return True
    return False


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any) -> None:
    for at in range(len(moves)):
        new = after[at]
        new[:] = states[at]
        side, square = new[_POINTS + TO_MOVE], moves[at] + _POINTS - WIDE
        while new[square] != 0:
            square -= WIDE
        new[square] = 1 - 2 * side
        new[_POINTS + TO_MOVE] = 1 - side
        new[_POINTS + ORIGIN], new[_POINTS + TARGET] = -1, square
        counts[at], scores[at] = 0, -1.0
        if makes_four(new, square):
            scores[at] = 1.0 - side
            continue
        for column in range(WIDE):
            if new[column] == 0:
                legal[at, counts[at]] = column
                counts[at] += 1
        if counts[at] == 0:
            scores[at] = 0.5


def _state_of(position: Any) -> NDArray[np.int16]:
    cells = np.array((0, 1, -1), np.int16)[np.ravel(position.rows())]
    touched: tuple[int, ...] = ()
    if position.last_move is not None:
        touched = ((HIGH - position.height(position.last_move)) * WIDE + position.last_move,)
    return fill_state(cells, position.to_move, touched)


@cache
def connect_four_lanes() -> BoardLanes:
    columns = np.arange(WIDE, dtype=np.int32)
    return BoardLanes(
        rows=HIGH,
        columns=WIDE,
        kinds=1,
        width=_POINTS + OWN,
        most_moves=WIDE,
        places=np.stack([columns, columns]),
        head_size=WIDE,
        images=turn_squares(HIGH, WIDE, (0, 4)),
        head_images=np.stack([columns, columns[::-1]]),
        read=_state_of,
        step=advance,
    )
