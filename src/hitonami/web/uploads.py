"""Records that visitors send: bytes with a name, read in a process with limits (see `confined.py`).

Of the name only a known ending is kept, and archives are none of them, so that a small upload stays small.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Final

from hitonami.errors import BadInput, BadRecord
from hitonami.records import Record, open_format
from hitonami.review.measures import result_text
from hitonami.review.reading import Chosen, choose_game, list_games
from hitonami.web.pasted import endings_of, format_of
from hitonami.web.refusals import Refusal
from hitonami.web.schemas import ListedGame, ListedGames

MOST_MOVES: Final = 600
_MOST_LISTED: Final = 200
_SAMPLES: Final = {"pgn": b"1. e4 *\n", "csa": b"PI\n+\n+7776FU\n", "sgf": b"(;SZ[9];B[ee])"}


@dataclass(frozen=True)
class Wanted:
    """A review to make."""

    game: str
    name: str
    content: bytes
    number: int = 1
    rating: float | None = None
    judge: bool = True
    eyes: str = ""
    """The style of a twin through whose eyes it is seen."""
    visitor: str | None = None


def read_upload(wanted: Wanted) -> Chosen:
    """The game that is meant. Raises Refusal in words that name the visitor's file, not ours."""
    with _kept(wanted) as file:
        try:
            chosen = choose_game(str(file), wanted.game, wanted.number)
        except BadRecord:
            raise Refusal("unreadable", f"game {wanted.number} of this file cannot be read", _about(wanted)) from None
        except BadInput:
            raise Refusal("no-game", f"there is no game {wanted.number} in this file", _about(wanted)) from None
    record = chosen.record
    if len(record.moves) <= MOST_MOVES:
        return chosen
    told = f"only the first {MOST_MOVES} moves are reviewed here"
    return replace(chosen, record=replace(record, moves=record.moves[:MOST_MOVES]), broken=told)


def list_upload(wanted: Wanted) -> ListedGames:
    """What the record holds, the first games with who played them. Raises Refusal where it holds none."""
    with _kept(wanted) as file:
        try:
            found, total = list_games(str(file), wanted.game, _MOST_LISTED)
        except BadInput:
            raise Refusal("no-game", "there is no game in this file", _about(wanted)) from None
    if total == 0:
        raise Refusal("no-game", "there is no game in this file", _about(wanted))
    games = [_listed(number, record) for number, record in enumerate(found, start=1)]
    return ListedGames.model_validate({"game": wanted.game, "total": total, "games": games})


def _listed(number: int, record: Record | None) -> ListedGame:
    if record is None:
        empty = {"players": ("", ""), "ratings": (None, None), "moves": 0, "result": "", "event": "", "date": ""}
        return ListedGame.model_validate({"number": number} | empty)
    first, second = record.players
    return ListedGame(
        number=number,
        players=(first.name or "", second.name or ""),
        ratings=(first.rating, second.rating),
        moves=len(record.moves),
        result=result_text(record.score, record.termination),
        event=record.event,
        date=record.date,
    )


def _about(wanted: Wanted) -> dict[str, str | int]:
    return {"game": wanted.game, "number": wanted.number}


@contextmanager
def _kept(wanted: Wanted) -> Iterator[Path]:
    """The upload as a file, with an ending that says what it is."""
    ending = PurePath(wanted.name.replace("\\", "/")).suffix.lower()
    if ending not in endings_of(wanted.game):
        kind = format_of(wanted.game, wanted.content[:4096].decode("utf-8", "replace"))
        ending = open_format(kind).suffixes[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"upload{ending}"
        file.write_bytes(wanted.content)
        yield file


def read_one_of_each() -> None:
    """Load what reading needs, by reading."""
    for kind, content in _SAMPLES.items():
        read_upload(Wanted(open_format(kind).game, "", content))
