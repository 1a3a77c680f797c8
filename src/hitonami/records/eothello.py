"""Games of Othello as lines of eOthello's: `{"id": "1", "result": "black", "moves": "f5d6c3…"}`, one game a line.

Moves are squares without spaces; passes are left out, and put in here where the rules demand them. The result is
believed over the board, because games are also lost on time, and marked "result-differs" where a finished board says
something else. Players are not named.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar, Final

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.othello import replay_squares
from hitonami.records import Document, Record, Rejected, cut_at_lines
from hitonami.records._json_lines import read_lines, text_of, write_line

NO_MOVES: Final = "no moves"
NOT_A_MOVE: Final = "not a move"
_SCORES: Final = {"black": 1.0, "white": 0.0, "draw": 0.5}
_SQUARES: Final = {
    f"{file}{rank}": 8 * row + at for row, rank in enumerate("12345678") for at, file in enumerate("abcdefgh")
}
_NAMES: Final = {at: name for name, at in _SQUARES.items()}


class Eothello:
    """eOthello's lines. Player 0 is Black."""

    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    game: ClassVar[str] = "othello"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield from read_lines(document, _read_game)

    def write(self, record: Record) -> str:
        if record.game != self.game or record.setup != Setup():
            raise BadRecord(f"eOthello's lines hold games of Othello from its start, not {quote(record.game)}")
        result = next((name for name, score in _SCORES.items() if score == record.score), "")
        moves = "".join(_NAMES[move] for move in record.moves if move in _NAMES)
        return write_line({"result": result, "moves": moves})


def _read_game(game: dict[str, Any], offset: int) -> Record:
    text = text_of(game, "moves").strip().lower()
    if not text:
        raise BadRecord(NO_MOVES)
    words = [text[at : at + 2] for at in range(0, len(text), 2)]
    wrong = next((word for word in words if word not in _SQUARES), None)
    if wrong is not None:
        raise BadRecord(f"{NOT_A_MOVE}: {quote(wrong)}")
    moves, (black, white), over = replay_squares([_SQUARES[word] for word in words])
    counted = (1 + (black > white) - (black < white)) / 2 if over else None
    score = _SCORES.get(text_of(game, "result", ""), counted)
    marks = set() if over else {"prefix"}
    if over and score != counted:
        marks.add("result-differs")
    return Record(
        game="othello",
        setup=Setup(),
        moves=moves,
        players=(Player(pool="eothello"), Player(pool="eothello")),
        score=score,
        termination=f"{black}-{white}" if over else "",
        marks=frozenset(marks),
        offset=offset,
    )
