"""Numbers about moves, kept in one file a folder, so that long asking can go on where it ended.

One line of JSON a game and side, keyed by who was asked and by which moves of which game. Lines are only ever added;
one that a kill cut off is passed over. The file holds hashes and numbers, no game and no name.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.errors import BadInput

FILE: Final = "rows.jsonl"
Floats = NDArray[np.float64]


class RowCache:
    """Rows by game, side and plies. `about` says who was asked; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, about: Mapping[str, Any]) -> None:
        self._about = json.dumps(about, sort_keys=True)
        self._path: Path | None = None
        self._held: dict[str, list[list[float]]] = {}
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._path = folder / FILE
            self._path.touch()
            text = self._path.read_text(encoding="utf-8")
        except OSError as wrong:
            raise BadInput(f"{folder}: nothing can be kept there: {wrong.strerror}") from None
        if text and not text.endswith("\n"):
            self._add("\n")
        for line in text.splitlines():
            self._read(line)

    def _read(self, line: str) -> None:
        try:
            key, rows = json.loads(line)
        except ValueError:
            return
        self._held[key] = rows

    def find(self, content: int, side: int, plies: Sequence[int]) -> list[Floats] | None:
        """The rows that were kept of these moves; None where there are none."""
        rows = self._held.get(self._key(content, side, plies))
        return None if rows is None else [np.array(row) for row in rows]

    def keep(self, content: int, side: int, plies: Sequence[int], rows: Sequence[Floats]) -> None:
        """Add the rows of one game."""
        if self._path is not None:
            plain = [[round(float(value), 6) for value in row] for row in rows]
            self._add(json.dumps([self._key(content, side, plies), plain]) + "\n")

    def _key(self, content: int, side: int, plies: Sequence[int]) -> str:
        return sha256(json.dumps([self._about, content, side, list(plies)]).encode()).hexdigest()[:32]

    def _add(self, text: str) -> None:
        if self._path is not None:
            disk.add_text(self._path, text, synced=False)  # a row that a crash of the machine takes is asked for again
