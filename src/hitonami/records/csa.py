"""Shogi games as CSA, read in V2.2 and V3 and written in V2.2: the format of computer shogi and its servers.

A file may hold many games, separated by lines with a slash. Every move is replayed by the rules. Ratings
are read from and written to the comments that the Floodgate server uses, and so is a result that no last
word of CSA fits; other comments are passed over.
CSA has no place for the rules of a setup, nor for the move number of a start position: both are dropped.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

import cshogi

from hitonami.core import Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.shogi import ShogiPosition
from hitonami.games.shogi_rules.notation import DROP_ORIGIN
from hitonami.games.shogi_rules.sfen import START
from hitonami.records import Document, Record, Rejected, cut_stream
from hitonami.records._csa_board import CODES, Placing
from hitonami.records._shogi_replay import ILLEGAL_MOVE, PLAY_AFTER_END, wish
from hitonami.records._shogi_text import (
    Sheet,
    one_line,
    read_date,
    read_one,
    replay,
    spent_seconds,
    split_control,
)

_LAST_WORDS: Final[dict[str, tuple[float | None, str]]] = {
    "%TORYO": (0.0, "resignation"),
    "%TIME_UP": (0.0, "time"),
    "%ILLEGAL_MOVE": (0.0, "illegal move"),
    "%TSUMI": (0.0, "checkmate"),
    "%KACHI": (1.0, "entering king"),
    "%SENNICHITE": (0.5, "repetition"),
    "%JISHOGI": (0.5, "impasse"),
    "%HIKIWAKE": (0.5, "agreement"),
    "%CHUDAN": (None, "interrupted"),
    "%MATTA": (None, "interrupted"),
    "%ERROR": (None, "error"),
}
"""What a game's last word says of the side to move."""
_ENDINGS: Final = {
    "no moves": "checkmate",
    "move limit": "impasse",
    "entering king, 27-point rule": "entering king",
    "entering king, 24-point rule": "impasse",
}
"""Endings that CSA calls by another's name."""
_TYPES: Final = {code: at for at, code in enumerate(CODES, start=1)}
_WHITE: Final = 1 << 20
_MOVE = re.compile(r"([+-])([0-9]{2})([0-9]{2})([A-Z]{2})", re.ASCII)
_SECONDS: Final = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,3})?", re.ASCII)
_FIRST_MOVE: Final = re.compile(r"^[+-][0-9]{4}[A-Z]{2}", re.ASCII | re.MULTILINE)
_TIMED_MOVE: Final = re.compile(r"([+-][0-9]{4}[A-Z]{2})(?:[,\n]T([0-9.]+))?", re.ASCII)
_RUN: Final = re.compile(r"(?:[+-][0-9]{4}[A-Z]{2}(?:[,\n]T[0-9]{1,7}(?:\.[0-9]{1,3})?)?\n)++", re.ASCII)
NO_START: Final = "no start position"
UNKNOWN_LINE: Final = "unknown line"
_LIMIT = re.compile(r"([0-9]{1,4}):([0-9]{2})(?::([0-9]{2}))?(?:\+([0-9]{1,4}))?", re.ASCII)
_V3_TIME: Final = re.compile(
    r"([0-9]{1,7}(?:\.[0-9]+)?)\+([0-9]{1,5}(?:\.[0-9]+)?)\+([0-9]{1,5}(?:\.[0-9]+)?)", re.ASCII
)
_SEPARATOR: Final = re.compile(rb"(?m)^/[ \t]*\r?(?:\n|\Z)")
_RATE = re.compile(r"'(black|white)_rate:.*:([0-9]+(?:\.[0-9]+)?)\s*", re.ASCII)
_SUMMARY = re.compile(r"'summary:[^:]*:.* (win|lose):.*")


