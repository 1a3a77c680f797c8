"""Heian shogi over rows of numbers (see games/_lanes.py), with what repetition needs of the past.

After the fields that all games have, a state holds how many positions since the last capture are remembered, and those
as hashes of 64 bits, the latest last; the lowest bit says whether the side to move was in check. At most MEMORY are
kept: a repetition over a longer way is not seen here, and the rules of the game decide at the board.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from functools import cache
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import walk_back
from hitonami.games._heian_rules import PROMOTED, apply, in_check, is_bare, list_moves
from hitonami.games._lanes import ORIGIN, OWN, TARGET, TO_MOVE, BoardLanes, fill_state, turn_squares
from hitonami.kernel import kernel
from hitonami.lanes import STOOD

MEMORY: Final = 48
WAYS: Final = (
    *((-1, 0), (-1, 1), (-1, -1), (0, 1), (0, -1), (1, 0), (1, 1), (1, -1), (-2, 1), (-2, -1)),
    *((-up, 0) for up in range(2, 9)),
)
"""(rows down, columns right) of every move, as the mover sees the board: steps, knight, lance."""
_KINDS: Final = 11
_MOST_MOVES: Final = 400
_REPEATED: Final = 3
"""Earlier appearances that end a game."""
_KEYS: Final = np.random.default_rng(1058).integers(2, 2**62, (2 * _KINDS + 1, 81), np.int64)
_WHITE_KEY: Final = np.int64(0x1E3779B97F4A7C14)


@kernel
def hash_board(cells: Any, points: int, side: int, checked: bool) -> Any:
    value = np.int64(0) if side == 0 else _WHITE_KEY
    for square in range(points):
        if cells[square] != 0:
            value ^= _KEYS[cells[square] + _KINDS, square]
    return (value & ~np.int64(1)) | np.int64(checked)


@kernel
def remember(past: Any, held: int, seen: int) -> int:
    """Add a hash; the oldest gives way. How many are held."""
    if held == MEMORY:
        for at in range(MEMORY - 1):
            past[at] = past[at + 1]
        held -= 1
    past[held] = seen
    return held + 1


@kernel
def count_before(past: Any, held: int) -> int:
    """How often the latest position has stood before."""
    found = 0
    for at in range(held - 1):
        found += past[at] == past[held - 1]
    return found


@kernel
def judge_repetition(past: Any, held: int, side: int) -> float:
    """The score of player 0 where the latest position, with `side` to move, stands for the fourth time or more."""
    found, since = 0, held - 2
    while since >= 0:
        found += past[since] == past[held - 1]
        if found == _REPEATED:
            break
        since -= 1
    always = np.ones(2, np.int64)
    for at in range(since + 1, held):
        if past[at] & 1 == 0:
            always[side ^ ((held - 1 - at) & 1)] = 0
    if always[0] == always[1]:
        return 0.5
    return 1.0 if always[0] else 0.0


@kernel
def put_in_order(moves: Any, count: int) -> None:
    """Moves come nearly in order: each goes back to its place."""
    for at in range(1, count):
        move, place = moves[at], at
        while place and moves[place - 1] > move:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = move


@kernel
def settle(new: Any, rows: int, columns: int, past_at: int, fresh: bool, legal: Any) -> Any:
    """Remember the position after a move, and list its moves. Their count, and the score or -1."""
    points = rows * columns
    cells, past = new[:points], new[past_at:].view(np.int64)
    side = new[points + TO_MOVE]
    sign = 1 - 2 * side
    checked = in_check(cells, rows, columns, sign)
    held = new[points + OWN]
    if fresh:  # what was taken is gone: no earlier position comes again
        past[:], held = 0, 0
    held = remember(past, held, hash_board(cells, points, side, checked))
    stood = count_before(past, held)
    new[points + OWN], new[points + STOOD] = held, min(stood, 2)
    if is_bare(cells, sign):
        return 0, float(side)
    if stood >= _REPEATED:
        return 0, judge_repetition(past, held, side)
    count = list_moves(cells, rows, columns, sign, legal)
    if count == 0:
        return 0, float(side)
    put_in_order(legal, count)
    return count, -1.0


@kernel
def advance(states: Any, moves: Any, after: Any, legal: Any, counts: Any, scores: Any, rows: int, columns: int) -> None:
    points, past_at = rows * columns, len(states[0]) - 4 * MEMORY
    for at in range(len(moves)):
        new, move = after[at], moves[at]
        new[:] = states[at]
        captures = new[move & 127] != 0
        apply(states[at, :points], move, new[:points])
        new[points + TO_MOVE] = 1 - new[points + TO_MOVE]
        new[points + ORIGIN], new[points + TARGET] = move >> 7 & 127, move & 127
        counts[at], scores[at] = settle(new, rows, columns, past_at, captures, legal[at])


def _width(points: int) -> int:
    """Hashes begin where a number of 64 bits can."""
    return (points + OWN + 1 + 3) // 4 * 4 + 4 * MEMORY


def _state_of(position: Any) -> NDArray[np.int16]:
    points = len(position.cells)
    past, men = [position], np.count_nonzero(position.cells)
    for here in islice(walk_back(position), 1, MEMORY):
        if np.count_nonzero(here.cells) != men:
            break
        past.append(here)
    last = position.last_move
    touched = () if last is None else (last >> 7 & 127, last & 127)
    state = fill_state(position.cells, position.to_move, touched, 0, _width(points))
    hashes = state[-4 * MEMORY :].view(np.int64)
    held = 0
    for here in reversed(past):
        held = remember(hashes, held, hash_board(here.cells, points, here.to_move, here.in_check))
    state[points + OWN], state[points + STOOD] = held, min(count_before(hashes, held), 2)
    return state


def _places(rows: int, columns: int) -> NDArray[np.int32]:
    """[2, 2¹⁵] planes of ways, then of ways with promotion, by the square of arrival as the mover sees it."""
    points = rows * columns
    places = np.full((2, 1 << 15), -1, np.int32)
    for origin in range(points):
        for way, (down, right) in enumerate(WAYS):
            row, column = origin // columns + down, origin % columns + right
            if not (0 <= row < rows and 0 <= column < columns):
                continue
            target = row * columns + column
            for promoted in (0, 1):
                place = (way + promoted * len(WAYS)) * points + target
                places[0, promoted * PROMOTED | origin << 7 | target] = place
                places[1, promoted * PROMOTED | points - 1 - origin << 7 | points - 1 - target] = place
    return places


def _mirrored_places(rows: int, columns: int) -> NDArray[np.int32]:
    swapped = [WAYS.index((down, -right)) for down, right in WAYS]
    squares = turn_squares(rows, columns, (4,))[0]
    planes = [way + promoted * len(WAYS) for promoted in (0, 1) for way in swapped]
    return np.concatenate([plane * rows * columns + squares for plane in planes]).astype(np.int32)


@cache
def heian_lanes(rows: int, columns: int) -> BoardLanes:
    points, head = rows * columns, 2 * len(WAYS) * rows * columns

    def step(*arrays: Any) -> None:
        shaped: tuple[Any, ...] = (*arrays, rows, columns)
        advance(*shaped)

    return BoardLanes(
        rows=rows,
        columns=columns,
        kinds=_KINDS,
        width=_width(points),
        most_moves=_MOST_MOVES,
        places=_places(rows, columns),
        head_size=head,
        images=turn_squares(rows, columns, (0, 4)),
        head_images=np.stack([np.arange(head, dtype=np.int32), _mirrored_places(rows, columns)]),
        read=_state_of,
        step=step,
        view="turned",
    )
