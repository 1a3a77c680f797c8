"""Lc0's network files (`.pb.gz`): read the weights of a convolutional network, refuse every other kind by name.

The file is a gzipped protobuf message; the field numbers are those of Lc0's public schema. Batch normalisation is
folded into the convolutions here. Attention bodies and heads, other input formats and other activations are refused.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.models._wire import Message

Weights = NDArray[np.float32]
MAGIC: Final = 0x1C0
PLANES: Final = 112
_STRUCTURES = {
    1: "classical",
    2: "squeeze-excite",
    3: "classical with head formats",
    4: "squeeze-excite with head formats",
}
_REFUSED_STRUCTURES = {
    5: "an ONNX network in Lc0's wrapping",
    6: "an attention body",
    7: "an attention body with several heads",
    134: "an attention body with several heads (legacy)",
}
_INPUTS = {1: "the classical 112 planes"}
_POLICIES = {0: "classical", 1: "classical", 2: "convolution"}
_VALUES = {0: "scalar", 1: "scalar", 2: "wdl"}
_EPSILON = 1e-5  # Lc0's, under the root of the batch normalisation's variance


@dataclass(frozen=True)
class Conv:
    """A convolution that keeps the board's size: weights [out, in, k, k], biases [out]."""

    weights: Weights
    biases: Weights


@dataclass(frozen=True)
class Dense:
    """A fully connected layer: weights [out, in], biases [out]."""

    weights: Weights
    biases: Weights


@dataclass(frozen=True)
class Block:
    """A residual block; `squeeze` and `excite` where it has that unit."""

    first: Conv
    second: Conv
    squeeze: Dense | None = None
    excite: Dense | None = None


@dataclass(frozen=True)
class Lc0Network:
    """A convolutional Lc0 network. `policy` is a Conv to 80 planes or a Dense to the 1858 moves."""

    entry: Conv
    blocks: tuple[Block, ...]
    policy_conv: Conv
    policy: Conv | Dense
    value_conv: Conv
    value_hidden: Dense
    value: Dense
    licence: str = ""

    @property
    def has_wdl(self) -> bool:
        """Win, draw and loss; otherwise one number from -1 to 1, in which draws cannot be told apart."""
        return len(self.value.biases) == 3


def read_network(data: bytes) -> Lc0Network:
    """The network in the (decompressed) file. Raises BadModel with the reason."""
    try:
        net = Message(data)
    except BadModel as wrong:
        raise BadModel(f"not an Lc0 network, or a damaged one: {wrong}") from None
    if net.number(1) != MAGIC:
        raise BadModel(f"not an Lc0 network: its first number is {net.number(1):#x}, not {MAGIC:#x}")
    layout = net.message(4).message(2)
    policy, value = _check_format(net, layout)
    if 10 not in net:
        raise BadModel("an Lc0 network without weights")
    weights, reader = net.message(10), _Reader(net.message(4).number(1))
    entry = reader.conv(weights.message(1), PLANES, "input")
    width = len(entry.biases)
    blocks = tuple(reader.block(each, width, at) for at, each in enumerate(weights.messages(2)))
    if not blocks:
        raise BadModel("an Lc0 network with no residual blocks")
    value_conv = reader.conv(weights.message(6), width, "value", size=1)
    hidden = reader.dense(weights, (7, 8), 64 * len(value_conv.biases), "hidden value")
    final = reader.dense(weights, (9, 10), len(hidden.biases), "value")
    if len(final.biases) != (3 if value == "wdl" else 1):
        raise BadModel(f"its value head has {len(final.biases)} outputs, not those of a {value} head")
    policy_conv, moves = _read_policy(reader, weights, width, policy)
    return Lc0Network(entry, blocks, policy_conv, moves, value_conv, hidden, final, net.text(2))


def _check_format(net: Message, layout: Message) -> tuple[str, str]:
    """The kinds of the policy and the value head. Raises BadModel for any kind of network that is not read here."""
    structure = layout.number(3, 1)
    if structure in _REFUSED_STRUCTURES:
        raise BadModel(
            f"{_REFUSED_STRUCTURES[structure]}; only convolutional Lc0 networks (such as Maia's) are read as they are: "
            "`lc0 leela2onnx` makes an ONNX file of others, which is read too"
        )
    if structure not in _STRUCTURES:
        raise BadModel(f"network structure {structure} is newer than this version knows")
    if (planes := layout.number(1, 1)) not in _INPUTS:
        raise BadModel(f"input format {planes}; only {_INPUTS[1]} (format 1) are encoded")
    if (policy := layout.number(4)) not in _POLICIES:
        raise BadModel("an attention policy head" if policy == 3 else f"policy format {policy} is unknown")
    if (value := layout.number(5)) not in _VALUES:
        raise BadModel(f"value format {value} is unknown; known: scalar (1), win-draw-loss (2)")
    if layout.number(7):
        raise BadModel(f"activation {layout.number(7)} (Mish or newer); only ReLU is read")
    return _POLICIES[policy], _VALUES[value]


