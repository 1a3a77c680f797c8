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

from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games._shogi_notation import PIECE_GLYPHS
from hitonami.games._shogi_sfen import HANDICAPS, canonical_sfen
from hitonami.games.shogi import ShogiPosition
from hitonami.records import Document, Record, Rejected, one_document
from hitonami.records._shogi_text import (
    SHOGI,
    Sheet,
    decode,
    finish,
    handicap_of,
    one_line,
    read_date,
    replay,
    setup_from,
    spent_seconds,
    split_control,
)

_HANDICAPS: Final = {
    "平手": "even",
    "香落ち": "lance",
    "右香落ち": "right-lance",
    "角落ち": "bishop",
    "飛車落ち": "rook",
    "飛香落ち": "rook-lance",
    "二枚落ち": "2-piece",
    "三枚落ち": "3-piece",
    "四枚落ち": "4-piece",
    "五枚落ち": "5-piece",
    "左五枚落ち": "left-5-piece",
    "六枚落ち": "6-piece",
    "八枚落ち": "8-piece",
    "十枚落ち": "10-piece",
}
_LAST_WORDS: Final[dict[str, tuple[float | None, str]]] = {
    "投了": (0.0, "resignation"),
    "切れ負け": (0.0, "time"),
    "反則負け": (0.0, "illegal move"),
    "反則勝ち": (1.0, "illegal move"),
    "詰み": (0.0, "checkmate"),
    "入玉勝ち": (1.0, "entering king"),
    "不戦敗": (0.0, "forfeit"),
    "千日手": (0.5, "repetition"),
    "持将棋": (0.5, "impasse"),
    "中断": (None, "interrupted"),
}
"""What a game's last word says of the side to move."""
_MOVE = re.compile(r"\s*[0-9]+\s+(\S.*?)\s*(?:\(\s*([0-9]+):([0-9]{1,2})(?:\.[0-9]+)?\s*/[0-9:.\s]*\)\s*\+?)?\s*")
_SUMMARY = re.compile(r"まで、?[0-9]+手で(?:(先|下|後|上)手の(.*)勝ち|(千日手|持将棋|中断)).*")
_DURATION = re.compile(r"各?(?:([0-9]+)時間)?(?:([0-9]+)分)?(?:([0-9]+)秒)?(?:切れ負け)?")
_NUMBER = re.compile(r"手数[＝=]([0-9]{1,4}).*")
_COUNTS: Final = (
    {"": 1}
    | dict(zip("一二三四五六七八九十", range(1, 11), strict=True))
    | {f"十{digit}": count for count, digit in enumerate("一二三四五六七八", start=11)}
)
_SYMBOLS: Final = dict(zip(PIECE_GLYPHS[1:], cshogi.PIECE_SYMBOLS[1:], strict=True)) | {
    "王": "k",
    "竜": "+r",
    "・": "1",
}
_HAND_GLYPHS = "歩香桂銀金角飛"
_ENDINGS: Final = {
    "no moves": "checkmate",
    "perpetual check": "illegal move",
    "move limit": "impasse",
    "entering king, 27-point rule": "entering king",
    "entering king, 24-point rule": "entering king",
}
"""Endings that KIF calls by another's name."""
_SQUARE = re.compile(f"([v ]?)([{''.join(_SYMBOLS)}])")


