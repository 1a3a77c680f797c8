"""ONNX files without the onnx library: write small graphs, and look into a file before it is run.

ONNX is protobuf with a public schema, and the graphs of imported networks have a dozen kinds of nodes: writing them
here keeps a compiled dependency out of the package. `check_onnx` refuses what a model must not do to the
machine it runs on: read weights from other files. It does not judge whether the graph makes sense; ONNX Runtime does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.models._wire import Message, write_bytes, write_number, write_numbers

IR_VERSION = 8
OPSET = 17
_FLOAT, _UINT8, _INT8, _INT64, _HALF = 1, 2, 3, 7, 10
_ELEMENTS = {
    np.dtype(np.float32): _FLOAT,
    np.dtype(np.uint8): _UINT8,
    np.dtype(np.int8): _INT8,
    np.dtype(np.int64): _INT64,
    np.dtype(np.float16): _HALF,
}
_INT_ATTRIBUTE, _GRAPH_ATTRIBUTE, _INTS_ATTRIBUTE = 2, 5, 7
_EXTERNAL = 1
_DEEPEST = 16
Dimension = int | str


@dataclass
class Graph:
    """A graph under construction. Each `add` returns the name of the new node's output.

    `prefix` begins the names that are made up here, where the graph extends another one.
    """

    name: str
    prefix: str = ""
    _nodes: list[bytes] = field(default_factory=list)
    _constants: list[bytes] = field(default_factory=list)
    _inputs: list[bytes] = field(default_factory=list)
    _outputs: list[bytes] = field(default_factory=list)

    def input(self, name: str, shape: Sequence[Dimension], dtype: type[np.generic] = np.float32) -> str:
        self._inputs.append(write_bytes(11, _value(name, shape, _ELEMENTS[np.dtype(dtype)])))
        return name

    def output(self, name: str, shape: Sequence[Dimension]) -> None:
        self._outputs.append(write_bytes(12, _value(name, shape)))

    def constant(self, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        return self._store(value)

    def half_constant(self, value: NDArray[np.float32]) -> str:
        """A constant of half the bytes, rounded to 16 bits. ONNX Runtime widens it once, when it loads the graph."""
        return self.add("Cast", self._store(value.astype(np.float16)), to=_FLOAT)

    def byte_constant(self, whole: NDArray[np.int8], steps: NDArray[np.float32]) -> str:
        """A constant of a quarter of the bytes: whole numbers times the step of each row, widened once as well."""
        return self.add("Mul", self.to_float(self._store(whole)), self._store(steps))

    def to_float(self, here: str) -> str:
        return self.add("Cast", here, to=_FLOAT)

    @property
    def next_constant(self) -> str:
        """The name that the next stored array will have; weights are read back by it."""
        return f"{self.prefix}constant_{len(self._constants)}"

    @property
    def last_constant(self) -> str:
        return f"{self.prefix}constant_{len(self._constants) - 1}"

    def _store(self, value: NDArray[Any]) -> str:
        name = self.next_constant
        little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        tensor = write_numbers(1, value.shape) + write_number(2, _ELEMENTS[value.dtype])
        self._constants.append(write_bytes(5, tensor + write_bytes(8, name) + write_bytes(9, little.tobytes())))
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: int | Sequence[int]) -> str:
        name = output or f"{self.prefix}{kind.lower()}_{len(self._nodes)}"
        node = b"".join(write_bytes(1, each) for each in inputs) + write_bytes(2, name) + write_bytes(4, kind)
        node += b"".join(write_bytes(5, _attribute(key, value)) for key, value in attributes.items())
        self._nodes.append(write_bytes(1, node))
        return name

    def copy(self, node: bytes) -> None:
        """A node of another file, as it is written there."""
        self._nodes.append(write_bytes(1, node))

    def to_bytes(self, producer: str) -> bytes:
        graph = write_bytes(7, write_bytes(2, self.name) + self.to_parts())
        return write_number(1, IR_VERSION) + write_bytes(2, producer) + graph + write_bytes(8, write_number(2, OPSET))

    def scan(self, body: bytes, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """Run a graph (as `to_parts` gives it) on the inputs row by row, and stack what it gives."""
        node = b"".join(write_bytes(1, each) for each in inputs) + b"".join(write_bytes(2, each) for each in outputs)
        inner = write_bytes(1, "body") + write_bytes(6, body) + write_number(20, _GRAPH_ATTRIBUTE)
        count = _attribute("num_scan_inputs", len(inputs))
        self._nodes.append(
            write_bytes(1, node + write_bytes(4, "Scan") + write_bytes(5, inner) + write_bytes(5, count))
        )

    def to_parts(self) -> bytes:
        """The graph by itself, without a name. In protobuf two such parts, one after the other, are one graph."""
        return b"".join([*self._nodes, *self._constants, *self._inputs, *self._outputs])

    def extend(self, onnx: bytes) -> bytes:
        """Another model's file with this graph's nodes and outputs after its own, and nothing else changed."""
        return onnx + write_bytes(7, self.to_parts())


def _value(name: str, shape: Sequence[Dimension], element: int = _FLOAT) -> bytes:
    sizes = [write_number(1, each) if isinstance(each, int) else write_bytes(2, each) for each in shape]
    tensor = write_number(1, element) + write_bytes(2, b"".join(write_bytes(1, size) for size in sizes))
    return write_bytes(1, name) + write_bytes(2, write_bytes(1, tensor))


def _attribute(name: str, value: int | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return write_bytes(1, name) + write_number(3, value) + write_number(20, _INT_ATTRIBUTE)
    return write_bytes(1, name) + write_numbers(8, value) + write_number(20, _INTS_ATTRIBUTE)


def check_onnx(data: bytes) -> None:
    """Refuse what is no ONNX model, and a model that keeps weights in other files. Raises BadModel."""
    try:
        model = Message(data)
        if not model.number(1) or not len(model.data(7)) or 8 not in model:
            raise BadModel("it has no graph, or no version")
        graphs, functions = model.messages(7), model.messages(25)
    except BadModel as wrong:
        raise BadModel(f"not an ONNX model: {wrong}") from None
    for graph in graphs:  # a field that stands twice is merged by ONNX Runtime, so each is looked into
        _refuse_external(graph, 0)
    for function in functions:
        for node in function.messages(7):
            _refuse_in_node(node, 0)


def _refuse_external(graph: Message, depth: int) -> None:
    if depth > _DEEPEST:
        raise BadModel("graphs are nested too deeply")
    tensors = graph.messages(5)
    for sparse in graph.messages(15):
        tensors += [*sparse.messages(1), *sparse.messages(2)]
    for tensor in tensors:
        _refuse_tensor(tensor)
    for node in graph.messages(1):
        _refuse_in_node(node, depth)


def _refuse_in_node(node: Message, depth: int) -> None:
    for attribute in node.messages(5):
        for tensor in [*attribute.messages(5), *attribute.messages(10)]:
            _refuse_tensor(tensor)
        for sparse in [*attribute.messages(22), *attribute.messages(23)]:
            for tensor in [*sparse.messages(1), *sparse.messages(2)]:
                _refuse_tensor(tensor)
        for inner in [*attribute.messages(6), *attribute.messages(11)]:
            _refuse_external(inner, depth + 1)


def _refuse_tensor(tensor: Message) -> None:
    if tensor.number(14) == _EXTERNAL or 13 in tensor:
        raise BadModel(f"the weights {tensor.text(8)!r} are in another file; a model must be one file")
