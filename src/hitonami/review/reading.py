"""One game out of a file of records, whole or up to where its record breaks. The others are counted, no more."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hitonami.core import open_game
from hitonami.dataset.reading import shards_of
from hitonami.dataset.shards import read_records
from hitonami.dataset.sources import Progress, find_sources
from hitonami.errors import BadInput, BadRecord
from hitonami.records import Document, Record, Rejected, open_format, salvage

MOST_COUNTED: Final = 10_000
"""A file with more games is not read to its end for the sake of their number."""


@dataclass(frozen=True)
class Chosen:
    """The game that was asked for."""

    record: Record
    number: int
    games: int
    """In the file, the unreadable ones included; MOST_COUNTED stands for that many or more."""
    broken: str = ""
    """Why the record ends before the game did, "" where it does not."""


@dataclass(frozen=True)
class _Item:
    """A game of a file, with its text where it could not be read."""

    found: Record | Rejected
    format_name: str = ""
    text: bytes = b""


def choose_game(file: str, game: str, number: int = 1) -> Chosen:
    """The game of that number, counted from 1. Raises BadInput where there is none, or nothing of it can be read."""
    if number < 1:
        raise BadInput(f"games are counted from 1, got {number}")
    name = open_game(game).name
    progress = Progress()
    wanted: _Item | None = None
    count = 0
    for item in _items(file, name, progress):
        count += 1
        wanted = item if count == number else wanted
        if count >= max(MOST_COUNTED, number):
            break
    if wanted is None:
        told = f": {progress.broken[0]}" if progress.broken else ""
        raise BadInput(f"{file} holds {count:,} game{'s' * (count != 1)}, there is no game {number}{told}")
    record, broken = _whole_or_beginning(wanted, file, number)
    if record.game != name:
        raise BadInput(f"{file}: game {number} is a game of {record.game}, not of {name}")
    if not broken and number == count and progress.broken:
        broken = f"{progress.broken[0].reason} {progress.broken[0].detail}".strip()
    return Chosen(record, number, count, broken)


def list_games(file: str, game: str, most: int) -> tuple[list[Record | None], int]:
    """The first games of a file, None for one that cannot be read, and how many there are (MOST_COUNTED at most)."""
    found: list[Record | None] = []
    count = 0
    for count, item in enumerate(_items(file, open_game(game).name, Progress()), start=1):
        if count <= most:
            found.append(item.found if isinstance(item.found, Record) else None)
        if count >= MOST_COUNTED:
            break
    return found, count


def _items(file: str, game: str, progress: Progress) -> Iterator[_Item]:
    if shards := shards_of(Path(file)):
        for path in shards:
            for record in read_records(path):
                yield _Item(record)
        return
    for format_name, document in find_sources([file], game).documents(progress):
        yield from _of_document(format_name, document)


def _of_document(format_name: str, document: Document) -> Iterator[_Item]:
    """Every game; one that cannot be read with its text, which ends where the next begins."""
    held: Rejected | None = None
    for found in open_format(format_name).read(document):
        if held is not None:
            yield _rejected(format_name, document, held, found.offset)
        held = found if isinstance(found, Rejected) else None
        if isinstance(found, Record):
            yield _Item(found)
    if held is not None:
        yield _rejected(format_name, document, held, document.offset + len(document.data))


def _rejected(format_name: str, document: Document, found: Rejected, end: int) -> _Item:
    return _Item(found, format_name, document.data[found.offset - document.offset : end - document.offset])


def _whole_or_beginning(item: _Item, file: str, number: int) -> tuple[Record, str]:
    found = item.found
    if isinstance(found, Record):
        if not found.moves:
            raise BadRecord(f"{file}: game {number} has no moves")
        return found, ""
    why = f"{found.reason} {found.detail}".strip()
    record = salvage(item.format_name, item.text)
    if record is None:
        raise BadRecord(f"{file}: game {number} cannot be read: {why}")
    return replace(record, offset=found.offset), why
