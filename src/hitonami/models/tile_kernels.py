"""The four small transforms of Winograd's F(4×4, 3×3), over boards whose channels lie last.

A tile is 6×6 points of a board, of which the inner 4×4 are computed; zeros lie beyond the edge. Each kernel goes tile
by tile, first along columns, then along rows, and its inner loops run over channels, which is what a processor does
eight at a time. `models.tiled_convolution` says what they are for.
"""
# ruff: noqa: PLR0913, PLR0917  (rows of channels are handed on one by one: only so are they vectors to the compiler)

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

Floats = NDArray[np.float32]
_2, _4, _5, _8 = np.float32(2), np.float32(4), np.float32(5), np.float32(8)


@kernel
def spread_inputs(boards: Floats, out: Floats, high: int, wide: int) -> None:
    """Bᵀ d B of each tile d: boards [N, H, W, C] -> out [36, N · high · wide, C]."""
    count, rows, columns, channels = boards.shape
    inner = np.zeros((6, 6, channels), np.float32)
    empty = np.zeros(channels, np.float32)
    at = 0
    for n in range(count):
        for tile in range(high * wide):
            top, left = 4 * (tile // wide) - 1, 4 * (tile % wide) - 1
            for j in range(6):
                x = left + j
                inside = 0 <= x < columns
                d0 = boards[n, top, x] if inside and top >= 0 else empty
                d1 = boards[n, top + 1, x] if inside else empty
                d2 = boards[n, top + 2, x] if inside and top + 2 < rows else empty
                d3 = boards[n, top + 3, x] if inside and top + 3 < rows else empty
                d4 = boards[n, top + 4, x] if inside and top + 4 < rows else empty
                d5 = boards[n, top + 5, x] if inside and top + 5 < rows else empty
                _spread_six(d0, d1, d2, d3, d4, d5, inner[0, j], inner[1, j], inner[2, j], inner[3, j], inner[4, j],
                            inner[5, j])  # fmt: skip
            for i in range(6):
                _spread_six(inner[i, 0], inner[i, 1], inner[i, 2], inner[i, 3], inner[i, 4], inner[i, 5],
                            out[6 * i, at], out[6 * i + 1, at], out[6 * i + 2, at], out[6 * i + 3, at],
                            out[6 * i + 4, at], out[6 * i + 5, at])  # fmt: skip
            at += 1


@kernel
def _spread_six(
    d0: Floats, d1: Floats, d2: Floats, d3: Floats, d4: Floats, d5: Floats,
    t0: Floats, t1: Floats, t2: Floats, t3: Floats, t4: Floats, t5: Floats,
) -> None:  # fmt: skip
    for c in range(len(t0)):
        even, odd = d4[c] - _4 * d2[c], d3[c] - _4 * d1[c]
        near, far = d4[c] - d2[c], _2 * (d3[c] - d1[c])
        t0[c] = _4 * d0[c] - _5 * d2[c] + d4[c]
        t1[c] = even + odd
        t2[c] = even - odd
        t3[c] = near + far
        t4[c] = near - far
        t5[c] = _4 * d1[c] - _5 * d3[c] + d5[c]


@kernel
def gather_outputs(tiles: Floats, bias: Floats, out: Floats, high: int, wide: int) -> None:
    """Aᵀ m A of each tile m, and the bias: tiles [36, N · high · wide, K] -> out [N, H, W, K]."""
    count, rows, columns, channels = out.shape
    inner = np.zeros((4, 6, channels), np.float32)
    beyond = np.zeros((4, channels), np.float32)
    nothing = np.zeros(channels, np.float32)
    at = 0
    for n in range(count):
        for tile in range(high * wide):
            top, left = 4 * (tile // wide), 4 * (tile % wide)
            for j in range(6):
                _gather_six(tiles[j, at], tiles[6 + j, at], tiles[12 + j, at], tiles[18 + j, at], tiles[24 + j, at],
                            tiles[30 + j, at], nothing, inner[0, j], inner[1, j], inner[2, j],
                            inner[3, j])  # fmt: skip
            for i in range(min(4, rows - top)):
                y = top + i
                y1 = out[n, y, left + 1] if left + 1 < columns else beyond[1]
                y2 = out[n, y, left + 2] if left + 2 < columns else beyond[2]
                y3 = out[n, y, left + 3] if left + 3 < columns else beyond[3]
                _gather_six(inner[i, 0], inner[i, 1], inner[i, 2], inner[i, 3], inner[i, 4], inner[i, 5], bias,
                            out[n, y, left], y1, y2, y3)  # fmt: skip
            at += 1


@kernel
def _gather_six(
    m0: Floats, m1: Floats, m2: Floats, m3: Floats, m4: Floats, m5: Floats, bias: Floats,
    y0: Floats, y1: Floats, y2: Floats, y3: Floats,
) -> None:  # fmt: skip
    for c in range(len(y0)):
        total, apart = m1[c] + m2[c], m1[c] - m2[c]
        further, aside = m3[c] + m4[c], m3[c] - m4[c]
        y0[c] = bias[c] + m0[c] + total + further
        y1[c] = bias[c] + apart + _2 * aside
        y2[c] = bias[c] + total + _4 * further
        y3[c] = bias[c] + apart + _8 * aside + m5[c]


@kernel
def spread_outputs(boards: Floats, out: Floats, high: int, wide: int) -> None:
    """A y Aᵀ of each tile y, the way of slopes back through `gather_outputs`: boards [N, H, W, K] -> out [36, …, K]."""
    count, rows, columns, channels = boards.shape
    inner = np.zeros((6, 4, channels), np.float32)
    empty = np.zeros(channels, np.float32)
    at = 0
    for n in range(count):
        for tile in range(high * wide):
            top, left = 4 * (tile // wide), 4 * (tile % wide)
            for j in range(4):
                x = left + j
                inside = x < columns
                y0 = boards[n, top, x] if inside else empty
                y1 = boards[n, top + 1, x] if inside and top + 1 < rows else empty
                y2 = boards[n, top + 2, x] if inside and top + 2 < rows else empty
                y3 = boards[n, top + 3, x] if inside and top + 3 < rows else empty
                _spread_four(y0, y1, y2, y3, inner[0, j], inner[1, j], inner[2, j], inner[3, j], inner[4, j],
                             inner[5, j])  # fmt: skip
            for i in range(6):
                _spread_four(inner[i, 0], inner[i, 1], inner[i, 2], inner[i, 3], out[6 * i, at], out[6 * i + 1, at],
                             out[6 * i + 2, at], out[6 * i + 3, at], out[6 * i + 4, at],
                             out[6 * i + 5, at])  # fmt: skip
            at += 1


@kernel
def _spread_four(
    y0: Floats, y1: Floats, y2: Floats, y3: Floats,
    t0: Floats, t1: Floats, t2: Floats, t3: Floats, t4: Floats, t5: Floats,
) -> None:  # fmt: skip
    for c in range(len(t0)):
        total, further = y0[c] + y2[c], y0[c] + _4 * y2[c]
        odd, aside = y1[c] + y3[c], _2 * y1[c] + _8 * y3[c]
        t0[c] = y0[c]
        t1[c] = total + odd
        t2[c] = total - odd
        t3[c] = further + aside
        t4[c] = further - aside
        t5[c] = y3[c]
