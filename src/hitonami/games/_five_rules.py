"""Kernels for games of five in a row on a square board: a stone placed, lines counted, points forbidden in renju.

Cells are uint8[size²], 0 empty, 1 Black, 2 White, row by row from the top.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

FREE: Final = 0
"""Five or more win for either side."""
EXACT: Final = 1
"""Six in a row do not win for either side."""
RENJU: Final = 2
"""Black wins with five exactly and has forbidden points; White wins with five or more."""
WON: Final = 1 << 20
_DOWN: Final = np.array([0, 1, 1, 1], np.int64)
_RIGHT: Final = np.array([1, 0, 1, -1], np.int64)


@kernel
def count_run(cells: Any, size: int, point: int, colour: int, way: int) -> int:
    """Stones of `colour` in a row through `point`, which counts as one of them; `way` 0 to 3 is the direction."""
    run = 1
    for sign in (1, -1):
        row, column = point // size + sign * _DOWN[way], point % size + sign * _RIGHT[way]
        while 0 <= row < size and 0 <= column < size and cells[row * size + column] == colour:
            run += 1
            row += sign * _DOWN[way]
            column += sign * _RIGHT[way]
    return run


@kernel
def makes_five(cells: Any, size: int, point: int, colour: int, exact: bool) -> bool:
    for way in range(4):
        run = count_run(cells, size, point, colour, way)
        if run == 5 or (run > 5 and not exact):
            return True
    return False


@kernel
def _first_gap(cells: Any, size: int, point: int, way: int, sign: int) -> int:
    """The first point beyond the black row through `point`, -1 where that is no empty point of the board."""
    row, column = point // size + sign * _DOWN[way], point % size + sign * _RIGHT[way]
    while 0 <= row < size and 0 <= column < size and cells[row * size + column] == 1:
        row += sign * _DOWN[way]
        column += sign * _RIGHT[way]
    if 0 <= row < size and 0 <= column < size and cells[row * size + column] == 0:
        return row * size + column
    return -1


@kernel
def _count_fours(cells: Any, size: int, point: int, way: int) -> int:
    """Fours through the black stone on `point` one way: 0, 1, or 2 where they differ in a stone."""
    low = _first_gap(cells, size, point, way, -1)
    high = _first_gap(cells, size, point, way, 1)
    fours = 0
    if low >= 0 and count_run(cells, size, low, 1, way) == 5:
        fours += 1
    if high >= 0 and count_run(cells, size, high, 1, way) == 5:
        fours += 1
    if fours == 2 and count_run(cells, size, point, 1, way) == 4:
        return 1  # a straight four: the same four stones, open on both sides
    return fours


@kernel
def _is_straight_four(cells: Any, size: int, point: int, way: int) -> bool:
    """Whether the black row through `point` is a four that becomes five, and no more, on either side."""
    if count_run(cells, size, point, 1, way) != 4:
        return False
    low = _first_gap(cells, size, point, way, -1)
    high = _first_gap(cells, size, point, way, 1)
    return (
        low >= 0
        and high >= 0
        and count_run(cells, size, low, 1, way) == 5
        and count_run(cells, size, high, 1, way) == 5
    )


@kernel
def is_forbidden(cells: Any, size: int, point: int) -> bool:
    """Whether Black may not play on an empty point: an overline, two fours or two threes, and no five.

    A three is open only where Black may really make a straight four of it, by a move that is itself no five and not
    forbidden: so this asks itself about that move, with the first stone on the board. `cells` is as before afterwards.
    """
    cells[point] = 1
    overline, fours = False, 0
    for way in range(4):
        run = count_run(cells, size, point, 1, way)
        if run == 5:
            cells[point] = 0
            return False
        overline = overline or run > 5
    if not overline:
        for way in range(4):
            fours += _count_fours(cells, size, point, way)
    if overline or fours > 1:
        cells[point] = 0
        return True
    threes = 0
    for way in range(4):
        for sign in (1, -1):
            gap = _first_gap(cells, size, point, way, sign)
            if gap < 0:
                continue
            cells[gap] = 1
            straight = _is_straight_four(cells, size, gap, way)
            cells[gap] = 0
            if straight and not makes_five(cells, size, gap, 1, True) and not is_forbidden(cells, size, gap):
                threes += 1
                break
        if threes > 1:
            break
    cells[point] = 0
    return threes > 1


@kernel
def list_points(cells: Any, size: int, side: int, rule: int, out: Any) -> int:
    """Fill `out` with the points where `side` (0 Black) may play. Their count."""
    count = 0
    for point in range(size * size):
        if cells[point] == 0 and not (rule == RENJU and side == 0 and is_forbidden(cells, size, point)):
            out[count] = point
            count += 1
    return count


@kernel
def place(cells: Any, size: int, side: int, rule: int, move: int, checked: bool, new: Any, out: Any) -> int:
    """Put a stone of `side` into `new` and fill `out` with the answers.

    Returns their count, WON where the stone makes five, -1 where it is not legal.
    """
    if move < 0 or move >= size * size:
        return -1
    if checked and (cells[move] != 0 or (rule == RENJU and side == 0 and is_forbidden(cells, size, move))):
        return -1
    for at in range(size * size):
        new[at] = cells[at]
    new[move] = side + 1
    if makes_five(new, size, move, side + 1, rule == EXACT or (rule == RENJU and side == 0)):
        return WON
    return list_points(new, size, 1 - side, rule, out)
