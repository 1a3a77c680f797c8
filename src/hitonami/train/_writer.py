"""Building blocks of the ONNX graphs that training writes: constants, layers, and who is playing.

Writing graphs by hand keeps tracing, its warnings and the onnx library out, and lets weights be stored in 16 or 8
bits. All arithmetic is in 32: ONNX Runtime widens the weights once, when it loads the graph.
"""

from itertools import accumulate, pairwise
from math import prod
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hitonami.models.conditioning import SHARPNESS, Condition, Gate
from hitonami.models.layers import Conv
from hitonami.models.onnx_graph import Graph
from hitonami.models.spec import InputShape

HALF_FROM: Final = 64
"""Smaller arrays are stored in 32 bits: they weigh nothing, and ratings need the digits."""
BYTES_FROM: Final = 4096
"""Smaller matrices are never stored in 8 bits: they weigh little, and rounding them costs most."""
_INPUT_TYPES: dict[str, type[np.generic]] = {"scalars": np.float32, "player": np.float32, "pool": np.int64}


def bits_of(shape: tuple[int, ...], bits: int) -> int:
    """In how many bits an array of this shape is stored, where weights are to be stored in `bits`."""
    size = prod(shape)
    if bits == 8 and (len(shape) < 2 or size < BYTES_FROM):
        bits = 16
    return 32 if size <= HALF_FROM else bits


