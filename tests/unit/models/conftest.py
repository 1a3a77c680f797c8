"""Networks to test with: small random ones in Lc0's format, by a writer of our own, and real ones where present."""

import gzip
import hashlib
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Position, open_game
from hitonami.models._wire import write_bytes, write_number
from hitonami.models.card import Card
from hitonami.models.importers.lc0 import import_lc0
from hitonami.models.store import Model, write_model

Weights = NDArray[np.float32]


def write_fixed32(field: int, number: int) -> bytes:
    return bytes([field << 3 | 5]) + struct.pack("<I", number)


def write_real(field: int, number: float) -> bytes:
    return bytes([field << 3 | 5]) + struct.pack("<f", number)


@dataclass(frozen=True)
class Recipe:
    """What a random Lc0 network looks like. Formats are Lc0's numbers."""

    seed: int = 0
    width: int = 4
    blocks: int = 2
    squeeze: int = 2
    input_format: int = 1
    structure: int = 4
    policy_format: int = 2
    value_format: int = 2
    activation: int = 0
    magic: int = 0x1C0
    encoding: int = 1
    batch_norm: bool = True
    licence: str = "CC0"
    leave_out: frozenset[int] = field(default_factory=frozenset)


class Writer:
    """Writes a recipe's network as a file's bytes, not yet compressed."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._rng = np.random.default_rng(recipe.seed)

    def to_bytes(self) -> bytes:
        recipe = self._recipe
        formats = (recipe.input_format, recipe.value_format, recipe.structure, recipe.policy_format)
        layout = b"".join(write_number(at, value) for at, value in enumerate(formats, start=1))
        layout += write_number(5, recipe.value_format) + write_number(7, recipe.activation)
        return (
            write_fixed32(1, recipe.magic)
            + write_bytes(2, recipe.licence)
            + write_bytes(4, write_number(1, recipe.encoding) + write_bytes(2, layout))
            + write_bytes(10, self._weights())
        )

    def _weights(self) -> bytes:
        recipe, width = self._recipe, self._recipe.width
        parts = [(1, self._conv(width, 112))]
        parts += [(2, self._block()) for _ in range(recipe.blocks)]
        if recipe.policy_format == 2:
            parts += [(11, self._conv(width, width)), (3, self._conv(80, width, plain=True))]
        else:
            parts += [(3, self._conv(2, width, size=1)), *self._dense((4, 5), 1858, 128)]
        parts += [(6, self._conv(2, width, size=1)), *self._dense((7, 8), 8, 128)]
        parts += self._dense((9, 10), 3 if recipe.value_format == 2 else 1, 8)
        return b"".join(write_bytes(at, data) for at, data in parts if at not in recipe.leave_out)

    def _block(self) -> bytes:
        width, squeeze = self._recipe.width, self._recipe.squeeze
        block = write_bytes(1, self._conv(width, width)) + write_bytes(2, self._conv(width, width))
        if squeeze:
            unit = [*self._dense((1, 2), squeeze, width), *self._dense((3, 4), 2 * width, squeeze)]
            block += write_bytes(3, b"".join(write_bytes(at, data) for at, data in unit))
        return block

    def _conv(self, outputs: int, inputs: int, size: int = 3, *, plain: bool = False) -> bytes:
        scale = 2.0 / np.sqrt(inputs * size * size)
        layers = [(1, self._layer(self._rng.normal(0, scale, outputs * inputs * size * size)))]
        if plain or not self._recipe.batch_norm:
            layers.append((2, self._layer(self._rng.normal(0, 0.3, outputs))))
        else:
            layers += [(3, self._layer(self._rng.normal(0, 0.3, outputs))), (4, self._layer(self._rng.random(outputs)))]
            layers += [
                (5, self._layer(1 + self._rng.random(outputs))),
                (6, self._layer(self._rng.normal(0, 1, outputs))),
            ]
        return b"".join(write_bytes(at, data) for at, data in layers)

    def _dense(self, fields: tuple[int, int], outputs: int, inputs: int) -> list[tuple[int, bytes]]:
        weights = self._rng.normal(0, 1 / np.sqrt(inputs), outputs * inputs)
        return [(fields[0], self._layer(weights)), (fields[1], self._layer(self._rng.normal(0, 0.3, outputs)))]

    @staticmethod
    def _layer(values: NDArray[np.float64]) -> bytes:
        low, high = float(values.min()), float(values.max())
        steps = np.round((values - low) / max(high - low, 1e-9) * 65535).astype("<u2")
        return write_real(1, low) + write_real(2, high) + write_bytes(3, steps.tobytes())


def compress(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


WriteNetwork = Callable[..., Path]


@pytest.fixture
def write_network(tmp_path: Path) -> WriteNetwork:
    """Write a random network as `.pb.gz`; keyword arguments are fields of `Recipe`."""

    def write(name: str = "tiny.pb.gz", **fields: object) -> Path:
        path = tmp_path / name
        path.write_bytes(compress(Writer(replace(Recipe(), **fields)).to_bytes()))  # type: ignore[arg-type]
        return path

    return write


@pytest.fixture
def model_folder(tmp_path: Path, write_network: WriteNetwork) -> Path:
    """A folder with model.onnx and card.json."""
    card, onnx = import_lc0(write_network("source.pb.gz"))
    return write_model(Model(card, onnx, tmp_path), tmp_path / "folder")


@pytest.fixture
def rewrite_card(model_folder: Path) -> Callable[..., Path]:
    """Change the card of `model_folder`: an ONNX file, and any fields of the card."""

    def rewrite(onnx: bytes | None = None, **fields: object) -> Path:
        card = Card.model_validate_json((model_folder / "card.json").read_text(encoding="utf-8"))
        if onnx is not None:
            (model_folder / "model.onnx").write_bytes(onnx)
            fields = {"model_sha256": hashlib.sha256(onnx).hexdigest()} | fields
        (model_folder / "card.json").write_text(card.model_copy(update=fields).to_json(), encoding="utf-8")
        return model_folder

    return rewrite


@pytest.fixture(scope="session")
def need_network() -> Callable[[str], Path]:
    """A real network from the shared data, or a skip: these files are no part of the project."""

    def need(name: str) -> Path:
        shared = Path(os.environ.get("HITONAMI_SHARED") or Path(__file__).parents[4] / "shared")
        path = shared / "data" / "nets" / name
        if not path.is_file():
            pytest.skip(f"the network {name} is not here: set HITONAMI_SHARED to a folder with data/nets/{name}")
        return path

    return need


@pytest.fixture(scope="session")
def chess_positions() -> Callable[[int, int], list[Position]]:
    """Positions of random games of chess, each with moves left."""

    def make(count: int, seed: int) -> list[Position]:
        return list(_playouts(count, np.random.default_rng(seed)))

    return make


def _playouts(count: int, rng: np.random.Generator) -> Iterator[Position]:
    made = 0
    while made < count:
        position: Position = open_game("chess").start()
        for _ in range(int(rng.integers(10, 120))):
            if not len(position.legal):
                break
            if rng.random() < 0.3 and made < count:
                made += 1
                yield position
            position = position.play(int(rng.choice(position.legal)))


@pytest.fixture(scope="session")
def sample_network() -> bytes:
    """The bytes that the packaged sample network must have."""
    return compress(Writer(Recipe(seed=1, width=2, blocks=1, squeeze=1)).to_bytes())
