"""Opening books on disk: Polyglot's `.bin` for chess, and our own JSON for any game.

Our own is one table: the position's text without its move counters → {move: how often}. Files that cannot
be read in full are refused with the file and the place; none is read in part.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, Self

import chess.polyglot
import numpy as np

from hitonami.core import Position
from hitonami.errors import BadMove, BadSpec, quote
from hitonami.games.chess import ChessPosition
from hitonami.levels.opening_counts import drop_counters, text_key

_POLYGLOT = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])


class BookReader(Protocol):
    """A book that is open."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def find(self, position: Position) -> dict[int, int]:
        """How often each move was played here; empty out of book."""


def open_book(path: str) -> BookReader:
    """Open a book by the end of its name. Raises BadSpec that names the file and the place."""
    return PolyglotBook(path) if path.lower().endswith(".bin") else TableBook(path)


class TableBook:
    """Our own format."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._text = Path(path).expanduser().read_text(encoding="utf-8")
            table = json.loads(self._text, object_pairs_hook=self._refuse_doubles)
        except OSError as wrong:
            raise BadSpec(f"book {path}: {wrong.strerror}") from None
        except UnicodeDecodeError as wrong:
            raise BadSpec(f"book {path}: not UTF-8 text: {wrong.reason} at byte {wrong.start}") from None
        except json.JSONDecodeError as wrong:
            raise BadSpec(f"book {path}, line {wrong.lineno}: not JSON: {wrong.msg}") from None
        except RecursionError:
            raise BadSpec(f"book {path}: nested too deeply") from None
        if not isinstance(table, Mapping):
            raise BadSpec(f"book {path}, line 1: a book is a table of positions")
        for name, moves in table.items():
            self._check(name, moves)
        self._table: dict[str, dict[str, int]] = {drop_counters(name): moves for name, moves in table.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._table = {}

    def find(self, position: Position) -> dict[int, int]:
        name = text_key(position)
        found: dict[int, int] = {}
        for text, count in self._table.get(name, {}).items():
            try:
                found[position.game.parse(position, text)] = count
            except BadMove as wrong:
                raise BadSpec(f"{self._place(name)}: {wrong}") from None
        return found

    def _check(self, name: str, moves: Any) -> None:
        if not isinstance(moves, Mapping) or not moves:
            raise BadSpec(f"{self._place(name)}: {quote(name)} needs a table of moves and counts")
        for text, count in moves.items():
            if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                raise BadSpec(f"{self._place(name)}: move {quote(text)} needs a count of 1 or more, got {count!r}")

    def _refuse_doubles(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise BadSpec(f"{self._place(name)}: {quote(name)} stands there twice")
            found[name] = value
        return found

    def _place(self, name: str) -> str:
        at = max(self._text.find(json.dumps(name)[:-1]), 0)
        return f"book {self._path}, line {self._text.count(chr(10), 0, at) + 1}"


class PolyglotBook:
    """Polyglot's format, read by python-chess. Entries that are not legal in their position are of another one."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).expanduser()
        try:
            raw = np.memmap(self._path, np.uint8, "r") if self._path.stat().st_size else np.empty(0, np.uint8)
        except OSError as wrong:
            raise BadSpec(f"book {path}: {wrong.strerror}") from None
        whole = len(raw) // _POLYGLOT.itemsize
        if len(raw) % _POLYGLOT.itemsize:
            raise BadSpec(f"book {path}, entry {whole + 1}: cut off; a Polyglot entry has {_POLYGLOT.itemsize} bytes")
        keys = raw.view(_POLYGLOT)["key"]
        if len(wrong_at := np.flatnonzero(keys[1:] < keys[:-1])):
            raise BadSpec(f"book {path}, entry {wrong_at[0] + 2}: not in order of keys, so not a Polyglot book")

    def __enter__(self) -> Self:
        self._reader = chess.polyglot.open_reader(self._path)
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()

    def find(self, position: Position) -> dict[int, int]:
        if not isinstance(position, ChessPosition):
            return {}
        counts: dict[int, int] = {}
        for entry in self._reader.find_all(position.board):
            move = position.game.parse(position, entry.move.uci())
            counts[move] = counts.get(move, 0) + entry.weight
        return counts