def _read_policy(reader: "_Reader", weights: Message, width: int, kind: str) -> tuple[Conv, Conv | Dense]:
    if kind == "classical":
        conv = reader.conv(weights.message(3), width, "policy", size=1)
        return conv, reader.dense(weights, (4, 5), 64 * len(conv.biases), "policy", outputs=1858)
    conv = reader.conv(weights.message(11), width, "policy 1")
    moves = reader.conv(weights.message(3), len(conv.biases), "policy 2")
    if len(moves.biases) not in (73, 80):
        raise BadModel(f"its policy head has {len(moves.biases)} planes, not 73 or 80")
    return conv, moves


class _Reader:
    """Reads layers, and refuses those whose sizes do not fit together."""

    def __init__(self, encoding: int) -> None:
        self._encoding = encoding

    def layer(self, message: Message, name: str) -> Weights:
        """The numbers of one layer; none where it is left out."""
        encoding = message.number(4) or self._encoding
        params = message.data(3)
        if not len(params):
            return np.empty(0, dtype=np.float32)
        if encoding != 1:
            raise BadModel(f"layer {name} has encoding {encoding}; only LINEAR16 (1) is read")
        if len(params) % 2:
            raise BadModel(f"layer {name} is cut off: {len(params)} bytes are no 16-bit numbers")
        low, high = message.real(1), message.real(2)
        if not (np.isfinite(low) and np.isfinite(high)):
            raise BadModel(f"layer {name} ranges from {low} to {high}")
        steps = np.frombuffer(params, dtype="<u2").astype(np.float32) / np.float32(65535)
        return (np.float32(low) + steps * np.float32(high - low)).astype(np.float32)

    def conv(self, message: Message, inputs: int, name: str, size: int = 3) -> Conv:
        """A convolution with its batch normalisation folded in."""
        weights = self.layer(message.message(1), name)
        given, means, variances, gammas, betas = (self.layer(message.message(at), name) for at in range(2, 7))
        width = max(len(given), len(means))
        if not width or len(weights) != width * inputs * size * size:
            raise BadModel(
                f"the {name} convolution has {len(weights)} weights; {width}×{inputs}×{size}×{size} were expected"
            )
        shaped = weights.reshape(width, inputs, size, size)
        biases = given if len(given) else np.zeros(width, dtype=np.float32)
        if not len(means):
            return Conv(shaped, biases)
        gammas = gammas if len(gammas) else np.ones(width, dtype=np.float32)
        betas = betas if len(betas) else np.zeros(width, dtype=np.float32)
        if {len(biases), len(means), len(variances), len(gammas), len(betas)} != {width}:
            raise BadModel(f"the {name} convolution's batch normalisation does not have {width} channels")
        if (variances < 0).any():
            raise BadModel(f"the {name} convolution's batch normalisation has a negative variance")
        scale = gammas / np.sqrt(variances + np.float32(_EPSILON))
        return Conv(shaped * scale[:, None, None, None], betas + (biases - means) * scale)

    def dense(self, message: Message, fields: tuple[int, int], inputs: int, name: str, outputs: int = 0) -> Dense:
        weights, biases = (self.layer(message.message(field), name) for field in fields)
        expected = outputs or len(biases)
        if not expected or len(biases) != expected or len(weights) != expected * inputs:
            raise BadModel(f"the {name} layer has {len(weights)} weights; {expected}×{inputs} were expected")
        return Dense(weights.reshape(expected, inputs), biases)

    def block(self, message: Message, width: int, at: int) -> Block:
        first = self.conv(message.message(1), width, f"block {at} first")
        second = self.conv(message.message(2), len(first.biases), f"block {at} second")
        if len(second.biases) != width:
            raise BadModel(f"block {at} has {len(second.biases)} channels, not {width}")
        if 3 not in message:
            return Block(first, second)
        unit = message.message(3)
        squeeze = self.dense(unit, (1, 2), width, f"block {at} squeeze")
        return Block(first, second, squeeze, self.dense(unit, (3, 4), len(squeeze.biases), f"excite {at}", 2 * width))
