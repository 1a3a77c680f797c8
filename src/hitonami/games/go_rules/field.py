"""Kernels for a Go board that is read out: chains, liberties, stones that are put down and taken back.

Boards have a margin of one point of wall, as in the rules' own kernels: 0 empty, 1 Black, 2 White, 3 wall, and `wide`
is the side with its margin. Points are indices into such a board; 0 is a wall and stands for "no point".
"""

from typing import Any, Final, NamedTuple

import numpy as np

from hitonami.kernel import kernel

EMPTY, WALL = 0, 3
MARGINED: Final = 27 * 27
"""Points of the largest board with its margin."""
LEVELS: Final = 25 * 25 * 3 // 2 + 2
"""Plays of a line that is read out, at most: one and a half a point, and the one before."""
_LISTED: Final = 8 * MARGINED
MOST_LISTED: Final = 6 * MARGINED
"""Where a search must end: one level more cannot overrun the lists."""
_KO, TAKEN, _POINT = 3, 4, 5
to_number: Any = np.int64
"""Every number in the kernels has this type: numba compiles a kernel, and all that it calls, again for another one."""
ONE, TWO, THREE, FOUR = to_number(1), to_number(2), to_number(3), to_number(4)
"""Numbers to call kernels with: a plain literal would be a type of its own."""


class Field(NamedTuple):
    """A board that is played on, and room to work. One serves for any number of boards."""

    board: Any
    """uint8 [MARGINED]"""
    ko: Any
    """[1] the point that may not be retaken, 0 for none."""
    seen: Any
    """[MARGINED] the number of the last search that came by."""
    stack: Any
    """[MARGINED] the stones of the chain that was walked last."""
    near: Any
    """[4] the liberties that were found last."""
    tick: Any
    """[1] the number of the latest search."""
    taken: Any
    """The stones that were taken off, a stack."""
    moves: Any
    """The moves to try, level upon level."""
    levels: Any
    """[LEVELS, 6] of each level: first move, moves, the one being tried, ko before, stones taken so far, point."""
    depth: Any
    """[1] how many plays stand. The play of level 0 is the first."""


@kernel
def make_field() -> Any:
    return Field(
        np.zeros(MARGINED, np.uint8),
        np.zeros(1, np.int64),
        np.zeros(MARGINED, np.int64),
        np.zeros(MARGINED, np.int64),
        np.zeros(4, np.int64),
        np.zeros(1, np.int64),
        np.zeros(_LISTED, np.int64),
        np.zeros(_LISTED, np.int64),
        np.zeros((LEVELS, 6), np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def lay_board(field: Any, stones: Any, size: int, ko: int) -> None:
    """Copy size² stones into the field; `ko` is a move id, -1 for none."""
    wide = size + 2
    board = field.board
    for here in range(wide * wide):
        board[here] = WALL
        field.seen[here] = 0
    at = 0
    for row in range(size):
        to = (row + 1) * wide + 1
        for column in range(size):
            board[to + column] = stones[at]
            at += 1
    field.ko[0] = 0 if ko < 0 else (ko // size + 1) * wide + ko % size + 1
    field.tick[0], field.depth[0] = 0, 0


@kernel
def walk_chain(field: Any, wide: int, first: int, most: int) -> Any:
    """Flood the chain at `first` until `most` (up to 4) liberties are found.

    Returns (stones walked, liberties found); the stones are in field.stack, the liberties in field.near. The whole
    chain was walked where fewer than `most` liberties were found.
    """
    board, seen, stack, near = field.board, field.seen, field.stack, field.near
    field.tick[0] += 1
    tick = field.tick[0]
    colour = board[first]
    seen[first] = tick
    stack[0] = first
    held, at, found = 1, 0, 0
    while at < held:
        here = stack[at]
        at += 1
        for step in (-wide, -1, 1, wide):
            there = here + step
            if seen[there] == tick:
                continue
            beside = board[there]
            if beside == EMPTY:
                seen[there] = tick
                near[found] = there
                found += 1
                if found == most:
                    return held, found
            elif beside == colour:
                seen[there] = tick
                stack[held] = there
                held += 1
    return held, found


@kernel
def count_empty(field: Any, wide: int, here: int) -> int:
    """How many neighbours of the point are empty."""
    board = field.board
    count = 0
    for step in (-wide, -1, 1, wide):
        count += board[here + step] == EMPTY
    return count


@kernel
def may_play(field: Any, wide: int, here: int, own: int) -> bool:
    """Whether `own` may put a stone on this empty point: no ko, no suicide."""
    if here == field.ko[0]:
        return False
    board = field.board
    for step in (-wide, -1, 1, wide):
        if board[here + step] == EMPTY:
            return True
    for step in (-wide, -1, 1, wide):
        beside = board[here + step]
        if beside == WALL:
            continue
        _, liberties = walk_chain(field, wide, here + step, TWO)
        if (liberties > 1) == (beside == own):
            return True
    return False


@kernel
def put_down(field: Any, wide: int, here: int, own: int) -> None:
    """Play on a point where `own` may; `levels` notes what taking it back needs."""
    level = field.depth[0]
    field.depth[0] = level + 1
    board, noted = field.board, field.levels[level]
    before = field.levels[level - 1, TAKEN] if level else 0  # stones taken on the levels below
    noted[_KO], noted[_POINT] = field.ko[0], here
    board[here] = own
    total, last, alone = before, 0, True
    for step in (-wide, -1, 1, wide):
        there = here + step
        if board[there] == own:
            alone = False
        if board[there] != 3 - own:
            continue
        stones, liberties = walk_chain(field, wide, there, ONE)
        if liberties:
            continue
        for at in range(stones):
            board[field.stack[at]] = EMPTY
            field.taken[total] = field.stack[at]
            total += 1
        last = there
    noted[TAKEN] = total
    opens_ko = alone and total - before == 1 and count_empty(field, wide, here) == 1
    field.ko[0] = last if opens_ko else 0


@kernel
def take_back(field: Any) -> None:
    """Undo the latest play that stands."""
    field.depth[0] -= 1
    level = field.depth[0]
    noted = field.levels[level]
    before = field.levels[level - 1, TAKEN] if level else 0
    own = field.board[noted[_POINT]]
    for at in range(before, noted[TAKEN]):
        field.board[field.taken[at]] = 3 - own
    field.board[noted[_POINT]] = EMPTY
    field.ko[0] = noted[_KO]


@kernel
def find_chains(field: Any, wide: int, chain: Any, liberties: Any) -> int:
    """Number the chains from 1 on, with their liberties counted up to four; returns how many."""
    board = field.board
    for here in range(wide * wide):
        chain[here] = 0
    liberties[0] = 0
    count = 0
    for first in range(wide, wide * (wide - 1)):
        if board[first] in (EMPTY, WALL) or chain[first]:
            continue
        count += 1
        liberties[count] = _number_chain(field, wide, first, chain, count)
    return count


@kernel
def _number_chain(field: Any, wide: int, first: int, chain: Any, number: int) -> int:
    """Number one whole chain; returns its liberties, at most four."""
    board, stack = field.board, field.stack
    _, liberties = walk_chain(field, wide, first, FOUR)
    chain[first] = number
    stack[0] = first
    held = 1
    while held:
        held -= 1
        here = stack[held]
        for step in (-wide, -1, 1, wide):
            if board[here + step] == board[first] and not chain[here + step]:
                chain[here + step] = number
                stack[held] = here + step
                held += 1
    return liberties
