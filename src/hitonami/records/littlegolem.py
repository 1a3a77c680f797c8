"""Games of Hex as lines of LittleGolem's: `{"id": "1", "size": 13, "moves": "a6 swap c4 … resign"}`, one game a line.

Cells are a letter for the column and a number for the row, counted from the top. A swap mirrors the first stone, as in
`hitonami.games.hex`. The last word may be `resign`, by the side to move, or `end`, of a board that is decided or of a
game that stopped. Players are not named.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar, Final

from hitonami.core import Player, Setup
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games.hex import LEAST, MOST, Hex
from hitonami.records import Document, Record, Rejected, cut_at_lines
from hitonami.records._json_lines import MISSING, read_lines, text_of, write_line

NO_MOVES: Final = "no moves"
ILLEGAL_MOVE: Final = "illegal move"
PLAY_AFTER_END: Final = "play after the end"
_LAST: Final = ("resign", "end")


class Littlegolem:
    """LittleGolem's lines of Hex. Player 0 is Red, who moves first."""

    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    game: ClassVar[str] = "hex"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield from read_lines(document, _read_game)

    def write(self, record: Record) -> str:
        if record.game != self.game or record.setup.start:
            raise BadRecord(f"LittleGolem's lines hold games of Hex from an empty board, not {quote(record.game)}")
        game = Hex()
        position, words = game.start(record.setup), list[str]()
        for move in record.moves:
            words.append(game.format(position, move))
            position = position.play(move)
        resigned = record.score is not None and position.ending is None and record.score != 1 - position.to_move
        words += ["resign"] if resigned and record.score == position.to_move else []
        return write_line({"size": position.size, "moves": " ".join(words)})


def _read_game(game: dict[str, Any], offset: int) -> Record:
    size, words = game.get("size"), text_of(game, "moves").split()
    if not isinstance(size, int) or isinstance(size, bool) or not LEAST <= size <= MOST:
        raise BadRecord(f"{MISSING}: size is {quote(repr(size), 40)}")
    last = words.pop() if words and words[-1] in _LAST else ""
    if not words:
        raise BadRecord(NO_MOVES)
    rules, setup = Hex(), Setup(size=size)
    position, moves = rules.start(setup), list[int]()
    for word in words:
        if position.ending is not None:
            raise BadRecord(f"{PLAY_AFTER_END}: {quote(word, 20)} at move {len(moves) + 1}")
        try:
            moves.append(rules.parse(position, word))
        except BadInput as wrong:
            raise BadRecord(f"{ILLEGAL_MOVE}: move {len(moves) + 1}, {wrong}") from None
        position = position.play(moves[-1])
    score, termination = position.score, position.ending or ""
    if score is None and last == "resign":
        score, termination = float(position.to_move), "resignation"
    return Record(
        game="hex",
        setup=setup,
        moves=tuple(moves),
        players=(Player(pool="littlegolem"), Player(pool="littlegolem")),
        score=score,
        termination=termination,
        marks=frozenset() if score is not None else frozenset({"prefix"}),
        offset=offset,
    )
