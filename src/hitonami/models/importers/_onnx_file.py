"""What an ONNX file without a card says of itself, and its weights where they lie in a second file beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hitonami.errors import BadModel, quote
from hitonami.models._wire import Message, write_bytes, write_number

FLOAT: Final = 1
INT64: Final = 7
_GRAPH, _NODE, _CONSTANT, _INPUT, _OUTPUT = 7, 1, 5, 11, 12
_NODE_TENSORS: Final = (1, 2)
_RAW, _OUTSIDE, _PLACE = 9, 13, 14
_LARGEST_BYTES: Final = 1 << 31


@dataclass(frozen=True)
class Tensor:
    """An input or output. A size of 0 is left open by the file."""

    element: int
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Signature:
    """A network's inputs and outputs by name."""

    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]

    def __str__(self) -> str:
        return f"{_shown(self.inputs)} to {_shown(self.outputs)}"


def _shown(tensors: dict[str, Tensor]) -> str:
    listed = [f"{name[:40]}[{', '.join(str(size or 'N') for size in each.sizes)}]" for name, each in tensors.items()]
    return ", ".join(listed[:4]) + (" …" if len(listed) > 4 else "")


def read_signature(onnx: bytes) -> Signature:
    """Raises BadModel where the file is no protobuf."""
    graph = _graph_of(onnx)
    constants = {tensor.text(8) for tensor in graph.messages(_CONSTANT)}  # old files list these among the inputs
    inputs = dict(_read_value(value) for value in graph.messages(_INPUT))
    return Signature(
        {name: tensor for name, tensor in inputs.items() if name not in constants},
        dict(_read_value(value) for value in graph.messages(_OUTPUT)),
    )


def _read_value(value: Message) -> tuple[str, Tensor]:
    tensor = value.message(2).message(1)
    sizes = tuple(size.number(1) for size in tensor.message(2).messages(1))
    return value.text(1), Tensor(tensor.number(1), sizes)


def _graph_of(onnx: bytes) -> Message:
    return Message(b"".join(Message(onnx).all_data(_GRAPH)))  # a message that stands twice is one


def gather_body(onnx: bytes, folder: Path, renamed: Mapping[str, str]) -> bytes:
    """The graph's nodes and weights alone, those from a second file in the same folder included.

    Tensors are given other names where `renamed` says so: an inner graph must not use names of the outer one.
    """
    graph = _graph_of(onnx)
    nodes = b"".join(write_bytes(_NODE, b"".join(_rename(node, renamed))) for node in graph.messages(_NODE))
    files: dict[str, bytes] = {}
    return nodes + b"".join(write_bytes(_CONSTANT, _inline(each, folder, files)) for each in graph.messages(_CONSTANT))


def _rename(node: Message, renamed: Mapping[str, str]) -> Iterator[bytes]:
    for field, value in node.pairs():
        if isinstance(value, int):
            yield write_number(field, value)
        else:
            text = bytes(value)
            yield write_bytes(
                field, renamed.get(text.decode(errors="replace"), text) if field in _NODE_TENSORS else text
            )


def _inline(tensor: Message, folder: Path, files: dict[str, bytes]) -> bytes:
    """A tensor that holds its own numbers."""
    kept = b"".join(_rewrite(tensor))
    if _OUTSIDE not in tensor:
        return kept
    where = {entry.text(1): entry.text(2) for entry in tensor.messages(_OUTSIDE)}
    name = where.get("location", "")
    try:
        begin, size = int(where.get("offset", "0")), int(where["length"])
    except (KeyError, ValueError):
        raise BadModel(f"the weights {tensor.text(8)!r} are in another file at no known place") from None
    if name not in files:
        files[name] = _read_beside(folder, name)
    data = files[name][begin : begin + size] if begin >= 0 <= size else b""
    if len(data) != size:
        raise BadModel(f"{name} ends before the weights {tensor.text(8)!r}")
    return kept + write_bytes(_RAW, data)


def _rewrite(tensor: Message) -> Iterator[bytes]:
    for field, value in tensor.pairs():
        if field not in (_OUTSIDE, _PLACE):
            yield write_number(field, value) if isinstance(value, int) else write_bytes(field, bytes(value))


def _read_beside(folder: Path, name: str) -> bytes:
    if not name or Path(name).name != name or name in ("..", "."):
        raise BadModel(f"its weights are said to be in {quote(name)}, which is not a file beside it")
    path = folder / name
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise BadModel(f"{name} is larger than {_LARGEST_BYTES >> 30} GiB")
        return path.read_bytes()
    except OSError as wrong:
        raise BadModel(f"its weights are in {name} beside it: {wrong.strerror}") from None
