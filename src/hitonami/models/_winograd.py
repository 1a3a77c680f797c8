"""Convolutions of 3×3 by tiles: a quarter of the multiplications, the rest additions (Winograd's F(4×4, 3×3)).

Four by four squares of a result need six by six of the board. Both are taken apart by small fixed matrices, so that 36
products stand for 144 (Lavin and Gray 2016, "Fast algorithms for convolutional neural networks"). The products of all
tiles and channels are matrix products, which numpy's BLAS does near the machine's peak; the additions are kernels here.
Results differ from a plain convolution by rounding alone, about ten times as much as two plain ones differ.

Boards are [boards, rows, columns, channels]: channels side by side is what kernels and BLAS want.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import free_kernel

Floats = NDArray[np.float32]
STEP: Final = 4
"""Squares of a result along one side of a tile."""
_REACH: Final = STEP + 2
_TWO, _FOUR, _FIVE, _EIGHT = np.float32(2), np.float32(4), np.float32(5), np.float32(8)
_WEIGHTS_TO_TILE: Final = np.array(
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)
_ROWS_AT_ONCE: Final = 64
"""Tiles of one product: enough for BLAS."""


@free_kernel
def take_apart(boards: Any, tiles: Any, room: Any) -> None:
    """Boards [B, H, W, C] with a margin of zeros -> tiles [36, B · tiles, C]. `room` is [6, 6, C] to work in."""
    wide, at = tiles.shape[2], 0
    down, across = (boards.shape[1] - 2) // STEP, (boards.shape[2] - 2) // STEP
    for board in range(boards.shape[0]):
        for top in range(down):
            for left in range(across):
                for row in range(_REACH):
                    here = boards[board, STEP * top + row, STEP * left : STEP * left + _REACH]
                    for c in range(wide):
                        a, b, d = here[0, c], here[1, c], here[2, c]
                        e, f, g = here[3, c], here[4, c], here[5, c]
                        even, odd = f - _FOUR * d, e - _FOUR * b
                        far, near = f - d, _TWO * (e - b)
                        room[row, 0, c] = _FOUR * a - _FIVE * d + f
                        room[row, 1, c] = even + odd
                        room[row, 2, c] = even - odd
                        room[row, 3, c] = far + near
                        room[row, 4, c] = far - near
                        room[row, 5, c] = _FOUR * b - _FIVE * e + g
                for column in range(_REACH):
                    for c in range(wide):
                        a, b, d = room[0, column, c], room[1, column, c], room[2, column, c]
                        e, f, g = room[3, column, c], room[4, column, c], room[5, column, c]
                        even, odd = f - _FOUR * d, e - _FOUR * b
                        far, near = f - d, _TWO * (e - b)
                        tiles[column, at, c] = _FOUR * a - _FIVE * d + f
                        tiles[6 + column, at, c] = even + odd
                        tiles[12 + column, at, c] = even - odd
                        tiles[18 + column, at, c] = far + near
                        tiles[24 + column, at, c] = far - near
                        tiles[30 + column, at, c] = _FOUR * b - _FIVE * e + g
                at += 1


@free_kernel
def put_together(tiles: Any, boards: Any, group: int, bias: Any, floor: float, room: Any) -> None:
    """Products [36, B · tiles, C] -> one group of boards [B, H, W, groups, C]; rows and columns are whole tiles.

    The bias of each channel, [groups, C], is added, and nothing is left below `floor`.
    """
    wide, at, least = tiles.shape[2], 0, np.float32(floor)
    for board in range(boards.shape[0]):
        for y in range(0, boards.shape[1], STEP):
            for x in range(0, boards.shape[2], STEP):
                for column in range(_REACH):
                    for c in range(wide):
                        a, b, d = tiles[column, at, c], tiles[6 + column, at, c], tiles[12 + column, at, c]
                        e, f, g = tiles[18 + column, at, c], tiles[24 + column, at, c], tiles[30 + column, at, c]
                        plus, minus, far, wider = b + d, b - d, e + f, e - f
                        room[0, column, c] = a + plus + far
                        room[1, column, c] = minus + _TWO * wider
                        room[2, column, c] = plus + _FOUR * far
                        room[3, column, c] = minus + _EIGHT * wider + g
                for row in range(STEP):
                    for c in range(wide):
                        a, b, d = room[row, 0, c], room[row, 1, c], room[row, 2, c]
                        e, f, g = room[row, 3, c], room[row, 4, c], room[row, 5, c]
                        plus, minus, far, wider = b + d, b - d, e + f, e - f
                        own = bias[group, c]
                        boards[board, y + row, x, group, c] = max(a + plus + far + own, least)
                        boards[board, y + row, x + 1, group, c] = max(minus + _TWO * wider + own, least)
                        boards[board, y + row, x + 2, group, c] = max(plus + _FOUR * far + own, least)
                        boards[board, y + row, x + 3, group, c] = max(minus + _EIGHT * wider + g + own, least)
                at += 1


@dataclass(frozen=True)
class Tiled:
    """A convolution whose weights were taken apart: [groups, 36, C in, C out], and its bias [groups, C out]."""

    weights: Floats
    bias: Floats

    def __call__(self, boards: Floats, floor: float) -> Floats:
        """[B, H, W, C in] -> [B, H, W, C out], nothing below `floor`.

        A few boards of a group at a time, so that tiles stay in the processor's cache, and so do the group's weights,
        which are four times as many as they were.
        """
        count, high, broad, _ = boards.shape
        groups, _, wide, out = self.weights.shape
        down, across = ceil(high / STEP), ceil(broad / STEP)
        few = min(max(_ROWS_AT_ONCE // (down * across), 1), count)
        held = np.zeros((few, STEP * down + 2, STEP * across + 2, wide), dtype=np.float32)
        tiles = np.empty((36, few * down * across, wide), dtype=np.float32)
        made = np.empty((36, few * down * across, out), dtype=np.float32)
        room = np.empty((_REACH, _REACH, max(wide, out)), dtype=np.float32)
        result = np.empty((count, STEP * down, STEP * across, groups, out), dtype=np.float32)
        for group, weights in enumerate(self.weights):
            for begin in range(0, count, few):
                part = boards[begin : begin + few, :, :, group * wide : (group + 1) * wide]
                rows = len(part) * down * across
                held[: len(part), 1 : high + 1, 1 : broad + 1] = part
                take_apart(held[: len(part)], tiles, room)
                np.matmul(tiles[:, :rows], weights, out=made[:, :rows])
                put_together(made, result[begin : begin + few], group, self.bias, floor, room)
        return result.reshape(count, STEP * down, STEP * across, groups * out)[:, :high, :broad]


def tile_weights(weights: Floats, bias: Floats, groups: int) -> Tiled:
    """From weights [C out, C in of a group, 3, 3]."""
    parts = weights.reshape(groups, -1, *weights.shape[1:]).astype(np.float64)
    apart = np.einsum("ai,bj,gocij->gabco", _WEIGHTS_TO_TILE, _WEIGHTS_TO_TILE, parts, optimize=True)
    return Tiled(
        np.ascontiguousarray(apart.reshape(groups, 36, *apart.shape[3:]), dtype=np.float32), bias.reshape(groups, -1)
    )
