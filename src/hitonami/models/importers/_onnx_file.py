"""What an ONNX file without a card says of itself: the names, types and sizes of its inputs and outputs."""

from dataclasses import dataclass
from typing import Final

from hitonami.models._wire import Message

FLOAT: Final = 1
INT64: Final = 7
_GRAPH, _CONSTANT, _INPUT, _OUTPUT = 7, 5, 11, 12


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
    graph = Message(b"".join(Message(onnx).all_data(_GRAPH)))  # a message that stands twice is one
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
