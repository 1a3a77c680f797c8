"""A shogi board as kernels see it: cells with a margin wide enough for a knight, and how pieces go.

Squares are cshogi's: down the files from the right. A cell holds 0 where it is empty, WALL in the margin, else cshogi's
piece type, negative for White.
"""

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

WALL: Final = 99
WIDE: Final = 13
CELLS: Final = 11 * WIDE
STEPS: Final = np.array([-14, -1, 12, -13, 13, -12, 1, 14], dtype=np.int64)
"""Ahead on the right, ahead, ahead on the left, right, left, and back, for Black; 7 - d is opposite to d."""
FLIPPED: Final = np.array([5, 6, 7, 3, 4, 0, 1, 2], dtype=np.int64)


def _bits(*places: int) -> int:
    return sum(1 << place for place in places)


_GOLD, _DIAGONAL, _STRAIGHT = _bits(0, 1, 2, 3, 4, 6), _bits(0, 2, 5, 7), _bits(1, 3, 4, 6)
SHORT: Final = np.array([
    *(0, _bits(1), 0, 0, _bits(0, 1, 2, 5, 7), 0, 0, _GOLD, 255),
    *(_GOLD, _GOLD, _GOLD, _GOLD, _STRAIGHT, _DIAGONAL),
], dtype=np.int64)  # fmt: skip
"""The directions of a type's single steps, as bits."""
RAYS: Final = np.array(
    [0, 0, _bits(1), 0, 0, _DIAGONAL, _STRAIGHT, 0, 0, 0, 0, 0, 0, _DIAGONAL, _STRAIGHT], dtype=np.int64
)


@kernel
def cell_of(square: int) -> Any:
    return (square // 9 + 1) * WIDE + square % 9 + 2


@kernel
def lay_out(codes: Any, board: Any) -> None:
    """Put up a position from a block of `ShogiPosition.history`."""
    board[:] = WALL
    for square in range(81):
        code = np.int64(codes[square])
        board[cell_of(square)] = -(code - 16) if code > 16 else code
