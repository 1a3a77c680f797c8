"""Large batches of a convolutional network: the same graph with its 3×3 convolutions by tiles, faster than a runtime.

A board network is nearly all 3×3 convolutions, and ONNX Runtime does every multiplication of them. By tiles
(`_winograd`) there are a quarter as many, and a batch is answered more than twice as fast. The graph is read from the
model's own file and walked in numpy for a few boards at a time, so that what is between two nodes stays in the cache of
the processor. A graph that is not understood is refused when it is opened; few boards at a time are better left to ONNX
Runtime, which needs no machine code to be loaded first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, Final

import numpy as np

from hitonami.models._blas import one_blas_thread
from hitonami.models._operators import OPERATORS, Array, NotServed, element_type
from hitonami.models._shared_trunk import PLAYER_INPUTS, WHICH_BOARD
from hitonami.models._winograd import STEP, Tiled, tile_weights
from hitonami.models._wire import Message

Arrays = Mapping[str, Array]
_NODES, _CONSTANTS = 1, 5
_TILES_AT_ONCE: Final = 128
"""Tiles of one walk: rows enough for BLAS, few enough for the processor's cache."""
_LEAST_SHARE: Final = 0.8
"""Of 3×3 convolutions among all: a network of small ones is as fast, or faster, in ONNX Runtime."""
_MOST_BEYOND: Final = 1.25
_PACKED: Final = {1: (4, "<f4"), 7: (7, "<i8")}
"""Where a tensor keeps its numbers when not as raw bytes, by type."""


@dataclass(frozen=True, slots=True)
class Node:
    """One step: what it reads, what it makes, and which tensors nobody needs after it."""

    work: Callable[..., Array]
    inputs: tuple[str, ...]
    output: str
    spent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TiledConvolution:
    """A convolution on axes as ONNX has them."""

    tiled: Tiled
    floor: float

    def __call__(self, x: Array) -> Array:
        return self.tiled(x.transpose(0, 2, 3, 1), self.floor).transpose(0, 3, 1, 2)


class TiledNetwork:
    """The network of an ONNX file. Raises NotServed for a graph that is not understood."""

    def __init__(self, onnx: bytes, outputs: Sequence[str], threads: int) -> None:
        kinds, self._held = _read(onnx)
        self._outputs: Final = tuple(outputs)
        self._nodes: Final = _plan(kinds, self._held, self._outputs)
        if _share_of_tiles(kinds, self._held) < _LEAST_SHARE:
            raise NotServed("little of it is convolutions of 3×3")
        self._threads: Final = threads
        self._pool: Final = ThreadPoolExecutor(threads, "boards") if threads > 1 else None

    def suits(self, inputs: Arrays) -> bool:
        """Whether boards of this size are nearly whole tiles: what is beyond the edge is work for nothing."""
        high, broad = _board_size(inputs)
        tiles = ceil(high / STEP) * ceil(broad / STEP)
        return STEP * STEP * tiles <= _MOST_BEYOND * high * broad

    def run(self, inputs: Arrays) -> list[Array]:
        """The outputs for all rows, in order."""
        parts = list(_parts(inputs, self._threads))
        with one_blas_thread():
            made = [*(self._pool.map if self._pool else map)(self._walk, parts)]
        return [np.concatenate(rows) for rows in zip(*made, strict=True)]

    def _walk(self, inputs: Arrays) -> list[Array]:
        held = {**self._held, **inputs}
        for node in self._nodes:
            held[node.output] = node.work(*[held[name] for name in node.inputs])
            for name in node.spent:
                del held[name]
        return [np.ascontiguousarray(held[name], dtype=np.float32) for name in self._outputs]


def open_tiled(onnx: bytes, outputs: Sequence[str], threads: int) -> TiledNetwork | None:
    """The network, or None where its graph is not understood, or is not made of 3×3 convolutions."""
    try:
        return TiledNetwork(onnx, outputs, threads)
    except NotServed:
        return None


