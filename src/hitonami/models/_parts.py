"""The nodes and constants of an ONNX file as plain data, for what rewrites a graph before it is run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.models._wire import Message, write_bytes, write_number

NODES, CONSTANTS, INPUTS, OUTPUTS, SHAPES = 1, 5, 11, 12, 13
"""Fields of a graph. Shapes noted within it no longer hold once it is rewritten."""
_GRAPH, _OPSETS, _FUNCTIONS = 7, 8, 25
_INNER_GRAPHS: Final = (6, 11)
_KINDS: Final = {1: "<f4", 2: "u1", 3: "i1", 6: "<i4", 7: "<i8", 10: "<f2", 11: "<f8"}
_FLOATS, _INTS, _RAW = 4, 7, 9


@dataclass(frozen=True)
class Node:
    """One operation. Attributes are whole numbers or lists of them; `is_plain` is false where it has others too."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, int | tuple[int, ...]]
    is_plain: bool
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Parts:
    """A model's graph, and the file around it."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, NDArray[Any]]
    opset: int
    _graph: Message
    _model: Message

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(each.text(1) for each in self._graph.messages(OUTPUTS))

    def write(self, nodes: bytes, outputs: Iterable[str] | None = None) -> bytes:
        """The model with other nodes (and constants among them), and of its outputs those that are named."""
        kept = None if outputs is None else set(outputs)
        rest = [
            (number, value)
            for number, value in self._graph.pairs()
            if number not in (NODES, SHAPES)
            and (number != OUTPUTS or kept is None or Message(_data(value)).text(1) in kept)
        ]
        around = write_pairs((number, value) for number, value in self._model.pairs() if number != _GRAPH)
        return around + write_bytes(_GRAPH, nodes + write_pairs(rest))


def read_parts(onnx: bytes) -> Parts | None:
    """None for a file with more than one graph, functions, or graphs inside of nodes."""
    model = Message(onnx)
    graphs = model.messages(_GRAPH)
    if len(graphs) != 1 or _FUNCTIONS in model:
        return None
    nodes = [_read_node(data) for data in graphs[0].all_data(NODES)]
    versions = [each.number(2) for each in model.messages(_OPSETS) if each.text(1) in ("", "ai.onnx")]
    if any(node is None for node in nodes) or not versions:
        return None
    known = {tensor.text(8): array for tensor in graphs[0].messages(CONSTANTS) if (array := _read(tensor)) is not None}
    whole = tuple(node for node in nodes if node is not None)
    return Parts(whole, known | dict(_widened(whole, known)), max(versions), graphs[0], model)


def keep_outputs(onnx: bytes, wanted: Iterable[str]) -> bytes:
    """The model with these outputs alone, and the nodes that they need: ONNX Runtime would compute the others too."""
    parts = read_parts(onnx)
    if parts is None:
        return onnx
    outputs, kept = tuple(wanted), list[Node]()
    needed = set(outputs)
    for node in reversed(parts.nodes):
        if needed.intersection(node.outputs):
            needed.update(node.inputs)
            kept.append(node)
    return parts.write(b"".join(write_bytes(NODES, node.data) for node in reversed(kept)), outputs)


def _widened(nodes: Iterable[Node], known: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    """What files with weights in 8 or 16 bits compute from constants alone: casts, and products with steps."""
    held = dict(known)
    for node in nodes:
        if node.kind in ("Cast", "Mul") and all(name in held for name in node.inputs):
            given = [held[name].astype(np.float32) for name in node.inputs]
            if node.kind == "Cast" and node.attributes.get("to") != 1:
                continue
            held[node.outputs[0]] = given[0] if node.kind == "Cast" else given[0] * given[1]
            yield node.outputs[0], held[node.outputs[0]]


def _read_node(data: memoryview) -> Node | None:
    node = Message(data)
    attributes: dict[str, int | tuple[int, ...]] = {}
    is_plain = True
    for each in node.messages(5):
        if any(inner in each for inner in _INNER_GRAPHS):
            return None
        kind = each.number(20)
        if kind == 2:
            attributes[each.text(1)] = _signed(each.number(3))
        elif kind == 7:
            attributes[each.text(1)] = tuple(_signed(value) for value in _numbers(each, 8))
        else:
            is_plain = False
    names = [tuple(bytes(name).decode() for name in node.all_data(at)) for at in (1, 2)]
    return Node(node.text(4), names[0], names[1], attributes, is_plain, bytes(data))


def _numbers(message: Message, number: int) -> list[int]:
    """A repeated number, written one by one or packed."""
    found: list[int] = []
    for at, value in message.pairs():
        if at == number:
            found += [value] if isinstance(value, int) else _unpack(value)
    return found


def _unpack(data: memoryview) -> list[int]:
    found, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(number)
            number = shift = 0
    return found


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _read(tensor: Message) -> NDArray[Any] | None:
    """The array of a tensor, None for kinds that weights and shapes do not have."""
    kind = _KINDS.get(tensor.number(2))
    if kind is None:
        return None
    shape = _numbers(tensor, 1)
    if _RAW in tensor:
        flat = np.frombuffer(tensor.data(_RAW), dtype=kind)
    elif kind == "<i8":
        flat = np.array([_signed(value) for value in _numbers(tensor, _INTS)], dtype=kind)
    elif kind == "<f4" and all(not isinstance(value, int) for at, value in tensor.pairs() if at == _FLOATS):
        flat = np.frombuffer(b"".join(bytes(each) for each in tensor.all_data(_FLOATS)), dtype=kind)
    else:
        return None
    return flat.reshape(shape) if flat.size == int(np.prod(shape)) else None


def _data(value: int | memoryview) -> memoryview:
    assert not isinstance(value, int), "an output is a message"
    return value


def write_pairs(pairs: Iterable[tuple[int, int | memoryview]]) -> bytes:
    return b"".join(
        write_number(number, value) if isinstance(value, int) else write_bytes(number, bytes(value))
        for number, value in pairs
    )
