"""The replay buffer on disk: the games of a generation are one file, written whole or not at all."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from hitonami import disk
from hitonami.errors import BadInput
from hitonami.selfplay.playing import Played

_FIELDS: Final = ("states", "places", "policy", "wdl", "expected", "lengths", "scores", "lowest")


def piece_path(folder: Path, generation: int) -> Path:
    return folder / "games" / f"{generation:05d}.npz"


def write_piece(played: Played, path: Path) -> None:
    disk.make_folder(path.parent)
    buffer = io.BytesIO()
    figures = np.frombuffer(json.dumps(played.figures).encode(), np.uint8)
    np.savez_compressed(buffer, figures=figures, **{name: getattr(played, name) for name in _FIELDS})
    disk.write_bytes(path, buffer.getvalue())


def read_piece(path: Path) -> Played:
    """Raises BadInput that names the file."""
    try:
        with np.load(path, allow_pickle=False) as held:
            figures = json.loads(held["figures"].tobytes())
            return Played(**{name: held[name] for name in _FIELDS}, figures=figures)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as wrong:
        raise BadInput(f"{path}: not the games of a generation: {wrong}") from None


def read_window(folder: Path, last: int, window: int) -> Iterator[Played]:
    """The games of the generations up to `last`, the oldest first."""
    for generation in range(max(0, last + 1 - window), last + 1):
        yield read_piece(piece_path(folder, generation))
