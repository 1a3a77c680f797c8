"""Othello over rows of numbers (see games/_lanes.py)."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.games.othello_rules.discs import PASS, find_turned, list_moves
from hitonami.kernel import kernel

_POINTS: Final = 64
_ONE: Final = np.uint64(1)
_MOST_MOVES: Final = 34


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any) -> None:
    boards = np.zeros(2, np.uint64)
    for at in range(len(moves)):
        new = after[at]
        new[:] = states[at]
        side = new[_POINTS + TO_MOVE]
        own, target = 1 - 2 * side, -1
        boards[:] = 0
        for square in range(_POINTS):
            if new[square] != 0:
                boards[0 if new[square] > 0 else 1] |= _ONE << np.uint64(square)
        if moves[at] != PASS:
            target = moves[at]
            disc = _ONE << np.uint64(target)
            turned = find_turned(boards[side], boards[1 - side], disc) | disc
            boards[side] |= turned
            boards[1 - side] &= ~turned
            for square in range(_POINTS):
                if turned >> np.uint64(square) & _ONE:
                    new[square] = own
        new[_POINTS + TO_MOVE] = 1 - side
        new[_POINTS + ORIGIN], new[_POINTS + TARGET] = -1, target
        counts[at], scores[at] = list_moves(boards, 1 - side, legal[at]), -1.0
        if counts[at] == 0:
            total = 0
            for square in range(_POINTS):
                total += new[square]
            scores[at] = 0.5 if total == 0 else 1.0 if total > 0 else 0.0


def _state_of(position: Any) -> NDArray[np.int16]:
    bits = np.arange(_POINTS, dtype=np.uint64)
    black, white = ((board >> bits & _ONE).astype(np.int16) for board in position.boards)
    last = position.last_move
    return fill_state(black - white, position.to_move, () if last in (None, PASS) else (last,))


@cache
def othello_lanes() -> BoardLanes:
    ids = np.arange(PASS + 1, dtype=np.int32)
    images = turn_squares(8, 8, tuple(range(8)))
    passing = np.full((len(images), 1), PASS, np.int32)
    return BoardLanes(
        rows=8,
        columns=8,
        kinds=1,
        width=_POINTS + OWN,
        most_moves=_MOST_MOVES,
        places=np.stack([ids, ids]),
        head_size=PASS + 1,
        images=images,
        head_images=np.hstack([images, passing]),
        read=_state_of,
        step=advance,
    )
