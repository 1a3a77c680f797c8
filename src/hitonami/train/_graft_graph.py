"""A grafted network as an ONNX graph: the base's nodes, those after the stem twice, and what was grown onto them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from hitonami.models.graft import Graft, Node, Weights
from hitonami.train._writer import GraphWriter


def graft_to_onnx(net: Graft, planes_type: type[np.generic], *, bits: int) -> bytes:
    """The file's bytes, the large weights stored in `bits`."""
    net.eval()
    with torch.no_grad():
        return GraftWriter(net, bits).write(planes_type)


class GraftWriter(GraphWriter):
    def __init__(self, net: Graft, bits: int) -> None:
        super().__init__(net.shape, net.spec.mask_plane, any_size=net.spec.mask_plane is not None, bits=bits)
        self.net, self.spec = net, net.spec

    def write(self, planes_type: type[np.generic]) -> bytes:
        net, spec, graph = self.net, self.spec, self.graph
        planes = self._inputs(planes_type)
        if spec.divisor != 1.0:
            planes = graph.add("Div", planes, self._floats(spec.divisor))
        inputs = net.base.inputs
        here = {name: planes if len(inputs) == 1 or name == "planes" else name for name in inputs}
        film, _, hidden = self._condition(net.condition)
        told = dict(zip(net.film_at, zip(film[0::2], film[1::2], strict=True), strict=True))
        self._copy(net.stem_nodes, net.stem, here, {})
        human = dict(here)
        self._copy(net.human_nodes, net.human, human, told)
        moves = "M" if self.any_size else "moves"
        graph.add("Identity", human[spec.moves], output="human")
        graph.output("human", ("N", moves))
        if net.expert_nodes:
            self._copy(net.expert_nodes, net.expert, here, {})
            graph.add("Identity", here[spec.moves], output="expert")
            graph.output("expert", ("N", moves))
        graph.add("Softmax", self._result(human[spec.features], hidden), output="wdl", axis=1)
        graph.output("wdl", ("N", 3))
        return graph.to_bytes("hitonami")

    def _copy(
        self, nodes: Sequence[Node], weights: Weights, names: dict[str, str], told: dict[str, tuple[str, str]]
    ) -> None:
        """Write the nodes; `names` says what the base's tensors are called here, and learns the new ones."""
        for node in nodes:
            given = [self._constant(weights, name) if name in weights else names[name] for name in node.inputs]
            attributes: Any = {key: _whole(value) for key, value in node.attributes.items()}
            made = self.graph.add(node.kind, *given, **attributes)
            if node.output in told:
                scale, shift = told[node.output]
                scaled = self.graph.add("Mul", made, self.graph.add("Add", scale, self._floats(1.0)))
                made = self._cut(self.graph.add("Add", scaled, shift))
            names[node.output] = made

    def _constant(self, weights: Weights, name: str) -> str:
        tensor = weights[name]
        return self._floats(tensor) if tensor.is_floating_point() else self.graph.constant(tensor.numpy())

    def _result(self, features: str, hidden: str) -> str:
        first, last = self.net.value[0], self.net.value[2]
        assert isinstance(first, torch.nn.Linear)
        assert isinstance(last, torch.nn.Linear)
        channels = (first.in_features - self.net.spec.condition.hidden) // 2
        pooled = self._reshape(self._pool(self._cut(features), 1, channels), 0, 2 * channels)
        both = self.graph.add("Concat", pooled, hidden, axis=1)
        return self._linear(self._relu(self._linear(both, first)), last)


def _whole(value: object) -> int | tuple[int, ...]:
    """Attributes of the operations that are known here are whole numbers, or lists of them."""
    return value if isinstance(value, int) else tuple(int(each) for each in value)  # type: ignore[attr-defined]
