"""Games of xiangqi as lines of JSON with moves in ICCS coordinates: `{"red": …, "result": "1-0", "moves": "h2e2 …"}`.

ICCS counts ranks from 0 where `hitonami.games.xiangqi` counts from 1; hyphens ("H2-E2") and capitals are read too.
Every game is replayed by the rules of Fairy-Stockfish, in one question: so it needs its library, and says so where that
is missing. Repetitions do not end a game here: who judged it then is not told.
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar, Final

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, UnknownPart, quote
from hitonami.games.xiangqi import replay_moves, write_move
from hitonami.records import Document, Record, Rejected, cut_at_lines
from hitonami.records._json_lines import read_lines, text_of, write_line

NO_MOVES: Final = "no moves"
NOT_A_MOVE: Final = "not a move"
ILLEGAL_MOVE: Final = "illegal move"
NO_LIBRARY: Final = "no rules of xiangqi here"
_MOVE: Final = re.compile(r"([a-i])([0-9])-?([a-i])([0-9])")
_DATE: Final = re.compile(r"([12][0-9]{3})[-./]([0-9]{1,2})[-./]([0-9]{1,2})")
_AMERICAN_DATE: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([12][0-9]{3})")
_RESULTS: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


class Iccs:
    """Xiangqi in ICCS coordinates, one game a line. Player 0 is Red."""

    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    game: ClassVar[str] = "xiangqi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield from read_lines(document, _read_game)

    def write(self, record: Record) -> str:
        if record.game != self.game or record.setup != Setup():
            raise BadRecord(f"ICCS lines hold games of xiangqi from its start, not {quote(record.game)}")
        red, black = record.players
        return write_line(
            {
                "event": record.event,
                "date": record.date,
                "red": red.name or "",
                "black": black.name or "",
                "result": next((text for text, score in _RESULTS.items() if score == record.score), "*"),
                "moves": " ".join(write_move(move, first_rank=0) for move in record.moves),
            }
        )


def _read_game(game: dict[str, Any], offset: int) -> Record:
    words = text_of(game, "moves").lower().split()
    if not words:
        raise BadRecord(NO_MOVES)
    texts = []
    for word in words:
        found = _MOVE.fullmatch(word)
        if found is None:
            raise BadRecord(f"{NOT_A_MOVE}: {quote(word, 20)}")
        texts.append(f"{found[1]}{int(found[2]) + 1}{found[3]}{int(found[4]) + 1}")
    try:
        moves, ending, decided = replay_moves(texts)
    except UnknownPart as wrong:
        raise BadRecord(f"{NO_LIBRARY}: {wrong}") from None
    if len(moves) < len(texts):
        raise BadRecord(f"{ILLEGAL_MOVE}: move {len(moves) + 1}, {quote(words[len(moves)], 20)}")
    told = _RESULTS.get(text_of(game, "result", ""))
    score = decided if told is None else told
    marks = {"prefix"} if score is None else {"result-differs"} if decided is not None and decided != score else set()
    return Record(
        game="xiangqi",
        setup=Setup(),
        moves=moves,
        players=(Player(name=text_of(game, "red", "") or None), Player(name=text_of(game, "black", "") or None)),
        score=score,
        termination=ending or "",
        date=_read_date(text_of(game, "date", "")),
        event=text_of(game, "event", "").strip(),
        marks=frozenset(marks),
        offset=offset,
    )


def _read_date(text: str) -> str:
    """ISO, where the text begins with a whole date."""
    if found := _DATE.match(text.strip()):
        year, month, day = (int(part) for part in found.groups())
    elif found := _AMERICAN_DATE.match(text.strip()):
        month, day, year = (int(part) for part in found.groups())
    else:
        return ""
    return f"{year:04}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else ""
