"""Boards as lattices: the steps from a cell to those around it, and the turns and reflections of a board.

Cells are counted row by row as in a diagram; one past the last stands for everything off the board. On hexagons each
row begins half a cell further right than the one above, so (-1, 1) and (1, -1) are neighbours and (-1, -1) is none.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Step = tuple[int, int]
"""Rows down, columns right."""
Turn = tuple[int, int, int, int]
"""A turn or reflection of steps: (a, b, c, d) takes (down, right) to (a·down + b·right, c·down + d·right)."""

TURNS: Final[dict[str, Turn]] = {
    "same": (1, 0, 0, 1),
    "half turn": (-1, 0, 0, -1),
    "mirror": (1, 0, 0, -1),
    "upside down": (-1, 0, 0, 1),
    "diagonal": (0, 1, 1, 0),
    "other diagonal": (0, -1, -1, 0),
    "quarter turn": (0, 1, -1, 0),
    "quarter turn back": (0, -1, 1, 0),
}
_OF_HEXAGONS: Final = ("same", "half turn", "diagonal", "other diagonal")
_HEX_WAYS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
_FULL_REACH: Final = 2
"""Up to here every cell around is seen, beyond only those on straight lines."""


def turn_step(turn: Turn, step: Step) -> Step:
    a, b, c, d = turn
    return a * step[0] + b * step[1], c * step[0] + d * step[1]


def turns_of_board(high: int, wide: int, hexagonal: bool) -> list[str]:
    """Names of the turns that take a board of this shape to itself."""
    names = _OF_HEXAGONS if hexagonal else TURNS
    return [name for name in names if high == wide or TURNS[name][1] == 0]


def turn_cells(name: str, high: int, wide: int) -> NDArray[np.int32]:
    """[cells] where a turn about the middle of the board takes each cell."""
    rows, columns = np.divmod(np.arange(high * wide), wide)
    a, b, c, d = TURNS[name]
    down, right = 2 * rows - (high - 1), 2 * columns - (wide - 1)
    return ((a * down + b * right + high - 1) // 2 * wide + (c * down + d * right + wide - 1) // 2).astype(np.int32)


def distance(step: Step, hexagonal: bool) -> int:
    """Neighbouring cells from one to the other; on squares corners touch."""
    down, right = step
    if hexagonal and down * right > 0:
        return abs(down + right)
    return max(abs(down), abs(right))


@cache
def list_steps(reach: int, hexagonal: bool) -> tuple[Step, ...]:
    """The steps that patterns know, the nearest first: all around, and straight lines as far as `reach`."""
    span = range(-reach, reach + 1)
    found = []
    for step in [(down, right) for down in span for right in span]:
        far = distance(step, hexagonal)
        ways = _HEX_WAYS if hexagonal else [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        straight = any(step == (far * a, far * b) for a, b in ways)
        if far <= min(reach, _FULL_REACH) or (far <= reach and straight):
            found.append(step)
    return tuple(sorted(found, key=lambda step: (distance(step, hexagonal), step)))


def table_of_steps(high: int, wide: int, steps: Sequence[Step], turns: Sequence[Turn]) -> NDArray[np.int32]:
    """[turns, cells, steps] the cell that a turned step leads to; high·wide off the board."""
    rows, columns = np.divmod(np.arange(high * wide), wide)
    table = np.empty((len(turns), high * wide, len(steps)), np.int32)
    for at, turn in enumerate(turns):
        for number, step in enumerate(steps):
            down, right = turn_step(turn, step)
            row, column = rows + down, columns + right
            inside = (row >= 0) & (row < high) & (column >= 0) & (column < wide)
            table[at, :, number] = np.where(inside, row * wide + column, high * wide)
    return table


def follow(first: str, then: str) -> Turn:
    """One turn after the other."""
    a, b, c, d = TURNS[then]
    e, f, g, h = TURNS[first]
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h
