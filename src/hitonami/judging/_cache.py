"""What a judge said of positions, kept in one SQLite file a folder: safe against a kill, shared by processes.

Rows are keyed by who judged (program, version, network, options, limit) and by the whole record of the position, start
and moves, because engines and networks are told the record and may answer by it. Nothing is ever changed or removed:
another judge, or another limit, has rows of its own. The file holds hashes and move ids, no game and no name.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hitonami import disk
from hitonami.core import Position, lineage
from hitonami.errors import BadInput

FILE: Final = "judge.sqlite3"
_WAIT_SECONDS: Final = 60.0
_AT_ONCE: Final = 500
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS judges (id BLOB PRIMARY KEY, about TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS views (
    judge BLOB NOT NULL, record BLOB NOT NULL, chance REAL NOT NULL, line TEXT NOT NULL, PRIMARY KEY (judge, record)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class View:
    """What a judge thinks of a position."""

    chance: float
    """The expected score of the side to move, 0..1."""
    line: tuple[int, ...]
    """The best move, and what would follow."""


def record_key(position: Position) -> bytes:
    """Equal for equal records: the same start, the same moves."""
    start, moves = lineage(position)
    text = json.dumps([position.game.name, position.game.write(start), moves])
    return sha256(text.encode()).digest()[:16]


class JudgeCache:
    """The views of one judge. Without a folder they are kept for the length of the block only."""

    def __init__(self, folder: Path | None, about: Mapping[str, Any]) -> None:
        told = json.dumps(about, sort_keys=True, ensure_ascii=False)
        self._judge = sha256(told.encode()).digest()[:16]
        place = ":memory:"
        if folder is not None:
            disk.make_chosen_folder(folder)
            place = str(folder / FILE)
        try:
            self._base = sqlite3.connect(place, timeout=_WAIT_SECONDS, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.executescript(_SCHEMA)
            with self._base:
                self._base.execute("INSERT OR IGNORE INTO judges VALUES (?, ?)", (self._judge, told))
        except sqlite3.Error as wrong:
            raise BadInput(f"{place}: cannot be used to keep what the judge says: {wrong}") from None

    def find(self, records: Sequence[bytes]) -> dict[bytes, View]:
        """What is known already."""
        found: dict[bytes, View] = {}
        for begin in range(0, len(records), _AT_ONCE):
            part = records[begin : begin + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT record, chance, line FROM views WHERE judge = ? AND record IN ({marks})"
            for record, chance, line in self._base.execute(sql, (self._judge, *part)):
                found[record] = View(chance, tuple(json.loads(line)))
        return found

    def keep(self, views: Mapping[bytes, View]) -> None:
        """Add to it, all or nothing."""
        rows = [(self._judge, record, view.chance, json.dumps(view.line)) for record, view in views.items()]
        with self._base:
            self._base.executemany("INSERT OR IGNORE INTO views VALUES (?, ?, ?, ?)", rows)

    def close(self) -> None:
        self._base.close()
