"""Large passes with a third of the multiplications: convolutions over tiles of a board (Winograd's F(4×4, 3×3)).

Four by four points of a 3×3 convolution need 36 products a pair of channels instead of 144, once the board is seen as
overlapping tiles of six by six and these are put through a small matrix. `tile` rewrites a graph so that boards
lie as [rows, columns, positions, channels]: there both matrices, the products and 1×1 convolutions are products of
matrices that ONNX Runtime is quick at, and nothing has to be moved between layers. It pays on small boards and many
positions; a pass of few is quicker as it was. Answers differ by float rounding (about 1e-5). Graphs that this is not
meant for (convolutions in groups, old operators, inner graphs) are left alone.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.models._parts import Node, Parts, read_parts
from hitonami.models.onnx_graph import Graph

TILE: Final = 4
_WIDE: Final = TILE + 2
_OLDEST: Final = 15
"""The first version of operators whose Shape takes a range, and the last before axes became inputs is 17."""
_LATEST: Final = 17
_TURN: Final = (2, 3, 0, 1)
"""From [positions, channels, rows, columns] to ours, and back."""
_SEEN: Final = np.array(
    [
        [4, 0, -5, 0, 1, 0],
        [0, -4, -4, 1, 1, 0],
        [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0],
        [0, 2, -1, -2, 1, 0],
        [0, 4, 0, -5, 0, 1],
    ],
    dtype=np.float64,
)
_WEIGHTS: Final = np.array(
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)
_BACK: Final = np.array(
    [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]], dtype=np.float64
)
_ALONE: Final = frozenset(("Relu", "Sigmoid", "Tanh", "Softplus", "Neg", "Identity"))
_TOGETHER: Final = frozenset(("Add", "Sub", "Mul", "Div"))
_POOLS: Final = {"GlobalAveragePool": "ReduceMean", "GlobalMaxPool": "ReduceMax"}


def tile(onnx: bytes, rows: int, columns: int) -> bytes | None:
    """The model for boards of this size, or None where nothing is gained."""
    parts = read_parts(onnx)
    if parts is None or not _OLDEST <= parts.opset <= _LATEST or min(rows, columns) < TILE:
        return None
    convolutions = [node for node in parts.nodes if node.kind == "Conv"]
    if not any(_is_square(parts, node, 3) for node in convolutions):
        return None
    if any(node.attributes.get("group", 1) != 1 for node in convolutions):
        return None
    try:
        return _Tiling(parts, rows, columns).write()
    except _Unfit:
        return None


class _Unfit(Exception):
    """The graph has something that cannot be laid otherwise."""


def _is_square(parts: Parts, node: Node, size: int) -> bool:
    """Whether it is a convolution of that size with constant weights that leaves a board as large as it was."""
    weight = parts.constants.get(node.inputs[1])
    return (
        node.is_plain
        and weight is not None
        and weight.shape[2:] == (size, size)
        and node.attributes.get("pads", (0,) * 4) == (size // 2,) * 4
        and node.attributes.get("strides", (1, 1)) == (1, 1)
        and node.attributes.get("dilations", (1, 1)) == (1, 1)
        and all(name in parts.constants for name in node.inputs[2:])
    )


def _towards(points: int) -> NDArray[np.float32]:
    """[tiles · 6, points] what tiles see of a line of points; beyond its ends is nothing."""
    count = -(-points // TILE)
    matrix = np.zeros((count, _WIDE, TILE * count + 2))
    for at in range(count):
        matrix[at, :, TILE * at : TILE * at + _WIDE] = _SEEN
    return matrix.reshape(count * _WIDE, -1)[:, 1 : 1 + points].astype(np.float32)


def _away(points: int) -> NDArray[np.float32]:
    """[points, tiles · 6] the way back."""
    count = -(-points // TILE)
    matrix = np.zeros((count, TILE, count, _WIDE))
    matrix[range(count), :, range(count)] = _BACK
    return matrix.reshape(count * TILE, -1)[:points].astype(np.float32)


class _Tiling:
    """Walks the nodes in their order. `_tiled` says what a tensor is called where it lies in our order."""

    def __init__(self, parts: Parts, rows: int, columns: int) -> None:
        self._parts, self._graph = parts, Graph("", "tiled_")
        self._sizes = rows, columns
        self._tiled: dict[str, str] = {}
        self._counts: dict[str, str] = {}
        """The number of positions of each tensor of ours, as a tensor of one number."""
        self._plain: set[str] = set()
        """Tensors that lie as they did: all others are tiled alone until somebody asks for them."""
        self._shapes: dict[tuple[str, tuple[int, ...]], str] = {}
        self._to = [self._graph.constant(_towards(size)) for size in self._sizes]
        self._from = [self._graph.constant(_away(size)) for size in self._sizes]

    def write(self) -> bytes:
        for node in self._parts.nodes:
            made = self._make(node)
            if made is None:
                for name in node.inputs:
                    self._as_it_was(name)
                self._graph.copy(node.data)
                self._plain.update(node.outputs)
            else:
                self._tiled[node.outputs[0]] = made
        for name in self._parts.outputs:
            self._as_it_was(name)
        return self._parts.write(self._graph.to_parts())

    def _make(self, node: Node) -> str | None:
        """The node's result in our order, None for a node that is kept as it is."""
        known = [name for name in node.inputs if name in self._tiled]
        if node.kind == "Conv":
            if _is_square(self._parts, node, 3):
                return self._convolve(node)
            return self._mix_channels(node) if known and _is_square(self._parts, node, 1) else None
        if not known:
            return None
        if node.kind in _ALONE:
            return self._add(self._counts[self._tiled[known[0]]], node.kind, self._tiled[known[0]])
        if node.kind in _POOLS:
            return self._add(
                self._counts[self._tiled[known[0]]], _POOLS[node.kind], self._tiled[known[0]], axes=(0, 1), keepdims=1
            )
        if node.kind in _TOGETHER:
            given = [self._ours(name) for name in node.inputs]
            return self._add(self._counts[self._tiled[known[0]]], node.kind, *given)
        return None

    def _add(self, count: str, kind: str, *inputs: str, **attributes: Any) -> str:
        made = self._graph.add(kind, *inputs, **attributes)
        self._counts[made] = count
        return made

    def _ours(self, name: str) -> str:
        """A tensor in our order. Constants are turned here, others in the graph."""
        if (array := self._parts.constants.get(name)) is not None:
            return self._graph.constant(_turned(array))
        if name not in self._tiled:
            count = self._graph.add("Shape", name, start=0, end=1)
            self._tiled[name] = self._add(count, "Transpose", name, perm=_TURN)
            self._plain.add(name)
        return self._tiled[name]

    def _as_it_was(self, name: str) -> None:
        if name in self._tiled and name not in self._plain:
            self._graph.add("Transpose", self._tiled[name], output=name, perm=_TURN)
            self._plain.add(name)

    def _shaped(self, here: str, count: str, *sizes: int) -> str:
        """Reshape to sizes of which the negative one is that many times the positions: -1 would fail where none are."""
        shape = self._shapes.get((count, sizes))
        if shape is None:
            at = next(place for place, size in enumerate(sizes) if size < 0)
            times = self._graph.add("Mul", count, self._ints(-sizes[at]))
            around = [self._ints(*part) if part else "" for part in (sizes[:at], sizes[at + 1 :])]
            shape = self._graph.add("Concat", *(each for each in (around[0], times, around[1]) if each), axis=0)
            self._shapes[count, sizes] = shape
        return self._graph.add("Reshape", here, shape, allowzero=1)

    def _ints(self, *values: int) -> str:
        return self._graph.constant(np.array(values, dtype=np.int64))

    def _biased(self, here: str, node: Node, count: str) -> str:
        if len(node.inputs) < 3:
            return here
        return self._add(count, "Add", here, self._graph.constant(self._parts.constants[node.inputs[2]]))

    def _mix_channels(self, node: Node) -> str:
        here, weight = self._ours(node.inputs[0]), self._parts.constants[node.inputs[1]]
        count = self._counts[here]
        made = self._add(count, "MatMul", here, self._graph.constant(np.ascontiguousarray(weight[:, :, 0, 0].T)))
        return self._biased(made, node, count)

    def _convolve(self, node: Node) -> str:
        here, weight = self._ours(node.inputs[0]), self._parts.constants[node.inputs[1]].astype(np.float64)
        count, (rows, columns), (made, given) = self._counts[here], self._sizes, weight.shape[:2]
        high, wide = (-(-size // TILE) for size in self._sizes)
        seen = np.kron(_WEIGHTS, _WEIGHTS) @ weight.transpose(2, 3, 1, 0).reshape(9, -1)
        weights = seen.astype(np.float32).reshape(_WIDE, _WIDE, given, made)
        x = self._graph.add("MatMul", self._to[0], self._shaped(here, count, rows, -columns * given))
        x = self._graph.add("MatMul", self._to[1], self._shaped(x, count, high * _WIDE, columns, -given))
        x = self._shaped(x, count, high, _WIDE, wide, _WIDE, -1, given)
        x = self._graph.add("MatMul", x, self._graph.constant(weights[None, :, None]))
        x = self._graph.add("MatMul", self._from[0], self._shaped(x, count, high * _WIDE, -wide * _WIDE * made))
        x = self._graph.add("MatMul", self._from[1], self._shaped(x, count, rows, wide * _WIDE, -made))
        x = self._shaped(x, count, rows, columns, -1, made)
        self._counts[x] = count
        return self._biased(x, node, count)


def _turned(array: NDArray[Any]) -> NDArray[np.float32]:
    """A constant that meets a board: [1, channels, 1, 1] and the like; numbers stay numbers."""
    if array.ndim == 4:
        return np.ascontiguousarray(array.transpose(_TURN), dtype=np.float32)
    if array.ndim == 3:
        return np.ascontiguousarray(array[None].transpose(_TURN), dtype=np.float32)
    if array.size != 1:
        raise _Unfit
    return array.astype(np.float32)
