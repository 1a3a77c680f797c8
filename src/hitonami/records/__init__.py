"""Records of games: what was played, by whom, how it ended. One file a format, found by its name.

Reading never raises for a bad game: it yields a `Rejected` with the reason, so that one bad game does not
cost its neighbours. A file that is no record at all is the business of whoever opened it.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, ClassVar, Protocol

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, alternatives, quote
from hitonami.parts import find_parts, load_part

DOCUMENT_BYTES = 1 << 20
"""About how much text a document holds: large enough to be worth sending to another process."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `moves` are ids of the game's own; players are in the order of the game's sides."""

    game: str
    setup: Setup
    moves: tuple[int, ...]
    players: tuple[Player, Player] = (Player(), Player())
    score: float | None = None
    """0..1 for player 0, None where the record does not say."""
    termination: str = ""
    """As people say it: "checkmate", "resignation", "time"."""
    time_control: str = ""
    """Seconds as in PGN: "300+3", "600+30/1" with byoyomi after the slash's count; "-" for none."""
    speed: str = ""
    """ultrabullet, bullet, blitz, rapid, classical or correspondence, where it is known."""
    date: str = ""
    """ISO 8601, as far as it is known: "2026", "2026-11", "2026-11-15"."""
    event: str = ""
    clocks: tuple[float | None, ...] = ()
    """Seconds left to the mover after each move, as long as `moves` where recorded, else empty."""
    think_seconds: tuple[float | None, ...] = ()
    """Seconds spent on each move, as long as `moves` where recorded, else empty."""
    marks: frozenset[str] = frozenset()
    """What filters may ask: "casual", "provisional-0", "provisional-1", "assisted-0", "assisted-1", "prefix",
    "overrun" (play went on past an end by force), "result-differs" (from what the board says), "evaluated"."""
    offset: int = 0
    """Where the game begins in its (uncompressed) file, in bytes."""
    movers: tuple[int, ...] = ()
    """The side that made each move, as long as `moves` where turns do not alternate, else empty."""


def told_movers(sides: Sequence[int]) -> tuple[int, ...]:
    """Who made each move, as `Record.movers` has it: nothing where turns alternate."""
    return () if all(one != other for one, other in pairwise(sides)) else tuple(sides)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A game that could not be read, and why, in a few words that are the same for the same cause."""

    reason: str
    detail: str = ""
    offset: int = 0

    @classmethod
    def because(cls, wrong: Exception, offset: int = 0) -> "Rejected":
        """By an error whose text is "reason: detail"."""
        reason, _, detail = str(wrong).partition(": ")
        return cls(reason, detail, offset)


@dataclass(frozen=True, slots=True)
class Document:
    """Whole games from one file: a piece of work that needs nothing else."""

    source: str
    """The file, or `archive!member`."""
    offset: int
    data: bytes


class Format(Protocol):
    """One record format. Stateless: an instance is made wherever it is needed."""

    suffixes: ClassVar[tuple[str, ...]]
    """Lower case, with the dot: the file names that the format is known by."""
    game: ClassVar[str]
    """"" for a format that holds any game."""

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        """Cut a stream into documents of about DOCUMENT_BYTES without holding more than two of them."""

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        """Every game of the document, in order. Does not raise for anything that `data` may hold."""

    def write(self, record: Record) -> str:
        """The record as text. Raises BadRecord for a game that the format cannot hold."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a format says of itself."""

    suffixes: tuple[str, ...]
    game: str


def declared_formats() -> dict[str, Declared]:
    """Every format by name. Their files are looked at and not run: a reader costs its libraries."""
    return {name: _declared(path) or _loaded(name) for name, path in find_parts("records").items()}


@cache
def _declared(path: Path) -> Declared | None:
    """From the class's `suffixes` and `game`, where they are written out."""
    for kind in ast.parse(path.read_bytes()).body:
        said: dict[str, ast.expr] = {}
        for line in kind.body if isinstance(kind, ast.ClassDef) else ():
            target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
            if isinstance(target, ast.Name) and isinstance(value := getattr(line, "value", None), ast.expr):
                said[target.id] = value
        if {"suffixes", "game"} <= said.keys():
            try:
                return Declared(tuple(ast.literal_eval(said["suffixes"])), ast.literal_eval(said["game"]))
            except ValueError:  # worked out by the class
                return None
    return None


def _loaded(name: str) -> Declared:
    opened = open_format(name)
    return Declared(opened.suffixes, opened.game)


@cache
def open_format(name: str) -> Format:
    """The format of that name. Formats are stateless, so one of each is enough."""
    kind: type[Format] = load_part("records", name)
    return kind()


def write_record(record: Record, format_name: str) -> str:
    """The record as text. Raises BadRecord for the wrong game or an unknown format."""
    known = find_parts("records")
    if format_name not in known:
        raise BadRecord(f"cannot write {quote(format_name)}; {alternatives(format_name, known)}")
    return open_format(format_name).write(record)


def salvage(format_name: str, data: bytes) -> Record | None:
    """The longest beginning of one game's text that is a game with moves, or None where there is none."""
    from hitonami.records._salvage import read_beginning

    return read_beginning(format_name, data)


def one_document(source: str, stream: BinaryIO) -> Iterator[Document]:
    """For formats with one game a file: the whole file."""
    data = stream.read(DOCUMENT_BYTES * 8 + 1)
    if len(data) > DOCUMENT_BYTES * 8:
        raise BadRecord(f"{source}: larger than any single game ({DOCUMENT_BYTES * 8 >> 20} MiB)")
    yield Document(source, 0, data)


def cut_games(document: Document, begins: re.Pattern[bytes]) -> Iterator[tuple[int, bytes]]:
    """The games of a document and where in the file they begin; what stands before the first is part of it."""
    starts = [found.start() for found in begins.finditer(document.data)] or [0]
    starts[0] = 0
    for begin, end in zip(starts, [*starts[1:], len(document.data)], strict=True):
        data = document.data[begin:end]
        if data.strip():
            yield document.offset + begin, data


def cut_at_lines(
    source: str, stream: BinaryIO, starts: Iterable[bytes] = (b"",), size: int = DOCUMENT_BYTES
) -> Iterator[Document]:
    """Cut a stream of many games where a line begins with one of `starts` and the line before is blank.

    `starts=(b"",)` cuts at any line end: one game a line.
    """
    return cut_stream(source, stream, partial(_last_cut, marks=tuple(starts)), size)


def cut_stream(
    source: str, stream: BinaryIO, last_cut: Callable[[bytes], int], size: int = DOCUMENT_BYTES
) -> Iterator[Document]:
    """Cut a stream where `last_cut` says, as late as it may be cut; what is shorter than a document stays whole."""
    held, offset = b"", 0
    while chunk := stream.read(size):
        held += chunk
        cut = last_cut(held) if len(held) >= size else 0
        if cut > 0:
            yield Document(source, offset, held[:cut])
            held, offset = held[cut:], offset + cut
        elif len(held) > 64 * size:
            raise BadRecord(f"{source}: no game ends within {len(held) >> 20} MiB")
    if held:
        yield Document(source, offset, held)


def _last_cut(text: bytes, marks: tuple[bytes, ...]) -> int:
    if marks == (b"",):
        return text.rfind(b"\n") + 1
    best = -1
    for mark in marks:
        for gap in (b"\n\n", b"\r\n\r\n"):
            at = text.rfind(gap + mark)
            best = max(best, at + len(gap) if at >= 0 else -1)
    return best