def to_bytes(array: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Whole numbers within ±127 and the step of each row (output channel): their product is the rounded array."""
    rows = array.reshape(len(array), -1)
    steps = np.maximum(np.abs(rows).max(axis=1), 1e-12) / np.float32(127)
    steps = steps.reshape(-1, *(1,) * (array.ndim - 1)).astype(np.float32)
    return np.rint(array / steps).astype(np.int8), steps


def rounded(tensor: Tensor, bits: int) -> Tensor:
    """The tensor as it will be read back from a file that stores weights in `bits`."""
    stored = bits_of(tuple(tensor.shape), bits)
    if stored == 8:
        whole, steps = to_bytes(tensor.detach().numpy())
        return torch.from_numpy(whole * steps)
    return tensor.half().float() if stored == 16 else tensor


class GraphWriter:
    """Each method adds some nodes and returns the name of their output."""

    def __init__(self, shape: InputShape, mask_plane: int | None, *, any_size: bool, bits: int) -> None:
        self.shape, self.mask_plane, self.any_size, self.bits = shape, mask_plane, any_size, bits
        self.graph = Graph("hitonami")
        self.mask = self.on_board = ""

    def _inputs(self, planes_type: type[np.generic]) -> str:
        graph, shape = self.graph, self.shape
        board: tuple[int | str, int | str] = ("H", "W") if self.any_size else shape.board
        planes = graph.input("planes", ("N", shape.planes, *board), planes_type)
        sizes = {"scalars": (shape.scalars,), "player": (shape.player,), "pool": ()}
        for name in shape.names[1:]:
            graph.input(name, ("N", *sizes[name]), _INPUT_TYPES[name])
        planes = planes if planes_type is np.float32 else graph.to_float(planes)
        if self.mask_plane is not None:
            self.mask = graph.add("Gather", planes, self._ints(self.mask_plane), axis=1)
            self.on_board = graph.add("GlobalAveragePool", self.mask)
        return planes

    # What a graph is built of.
    def _floats(self, value: Tensor | float) -> str:
        array: NDArray[np.float32] = torch.as_tensor(value, dtype=torch.float32).numpy()
        stored = bits_of(array.shape, self.bits)
        if stored == 8:
            return self.graph.byte_constant(*to_bytes(array))
        return self.graph.half_constant(array) if stored == 16 else self.graph.constant(array)

    def _ints(self, *values: int) -> str:
        return self.graph.constant(np.array(values, dtype=np.int64))

    def _ints_scalar(self, value: int) -> str:
        return self.graph.constant(np.array(value, dtype=np.int64))

    def _sum(self, *parts: str) -> str:
        here = parts[0]
        for part in parts[1:]:
            here = self.graph.add("Add", here, part) if part else here
        return here

    def _cut(self, here: str) -> str:
        return self.graph.add("Mul", here, self.mask) if self.mask else here

    def _mean(self, here: str) -> str:
        mean = self.graph.add("GlobalAveragePool", here)
        return self.graph.add("Div", mean, self.on_board) if self.mask else mean

    def _relu(self, here: str) -> str:
        return self.graph.add("Relu", here)

    def _reshape(self, here: str, *shape: int) -> str:
        """A size of 0 stays as it was. One of -1 is found by division, which no rows at all make impossible."""
        return self.graph.add("Reshape", here, self._ints(*shape))

    def _convolve(self, here: str, weight: Tensor, bias: Tensor | None, groups: int) -> str:
        size = weight.shape[-1]
        biases = [] if bias is None else [self._floats(bias)]
        pads = (size // 2,) * 4
        return self.graph.add(
            "Conv", here, self._floats(weight), *biases, kernel_shape=(size, size), pads=pads, group=groups
        )

    def _conv(self, here: str, conv: Conv) -> str:
        return self._cut(self._convolve(here, *conv.folded(), conv.conv.groups))

    def _plain(self, here: str, conv: nn.Conv2d) -> str:
        return self._convolve(here, conv.weight, conv.bias, conv.groups)

    def _linear(self, here: str, layer: nn.Linear) -> str:
        return self.graph.add("Gemm", here, self._floats(layer.weight), self._floats(layer.bias), transB=1)

    def _columns(self, here: str, begin: int, end: int) -> str:
        return self.graph.add("Slice", here, self._ints(begin), self._ints(end), self._ints(1))

    def _pool(self, x: str, groups: int, channels: int) -> str:
        parts = [self._mean(x), self.graph.add("GlobalMaxPool", x)]
        both = self.graph.add("Concat", *(self._reshape(part, 0, groups, channels // groups) for part in parts), axis=2)
        return self._reshape(both, 0, 2 * channels, 1, 1)

    # Who is playing.
    def _condition(self, condition: Condition) -> tuple[list[str], str, str]:
        """The names of scales and shifts in turn, of the trunks' shares, and of what all is read from."""
        graph = self.graph
        lines = graph.add("Gather", self._floats(condition.lines), "pool", axis=0)
        own, own_known = self._rating(condition, lines, 0)
        other, other_known = self._rating(condition, lines, 2)
        both = graph.add("Mul", own_known, other_known)
        gap = graph.add("Mul", graph.add("Sub", own, other), both)
        columns = [own, own_known, other, other_known, gap]
        columns += [self._bumps(condition, own, own_known), self._bumps(condition, other, other_known)]
        if self.shape.player > 4:
            columns.append(self._columns("player", 4, self.shape.player))
        columns.append(graph.add("Gather", self._floats(condition.pool.weight), "pool", axis=0))
        hidden = self._silu(self._linear(graph.add("Concat", *columns, axis=1), condition.first))
        hidden = self._silu(self._linear(hidden, condition.second))
        flat, ends = self._linear(hidden, condition.film), [0, *accumulate(condition.sizes)]
        film = [self._reshape(self._columns(flat, *span), 0, -1, 1, 1) for span in pairwise(ends)]
        return film, "" if condition.gate is None else self._gate(condition.gate, hidden), hidden

    def _silu(self, here: str) -> str:
        return self.graph.add("Mul", here, self.graph.add("Sigmoid", here))

    def _rating(self, condition: Condition, lines: str, column: int) -> tuple[str, str]:
        known = self._columns("player", column + 1, column + 2)
        scaled = self.graph.add("Mul", self._columns("player", column, column + 1), self._columns(lines, 0, 1))
        rating = self.graph.add("Add", scaled, self._columns(lines, 1, 2))
        return self.graph.add("Mul", self._clip(rating, condition.middle, condition.half_range), known), known

    def _clip(self, rating: str, middle: float, half_range: float) -> str:
        """soft_clip((rating - middle) / half_range)"""
        graph = self.graph
        x = graph.add("Div", graph.add("Sub", rating, self._floats(middle)), self._floats(half_range))
        sharp, one = self._floats(SHARPNESS), self._floats(1.0)
        high = graph.add("Softplus", graph.add("Mul", graph.add("Sub", x, one), sharp))
        low = graph.add("Softplus", graph.add("Mul", graph.add("Sub", graph.add("Neg", x), one), sharp))
        high, low = graph.add("Div", high, sharp), graph.add("Div", low, sharp)
        return graph.add("Add", graph.add("Sub", x, high), low)

    def _bell(self, rating: str, centres: Tensor, width: float) -> str:
        graph = self.graph
        away = graph.add("Div", graph.add("Sub", rating, self._floats(centres)), self._floats(width))
        return graph.add("Mul", graph.add("Mul", away, away), self._floats(-0.5))

    def _bumps(self, condition: Condition, rating: str, known: str) -> str:
        bell = self._bell(rating, condition.centres, condition.bump_width)
        return self.graph.add("Mul", self.graph.add("Exp", bell), known)

    def _gate(self, gate: Gate, hidden: str) -> str:
        graph = self.graph
        offset = graph.add("Gather", self._floats(gate.offset.weight), "pool", axis=0)
        rating = graph.add("Add", self._columns("player", 0, 1), offset)
        clipped = graph.add("Mul", self._clip(rating, gate.middle, gate.half_range), self._floats(gate.half_range))
        rating = graph.add("Add", clipped, self._floats(gate.middle))
        bell = graph.add("Mul", self._bell(rating, gate.ratings, gate.width), self._columns("player", 1, 2))
        return graph.add("Softmax", self._sum(bell, self._linear(hidden, gate.correction)), axis=1)
