"""KataGo's network files (`.bin.gz`, `.txt.gz`): read the weights of a version 8 to 10 network, refuse others by name.

The file is words and numbers apart from white space; the weights are words too, or after `@BIN@` raw little-endian
32-bit floats. Later versions (other activations, other kinds of blocks, a policy of several channels) and earlier ones
(other inputs) are refused. Batch normalisation is kept as a scale and a shift for each channel.
"""

from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel, quote

Weights = NDArray[np.float32]
OLDEST, LATEST = 8, 10
PLANES, SCALARS = 22, 19
_MARK: Final = b"@BIN@"
_LONGEST_WORD: Final = 256
_WIDEST: Final = 1 << 14
_SPACE: Final = b" \t\r\n"


@dataclass(frozen=True)
class Conv:
    """A convolution that keeps the board's size: weights [out, in, k, k]."""

    weights: Weights


@dataclass(frozen=True)
class Norm:
    """What batch normalisation does in use: x · scale + shift, [channels] each."""

    scale: Weights
    shift: Weights


@dataclass(frozen=True)
class Dense:
    """A fully connected layer: weights [out, in], biases [out] (zeros where the file has none)."""

    weights: Weights
    biases: Weights


@dataclass(frozen=True)
class Pooled:
    """A branch that is pooled over the board, and what it adds to each channel of the main one."""

    conv: Conv
    norm: Norm
    to_bias: Dense


@dataclass(frozen=True)
class Block:
    """A residual block with normalisation first; `pooled` where a part of it looks at the whole board."""

    before: Norm
    first: Conv
    pooled: Pooled | None
    middle: Norm
    second: Conv


@dataclass(frozen=True)
class KatagoNetwork:
    """A network. `result`: win, loss, no result; `score`: the mean, its deviation, the lead, how long it will last."""

    name: str
    version: int
    entry: Conv
    entry_scalars: Dense
    blocks: tuple[Block, ...]
    end: Norm
    policy: Conv
    policy_pooled: Pooled
    policy_norm: Norm
    policy_points: Conv
    policy_pass: Dense
    value: Conv
    value_norm: Norm
    value_hidden: Dense
    result: Dense
    score: Dense
    ownership: Conv


def read_katago(data: bytes) -> KatagoNetwork:
    """The network in the (decompressed) file. Raises BadModel with the reason."""
    reader = _Reader(data)
    name, version = reader.head()
    if version > LATEST:
        raise BadModel(f"a KataGo network of version {version}; this hitonami reads {OLDEST} to {LATEST}")
    if version < OLDEST:
        raise BadModel(f"a KataGo network of version {version} with other inputs; {OLDEST} to {LATEST} are read")
    if (given := (reader.count(), reader.count())) != (PLANES, SCALARS):
        raise BadModel(f"a KataGo network with {given[0]} planes and {given[1]} scalars, not {PLANES} and {SCALARS}")
    reader.word()
    blocks_count, width = reader.count(), reader.count()
    for _ in range(4):  # widths inside the blocks, which each layer states again
        reader.count()
    entry, scalars = reader.conv(PLANES, width), reader.dense(SCALARS, width)
    blocks = tuple(reader.block(width) for _ in range(blocks_count))
    end = reader.norm(width)
    reader.word()
    return _read_heads(reader, name, version, entry, scalars, blocks, end)


def _read_heads(  # noqa: PLR0913, PLR0917  (the parts that were read before)
    reader: "_Reader", name: str, version: int, entry: Conv, scalars: Dense, blocks: tuple[Block, ...], end: Norm
) -> KatagoNetwork:
    width = len(end.scale)
    reader.word()
    policy = reader.conv(width)
    channels = len(policy.weights)
    pooled = reader.pooled(width, channels)
    norm = reader.norm(channels)
    reader.word()
    points, passing = reader.conv(channels, 1), reader.dense(3 * len(pooled.norm.scale), 1)
    reader.word()
    value = reader.conv(width)
    channels = len(value.weights)
    value_norm = reader.norm(channels)
    reader.word()
    hidden = reader.biased(3 * channels)
    reader.word()
    result, score = (
        reader.biased(len(hidden.biases), 3),
        reader.biased(len(hidden.biases), 4 if version == OLDEST else 6),
    )
    ownership = reader.conv(channels, 1)
    reader.end()
    return KatagoNetwork(
        name, version, entry, scalars, blocks, end, policy, pooled, norm, points, passing,
        value, value_norm, hidden, result, score, ownership,
    )  # fmt: skip


