"""Gomoku over rows of numbers (see games/_lanes.py)."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.games._five_rules import makes_five
from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.kernel import kernel


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any, size: int, exact: bool) -> None:
    points = size * size
    for at in range(len(moves)):
        new = after[at]
        new[:] = states[at]
        side, point = new[points + TO_MOVE], moves[at]
        new[point] = 1 - 2 * side
        new[points + TO_MOVE] = 1 - side
        new[points + ORIGIN], new[points + TARGET] = -1, point
        counts[at], scores[at] = 0, -1.0
        if makes_five(new, size, point, 1 - 2 * side, exact):
            scores[at] = 1.0 - side
            continue
        for square in range(points):
            if new[square] == 0:
                legal[at, counts[at]] = square
                counts[at] += 1
        if counts[at] == 0:
            scores[at] = 0.5


def _state_of(position: Any) -> NDArray[np.int16]:
    cells = np.array((0, 1, -1), np.int16)[position.cells]
    return fill_state(cells, position.to_move, () if position.last_move is None else (position.last_move,))


@cache
def gomoku_lanes(size: int, exact: bool) -> BoardLanes:
    points = size * size
    ids = np.arange(points, dtype=np.int32)
    images = turn_squares(size, size, tuple(range(8)))

    def step(*arrays: Any) -> None:
        shaped: tuple[Any, ...] = (*arrays, size, exact)
        advance(*shaped)

    return BoardLanes(
        rows=size,
        columns=size,
        kinds=1,
        width=points + OWN,
        most_moves=points,
        places=np.stack([ids, ids]),
        head_size=points,
        images=images,
        head_images=images,
        read=_state_of,
        step=step,
    )
