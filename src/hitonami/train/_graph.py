"""A network of ours as an ONNX graph, node by node: the arithmetic of models/net.py in evaluation.

Writing the graph by hand keeps tracing, its warnings and the onnx library out, and lets weights be stored in 16
bits. Batch normalisation is folded into the convolutions. `train/export.py` checks every graph against torch.
"""

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hitonami.models._onnx_graph import Graph
from hitonami.models.net import SHARPNESS, Block, Condition, Conv, Gate, Net, PolicyHead, ValueHead

HALF_FROM: Final = 64
"""Smaller arrays are stored in 32 bits: they weigh nothing, and ratings need the digits."""
_INPUT_TYPES: dict[str, type[np.generic]] = {"scalars": np.float32, "player": np.float32, "pool": np.int64}


def to_onnx(net: Net, planes_type: type[np.generic], *, half: bool) -> bytes:
    """The file's bytes. `half` stores the large weights in 16 bits; all arithmetic is in 32."""
    net.eval()
    with torch.no_grad():
        return _Writer(net, half).write(planes_type)


class _Writer:
    """Each method adds the nodes of one module and returns the name of its output."""

    def __init__(self, net: Net, half: bool) -> None:
        self.net, self.spec, self.half = net, net.spec, half
        self.graph = Graph("hitonami")
        self.mask = self.on_board = ""

    def write(self, planes_type: type[np.generic]) -> bytes:
        graph, net = self.graph, self.net
        planes = self._inputs(planes_type)
        film, shares = ([""] * (2 * (self.spec.blocks + 1)), "")
        if net.condition is not None:
            film, shares = self._condition(net.condition)
        x = self._trunk(planes, film)
        moves = "M" if self.spec.policy == "points" else self._head_size()
        self._mix(self._policy(net.human, x), net.human.groups, shares, "human")
        graph.output("human", ("N", moves))
        if net.expert is not None:
            self._mix(self._policy(net.expert, x), 1, "", "expert")
            graph.output("expert", ("N", moves))
        graph.add("Softmax", self._mix(self._value(net.value, x), net.value.groups, shares), output="wdl", axis=1)
        graph.output("wdl", ("N", 3))
        return graph.to_bytes("hitonami")

    def _inputs(self, planes_type: type[np.generic]) -> str:
        graph, shape = self.graph, self.net.shape
        board: tuple[int | str, int | str] = ("H", "W") if self.spec.policy == "points" else shape.board
        planes = graph.input("planes", ("N", shape.planes, *board), planes_type)
        sizes = {"scalars": (shape.scalars,), "player": (shape.player,), "pool": ()}
        for name in shape.names[1:]:
            graph.input(name, ("N", *sizes[name]), _INPUT_TYPES[name])
        planes = planes if planes_type is np.float32 else graph.to_float(planes)
        if self.spec.mask_plane is not None:
            self.mask = graph.add("Gather", planes, self._ints(self.spec.mask_plane), axis=1)
            self.on_board = graph.add("GlobalAveragePool", self.mask)
        return planes

    def _head_size(self) -> int:
        if self.spec.policy == "lc0":
            return len(self.net.human.places)
        return 27 * self.net.shape.board[0] * self.net.shape.board[1]

    # What a graph is built of.
    def _floats(self, value: Tensor | float) -> str:
        array: NDArray[np.float32] = torch.as_tensor(value, dtype=torch.float32).numpy()
        return self.graph.half_constant(array) if self.half and array.size > HALF_FROM else self.graph.constant(array)

    def _ints(self, *values: int) -> str:
        return self.graph.constant(np.array(values, dtype=np.int64))

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

    # The modules of the network, in their order.
    def _trunk(self, planes: str, film: list[str]) -> str:
        graph, trunk = self.graph, self.net.trunk
        x = self._conv(planes, trunk.entry)
        if trunk.scalars is not None:
            x = self._sum(x, self._reshape(self._linear("scalars", trunk.scalars), 0, -1, 1, 1))
        if film[0]:
            x = graph.add("Add", graph.add("Mul", x, graph.add("Add", film[0], self._floats(1.0))), film[1])
        x = self._relu(self._cut(x))
        for at, block in enumerate(trunk.blocks, start=1):
            assert isinstance(block, Block)
            x = self._block(block, x, film[2 * at], film[2 * at + 1])
        return x

    def _block(self, block: Block, x: str, film_scale: str, film_shift: str) -> str:
        y = self._conv(self._relu(self._conv(x, block.first)), block.second)
        small = self._relu(self._plain(self._mean(y), block.squeeze))
        scale = self.graph.add("Sigmoid", self._sum(self._plain(small, block.scale), film_scale))
        shift = self._sum(self._plain(small, block.shift), film_shift)
        return self._relu(self._sum(x, self._cut(self._sum(self.graph.add("Mul", y, scale), shift))))

    def _policy(self, head: PolicyHead, x: str) -> str:
        """[N, groups, moves]"""
        graph = self.graph
        y = self._relu(self._conv(x, head.raise_))
        if head.kind != "points":
            flat = self._reshape(self._plain(y, head.moves), 0, head.groups, -1)
            return graph.add("Gather", flat, self._ints(*head.places.tolist()), axis=2) if head.kind == "lc0" else flat
        pooled = self._pool(y, head.groups)
        y = self._cut(self._relu(self._sum(y, self._plain(pooled, head.pooled))))
        points = self._reshape(self._plain(y, head.moves), 0, head.groups, -1)
        passing = self._reshape(self._plain(pooled, head.passing), 0, head.groups, 1)
        return graph.add("Concat", points, passing, axis=2)

    def _value(self, head: ValueHead, x: str) -> str:
        y = self._relu(self._conv(x, head.raise_))
        flat = self._reshape(y, 0, -1, 1, 1) if head.kind == "flat" else self._pool(y, head.groups)
        hidden = self._relu(self._plain(flat, head.hidden))
        return self._reshape(self._plain(hidden, head.result), 0, head.groups, 3)

    def _pool(self, x: str, groups: int) -> str:
        parts = [self._mean(x), self.graph.add("GlobalMaxPool", x)]
        both = self.graph.add("Concat", *(self._reshape(part, 0, groups, -1) for part in parts), axis=2)
        return self._reshape(both, 0, -1, 1, 1)

    def _mix(self, logits: str, groups: int, shares: str, output: str = "") -> str:
        if groups == 1:
            return self.graph.add("Squeeze", logits, self._ints(1), output=output)
        row = self.graph.add("Unsqueeze", shares, self._ints(1))
        return self.graph.add("Squeeze", self.graph.add("MatMul", row, logits), self._ints(1), output=output)

    # Who is playing.
    def _condition(self, condition: Condition) -> tuple[list[str], str]:
        graph = self.graph
        own, own_known = self._rating(condition, 0)
        other, other_known = self._rating(condition, 2)
        both = graph.add("Mul", own_known, other_known)
        gap = graph.add("Mul", graph.add("Sub", own, other), both)
        columns = [own, own_known, other, other_known, gap]
        columns += [self._bumps(condition, own, own_known), self._bumps(condition, other, other_known)]
        if self.net.shape.player > 4:
            columns.append(self._columns("player", 4, self.net.shape.player))
        columns.append(graph.add("Gather", self._floats(condition.pool.weight), "pool", axis=0))
        hidden = self._silu(self._linear(graph.add("Concat", *columns, axis=1), condition.first))
        hidden = self._silu(self._linear(hidden, condition.second))
        flat = self._reshape(self._linear(hidden, condition.film), 0, 2 * condition.layers, -1)
        film = []
        for at in range(2 * condition.layers):
            row = graph.add("Gather", flat, self._ints(at), axis=1)
            film.append(self._reshape(row, 0, -1, 1, 1))
        return film, "" if condition.gate is None else self._gate(condition.gate, hidden)

    def _silu(self, here: str) -> str:
        return self.graph.add("Mul", here, self.graph.add("Sigmoid", here))

    def _rating(self, condition: Condition, column: int) -> tuple[str, str]:
        known = self._columns("player", column + 1, column + 2)
        rating = self._columns("player", column, column + 1)
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
