"""Games of Othello as the WTHOR base is passed on in text: PGN-like tags, then numbered pairs of squares.

Moves are `row·8 + column` from a1 = 0, and 64 passes (see `hitonami.games.othello`); the passes that the text leaves
out are put in. The Result tag counts discs, empty squares going to the winner; it is believed over the
board, because games are also lost on time, and marked "result-differs" where a finished board says
something else. Other variants and other starts are not read: the text has no word for them.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.othello import replay_squares
from hitonami.records import Document, Record, Rejected, cut_at_lines, cut_games
from hitonami.records._encoding import decode

NO_MOVES: Final = "no moves"
NOT_A_MOVE: Final = "not a move"
_GAME_START: Final = re.compile(rb"^(?=\[Event )", re.MULTILINE)
_TAG: Final = re.compile(r'^\[(\w+)\s+"(.*)"\]\s*$', re.MULTILINE)
_RESULT: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_PROGRAM: Final = re.compile(r".*\([^)]*\)")
"""How the base spells programs: with who wrote them, or with nothing, in brackets. No person is spelled so."""
_DATE: Final = re.compile(r"([0-9]{4})(?:[-./]([0-9]{2})(?:[-./]([0-9]{2}))?)?")
_SQUARES: Final = {
    f"{column}{row}": at for at, (row, column) in enumerate((r, c) for r in "12345678" for c in "ABCDEFGH")
}
_IDS: Final = _SQUARES | dict.fromkeys(("PASS", "PA", "PS", "--"), len(_SQUARES))
_NAMES: Final = {at: name for name, at in _SQUARES.items()}


class Wthor:
    """The WTHOR base as text, any number of games a file. Player 0 is Black."""

    suffixes: ClassVar[tuple[str, ...]] = (".pgn",)
    game: ClassVar[str] = "othello"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream, (b"[Event ",))

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        for offset, data in cut_games(document, _GAME_START):
            yield _read_game(decode(data), offset)

    def write(self, record: Record) -> str:
        if record.game != self.game:
            raise BadRecord(f"WTHOR holds games of Othello, not of {quote(record.game)}")
        black, white = record.players
        tags = {
            "Event": record.event,
            "Date": record.date.replace("-", "."),
            "Black": black.name or "",
            "White": white.name or "",
            "Result": record.termination if _RESULT.fullmatch(record.termination) else "",
        }
        squares = [_NAMES[move] for move in record.moves if move in _NAMES]
        pairs = [" ".join(squares[at : at + 2]) for at in range(0, len(squares), 2)]
        lines = [f'[{name} "{" ".join(text.split())}"]' for name, text in tags.items()]
        return "\n".join([*lines, *(f"{number}. {pair}" for number, pair in enumerate(pairs, start=1)), ""])


def _read_game(text: str, offset: int) -> Record | Rejected:
    tags = dict(_TAG.findall(text))
    words = _TAG.sub("", text).split()
    squares = []
    for word in words:
        if word.endswith(".") and word[:-1].isdigit():
            continue
        move = _IDS.get(word.upper())
        if move is None:
            return Rejected(NOT_A_MOVE, quote(word, 20), offset)
        squares.append(move)
    if not squares:
        return Rejected(NO_MOVES, "", offset)
    try:
        moves, discs, over = replay_squares(squares)
    except BadRecord as wrong:
        return Rejected.because(wrong, offset)
    score, termination, marks = _read_result(tags.get("Result", ""), discs, over)
    return Record(
        game="othello",
        setup=Setup(),
        moves=moves,
        players=(_read_player(tags, "Black"), _read_player(tags, "White")),
        score=score,
        termination=termination,
        date=_read_date(tags.get("Date", "")),
        event=tags.get("Event", "").strip(),
        marks=marks,
        offset=offset,
    )


def _read_player(tags: dict[str, str], side: str) -> Player:
    name = tags.get(side, "").strip() or None
    return Player(pool="wthor", name=name, kind="bot" if name and _PROGRAM.fullmatch(name) else "unknown")


def _read_result(text: str, discs: tuple[int, int], over: bool) -> tuple[float | None, str, frozenset[str]]:
    """Score, discs as people say them, marks. A board that is not played out is marked "prefix"."""
    black, white = discs
    empty = 64 - black - white
    counted = (black + empty * (black > white), white + empty * (white > black))
    found = _RESULT.fullmatch(text.strip())
    said = (int(found[1]), int(found[2])) if found else None
    marks = set() if over else {"prefix"}
    if over and said is not None and said != counted:
        marks.add("result-differs")
    final = said or (counted if over else None)
    if final is None:
        return None, "", frozenset(marks)
    return (1 + (final[0] > final[1]) - (final[0] < final[1])) / 2, f"{final[0]}-{final[1]}", frozenset(marks)


def _read_date(text: str) -> str:
    found = _DATE.match(text.strip())
    return "" if found is None else "-".join(part for part in found.groups() if part)