class Kif:
    """KIF, one game a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".kif", ".kifu")
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from one_document(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        try:
            yield finish(_read_sheet(decode(document.data)), document.offset)
        except BadInput as wrong:
            reason, _, detail = str(wrong).partition(": ")
            yield Rejected(reason, detail, document.offset)

    def write(self, record: Record) -> str:
        positions = replay(record, "KIF")
        lines = [*_write_headers(record, positions[0]), "手数----指手---------消費時間--"]
        spent, totals = spent_seconds(record), [0, 0]
        for at, (position, move) in enumerate(zip(positions, record.moves, strict=False)):
            seconds = spent(at)
            totals[position.to_move] += round(seconds or 0)
            lines.append(_write_move(at + 1, position, move, seconds, totals[position.to_move]))
        return "\n".join([*lines, *_write_end(record, positions[-1])]) + "\n"


def _read_sheet(text: str) -> Sheet:
    headers: dict[str, str] = {}
    rows: list[str] = []
    sheet = Sheet()
    for line in text.split("\n"):
        if line.startswith("変化"):
            break  # variations follow the whole main line
        if not line.strip() or line[0] in "*#&":
            continue
        if line[0] == "|":
            rows.append(line)
        elif summary := _SUMMARY.fullmatch(line.strip()):
            _read_summary(sheet, summary)
        elif not sheet.moves and (found := re.match(r"([^：:0-9（(]+)[：:](.*)", line)):
            headers[found[1].strip()] = found[2].strip()
        elif line.strip() in ("後手番", "上手番"):
            headers["手番"] = "w"
        elif number := _NUMBER.fullmatch(line.strip()):
            headers["手数"] = number[1]
        elif found := _MOVE.fullmatch(line):
            _read_move(sheet, found)
    if not sheet.moves and not headers and not rows:
        raise BadRecord(f"not a KIF: {quote(text)}")
    _read_headers(sheet, headers, rows)
    return sheet


def _read_move(sheet: Sheet, found: re.Match[str]) -> None:
    text = found[1]
    if text in _LAST_WORDS:
        sheet.mover_score, sheet.termination = _LAST_WORDS[text]
        if sheet.mover_score is None:
            sheet.black_score = None
    elif sheet.termination:
        raise BadRecord(f"play after the end: {quote(text)} after {sheet.termination}")
    else:
        sheet.add_move(text, None if found[2] is None else 60.0 * int(found[2]) + int(found[3]))


def _read_summary(sheet: Sheet, found: re.Match[str]) -> None:
    """The line "まで95手で先手の勝ち". It adds a result only where no last word gave one."""
    if sheet.termination:
        return
    if found[3]:
        sheet.mover_score, sheet.termination = _LAST_WORDS[found[3]]
    else:
        sheet.black_score = 1.0 if found[1] in "先下" else 0.0
        sheet.termination = {"反則": "illegal move", "入玉": "entering king"}.get(found[2], "")


def _read_headers(sheet: Sheet, headers: dict[str, str], rows: list[str]) -> None:
    for side, keys in enumerate((("先手", "下手"), ("後手", "上手"))):
        sheet.names[side] = next((headers[key] for key in keys if headers.get(key)), None)
    sheet.date = read_date(headers.get("開始日時", headers.get("対局日", "")))
    sheet.event = headers.get("棋戦", "")
    sheet.time_control = _read_control(headers.get("持ち時間", ""), headers.get("秒読み", ""), headers.get("加算", ""))
    rules = headers.get("ルール", "")
    if rows:
        sheet.setup = setup_from(_read_board(rows, headers), rules)
        return
    handicap = headers.get("手合割", "平手").replace("　", "")
    if handicap not in _HANDICAPS:
        raise BadRecord(f"unknown handicap: {quote(handicap)}")
    sheet.setup = setup_from(HANDICAPS[_HANDICAPS[handicap]], rules)


def _read_seconds(text: str) -> int | None:
    found = _DURATION.fullmatch(text)
    if not text or found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def _read_control(main: str, byoyomi: str, increment: str) -> str:
    seconds = _read_seconds(main)
    if seconds is None:
        return ""
    if renewed := _read_seconds(byoyomi):
        return f"{seconds}+{renewed}/1"
    return f"{seconds}+{_read_seconds(increment) or 0}"


def _read_board(rows: list[str], headers: dict[str, str]) -> str:
    """SFEN of a drawn board and the hands around it."""
    ranks = []
    for row in rows:
        squares = _SQUARE.findall(row.partition("|")[2].partition("|")[0])
        drawn = "".join(_SYMBOLS[glyph] if side == "v" else _SYMBOLS[glyph].upper() for side, glyph in squares)
        ranks.append(re.sub("1+", lambda run: str(len(run[0])), drawn))
    black = _read_hand(headers.get("先手の持駒", headers.get("下手の持駒", "")))
    white = _read_hand(headers.get("後手の持駒", headers.get("上手の持駒", "")))
    number = int(headers.get("手数", "0")) + 1
    return canonical_sfen(f"{'/'.join(ranks)} {headers.get('手番', 'b')} {black.upper() + white or '-'} {number}")


def _read_hand(text: str) -> str:
    """SFEN of one hand, in White's letters."""
    hand = ""
    for item in text.split():
        if item == "なし":
            continue
        if item[0] not in _HAND_GLYPHS or item[1:] not in _COUNTS:
            raise BadRecord(f"unknown hand: {quote(text)}")
        hand += f"{_COUNTS[item[1:]]}{_SYMBOLS[item[0]]}"
    return hand


def _write_headers(record: Record, start: ShogiPosition) -> Iterator[str]:
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
        yield f"手合割：{next(name for name, known in _HANDICAPS.items() if known == handicap)}"
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


def _write_end(record: Record, last: ShogiPosition) -> Iterator[str]:
    """The last word where KIF has one for this ending, and the line that names the winner."""
    count = len(record.moves)
    mover_score = record.score if record.score is None or last.to_move == 0 else 1 - record.score
    ends = (mover_score, _ENDINGS.get(record.termination, record.termination))
    word = next((word for word, meaning in _LAST_WORDS.items() if meaning == ends), None)
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