def convolve_by_tiles(boards: Array, weights: Array, bias: Array) -> Array:
    """One convolution of boards [B, rows, columns, C in] with weights [C out, C in, 3, 3]."""
    return tile_weights(weights, bias, 1)(boards, -inf)


def _parts(inputs: Arrays, threads: int) -> Iterator[Arrays]:
    """The rows in portions, one for each thread at least where there are enough.

    Where players share boards, each portion has the boards that its players look at.
    """
    which = inputs.get(WHICH_BOARD)
    boards = {name: array for name, array in inputs.items() if name not in PLAYER_INPUTS and name != WHICH_BOARD}
    players = {name: array for name, array in inputs.items() if name in PLAYER_INPUTS}
    high, broad = _board_size(boards)
    count = len(next(iter(boards.values()))) if which is None else len(which)
    step = min(max(_TILES_AT_ONCE // (ceil(high / STEP) * ceil(broad / STEP)), 1), ceil(count / threads))
    for begin in range(0, count, step):
        end = min(begin + step, count)
        rows = {name: array[begin:end] for name, array in players.items()}
        if which is None:
            yield rows | {name: array[begin:end] for name, array in boards.items()}
        else:
            first, last = int(which[begin]), int(which[end - 1]) + 1
            seen = {name: array[first:last] for name, array in boards.items()}
            yield rows | seen | {WHICH_BOARD: which[begin:end] - first}


def _board_size(inputs: Arrays) -> tuple[int, int]:
    sizes = [(array.shape[2], array.shape[3]) for array in inputs.values() if array.ndim == 4]
    return max(sizes, default=(1, 1))


def _share_of_tiles(kinds: Sequence["_Read"], held: Arrays) -> float:
    """How much of the convolutions' weights is done by tiles. Those of outputs that nobody wants are not held."""
    weights = [held[node.inputs[1]] for node in kinds if node.kind == "Conv" and node.inputs[1] in held]
    return sum(each.size for each in weights if each.shape[2:] == (3, 3)) / max(sum(each.size for each in weights), 1)


@dataclass(frozen=True, slots=True)
class _Read:
    """A node as the file has it."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    wish: Mapping[str, Any]


def _read(onnx: bytes) -> tuple[list[_Read], dict[str, Array]]:
    model = Message(onnx)
    if 25 in model:
        raise NotServed("functions")
    graphs = model.messages(7)
    held = {each.text(8): _tensor(each) for graph in graphs for each in graph.messages(_CONSTANTS)}
    kinds = []
    for node in (each for graph in graphs for each in graph.messages(_NODES)):
        names = [tuple(bytes(data).decode() for data in node.all_data(field)) for field in (1, 2)]
        wish = {each.text(1): _attribute(each) for each in node.messages(5)}
        kinds.append(_Read(node.text(4), names[0], names[1], wish))
    return kinds, held


def _tensor(message: Message) -> Array:
    shape, number = message.numbers(1), message.number(2)
    kind = np.dtype(element_type(number))
    if 9 in message:
        return np.frombuffer(message.data(9), dtype=kind.newbyteorder("<")).astype(kind).reshape(shape)
    field, packed = _PACKED.get(number, (0, ""))
    if not field or len(message.all_data(field)) != 1:
        raise NotServed("numbers that are not kept as bytes")
    if number == 7:
        return np.array(message.numbers(field), dtype=kind).reshape(shape)
    return np.frombuffer(message.data(field), dtype=packed).astype(kind).reshape(shape)


def _attribute(message: Message) -> Any:
    match message.number(20):
        case 1:
            return message.real(2)
        case 2:
            return message.number(3) if message.number(3) < 2**63 else message.number(3) - 2**64
        case 3:
            return message.text(4)
        case 7:
            return tuple(message.numbers(8))
        case other:
            raise NotServed(f"an attribute of type {other}")


def _plan(kinds: Sequence[_Read], held: dict[str, Array], outputs: Sequence[str]) -> tuple[Node, ...]:
    """Steps in order: constants worked out, a Relu that follows its convolution done by it. `held` gets constants."""
    wanted = set(outputs)
    needed: list[_Read] = []
    for node in reversed(kinds):
        if wanted.intersection(node.outputs):
            wanted.update(node.inputs)
            needed.insert(0, node)
    reads: dict[str, list[_Read]] = {}
    for node in needed:
        for name in node.inputs:
            reads.setdefault(name, []).append(node)
    steps: list[tuple[Callable[..., Array], tuple[str, ...], str]] = []
    fused: set[str] = set()
    for node in needed:
        if len(node.outputs) != 1 or not all(node.inputs):
            raise NotServed(f"{node.kind} with {len(node.outputs)} outputs")
        [made] = node.outputs
        if made in fused:
            continue
        if node.kind == "Conv":
            after = reads.get(made, [])
            alone = len(after) == 1 and after[0].kind == "Relu" and made not in outputs
            work = _convolution(node, held, 0.0 if alone else -inf)
            made = after[0].outputs[0] if alone else made
            fused.add(made)
            steps.append((work, node.inputs[:1], made))
        elif all(name in held for name in node.inputs):
            held[made] = _operator(node)(*[held[name] for name in node.inputs])
        else:
            steps.append((_operator(node), node.inputs, made))
    return _count_last_reads(steps, held, outputs)


def _count_last_reads(
    steps: Sequence[tuple[Callable[..., Array], tuple[str, ...], str]], held: Arrays, outputs: Sequence[str]
) -> tuple[Node, ...]:
    """With each step, the tensors that it reads last."""
    seen = {*held, *outputs}
    nodes: list[Node] = []
    for work, inputs, made in reversed(steps):
        spent = tuple(name for name in dict.fromkeys(inputs) if name not in seen)
        seen.update(spent)
        nodes.insert(0, Node(work, inputs, made, spent))
    return tuple(nodes)


def _operator(node: _Read) -> Callable[..., Array]:
    work = OPERATORS.get(node.kind)
    if work is None:
        raise NotServed(node.kind)
    wish = dict(node.wish)
    return (lambda *inputs: work(*inputs, **wish)) if wish else work


def _convolution(node: _Read, held: Arrays, floor: float) -> Callable[[Array], Array]:
    weights = held.get(node.inputs[1])
    groups, pads = node.wish.get("group", 1), tuple(node.wish.get("pads", (0, 0, 0, 0)))
    plain = all(step == 1 for name in ("strides", "dilations") for step in node.wish.get(name, (1,)))
    if weights is None or weights.ndim != 4 or not plain or "auto_pad" in node.wish:
        raise NotServed("a convolution of another kind")
    bias = held[node.inputs[2]] if len(node.inputs) > 2 else np.zeros(len(weights), dtype=np.float32)
    if weights.shape[2:] == (3, 3) and pads == (1, 1, 1, 1):
        return TiledConvolution(tile_weights(weights, bias, groups), floor)
    parts = weights.reshape(groups, -1, *weights.shape[1:])
    taps = np.ascontiguousarray(parts.transpose(3, 4, 0, 2, 1), dtype=np.float32)
    return lambda x: _convolve(x.transpose(0, 2, 3, 1), taps, pads, bias, floor).transpose(0, 3, 1, 2)


def _convolve(x: Array, taps: Array, pads: Sequence[int], bias: Array, floor: float) -> Array:
    """Any size, a product for each place of the kernel. `taps` [rows, columns, groups, C in, C out]."""
    high, broad, groups, wide, out = taps.shape
    top, left, bottom, right = pads
    if any(pads):
        x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)))
    count, rows, columns = len(x), x.shape[1] - high + 1, x.shape[2] - broad + 1
    made = np.empty((count * rows * columns, groups, out), dtype=np.float32)
    made[:] = bias.reshape(groups, out)
    for row in range(high):
        for column in range(broad):
            seen = x[:, row : row + rows, column : column + columns].reshape(-1, groups, wide)
            for group, weights in enumerate(taps[row, column]):
                made[:, group] += seen[:, group] @ weights
    np.maximum(made, np.float32(floor), out=made)
    return made.reshape(count, rows, columns, groups * out)
