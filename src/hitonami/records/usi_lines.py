"""Games of shogi as lines of USI: `startpos moves 7g7f …` or `sfen SFEN moves …`, one game a line.

This is what engines are told and what collections of openings are kept in: moves alone, no players, no
result. So each line is marked "prefix". Lines that begin with # are comments.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO, ClassVar, Final

import cshogi

from hitonami.core import Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.shogi import Shogi
from hitonami.records import Document, Record, Rejected, cut_at_lines
from hitonami.records._json_lines import read_texts
from hitonami.records._shogi_replay import play_ids
from hitonami.records._shogi_text import setup_from

NOT_A_LINE: Final = "not a line of USI"
NOT_A_MOVE: Final = "not a move"
NO_MOVES: Final = "no moves"


class UsiLines:
    """One game a line, as `position` of USI has it (the word itself may stand first)."""

    suffixes: ClassVar[tuple[str, ...]] = (".sfen", ".usi")
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield from read_texts(document, _read_line)

    def write(self, record: Record) -> str:
        if record.game != "shogi":
            raise BadRecord(f"USI lines hold games of shogi, not of {quote(record.game)}")
        plain = record.setup == Setup()
        start = "startpos" if plain else f"sfen {Shogi().start(record.setup).sfen}"
        return " ".join([start, "moves", *(cshogi.move_to_usi(move) for move in record.moves)]) + "\n"


def _read_line(text: str, offset: int) -> Record:
    words = text.removeprefix("position ").split()
    if words[0] == "startpos" and words[1:2] in (["moves"], []):
        setup, moves = Setup(), words[2:]
    elif words[0] == "sfen" and len(words) >= 5 and words[5:6] in (["moves"], []):
        setup, moves = setup_from(Shogi().read(" ".join(words[1:5])).sfen), words[6:]
    else:
        raise BadRecord(f"{NOT_A_LINE}: {quote(text)}")
    if not moves:
        raise BadRecord(NO_MOVES)
    ids = [read_usi(word) if len(word) <= 5 else -1 for word in moves]  # longer ones would fill the cache
    if -1 in ids:
        raise BadRecord(f"{NOT_A_MOVE}: {quote(moves[ids.index(-1)])}")
    played = play_ids(setup, ids)
    marks = frozenset() if played.ending else frozenset({"prefix"})
    return Record(
        "shogi", setup, played.moves, score=played.score, termination=played.ending or "", marks=marks, offset=offset
    )


@lru_cache(maxsize=1 << 16)
def read_usi(text: str) -> int:
    """The id of a move written in USI, -1 for other text. Whether it is legal is not looked at."""
    drop = len(text) == 4 and text[1] == "*"
    if not (drop or (len(text) in (4, 5) and text[4:] in ("", "+"))):
        return -1
    target = _square(text[2:4])
    origin = 80 + "-PLNSBRG".find(text[0]) if drop and text[0] in "PLNSBRG" else _square(text[:2])
    if target < 0 or origin < 0:
        return -1
    return target | origin << 7 | (1 << 14 if text[4:] else 0)


def _square(text: str) -> int:
    file, rank = "123456789".find(text[0]), "abcdefghi".find(text[1])
    return -1 if file < 0 or rank < 0 else 9 * file + rank
