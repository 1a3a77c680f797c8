"""A network grown onto one that exists, in torch, for training only.

The base is an ONNX graph, run node by node: any imported network will do, whatever its blocks look like. Up to the
stem it stays as it is. After the stem there are two copies: one that learns to be human, told at named places who is
playing (FiLM), and one left alone, the expert. Before any training both say what the base says.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.core import Query, open_game
from hitonami.errors import BadModel, BadSpec, alternatives, quote
from hitonami.models.conditioning import Condition
from hitonami.models.layers import Board, pool
from hitonami.models.spec import GraftSpec, shape_of
from hitonami.models.tiled_convolution import convolve

Attributes = Mapping[str, Any]
_PLANES: Final = "planes"
_BORING: Final[dict[str, dict[str, Any]]] = {
    "Gemm": {"alpha": 1.0, "beta": 1.0, "transA": 0},
    "Conv": {"auto_pad": b"NOTSET"},
}
"""Attributes that say what is so anyway."""


@dataclass(frozen=True)
class Node:
    kind: str
    inputs: tuple[str, ...]
    output: str
    attributes: Attributes


@dataclass(frozen=True)
class BaseGraph:
    """An ONNX graph with all that is constant worked out."""

    nodes: tuple[Node, ...]
    constants: Mapping[str, NDArray[Any]]
    inputs: tuple[str, ...]

    def leading_to(self, wanted: Iterable[str], given: Iterable[str] = ()) -> tuple[Node, ...]:
        """The nodes that make some tensors, in their order, where others are given."""
        needed, known = set(wanted), {*given}
        found = []
        for node in reversed(self.nodes):
            if node.output in needed and node.output not in known:
                found.append(node)
                needed.update(node.inputs)
        return tuple(reversed(found))


def read_graph(data: bytes) -> BaseGraph:
    """Raises BadModel for a graph with operations that are not known here."""
    graph = onnx.load_from_string(data).graph
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    nodes = []
    for proto in graph.node:
        held = {each.name: onnx.helper.get_attribute_value(each) for each in proto.attribute}
        boring = _BORING.get(proto.op_type, {})
        plain = {key: value for key, value in held.items() if boring.get(key) != value}
        node = Node(proto.op_type, tuple(proto.input), proto.output[0], plain)
        if node.kind == "Constant":
            constants[node.output] = numpy_helper.to_array(held["value"])
        elif node.kind not in _OPERATIONS or len(proto.output) > 1:
            raise BadModel(f"nothing can be grown onto a network with the operation {node.kind}")
        elif all(name in constants for name in node.inputs):
            made = _OPERATIONS[node.kind]([torch.from_numpy(np.array(constants[n])) for n in node.inputs], plain)
            constants[node.output] = made.numpy()
        else:
            nodes.append(node)
    inputs = tuple(each.name for each in graph.input if each.name not in constants)
    return BaseGraph(tuple(nodes), constants, inputs)


def _convolve(x: Sequence[Tensor], a: Attributes) -> Tensor:
    pads = list(a.get("pads", (0, 0, 0, 0)))
    if pads[:2] != pads[2:]:
        raise BadModel("a convolution whose padding differs from side to side")
    bias = x[2] if len(x) > 2 else None
    strides, dilations = tuple(a.get("strides", (1, 1))), tuple(a.get("dilations", (1, 1)))
    if strides == dilations == (1, 1) and pads[0] == pads[1]:
        return convolve(x[0], x[1], bias, pads[0], a.get("group", 1))
    return F.conv2d(x[0], x[1], bias, strides, tuple(pads[:2]), dilations, a.get("group", 1))


def _reduce(x: Sequence[Tensor], a: Attributes, how: Callable[..., Tensor]) -> Tensor:
    axes = tuple(a["axes"]) if "axes" in a else tuple(x[1].tolist()) if len(x) > 1 else tuple(range(x[0].ndim))
    return how(x[0], axes, keepdim=bool(a.get("keepdims", 1)))


def _squeeze(x: Sequence[Tensor], a: Attributes) -> Tensor:
    return x[0].squeeze(tuple(x[1].tolist()))


def _unsqueeze(x: Sequence[Tensor], a: Attributes) -> Tensor:
    here = x[0]
    for axis in sorted(x[1].tolist()):
        here = here.unsqueeze(axis)
    return here


def _reshape(x: Sequence[Tensor], a: Attributes) -> Tensor:
    return x[0].reshape([x[0].shape[at] if size == 0 else size for at, size in enumerate(x[1].tolist())])


def _gemm(x: Sequence[Tensor], a: Attributes) -> Tensor:
    made = x[0] @ (x[1].T if a.get("transB") else x[1])
    return made + x[2] if len(x) > 2 else made


def _slice(x: Sequence[Tensor], a: Attributes) -> Tensor:
    here = x[0]
    axes = x[3].tolist() if len(x) > 3 else range(len(x[1]))
    for begin, end, axis in zip(x[1].tolist(), x[2].tolist(), axes, strict=True):
        span: list[slice] = [slice(None)] * here.ndim
        span[axis] = slice(begin, end)
        here = here[tuple(span)]
    return here


_TYPES = {1: torch.float32, 6: torch.int32, 7: torch.int64, 10: torch.float16}
_OPERATIONS: Final[dict[str, Callable[[Sequence[Tensor], Attributes], Tensor]]] = {
    "Add": lambda x, a: x[0] + x[1],
    "AveragePool": lambda x, a: F.avg_pool2d(x[0], tuple(a["kernel_shape"])),
    "Cast": lambda x, a: x[0].to(_TYPES[a["to"]]),
    "Concat": lambda x, a: torch.cat(list(x), dim=a["axis"]),
    "Conv": _convolve,
    "Div": lambda x, a: x[0] / x[1],
    "Flatten": lambda x, a: x[0].flatten(a.get("axis", 1)),
    "Gather": lambda x, a: x[0].index_select(a.get("axis", 0), x[1].reshape(-1)),
    "Gemm": _gemm,
    "GlobalAveragePool": lambda x, a: x[0].mean((2, 3), keepdim=True),
    "GlobalMaxPool": lambda x, a: x[0].amax((2, 3), keepdim=True),
    "Identity": lambda x, a: x[0],
    "MatMul": lambda x, a: x[0] @ x[1],
    "MaxPool": lambda x, a: F.max_pool2d(x[0], tuple(a["kernel_shape"])),
    "Mul": lambda x, a: x[0] * x[1],
    "Neg": lambda x, a: -x[0],
    "ReduceMax": lambda x, a: _reduce(x, a, torch.amax),
    "ReduceMean": lambda x, a: _reduce(x, a, torch.mean),
    "ReduceSum": lambda x, a: _reduce(x, a, torch.sum),
    "Relu": lambda x, a: F.relu(x[0]),
    "Reshape": _reshape,
    "Sigmoid": lambda x, a: torch.sigmoid(x[0]),
    "Slice": _slice,
    "Softmax": lambda x, a: torch.softmax(x[0], dim=a.get("axis", -1)),
    "Sqrt": lambda x, a: torch.sqrt(x[0]),
    "Squeeze": _squeeze,
    "Sub": lambda x, a: x[0] - x[1],
    "Tanh": lambda x, a: torch.tanh(x[0]),
    "Unsqueeze": _unsqueeze,
}


def plain_name(name: str) -> str:
    """A tensor's name as torch can take it for a parameter."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")


