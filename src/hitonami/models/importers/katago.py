"""KataGo networks (`.bin.gz`) as models of ours: their weights become an ONNX graph that computes the same.

The graph takes the `katago` encoder's planes and scalars for boards of any size and gives the logits of all points and
of passing, the chances of win, no result (as a draw) and loss, the expected lead in points (`score`) and whose each
point will be (`ownership`, 1 the mover's, -1 the opponent's). Tensors with names that training can attach to:
`block_0` … after each residual block, before any activation and with values outside smaller boards that mean nothing;
`trunk` after the last activation, zero outside the board.
"""

import hashlib
from pathlib import Path
from typing import Final

import numpy as np

from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.importers._katago_file import (
    PLANES,
    SCALARS,
    Block,
    Dense,
    KatagoNetwork,
    Norm,
    Pooled,
    Weights,
    read_katago,
)
from hitonami.models.importers.lc0 import unpack
from hitonami.models.onnx_graph import Graph

_MIDDLE_SIDE, _SIDE_SCALE, _SQUARE_SHIFT = 14.0, 0.1, 0.1
"""How KataGo tells pooled layers the board's size: (side - 14) / 10, and for the value its square less 0.1."""
_SCORE_SCALE: Final = 20.0
_LEAD: Final = slice(2, 3)
"""Among the figures of the score: by how much the komi could change to make the game even."""
_OFF_BOARD: Final = -5_000.0
_NO_RESULT: Final = -100_000.0
_SUPERKO, _TERRITORY = 6, 9
"""Columns of the scalars: with superko and area scoring there is always a result."""


def import_katago(path: Path) -> tuple[Card, bytes]:
    """The card and the ONNX file of a KataGo network. Raises BadModel with the reason."""
    packed = path.read_bytes()
    network = read_katago(unpack(packed))
    onnx = to_onnx(network)
    card = Card(
        name=name_from(path),
        game="go",
        encoder=EncoderRef(name="katago"),
        inputs=("planes", "scalars"),
        heads=Heads(expert="policy", wdl="wdl"),
        licence="not stated in the file; KataGo's networks come with a licence of their own",
        provenance=(Source(what=f"KataGo network file {path.name}", sha256=hashlib.sha256(packed).hexdigest()),),
        notes=f"KataGo's {network.name}, version {network.version}. No result counts as a draw.",
        model_sha256=hashlib.sha256(onnx).hexdigest(),
    )
    return card, onnx


def to_onnx(network: KatagoNetwork) -> bytes:
    """The network as an ONNX graph; the batch and the board's size are open."""
    return _Writer(network).write()


