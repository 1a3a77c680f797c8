"""Kernels for Breakthrough. Cells are uint8[size²], row by row from the top: 0 empty, 1 White, 2 Black.

White moves up, Black down. A move is `3·origin + way`: 0 forward to the left, 1 straight, 2 forward to the right, as
seen on the page for either side.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

from hitonami.kernel import kernel

WON: Final = 1 << 20


@kernel
def target_of(size: int, side: int, move: int) -> int:
    """Where a move leads, -1 off the board."""
    origin, way = move // 3, move % 3
    row, column = origin // size + (1 if side else -1), origin % size + way - 1
    return row * size + column if 0 <= row < size and 0 <= column < size else -1


@kernel
def _may(cells: Any, size: int, side: int, move: int) -> bool:
    target = target_of(size, side, move)
    if target < 0 or cells[move // 3] != side + 1:
        return False
    return cells[target] == 0 or (move % 3 != 1 and cells[target] == 2 - side)


@kernel
def list_moves(cells: Any, size: int, side: int, out: Any) -> int:
    """Fill `out` with the moves of `side`, ascending. Their count."""
    count = 0
    for origin in range(size * size):
        if cells[origin] == side + 1:
            for way in range(3):
                if _may(cells, size, side, 3 * origin + way):
                    out[count] = 3 * origin + way
                    count += 1
    return count


@kernel
def advance(cells: Any, size: int, side: int, move: int, checked: bool, new: Any, out: Any) -> int:
    """Play a move of `side` into `new` and fill `out` with the answers.

    Returns their count, WON where the move ends the game (the far row is reached, or nothing is left to take), -1 where
    it is not legal.
    """
    if move < 0 or move >= 3 * size * size or target_of(size, side, move) < 0:
        return -1
    if checked and not _may(cells, size, side, move):
        return -1
    left = 0
    target = target_of(size, side, move)
    for at in range(size * size):
        new[at] = cells[at]
        left += cells[at] == 2 - side and at != target
    new[move // 3] = 0
    new[target] = side + 1
    if left == 0 or target // size == (size - 1 if side else 0):
        return WON
    return list_moves(new, size, 1 - side, out)