class Csa:
    """CSA, one game or several a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".csa",)
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        """Cut before the last line that is a slash."""
        return cut_stream(source, stream, _last_separator)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        for begin, end in _spans(document.data):
            yield read_one(document.data[begin:end], document.offset + begin, _read_sheet)

    def write(self, record: Record) -> str:
        positions = replay(record, "CSA")
        lines = list(_write_headers(record, positions[0]))
        spent = spent_seconds(record)
        for at, (position, move) in enumerate(zip(positions, record.moves, strict=False)):
            lines.append("+-"[position.to_move] + cshogi.move_to_csa(position.board.move_from_move16(move)))
            if (seconds := spent(at)) is not None:
                lines.append(f"T{round(seconds)}")
        return "\n".join([*lines, *_write_end(record, positions[-1])]) + "\n"


def _last_separator(data: bytes) -> int:
    at = data.rfind(b"\n/")
    while at >= 0 and _SEPARATOR.match(data, at + 1) is None:
        at = data.rfind(b"\n/", 0, at)
    return at + 1


def _spans(data: bytes) -> list[tuple[int, int]]:
    """Where each game begins and ends; blank ones count only where there is nothing else."""
    marks = [found.span() for found in _SEPARATOR.finditer(data)] if b"/" in data else []
    begins = [0, *(end for _, end in marks)]
    spans = zip(begins, [*(begin for begin, _ in marks), len(data)], strict=True)
    return [(begin, end) for begin, end in spans if data[begin:end].strip()] or [(0, len(data))]


def _read_sheet(text: str) -> Sheet:
    """The lines before the first move one by one, the run of moves at once, then the rest one by one."""
    sheet, placing = Sheet(), Placing()
    first = _FIRST_MOVE.search(text)
    begin = len(text) if first is None else first.start()
    for line in _statements(text[:begin]):
        _read_line(sheet, placing, line)
    end = _read_run(sheet, text, begin, placing.mover)
    for line in _statements(text[end:]):
        _read_line(sheet, placing, line)
    if not placing.given and not sheet.moves:
        raise BadRecord(f"{NO_START}: neither PI nor P1 to P9")
    sheet.setup = placing.setup() if placing.given else Setup()
    return sheet


def _read_run(sheet: Sheet, text: str, begin: int, first: str) -> int:
    """Moves, each with its time or none, without anything in between. Returns where they end."""
    run = _RUN.match(text, begin)
    if sheet.termination or sheet.moves or run is None:
        return begin
    steps = _TIMED_MOVE.findall(text, begin, run.end())
    moves = [_WISHES[step] for step, _ in steps]
    turns = [0, _WHITE] if first == "b" else [_WHITE, 0]
    if [move & _WHITE for move in moves] != (turns * (len(moves) // 2 + 1))[: len(moves)] or min(moves) < 0:
        return begin  # a bad move or one out of turn: the slow way says which
    sheet.moves = [move & ~_WHITE for move in moves]
    sheet.seconds = [float(spent) if spent else None for _, spent in steps]
    return run.end()


def _read_line(sheet: Sheet, placing: Placing, line: str) -> None:
    if line in ("+", "-"):
        placing.mover = "b" if line == "+" else "w"
    elif line[0] == "P" and line[1:2] != "":
        placing.read(line)
    elif (move := _WISHES[line]) >= 0:
        _add_move(sheet, line, move, placing.mover)
    elif line[0] == "T" and _SECONDS.fullmatch(line, 1):
        if sheet.moves and not sheet.termination:
            sheet.seconds[-1] = float(line[1:])
    elif line[0] == "%":
        _read_last_word(sheet, line)
    elif line[0] in "N$'":
        _read_fact(sheet, line)
    elif line[0] != "V":
        raise BadRecord(f"{UNKNOWN_LINE}: {quote(line)}")


class _Wishes(dict[str, int]):
    """Texts of moves to what `wish` makes of them, with bit 20 for White; -1 for other text.

    Filled as texts are met: there are at most some 180,000 moves, and one lookup costs less than a cached call.
    """

    def __missing__(self, text: str) -> int:
        found = _MOVE.fullmatch(text)
        if found is None or found[4] not in _TYPES or "0" in found[3]:
            return -1
        piece = _TYPES[found[4]]
        if found[2] == "00":
            if piece > cshogi.GOLD:
                return -1
            origin = DROP_ORIGIN + piece
        elif "0" in found[2]:
            return -1
        else:
            origin = 9 * (int(found[2][0]) - 1) + int(found[2][1]) - 1
        target = 9 * (int(found[3][0]) - 1) + int(found[3][1]) - 1
        self[text] = wish(target, origin, piece) | (_WHITE if found[1] == "-" else 0)
        return self[text]


_WISHES: Final = _Wishes()


def _add_move(sheet: Sheet, line: str, move: int, first: str) -> None:
    if sheet.termination:
        raise BadRecord(f"{PLAY_AFTER_END}: {quote(line)} after {sheet.termination}")
    if bool(move & _WHITE) != (len(sheet.moves) % 2 == (first == "b")):
        raise BadRecord(f"{ILLEGAL_MOVE}: {quote(line)} out of turn")
    sheet.add_move(move & ~_WHITE)


def _statements(text: str) -> Iterator[str]:
    """Lines, and the parts of lines that commas join; names and comments may hold commas of their own."""
    for line in text.split("\n"):
        whole = line[:1] in ("N", "$", "'") or not line.strip()
        for part in [line] if whole else line.split(","):
            if part.strip():
                yield part.rstrip() if part[0] == "P" else part.strip()


def _read_last_word(sheet: Sheet, word: str) -> None:
    if word in ("%+ILLEGAL_ACTION", "%-ILLEGAL_ACTION"):
        sheet.black_score, sheet.termination = float(word[1] == "-"), "illegal move"
    elif word in _LAST_WORDS:
        sheet.mover_score, sheet.termination = _LAST_WORDS[word]
    else:
        raise BadRecord(f"unknown ending: {quote(word)}")


def _read_fact(sheet: Sheet, line: str) -> None:
    key, _, value = line.partition(":")
    if line[:2] in ("N+", "N-"):
        sheet.names["+-".index(line[1])] = line[2:502].strip() or None
    elif key == "$SITE":
        sheet.site = value.strip()
    elif key == "$EVENT":
        sheet.event = value.strip()
    elif key == "$START_TIME":
        sheet.date = read_date(value)
    elif key == "$TIME_LIMIT" and (limit := _LIMIT.fullmatch(value.strip())):
        main = 3600 * int(limit[1]) + 60 * int(limit[2]) + int(limit[3] or 0)
        sheet.time_control = f"{main}+{int(limit[4] or 0)}/1" if int(limit[4] or 0) else f"{main}+0"
    elif line.endswith((" win", " lose")) and (summary := _SUMMARY.fullmatch(line)):
        sheet.black_score = 1.0 if summary[1] == "win" else 0.0
    elif key == "$TIME" and (limit := _V3_TIME.fullmatch(value.strip())):
        main, byoyomi, increment = (round(float(part)) for part in limit.groups())
        sheet.time_control = f"{main}+{byoyomi}/1" if byoyomi else f"{main}+{increment}"
    elif rate := _RATE.fullmatch(line):
        sheet.ratings[0 if rate[1] == "black" else 1] = float(rate[2])


def _write_headers(record: Record, start: ShogiPosition) -> Iterator[str]:
    yield "V2.2"
    for sign, side, player in zip("+-", ("black", "white"), record.players, strict=True):
        name = one_line(player.name or "")
        if name:
            yield f"N{sign}{name}"
        if player.rating is not None:
            yield f"'{side}_rate:{name}:{player.rating:.10g}"
    if record.event:
        yield f"$EVENT:{one_line(record.event)}"
    if record.date:
        yield f"$START_TIME:{record.date.replace('-', '/')}"
    if (control := split_control(record.time_control)) and not control[1]:  # V2.2 knows byoyomi alone
        seconds = f":{control[0] % 60:02}" if control[0] % 60 else ""
        yield f"$TIME_LIMIT:{control[0] // 3600:02}:{control[0] // 60 % 60:02}{seconds}+{control[2]:02}"
    if start.sfen == START:
        yield from ("PI", "+")
    else:
        yield from str(start.board.csa_pos()).rstrip("\n").split("\n")


def _write_end(record: Record, last: ShogiPosition) -> Iterator[str]:
    """The last word, where CSA has one for this ending."""
    if record.termination == "perpetual check" and record.score is not None:
        yield "%-ILLEGAL_ACTION" if record.score == 1.0 else "%+ILLEGAL_ACTION"
        return
    mover_score = record.score if record.score is None or last.to_move == 0 else 1 - record.score
    ends = (mover_score, _ENDINGS.get(record.termination, record.termination))
    word = next((word for word, meaning in _LAST_WORDS.items() if meaning == ends), None)
    if word is None and record.termination == "illegal move" and record.score is not None:
        word = "%-ILLEGAL_ACTION" if record.score == 1.0 else "%+ILLEGAL_ACTION"
    if word is not None:
        yield word
    elif record.score in (0.0, 1.0):
        results = ("win", "lose") if record.score else ("lose", "win")
        sides = (f"{one_line(each.name or '')} {how}" for each, how in zip(record.players, results, strict=True))
        yield f"'summary:{one_line(record.termination)}:{':'.join(sides)}"