class _Reader:
    """Reads words and layers in their order, and refuses those whose sizes do not fit together."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._binary = _MARK in data[: 1 << 16]
        self._layer = "header"

    def head(self) -> tuple[str, int]:
        """The file's name for the network, and its version."""
        name = self.word()
        version = self.word() if name else ""
        if not version.isdecimal() or len(version) > 4:
            raise BadModel("not a KataGo network: it does not begin with a name and a version")
        return name, int(version)

    def word(self) -> str:
        data, start = self._data, self._at
        while start < len(data) and data[start] in _SPACE:
            start += 1
        word = data[start : start + _LONGEST_WORD].split(maxsplit=1)[0] if start < len(data) else b""
        self._at = start + len(word)
        if not word:
            raise BadModel(f"the file ends after layer {quote(self._layer)}")
        if len(word) == _LONGEST_WORD or not (word.isascii() and word.decode("ascii").isprintable()):
            raise BadModel(f"no KataGo network, or a damaged one: no word after layer {quote(self._layer)}")
        return word.decode("ascii")

    def count(self) -> int:
        """A size, from 1 on."""
        word = self.word()
        if not word.isdecimal() or not 1 <= int(word[:9]) <= _WIDEST:
            raise BadModel(f"layer {quote(self._layer)}: {quote(word)} is no size")
        return int(word)

    def flag(self) -> bool:
        word = self.word()
        if word not in {"0", "1"}:
            raise BadModel(f"layer {quote(self._layer)}: {quote(word)} is neither 0 nor 1")
        return word == "1"

    def floats(self, *shape: int) -> Weights:
        size = prod(shape)
        values = self._raw(size) if self._binary else self._words(size)
        if not np.isfinite(values).all():
            raise BadModel(f"layer {quote(self._layer)} has weights that are not finite")
        return values.reshape(shape)

    def _raw(self, size: int) -> Weights:
        begin = self._data.find(_MARK, self._at, self._at + 100)
        if begin < 0 or self._data[self._at : begin].strip():
            raise BadModel(f"layer {quote(self._layer)}: no weights where they are expected")
        begin += len(_MARK)
        self._at = begin + 4 * size
        if self._at > len(self._data):
            raise BadModel(f"layer {quote(self._layer)} is cut off: {size} weights are expected")
        return np.frombuffer(self._data, dtype="<f4", count=size, offset=begin).astype(np.float32)

    def _words(self, size: int) -> Weights:
        if 2 * size > len(self._data) - self._at:
            raise BadModel(f"layer {quote(self._layer)} is cut off: {size} weights are expected")
        try:
            return np.array([float(self.word()) for _ in range(size)], dtype=np.float32)
        except ValueError as wrong:
            raise BadModel(f"layer {quote(self._layer)}: {wrong}") from None

    def conv(self, inputs: int, outputs: int = 0) -> Conv:
        self._layer = self.word()
        high, wide = self.count(), self.count()
        given, made = self.count(), self.count()
        if self.count() != 1 or self.count() != 1:
            raise BadModel(f"layer {quote(self._layer)} is dilated; only plain convolutions are read")
        self._fit(given, made, inputs, outputs)
        if high != wide or high % 2 == 0:
            raise BadModel(f"layer {quote(self._layer)} has a kernel of {high}×{wide}; it must be square and odd")
        return Conv(np.ascontiguousarray(self.floats(high, wide, given, made).transpose(3, 2, 0, 1)))

    def dense(self, inputs: int, outputs: int = 0) -> Dense:
        self._layer = self.word()
        given, made = self.count(), self.count()
        self._fit(given, made, inputs, outputs)
        return Dense(np.ascontiguousarray(self.floats(given, made).T), np.zeros(made, dtype=np.float32))

    def biased(self, inputs: int, outputs: int = 0) -> Dense:
        weights = self.dense(inputs, outputs).weights
        self._layer = self.word()
        made = self.count()
        self._fit(inputs, made, inputs, len(weights))
        return Dense(weights, self.floats(made))

    def _fit(self, given: int, made: int, inputs: int, outputs: int) -> None:
        if given != inputs or made != (outputs or made):
            raise BadModel(f"layer {quote(self._layer)} is {given}→{made}, {inputs}→{outputs or 'any'} would fit")

    def norm(self, channels: int) -> Norm:
        self._layer = self.word()
        self._fit(channels, self.count(), channels, channels)
        try:
            epsilon = float(self.word())
        except ValueError:
            epsilon = -1.0
        if not epsilon > 0:
            raise BadModel(f"layer {quote(self._layer)}: the epsilon is no positive number")
        scaled, shifted = self.flag(), self.flag()
        mean, variance = (self.floats(channels).astype(np.float64) for _ in range(2))
        gamma = self.floats(channels) if scaled else np.ones(channels)
        beta = self.floats(channels) if shifted else np.zeros(channels)
        if (variance + epsilon <= 0).any():
            raise BadModel(f"layer {quote(self._layer)} has a variance that is not positive")
        scale = gamma / np.sqrt(variance + epsilon)
        return Norm(scale.astype(np.float32), (beta - mean * scale).astype(np.float32))

    def pooled(self, width: int, outputs: int) -> Pooled:
        conv = self.conv(width)
        norm = self.norm(len(conv.weights))
        self.word()
        return Pooled(conv, norm, self.dense(3 * len(conv.weights), outputs))

    def block(self, width: int) -> Block:
        kind = self.word()
        if kind not in {"ordinary_block", "gpool_block"}:
            raise BadModel(f"a block of kind {quote(kind)}; known: ordinary_block, gpool_block")
        self._layer = self.word()
        before = self.norm(width)
        self.word()
        first = self.conv(width)
        inner = len(first.weights)
        pooled = self.pooled(width, inner) if kind == "gpool_block" else None
        middle = self.norm(inner)
        self.word()
        return Block(before, first, pooled, middle, self.conv(inner, width))

    def end(self) -> None:
        if self._data[self._at :].strip():
            raise BadModel(f"there is more in the file after the last layer {quote(self._layer)}")
