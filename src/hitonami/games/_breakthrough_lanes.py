"""Breakthrough over rows (see games/_lanes.py). A move stands by its way as the mover sees it, and origin."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.games._breakthrough_rules import target_of
from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.kernel import kernel


@kernel
def list_steps(cells: Any, size: int, side: int, out: Any) -> int:
    """The moves of `side`, ascending. Their count."""
    own, count = 1 - 2 * side, 0
    for origin in range(size * size):
        if cells[origin] != own:
            continue
        for way in range(3):
            target = target_of(size, side, 3 * origin + way)
            if target >= 0 and (cells[target] == 0 or (way != 1 and cells[target] == -own)):
                out[count] = 3 * origin + way
                count += 1
    return count


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any, size: int) -> None:
    points = size * size
    for at in range(len(moves)):
        new = after[at]
        new[:] = states[at]
        side = new[points + TO_MOVE]
        origin, target = moves[at] // 3, target_of(size, side, moves[at])
        new[origin], new[target] = 0, 1 - 2 * side
        new[points + TO_MOVE] = 1 - side
        new[points + ORIGIN], new[points + TARGET] = origin, target
        left = 0
        for square in range(points):
            left += new[square] == 2 * side - 1
        counts[at], scores[at] = 0, -1.0
        if left == 0 or target // size == (size - 1 if side else 0):
            scores[at] = 1.0 - side
        else:
            counts[at] = list_steps(new, size, 1 - side, legal[at])


def _state_of(position: Any) -> NDArray[np.int16]:
    cells = np.array((0, 1, -1), np.int16)[position.cells]
    touched: tuple[int, ...] = ()
    if position.last_move is not None:
        move = position.last_move
        touched = (move // 3, int(target_of(position.size, 1 - position.to_move, move)))
    return fill_state(cells, position.to_move, touched)


@cache
def breakthrough_lanes(size: int) -> BoardLanes:
    points = size * size
    origins, ways = np.divmod(np.arange(3 * points, dtype=np.int32), np.int32(3))
    mirrored = turn_squares(size, size, (4,))[0]
    head = np.arange(3 * points, dtype=np.int32)

    def step(*arrays: Any) -> None:
        shaped: tuple[Any, ...] = (*arrays, size)
        advance(*shaped)

    return BoardLanes(
        rows=size,
        columns=size,
        kinds=1,
        width=points + OWN,
        most_moves=6 * size,
        places=np.stack([ways * points + origins, (2 - ways) * points + points - 1 - origins]).astype(np.int32),
        head_size=3 * points,
        images=turn_squares(size, size, (0, 4)),
        head_images=np.stack([head, (2 - head // points) * points + mirrored[head % points]]).astype(np.int32),
        read=_state_of,
        step=step,
        view="turned",
    )
