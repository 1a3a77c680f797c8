"""Records that visitors send: bytes with a name, read in a process with limits (see `confined.py`).

Of the name only a known ending is kept, and archives are none of them, so that a small upload stays small.
"""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Final

from hitonami.errors import BadInput
from hitonami.review.reading import Chosen, choose_game
from hitonami.web.pasted import format_of

MOST_MOVES: Final = 600
_ENDINGS: Final = {
    "chess": (".pgn",),
    "shogi": (".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".usi"),
    "go": (".sgf",),
}
_PLAIN: Final = {"chess": b"1. e4 *\n", "shogi": b"PI\n+\n+7776FU\n", "go": b"(;SZ[9];B[ee])"}


@dataclass(frozen=True)
class Wanted:
    """A review to make."""

    game: str
    name: str
    content: bytes
    number: int = 1
    rating: float | None = None
    judge: bool = True


def read_upload(wanted: Wanted) -> Chosen:
    """The game that is meant. Raises BadInput in words that name the visitor's file, not ours."""
    ending = PurePath(wanted.name.replace("\\", "/")).suffix.lower()
    if ending not in _ENDINGS[wanted.game]:
        ending = f".{format_of(wanted.game, wanted.content[:4096].decode('utf-8', 'replace'))}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"upload{ending}"
        file.write_bytes(wanted.content)
        try:
            chosen = choose_game(str(file), wanted.game, wanted.number)
        except BadInput as wrong:
            raise BadInput(str(wrong).replace(str(file), "this file").replace(folder, "")) from None
    record = chosen.record
    if len(record.moves) <= MOST_MOVES:
        return chosen
    told = f"only the first {MOST_MOVES} moves are reviewed here"
    return replace(chosen, record=replace(record, moves=record.moves[:MOST_MOVES]), broken=told)


def read_one_of_each() -> None:
    """Load what reading needs, by reading."""
    for game, content in _PLAIN.items():
        read_upload(Wanted(game, "", content))