class _Writer:
    """Each method adds the nodes of one part and returns the name of its output."""

    def __init__(self, network: KatagoNetwork) -> None:
        self.network, self.graph = network, Graph("katago")
        graph = self.graph
        graph.input("planes", ("N", PLANES, "H", "W"), np.uint8)
        graph.input("scalars", ("N", SCALARS))
        self.planes = graph.to_float("planes")
        self.mask = graph.add("Gather", self.planes, self._ints(0), axis=1)
        self.share = graph.add("GlobalAveragePool", self.mask)
        points = graph.add("ReduceSum", self.mask, self._ints(2, 3), keepdims=1)
        side = graph.add("Sub", graph.add("Sqrt", points), self._number(_MIDDLE_SIDE))
        self.side = graph.add("Mul", side, self._number(_SIDE_SCALE))

    def write(self) -> bytes:
        graph, network = self.graph, self.network
        column = graph.add("Reshape", "scalars", self._ints(0, SCALARS, 1, 1))
        here = graph.add(
            "Add", self._conv(self.planes, network.entry.weights), self._dense(column, network.entry_scalars)
        )
        for at, block in enumerate(network.blocks):
            here = graph.add("Add", here, self._block(here, block), output=f"block_{at}")
        here = self._activate(self._normalise(here, network.end), output="trunk")
        self._policy(here)
        self._value(here)
        return graph.to_bytes("hitonami")

    def _block(self, here: str, block: Block) -> str:
        raised = self._activate(self._normalise(here, block.before))
        inner = self._conv(raised, block.first.weights, block.middle)
        if block.pooled is not None:
            inner = self.graph.add("Add", inner, self._pooled(raised, block.pooled, block.middle)[0])
        return self._conv(self._activate(inner), block.second.weights)

    def _pooled(self, here: str, branch: Pooled, after: Norm) -> tuple[str, str]:
        """What the branch adds to channels that `after` is folded into, and the pooled branch itself."""
        raised = self._activate(self._conv(here, branch.conv.weights, branch.norm))
        mean = self._mean(raised)
        scaled = self.graph.add("Mul", mean, self.side)
        # Nothing is below zero after the activation, so that the zeros outside the board change no maximum.
        pooled = self.graph.add("Concat", mean, scaled, self.graph.add("GlobalMaxPool", raised), axis=1)
        weights = branch.to_bias.weights * after.scale[:, None]
        return self._dense(pooled, Dense(weights, branch.to_bias.biases * after.scale)), pooled

    def _policy(self, trunk: str) -> None:
        graph, network = self.graph, self.network
        added, pooled = self._pooled(trunk, network.policy_pooled, network.policy_norm)
        raised = graph.add("Add", self._conv(trunk, network.policy.weights, network.policy_norm), added)
        points = self._conv(self._activate(raised), network.policy_points.weights)
        outside = graph.add("Sub", self._number(1.0), self.mask)
        points = graph.add("Add", points, graph.add("Mul", outside, self._number(_OFF_BOARD)))
        passing = self._dense(pooled, network.policy_pass)
        graph.add("Concat", graph.add("Flatten", points), graph.add("Flatten", passing), output="policy", axis=1)
        graph.output("policy", ("N", "M"))

    def _value(self, trunk: str) -> None:
        graph, network = self.graph, self.network
        raised = self._activate(self._conv(trunk, network.value.weights, network.value_norm))
        mean = self._mean(raised)
        scaled = graph.add("Mul", mean, self.side)
        square = graph.add("Sub", graph.add("Mul", self.side, self.side), self._number(_SQUARE_SHIFT))
        pooled = graph.add("Concat", mean, scaled, graph.add("Mul", mean, square), axis=1)
        hidden = graph.add("Relu", self._dense(pooled, network.value_hidden))
        order = [0, 2, 1]  # win, no result, loss
        result = Dense(network.result.weights[order], network.result.biases[order])
        logits = graph.add("Flatten", self._dense(hidden, result))
        graph.add("Softmax", graph.add("Add", logits, self._no_result()), output="wdl", axis=1)
        score = Dense(network.score.weights[_LEAD] * _SCORE_SCALE, network.score.biases[_LEAD] * _SCORE_SCALE)
        graph.add("Flatten", self._dense(hidden, score), output="score")
        owner = graph.add("Tanh", self._conv(raised, network.ownership.weights))
        graph.add("Squeeze", graph.add("Mul", owner, self.mask), self._ints(1), output="ownership")
        graph.output("wdl", ("N", 3))
        graph.output("score", ("N", 1))
        graph.output("ownership", ("N", "H", "W"))

    def _no_result(self) -> str:
        """[N, 3] what forbids "no result" where the rules do."""
        graph = self.graph
        superko = graph.add("Gather", "scalars", self._ints(_SUPERKO), axis=1)
        area = graph.add("Sub", self._number(1.0), graph.add("Gather", "scalars", self._ints(_TERRITORY), axis=1))
        column = graph.constant(np.array([[0.0, _NO_RESULT, 0.0]], dtype=np.float32))
        return graph.add("Mul", graph.add("Mul", superko, area), column)

    # Small things
    def _conv(self, here: str, weights: Weights, after: Norm | None = None) -> str:
        """A convolution, with the normalisation that follows it folded in."""
        inputs = [weights if after is None else weights * after.scale[:, None, None, None]]
        if after is not None:
            inputs.append(after.shift)
        size = weights.shape[-1]
        names = [self.graph.constant(np.asarray(each, dtype=np.float32)) for each in inputs]
        return self.graph.add("Conv", here, *names, kernel_shape=(size, size), pads=(size // 2,) * 4)

    def _dense(self, here: str, dense: Dense) -> str:
        """[N, C, 1, 1] to [N, D, 1, 1]: a convolution of a single point."""
        return self._conv(here, dense.weights[:, :, None, None], Norm(np.ones_like(dense.biases), dense.biases))

    def _normalise(self, here: str, norm: Norm) -> str:
        if (norm.scale != 1).any():
            here = self.graph.add("Mul", here, self.graph.constant(norm.scale[:, None, None]))
        return self.graph.add("Add", here, self.graph.constant(norm.shift[:, None, None]))

    def _activate(self, here: str, output: str = "") -> str:
        """ReLU, and zeros outside the board."""
        return self.graph.add("Mul", self.graph.add("Relu", here), self.mask, output=output)

    def _mean(self, here: str) -> str:
        """The mean over the points of the board alone."""
        return self.graph.add("Div", self.graph.add("GlobalAveragePool", here), self.share)

    def _ints(self, *values: int) -> str:
        return self.graph.constant(np.array(values, dtype=np.int64))

    def _number(self, value: float) -> str:
        return self.graph.constant(np.array(value, dtype=np.float32))
