"""Chess games as PGN, in bulk: bytes to Records by kernels that walk many games at once.

Comments (clock times aside), variations and annotations are passed over. Standard chess, Chess960 and games
from a position are read; other variants are rejected by name. Every move must be the one legal move that
its text can mean (see `_pgn_san.py` for the spellings), else the game is rejected. Play may go on past an end
by force (dead position, 75 moves, fivefold repetition), as people sometimes did: the mark "overrun" tells,
as "evaluated" tells of computer evaluations. The record's result is believed before the board's.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO, ClassVar, Final

import chess
import numpy as np
from numpy.typing import NDArray

from hitonami.core import Setup
from hitonami.errors import BadInput, quote
from hitonami.games.chess import Chess
from hitonami.games.chess_rules.mailbox import SIDE, lay_out
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected
from hitonami.records import _pgn_tags as tags
from hitonami.records import _pgn_walk as walk
from hitonami.records._pgn_endings import CHECKMATE, ENDINGS, FORCED
from hitonami.records._pgn_san import BLACK_WON, DRAWN, WHITE_WON
from hitonami.records._pgn_text import find_games, hash_names
from hitonami.records._pgn_write import write_game

NO_GAME: Final = "not a game"
NO_MOVES: Final = "no moves"
VARIANT: Final = "variant"
BAD_START: Final = "bad start position"
PROBLEMS: Final = {
    walk.ILLEGAL: "illegal move",
    walk.UNCLEAR: "ambiguous move",
    walk.UNREADABLE: "unreadable move",
    walk.NULL: "null move",
    walk.UNCLOSED: "unclosed comment or variation",
}
REASONS: Final = frozenset((NO_GAME, NO_MOVES, VARIANT, BAD_START, *PROBLEMS.values()))
"""All that a game may be rejected for."""

_CHESS: Final = Chess()
_VARIANTS: Final = dict.fromkeys(("", "standard", "chess", "normal", "orthodox", "fromposition"), "") | dict.fromkeys(
    ("chess960", "960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess"),
    "chess960",
)
_NO_LAYOUT: Final = (np.zeros(120, np.int8), np.zeros(16, np.int64))
_NAMES: Final = hash_names(tags.NAMES)
_BATCH: Final = 1024
"""Games walked at once: enough to forget the cost of a call, few enough to keep the columns small."""
_VALUE_BYTES: Final = 512
_TOKENS: Final = {WHITE_WON: 1.0, BLACK_WON: 0.0, DRAWN: 0.5}
_WORD: Final = re.compile(rb"[^\s{}()]{1,12}")


class Pgn:
    """PGN, any number of games a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".pgn",)
    game: ClassVar[str] = "chess"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        """Cut where a game begins. Text without a game in eight documents' length is cut at a line."""
        held, offset = b"", 0
        while chunk := _fill(stream, DOCUMENT_BYTES):
            held += chunk
            cut = int(_find_starts(held).max(initial=0))
            if cut == 0 and len(held) >= 8 * DOCUMENT_BYTES:
                cut = held.rfind(b"\n") + 1 or len(held)
            if cut:
                yield Document(source, offset, held[:cut])
                held, offset = held[cut:], offset + cut
        if held:
            yield Document(source, offset, held)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        starts = _find_starts(document.data)
        bounds = np.append(starts, len(document.data))
        for first in range(0, len(starts), _BATCH):
            yield from _Batch(document, bounds[first : first + _BATCH + 1]).games()

    def write(self, record: Record) -> str:
        return write_game(record)


