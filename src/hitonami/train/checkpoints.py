"""Checkpoints: all that a training needs to go on as if nothing had happened, written whole or not at all.

A file holds tensors and plain values only, and is loaded with torch's `weights_only`: a file that
holds any other object is refused, and no code in it is run.
"""

import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch

from hitonami import disk
from hitonami.errors import BadModel

LAYOUT: Final = 1
_MAGIC = b"PK\x03\x04"  # torch's format is a zip; a bare pickle is not even looked into
LAST, BEST = "last.pt", "best.pt"


@dataclass
class Checkpoint:
    """The state after `step` steps."""

    step: int
    places: list[tuple[int, int]]
    """Where each process stands in its data: group, and batches of it that are done."""
    model: dict[str, Any]
    optimizer: dict[str, Any]
    rng: torch.Tensor
    totals: dict[str, float] = field(default_factory=dict)
    """Sums since the last line of the log."""
    best: float | None = None
    stale: int = 0
    """Validations since the best one."""
    average: dict[str, Any] | None = None
    """The averaged weights, where the recipe asks for them."""


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    _write({"layout": LAYOUT, "kind": "training", **vars(checkpoint)}, path)


def load_checkpoint(path: Path) -> Checkpoint:
    """Raises BadModel that names the file and the reason."""
    held = _read(path, "training")
    try:
        return Checkpoint(**held)
    except TypeError as wrong:
        raise BadModel(f"{path}: not a checkpoint of this version: {wrong}") from None


def save_weights(model: dict[str, Any], path: Path) -> None:
    _write({"layout": LAYOUT, "kind": "weights", "model": model}, path)


def load_weights(path: Path) -> dict[str, Any]:
    weights: dict[str, Any] = _read(path, "weights")["model"]
    return weights


def _write(held: dict[str, Any], path: Path) -> None:
    with disk.replacing(path) as file:
        torch.save(held, file)


def _read(path: Path, kind: str) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise BadModel(f"{path}: damaged, or not a checkpoint")
        held = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as wrong:
        raise BadModel(f"{path}: {wrong.strerror or wrong}") from None
    except (RuntimeError, EOFError, ValueError, KeyError, pickle.UnpicklingError) as wrong:
        raise BadModel(f"{path}: damaged, or not a checkpoint: {str(wrong).partition(chr(10))[0]}") from None
    if not isinstance(held, dict) or held.pop("kind", None) != kind:
        raise BadModel(f"{path}: not a file of {kind} of ours")
    if (layout := held.pop("layout", None)) != LAYOUT:
        raise BadModel(f"{path}: layout {layout!r}, this version reads {LAYOUT}")
    return held
