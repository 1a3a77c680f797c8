"""Hex over rows of numbers (see games/_lanes.py). Blue sees the board mirrored in the long diagonal: both join top and
bottom. After the fields that all games have, a state says what a swap has to do with it: SWAPPABLE or FIRST.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.kernel import kernel

SWAPPABLE: Final = 1
"""The stone on the board may be taken over."""
FIRST: Final = 2
"""The next stone may be."""
_DOWN: Final = np.array([-1, -1, 0, 0, 1, 1], np.int64)
_RIGHT: Final = np.array([0, 1, -1, 1, -1, 0], np.int64)


@kernel
def joins_edges(cells: Any, size: int, point: int, met: Any, waiting: Any) -> bool:
    """Whether the group of the stone on `point` reaches both of its side's edges."""
    own = cells[point]
    met[:] = False
    met[point], waiting[0], held = True, point, 1
    first = last = False
    while held:
        held -= 1
        row, column = waiting[held] // size, waiting[held] % size
        along = row if own > 0 else column
        first, last = first or along == 0, last or along == size - 1
        for way in range(6):
            near, beside = row + _DOWN[way], column + _RIGHT[way]
            if 0 <= near < size and 0 <= beside < size:
                there = near * size + beside
                if cells[there] == own and not met[there]:
                    met[there], waiting[held] = True, there
                    held += 1
    return first and last


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any, size: int) -> None:
    points = size * size
    met, waiting = np.zeros(points, np.bool_), np.zeros(points, np.int64)
    for at in range(len(moves)):
        new, move = after[at], moves[at]
        new[:] = states[at]
        side = new[points + TO_MOVE]
        swaps = move == points
        if swaps:
            for square in range(points):
                if states[at, square] != 0:
                    new[square] = 0
                    move = square % size * size + square // size
        new[move] = 1 - 2 * side
        new[points + TO_MOVE] = 1 - side
        new[points + ORIGIN], new[points + TARGET] = -1, -1 if swaps else move
        new[points + OWN] = SWAPPABLE if states[at, points + OWN] == FIRST else 0
        counts[at], scores[at] = 0, -1.0
        if not swaps and joins_edges(new[:points], size, move, met, waiting):
            scores[at] = 1.0 - side
            continue
        for square in range(points):
            if new[square] == 0:
                legal[at, counts[at]] = square
                counts[at] += 1
        if new[points + OWN] == SWAPPABLE:
            legal[at, counts[at]] = points
            counts[at] += 1


def _state_of(position: Any) -> NDArray[np.int16]:
    cells = np.array((0, 1, -1), np.int16)[position.cells]
    last, points = position.last_move, len(cells)
    state = fill_state(cells, position.to_move, () if last in (None, points) else (last,), width=points + OWN + 1)
    if position.swappable:
        state[points + OWN] = SWAPPABLE
    elif position.before is None and position.swaps and position.to_move == 0 and not cells.any():
        state[points + OWN] = FIRST
    return state


@cache
def hex_lanes(size: int) -> BoardLanes:
    points = size * size
    ids = np.arange(points + 1, dtype=np.int32)
    seen = np.append(np.arange(points).reshape(size, size).T.ravel(), points).astype(np.int32)
    images = turn_squares(size, size, (0, 2))

    def step(*arrays: Any) -> None:
        shaped: tuple[Any, ...] = (*arrays, size)
        advance(*shaped)

    return BoardLanes(
        rows=size,
        columns=size,
        kinds=1,
        width=points + OWN + 1,
        most_moves=points + 1,
        places=np.stack([ids, seen]),
        head_size=points + 1,
        images=images,
        head_images=np.hstack([images, np.full((2, 1), points, np.int32)]),
        read=_state_of,
        step=step,
        view="transposed",
    )