def _fill(stream: BinaryIO, size: int) -> bytes:
    """As much as asked for, unless the stream ends: streams out of archives come in pieces."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _find_starts(data: bytes) -> NDArray[np.int64]:
    starts = np.empty(len(data) // 2 + 1, np.int64)
    return starts[: find_games(np.frombuffer(data, np.uint8), starts)]


@lru_cache(2048)
def _read_start(variant: bytes, fen: bytes) -> tuple[Setup, tuple[NDArray[np.int8], NDArray[np.int64]]] | Rejected:
    """The setup and its board, or why there is none. Castling that only Chess960 has makes it Chess960."""
    said = _VARIANTS.get(re.sub(r"[^a-z0-9]", "", tags.decode(variant).lower()))
    if said is None:
        return Rejected(VARIANT, quote(tags.decode(variant), 40))
    text = " ".join(tags.decode(fen).split())
    try:
        if said == "" and text == chess.STARTING_FEN:
            text = ""
        position = _CHESS.start(Setup(start=text, variant=said)) if said else _CHESS.read(text)
    except BadInput as wrong:
        return Rejected(BAD_START, str(wrong))
    return position.setup, lay_out(position.board)


class _Batch:
    """Some games of a document: columns filled by the kernels, rows read from them."""

    def __init__(self, document: Document, bounds: NDArray[np.int64]) -> None:
        self._data: Final = document.data
        self._offset: Final = document.offset
        self._bounds: Final[list[int]] = bounds.tolist()
        view = np.frombuffer(document.data, np.uint8)
        starts, ends = bounds[:-1], bounds[1:]
        spans = np.zeros((len(starts), 2 * len(_NAMES)), np.int64)
        texts = np.empty(len(starts), np.int64)
        walk.index_games(view, starts, ends, _NAMES, spans, texts)
        self._texts: Final[list[int]] = texts.tolist()
        self._values: Final = [_slice(document.data, row) for row in spans.tolist()]
        self._starts: Final = [_read_start(each[tags.VARIANT], each[tags.FEN]) for each in self._values]
        self._walk(view, texts, ends)

    def _walk(self, view: NDArray[np.uint8], texts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        numbers: dict[int, int] = {}  # by identity: the cache gives the same start the same arrays
        layouts = [_NO_LAYOUT]
        for start in self._starts:
            if not isinstance(start, Rejected) and id(start[1]) not in numbers:
                numbers[id(start[1])] = len(layouts)
                layouts.append(start[1])
        chosen = np.array([0 if isinstance(start, Rejected) else numbers[id(start[1])] for start in self._starts])
        boards, states = np.stack([board for board, _ in layouts]), np.stack([state for _, state in layouts])
        rows = np.zeros((len(texts), walk.COLUMNS), np.int64)
        room = int(ends[-1] - texts[0]) // 2 + 1
        moves, clocks, spent = np.empty(room, np.int32), np.empty(room), np.empty(room)
        total = walk.walk_games(view, texts, ends, chosen, boards, states, rows, moves, clocks, spent)
        seen = int(np.bitwise_or.reduce(rows[:, walk.SEEN]))
        self._rows: list[list[int]] = rows.tolist()
        self._moves: list[int] = moves[:total].tolist()
        self._clocks: list[float] = clocks[:total].tolist() if seen & walk.CLOCKS else []
        self._spent: list[float] = spent[:total].tolist() if seen & walk.SPENDINGS else []

    def games(self) -> Iterator[Record | Rejected]:
        for index, row in enumerate(self._rows):
            yield self._read_game(index, row)

    def _read_game(self, index: int, row: list[int]) -> Record | Rejected:
        begin = self._bounds[index]
        offset = self._offset + begin
        start = self._starts[index]
        if isinstance(start, Rejected):
            return Rejected(start.reason, start.detail, offset)
        if row[walk.COUNT] == 0 and self._texts[index] == begin:
            return Rejected(NO_GAME, self._word_at(begin), offset)
        if row[walk.PROBLEM]:
            word = self._word_at(row[walk.WHERE])
            return Rejected(PROBLEMS[row[walk.PROBLEM]], f"{word} at ply {row[walk.COUNT] + 1}", offset)
        if row[walk.COUNT] == 0:
            return Rejected(NO_MOVES, "", offset)
        return self._record(index, row, start[0], _read_board_score(row, bool(start[1][1][SIDE] > 0)))

    def _record(self, index: int, row: list[int], setup: Setup, board_score: float | None) -> Record:
        values, seen = self._values[index], row[walk.SEEN]
        first, last = row[walk.FIRST], row[walk.FIRST] + row[walk.COUNT]
        said = tags.read_score(values[tags.RESULT])
        score = _TOKENS.get(row[walk.RESULT], board_score) if said is None else said
        players, marks = tags.read_players(values, score)
        event, event_speed, casual = tags.read_event(values[tags.EVENT])
        time_control, speed = tags.read_time_control(values[tags.TIME_CONTROL])
        if casual:
            marks.append("casual")
        if 0 <= row[walk.OVER] < row[walk.COUNT]:
            marks.append("overrun")
        if seen & walk.EVALUATIONS:
            marks.append("evaluated")
        return Record(
            "chess",
            setup,
            tuple(self._moves[first:last]),
            players,
            score,
            _read_termination(values[tags.TERMINATION], ENDINGS[row[walk.ENDING]], score, board_score),
            time_control,
            speed or event_speed,
            tags.read_date(values[tags.DATE]) or tags.read_date(values[tags.UTC_DATE]),
            event,
            _with_gaps(self._clocks[first:last]) if seen & walk.CLOCKS else (),
            _with_gaps(self._spent[first:last]) if seen & walk.SPENDINGS else (),
            frozenset(marks),
            self._offset + self._bounds[index],
        )

    def _word_at(self, place: int) -> str:
        found = _WORD.search(self._data, place, place + 64)
        return quote("" if found is None else found[0].decode("ascii", "backslashreplace"))


def _slice(data: bytes, spans: list[int]) -> tags.Values:
    """The tags' values. Longer ones than any real one are cut, since the tags' readers remember what they read."""
    return [data[begin : min(end, begin + _VALUE_BYTES)] for begin, end in zip(spans[::2], spans[1::2], strict=True)]


def _with_gaps(seconds: list[float]) -> tuple[float | None, ...]:
    """None for NaN, which is what a move without a time has."""
    return tuple([None if value != value else value for value in seconds])  # noqa: PLR0124  (NaN alone differs)


def _read_board_score(row: list[int], white_first: bool) -> float | None:
    """White's score where the last position has one by itself."""
    if row[walk.ENDING] == CHECKMATE:
        return float(white_first == (row[walk.COUNT] % 2 == 1))
    return 0.5 if row[walk.ENDING] in FORCED else None


def _read_termination(text: bytes, ending: str, score: float | None, board_score: float | None) -> str:
    """What the board shows where the result agrees, else what is said. "Normal" was resigned, claimed or agreed."""
    if board_score is not None and score == board_score:
        return ending
    said = tags.read_termination(text)
    if said != "normal":
        return said
    if score is None:
        return ""
    return "resignation" if score != 0.5 else ending or "agreement"
