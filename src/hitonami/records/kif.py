"""Shogi games as KIF: the format of Japanese programs and sites, in UTF-8 or (read only) Shift JIS.

The main line is read; comments and variations are passed over. Every move is replayed by the rules. KIF
has no place for ratings, so they are not written. Rules other than the standard ones stand in a header
of our own, ルール.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

import cshogi
from cshogi.KIF import move_to_kif

from hitonami.errors import BadRecord, quote
from hitonami.games.shogi import ShogiPosition
from hitonami.games.shogi_rules.notation import DROP_ORIGIN
from hitonami.records import Document, Record, Rejected, one_document
from hitonami.records._japanese_moves import SAME, UNKNOWN, read_step
from hitonami.records._kif_headers import HANDICAP_NAMES, LAST_WORDS, Headers, read_last_word, read_summary
from hitonami.records._shogi_replay import ILLEGAL_MOVE, PLAY_AFTER_END, wish
from hitonami.records._shogi_text import (
    SHOGI,
    Sheet,
    handicap_of,
    one_line,
    read_one,
    replay,
    spent_seconds,
    split_control,
)

_MOVE: Final = re.compile(
    r"\s*[0-9]{1,4}[\s.:]\s*([先後上下]手\s\S{1,6}|(?:同\s*)?[^\s(]{1,12}(?:\([0-9]{2}\))?)"
    r"\s*(?:\(\s*([0-9]{1,4}):([0-9]{1,2}).*)?.*"
)
_PROMOTED: Final = 8
NOT_A_KIF: Final = "not a KIF"
_ENDINGS: Final = {
    "no moves": "checkmate",
    "perpetual check": "illegal move",
    "move limit": "impasse",
    "entering king, 27-point rule": "entering king",
    "entering king, 24-point rule": "entering king",
}
"""Endings that KIF calls by another's name."""


class Kif:
    """KIF, one game a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".kif", ".kifu")
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from one_document(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield read_one(document.data, document.offset, _read_sheet)

    def write(self, record: Record) -> str:
        positions = replay(record, "KIF")
        lines = [*write_headers(record, positions[0]), "手数----指手---------消費時間--"]
        spent, totals = spent_seconds(record), [0, 0]
        for at, (position, move) in enumerate(zip(positions, record.moves, strict=False)):
            seconds = spent(at)
            totals[position.to_move] += round(seconds or 0)
            lines.append(_write_move(at + 1, position, move, seconds, totals[position.to_move]))
        return "\n".join([*lines, *write_end(record, positions[-1])]) + "\n"


def _read_sheet(text: str) -> Sheet:
    headers, sheet = Headers(), Sheet()
    for line in text.split("\n"):
        if line.startswith("変化"):
            break  # variations follow the whole main line
        if not line or line[0] in "*#&":
            continue
        found = _MOVE.fullmatch(line)
        if found is not None:
            _read_move(sheet, found)
        elif line.strip() and not read_summary(sheet, line.strip()) and not sheet.moves:
            headers.take(line)
    if not sheet.moves and not headers:
        raise BadRecord(f"{NOT_A_KIF}: {quote(text)}")
    headers.fill(sheet)
    return sheet


def _read_move(sheet: Sheet, found: re.Match[str]) -> None:
    text = found[1]
    step = read_step(text)
    if step is None:
        if not read_last_word(sheet, text):
            raise BadRecord(f"{ILLEGAL_MOVE}: {quote(text)}")
        return
    if sheet.termination:
        raise BadRecord(f"{PLAY_AFTER_END}: {quote(text)} after {sheet.termination}")
    target = step.target
    if target == SAME:
        if not sheet.moves:
            raise BadRecord(f"{ILLEGAL_MOVE}: {quote(text)} as the first move")
        target = sheet.moves[-1] & 127
    # A piece from nowhere is one from the hand: some programs leave 打 out where nothing else can be meant.
    origin = DROP_ORIGIN + step.piece if step.origin == UNKNOWN else step.origin
    if origin > DROP_ORIGIN and (step.piece > cshogi.GOLD or step.promotes):
        raise BadRecord(f"{ILLEGAL_MOVE}: {quote(text)}")
    seconds = None if found[2] is None else 60.0 * int(found[2]) + int(found[3])
    sheet.add_move(wish(target, origin, step.piece + _PROMOTED * step.promotes), seconds)


def write_headers(record: Record, start: ShogiPosition) -> Iterator[str]:
    handicap = handicap_of(start.sfen)
    first, second = ("先手", "後手") if handicap in ("", "even") else ("下手", "上手")
    yield "# KIF version=2.0 encoding=UTF-8"
    if record.date:
        yield f"開始日時：{record.date.replace('-', '/')}"
    if record.event:
        yield f"棋戦：{one_line(record.event)}"
    if control := split_control(record.time_control):
        for key, seconds in zip(("持ち時間", "加算", "秒読み"), control, strict=True):
            if seconds or key == "持ち時間":
                yield f"{key}：{_write_seconds(seconds)}"
    if record.setup.rules:
        yield f"ルール：{one_line(record.setup.rules)}"
    if handicap:
        yield f"手合割：{next(name for name, known in HANDICAP_NAMES.items() if known == handicap)}"
    else:
        yield from str(start.board.to_bod()).split("\n")
        yield f"手数＝{int(start.sfen.rpartition(' ')[2]) - 1}"
    yield f"{first}：{one_line(record.players[0].name or '')}"
    yield f"{second}：{one_line(record.players[1].name or '')}"


def _write_seconds(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    parts = ((hours, "時間"), (rest // 60, "分"), (rest % 60, "秒"))
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0秒"


def _write_move(number: int, position: ShogiPosition, move: int, seconds: float | None, total: int) -> str:
    board = position.board
    text = move_to_kif(board.move_from_move16(move), board.peek())
    if seconds is None:
        return f"{number:>4} {text}"
    minutes, rest = divmod(round(seconds), 60)
    return f"{number:>4} {text}   ({minutes:>2}:{rest:02}/{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02})"


def write_end(record: Record, last: ShogiPosition) -> Iterator[str]:
    """The last word where KIF has one for this ending, and the line that names the winner."""
    count = len(record.moves)
    mover_score = record.score if record.score is None or last.to_move == 0 else 1 - record.score
    ends = (mover_score, _ENDINGS.get(record.termination, record.termination))
    word = next((word for word, meaning in LAST_WORDS.items() if meaning == ends), None)
    if word is not None:
        yield f"{count + 1:>4} {word}"
    if record.score == 0.5:
        yield f"まで{count}手で{'千日手' if word == '千日手' else '持将棋'}"
    elif record.score is not None:
        even = handicap_of(SHOGI.start(record.setup).sfen) in ("", "even")
        winner = ("先手" if even else "下手") if record.score == 1.0 else ("後手" if even else "上手")
        how = {"illegal move": "反則", "entering king": "入玉"}.get(ends[1], "")
        yield f"まで{count}手で{winner}の{how}勝ち"
    elif word is not None:
        yield f"まで{count}手で{word}"