class Weights(nn.Module):
    """The constants that some nodes use, by their names in the graph: to be learned, or kept."""

    def __init__(self, nodes: Sequence[Node], constants: Mapping[str, NDArray[Any]], *, learned: bool) -> None:
        super().__init__()
        self._plain: dict[str, str] = {}
        for name in dict.fromkeys(name for node in nodes for name in node.inputs if name in constants):
            tensor = torch.from_numpy(np.array(constants[name]))
            self._plain[name] = plain_name(name)
            if learned and tensor.is_floating_point() and tensor.numel() > 1:
                self.register_parameter(self._plain[name], nn.Parameter(tensor))
            else:
                self.register_buffer(self._plain[name], tensor, persistent=False)

    def __contains__(self, name: object) -> bool:
        return name in self._plain

    def __getitem__(self, name: str) -> Tensor:
        tensor: Tensor = getattr(self, self._plain[name])
        return tensor


def _working_type() -> torch.dtype:
    """What numbers between layers are: those of the training's precision, 32 bits elsewhere."""
    return torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else torch.float32


class Graft(nn.Module):
    """Outputs as those of Net. While it is trained the expert is not asked: it does not change."""

    def __init__(self, spec: GraftSpec, base: BaseGraph) -> None:
        super().__init__()
        self.spec, self.shape, self.base = spec, shape_of(spec), base
        made = {node.output for node in base.nodes}
        for name in (spec.moves, spec.features, *(() if spec.stem is None else (spec.stem,))):
            if name not in made:
                raise BadSpec(f"the base has no tensor {quote(name)}; {alternatives(name, sorted(made))}")
        self.stem_nodes = () if spec.stem is None else base.leading_to([spec.stem])
        shared = {node.output for node in self.stem_nodes}
        self.human_nodes = base.leading_to([spec.moves, spec.features], shared)
        self.expert_nodes = base.leading_to([spec.moves], shared) if spec.expert else ()
        self.stem = Weights(self.stem_nodes, base.constants, learned=False)
        self.human = Weights(self.human_nodes, base.constants, learned=True)
        self.expert = Weights(self.expert_nodes, base.constants, learned=False)
        self.film_at = self._find_film(spec.film)
        sizes = self._channels([*self.film_at, spec.features])
        self.condition = Condition(spec, self.shape.player, spec.condition, [sizes[name] for name in self.film_at])
        hidden = 2 * sizes[spec.features] + spec.condition.hidden
        last = nn.Linear(spec.value_hidden, 3)
        nn.init.normal_(last.weight, std=0.01)
        self.value = nn.Sequential(nn.Linear(hidden, spec.value_hidden), nn.ReLU(), last)

    def _find_film(self, patterns: Sequence[str]) -> tuple[str, ...]:
        names = [node.output for node in self.human_nodes]
        for pattern in patterns:
            if not any(fnmatchcase(name, pattern) for name in names):
                raise BadSpec(f"no tensor after the stem is named like {quote(pattern)}")
        return tuple(name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns))

    @torch.no_grad()
    def _channels(self, names: Sequence[str]) -> dict[str, int]:
        """How many channels some tensors have, asked of the graph itself."""
        encoder = self.spec.open_encoder()
        arrays = encoder.encode([Query(open_game(encoder.game).start())])
        values = self._given({name: torch.from_numpy(arrays[name]) for name in self.shape.names})
        self._run(self.stem_nodes, self.stem, values)
        self._run(self.human_nodes, self.human, values)
        for name in names:
            if values[name].ndim != 4:
                raise BadSpec(f"tensor {quote(name)} has {values[name].ndim} axes, it must be a board of channels")
        return {name: values[name].shape[1] for name in names}

    def _given(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The base's inputs: its only one is the planes, whatever it calls them."""
        planes = inputs[_PLANES].to(torch.float32, memory_format=torch.channels_last)
        planes = planes if self.spec.divisor == 1.0 else planes / self.spec.divisor
        if len(self.base.inputs) == 1:
            return {self.base.inputs[0]: planes}
        for name in self.base.inputs:
            if name not in inputs:
                raise BadSpec(f"the base wants {quote(name)}, the encoder makes {', '.join(self.shape.names)}")
        return {name: planes if name == _PLANES else inputs[name] for name in self.base.inputs}

    @staticmethod
    def _run(
        nodes: Sequence[Node], weights: Weights, values: dict[str, Tensor],
        after: Callable[[str, Tensor], Tensor] = lambda name, made: made,
    ) -> None:  # fmt: skip
        working = _working_type()  # else one constant in 32 bits makes all that follows 32 bits
        for node in nodes:
            given = [weights[name] if name in weights else values[name] for name in node.inputs]
            given = [each.to(working) if each.is_floating_point() else each for each in given]
            values[node.output] = after(node.output, _OPERATIONS[node.kind](given, node.attributes))

    def forward(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        given = self._given(inputs)
        at = self.spec.mask_plane
        board = Board(None if at is None else inputs[_PLANES][:, at : at + 1].to(_working_type()))
        film, _, hidden = self.condition(inputs["player"], inputs["pool"])
        told = dict(zip(self.film_at, film, strict=True))

        def tell(name: str, x: Tensor) -> Tensor:
            return board.cut(x * (1.0 + told[name][0].to(x.dtype)) + told[name][1].to(x.dtype)) if name in told else x

        with torch.no_grad():
            self._run(self.stem_nodes, self.stem, given)
        values = dict(given)
        self._run(self.human_nodes, self.human, values, tell)
        pooled = pool(board.cut(values[self.spec.features]), board, 1).flatten(1)
        outputs = {"human": values[self.spec.moves], "wdl": self.value(torch.cat([pooled, hidden], dim=1))}
        if self.expert_nodes and not self.training:
            self._run(self.expert_nodes, self.expert, given)
            outputs["expert"] = given[self.spec.moves]
        return outputs

    @property
    def has_expert(self) -> bool:
        return bool(self.expert_nodes)

    def kept_weights(self) -> Iterator[Tensor]:
        """What is not learned and is stored all the same."""
        for buffer in [*self.stem.buffers(), *self.expert.buffers()]:
            if buffer.is_floating_point() and buffer.numel() > 1:
                yield buffer
