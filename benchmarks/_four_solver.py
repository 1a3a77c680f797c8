"""Connect Four solved: who wins by best play, by alpha-beta over bitboards (after P. Pons, "Solving Connect 4").

Boards are two numbers: the discs of the side to move, and all discs, seven bits a column from the left, the lowest row
first. An answer is 1, 0 or -1 for the side to move. The search calls itself, and numba's copy of such a kernel on disk
crashes when it is read back: nothing is kept here.
"""
# ruff: noqa: PLR0912, PLR0917  (a kernel's state is its arguments, and its branches are the rules)

from typing import Any, Final

import numpy as np
from numba import njit

_BOTTOM: Final = sum(1 << 7 * column for column in range(7))
_BOARD: Final = _BOTTOM * 63
_COLUMNS: Final = np.array([63 << 7 * column for column in (3, 2, 4, 1, 5, 0, 6)], np.int64)
_SIZE: Final = (1 << 24) - 3
UNKNOWN: Final = 3


@njit  # type: ignore[untyped-decorator]
def find_fours(own: Any, taken: Any) -> Any:
    """Empty squares that would make four, reachable or not."""
    found = (own << 1) & (own << 2) & (own << 3)
    for step in (7, 6, 8):
        pair = (own << step) & (own << 2 * step)
        found |= pair & (own << 3 * step)
        found |= pair & (own >> step)
        pair = (own >> step) & (own >> 2 * step)
        found |= pair & (own << step)
        found |= pair & (own >> 3 * step)
    return found & (_BOARD ^ taken)


@njit  # type: ignore[untyped-decorator]
def count_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@njit  # type: ignore[untyped-decorator]
def search(own: int, taken: int, low: int, high: int, keys: Any, bounds: Any, room: Any) -> int:
    """The result within low … high for a side that cannot win at once."""
    threats = find_fours(taken ^ own, taken)
    moves = (taken + _BOTTOM) & _BOARD
    forced = moves & threats
    if forced:
        if forced & (forced - 1):
            return -1
        moves = forced
    moves &= ~(threats >> 1)
    if moves == 0:
        return -1
    discs = count_bits(taken)
    if discs >= 40:
        return 0
    key = own + taken + _BOTTOM
    place = key % _SIZE
    if keys[place] == key:
        most, least = bounds[place, 0], bounds[place, 1]
        high, low = min(high, most), max(low, least)
        if low >= high:
            return high if most <= low else low
    best, first_low = -1, low
    order, worth = room[discs, 0], room[discs, 1]
    worth[:] = -1
    for at in range(7):
        move = moves & _COLUMNS[at]
        if move:
            order[at], worth[at] = move, count_bits(find_fours(own | move, taken | move))
    for _ in range(7):
        at = 0
        for other in range(1, 7):
            if worth[other] > worth[at]:
                at = other
        if worth[at] < 0:
            break
        worth[at] = -1
        result = -search(taken ^ own, taken | order[at], -high, -low, keys, bounds, room)
        best, low = max(best, result), max(low, result)
        if low >= high:
            break
    if keys[place] != key:
        keys[place], bounds[place, 0], bounds[place, 1] = key, 1, -1
    if best < high:
        bounds[place, 0] = best
    if best > first_low:
        bounds[place, 1] = best
    return best


@njit  # type: ignore[untyped-decorator]
def judge_moves(own: int, taken: int, keys: Any, bounds: Any, room: Any, out: Any) -> None:
    """The result after each column, UNKNOWN for a full one."""
    moves = (taken + _BOTTOM) & _BOARD
    for column in range(7):
        move = moves & (63 << 7 * column)
        if not move:
            out[column] = UNKNOWN
        elif move & find_fours(own, taken):
            out[column] = 1
        elif taken | move == _BOARD:
            out[column] = 0
        else:
            other, after = taken ^ own, taken | move
            wins = (after + _BOTTOM) & _BOARD & find_fours(other, after)
            out[column] = -1 if wins else -search(other, after, -1, 1, keys, bounds, room)


class Solver:
    """Remembers what it has found."""

    def __init__(self) -> None:
        self._keys = np.zeros(_SIZE, np.int64)
        self._bounds = np.zeros((_SIZE, 2), np.int8)
        self._room = np.zeros((42, 2, 7), np.int64)

    def judge(self, own: int, taken: int) -> Any:
        """[7] the result after each column, UNKNOWN where there is none."""
        out = np.zeros(7, np.int8)
        judge_moves(own, taken, self._keys, self._bounds, self._room, out)
        return out
