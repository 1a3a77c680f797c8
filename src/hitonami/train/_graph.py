"""A network of ours as an ONNX graph, node by node: the arithmetic of models/net.py in evaluation.

Batch normalisation is folded into the convolutions. `train/export.py` checks every graph against torch.
"""

import numpy as np
import torch
from torch import nn

from hitonami.models.layers import Block, Joint, PolicyHead, Trunk, ValueHead
from hitonami.models.net import Net
from hitonami.models.some_trunks import SomeTrunks
from hitonami.train._writer import GraphWriter


def to_onnx(net: Net, planes_type: type[np.generic], *, bits: int) -> bytes:
    """The file's bytes, the large weights stored in `bits`."""
    net.eval()
    with torch.no_grad():
        return NetWriter(net, bits).write(planes_type)


class NetWriter(GraphWriter):
    """Each method adds the nodes of one module and returns the name of its output."""

    def __init__(self, net: Net, bits: int) -> None:
        super().__init__(net.shape, net.spec.mask_plane, any_size=net.spec.policy == "points", bits=bits)
        self.net, self.spec = net, net.spec

    def write(self, planes_type: type[np.generic]) -> bytes:
        graph, net = self.graph, self.net
        planes = self._inputs(planes_type)
        film, shares = ([""] * (2 * len(self.spec.films)), "")
        if net.condition is not None:
            film, shares, _ = self._condition(net.condition)
        moves = "M" if self.spec.policy == "points" else self._head_size()
        if net.some is not None:
            return self._write_some(net.some, planes, film, shares)
        x = self._trunk(
            net.trunk, planes, "scalars", film if net.joint is None else [""] * (2 * (self.spec.blocks + 1))
        )
        each = self._policy(net.human, x)
        human = self._mix(each, net.human.groups, shares)
        if net.joint is not None and net.joint_human is not None:
            x = self._joint(net.joint, x, film)
            human = graph.add("Add", human, self._mix(self._policy(net.joint_human, x), 1, ""))
        graph.add("Identity", human, output="human")
        graph.output("human", ("N", moves))
        if net.expert is not None:
            expert = self._mix(self._policy(net.expert, x), 1, "")
            if net.joint is not None:
                expert = graph.add("Add", expert, graph.add("Gather", each, self._ints_scalar(-1), axis=1))
            graph.add("Identity", expert, output="expert")
            graph.output("expert", ("N", moves))
        graph.add("Softmax", self._mix(self._value(net.value, x), net.value.groups, shares), output="wdl", axis=1)
        graph.output("wdl", ("N", 3))
        return graph.to_bytes("hitonami")

    def _write_some(self, some: SomeTrunks, planes: str, film: list[str], shares: str) -> bytes:
        """Each trunk runs on the rows in which it has a share; the others of its results are zeros."""
        graph, width, kept = self.graph, self.spec.channels, self._strongest(shares, some.asked)
        parts = {"trunk": self.net.trunk, "human": self.net.human, "value": self.net.value}
        sums = {"human": "", "wdl": ""}
        for at in range(self.spec.groups):
            share = self._columns(kept, at, at + 1)
            rows = self._reshape(graph.add("NonZero", self._reshape(share, -1)), -1)
            alone, own = some.copy_part(parts, at), (at * width, (at + 1) * width)
            told = [self._rows(self._columns(each, *own), rows) for each in film]
            scalars = self._rows("scalars", rows) if alone.trunk.scalars is not None else ""
            x = self._trunk(alone.trunk, self._rows(planes, rows), scalars, told)
            said = {"human": self._policy(alone.human, x), "wdl": self._value(alone.value, x)}
            for name, size in (("human", self._head_size()), ("wdl", 3)):
                weighed = graph.add("Mul", self._mix(said[name], 1, ""), self._rows(share, rows))
                empty = graph.add("Mul", share, graph.constant(np.zeros((1, size), np.float32)))
                placed = graph.add("ScatterND", empty, graph.add("Unsqueeze", rows, self._ints(1)), weighed)
                sums[name] = self._sum(placed, sums[name])
        graph.add("Identity", sums["human"], output="human")
        graph.output("human", ("N", self._head_size()))
        graph.add("Softmax", sums["wdl"], output="wdl", axis=1)
        graph.output("wdl", ("N", 3))
        return graph.to_bytes("hitonami")

    def _rows(self, here: str, rows: str) -> str:
        return self.graph.add("Gather", here, rows, axis=0)

    def _strongest(self, shares: str, count: int) -> str:
        graph = self.graph
        pair = graph.add("Unsqueeze", shares, self._ints(1)), graph.add("Unsqueeze", shares, self._ints(2))
        larger = graph.add("ReduceSum", graph.to_float(graph.add("Greater", *pair)), self._ints(2), keepdims=0)
        kept = graph.add("Mul", shares, graph.to_float(graph.add("Less", larger, self._floats(float(count)))))
        return graph.add("Div", kept, graph.add("ReduceSum", kept, self._ints(1)))

    def _head_size(self) -> int:
        if self.spec.policy == "lc0":
            return len(self.net.human.places)
        return self.net.shape.moves

    def _points(self) -> int:
        return self.net.shape.board[0] * self.net.shape.board[1]

    # The modules of the network, in their order.
    def _trunk(self, trunk: Trunk, planes: str, scalars: str, film: list[str]) -> str:
        x = self._conv(planes, trunk.entry)
        if trunk.scalars is not None:
            x = self._sum(x, self._reshape(self._linear(scalars, trunk.scalars), 0, trunk.scalars.out_features, 1, 1))
        return self._blocks(x, trunk.blocks, film)

    def _joint(self, joint: Joint, x: str, film: list[str]) -> str:
        return self._blocks(self._conv(x, joint.entry), joint.blocks, film)

    def _blocks(self, x: str, blocks: nn.ModuleList, film: list[str]) -> str:
        """From the first convolution's output on."""
        if film[0]:
            scale = self.graph.add("Add", film[0], self._floats(1.0))
            x = self.graph.add("Add", self.graph.add("Mul", x, scale), film[1])
        x = self._relu(self._cut(x))
        for at, block in enumerate(blocks, start=1):
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
        if head.kind == "flat":
            flat = self._reshape(y, 0, head.raise_.conv.out_channels * self._points(), 1, 1)
            return self._reshape(self._plain(flat, head.moves), 0, head.groups, self._head_size())
        if head.kind != "points":
            size = head.moves.out_channels // head.groups * self._points()
            flat = self._reshape(self._plain(y, head.moves), 0, head.groups, size)
            return graph.add("Gather", flat, self._ints(*head.places.tolist()), axis=2) if head.kind == "lc0" else flat
        pooled = self._pool(y, head.groups, head.raise_.conv.out_channels)
        y = self._cut(self._relu(self._sum(y, self._plain(pooled, head.pooled))))
        points = self._reshape(self._plain(y, head.moves), 0, head.groups, -1)
        passing = self._reshape(self._plain(pooled, head.passing), 0, head.groups, 1)
        return graph.add("Concat", points, passing, axis=2)

    def _value(self, head: ValueHead, x: str) -> str:
        y = self._relu(self._conv(x, head.raise_))
        channels = head.raise_.conv.out_channels
        if head.kind == "flat":
            flat = self._reshape(y, 0, channels * self._points(), 1, 1)
        else:
            flat = self._pool(y, head.groups, channels)
        hidden = self._relu(self._plain(flat, head.hidden))
        return self._reshape(self._plain(hidden, head.result), 0, head.groups, 3)

    def _mix(self, logits: str, groups: int, shares: str, output: str = "") -> str:
        if groups == 1:
            return self.graph.add("Squeeze", logits, self._ints(1), output=output)
        row = self.graph.add("Unsqueeze", shares, self._ints(1))
        return self.graph.add("Squeeze", self.graph.add("MatMul", row, logits), self._ints(1), output=output)
