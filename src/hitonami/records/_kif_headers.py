"""What stands above the moves of KIF and KI2: players, date, event, time, handicap or a drawn board."""

import re
import unicodedata
from typing import Final

import cshogi

from hitonami.errors import BadRecord, quote
from hitonami.games.shogi_rules.notation import PIECE_GLYPHS
from hitonami.games.shogi_rules.sfen import HANDICAPS, canonical_sfen
from hitonami.records._shogi_text import Sheet, read_date, setup_from

HANDICAP_NAMES: Final = {
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
LAST_WORDS: Final[dict[str, tuple[float | None, str]]] = {
    "投了": (0.0, "resignation"),
    "切れ負け": (0.0, "time"),
    "反則負け": (0.0, "illegal move"),
    "反則勝ち": (1.0, "illegal move"),
    "詰み": (0.0, "checkmate"),
    "入玉勝ち": (1.0, "entering king"),
    "不戦敗": (0.0, "forfeit"),
    "切断": (0.0, "abandoned"),
    "千日手": (0.5, "repetition"),
    "持将棋": (0.5, "impasse"),
    "中断": (None, "interrupted"),
}
"""What a game's last word says of the side to move, in the spelling that is written."""
_SPELLINGS: Final = {
    "時間切れ": "切れ負け",
    "タイムアップ": "切れ負け",
    "宣言勝ち": "入玉勝ち",
    "勝ち宣言": "入玉勝ち",
    "詰": "詰み",
    "封じ手": "中断",
}
_HANDICAP_SPELLINGS: Final = {
    "角行落ち": "角落ち",
    "飛落ち": "飛車落ち",
    "左香落ち": "香落ち",
    "飛車香落ち": "飛香落ち",
    "2枚落ち": "二枚落ち",
    "4枚落ち": "四枚落ち",
    "6枚落ち": "六枚落ち",
    "8枚落ち": "八枚落ち",
    "10枚落ち": "十枚落ち",
}
_HEADER: Final = re.compile(r"([^：:0-9０-９（(*#&|]{1,20})[：:](.*)", re.DOTALL)
_SUMMARY: Final = re.compile(
    r"まで、?\s*[0-9]+手で?(?:(時間切れ|反則|切断|切れ負け)[^先後上下]{0,8})?"
    r"(?:(先|下|後|上)手の(反則負け|[^勝]{0,8}勝ち)|(千日手|持将棋|中断)|(詰)).{0,40}"
)
_SIDED_WORD: Final = re.compile(r"(先|下|後|上)手\s*の?\s*(反則負け|反則勝ち|切れ負け|時間切れ|投了|切断)")
_HOW: Final = {
    "反則": "illegal move",
    "入玉": "entering king",
    "時間切れ": "time",
    "切れ負け": "time",
    "切断": "abandoned",
}
_NUMBER: Final = re.compile(r"手数[＝=]([0-9]{1,4}).*")
_DURATION: Final = re.compile(r"各?(?:([0-9]{1,3})時間)?(?:([0-9]{1,4})分)?(?:([0-9]{1,5})秒)?(?:切れ負け)?")
_EVENT_CONTROL: Final = re.compile(r"(?:([0-9]{1,3})分切れ負け|1手([0-9]{1,3})秒)")
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
_HAND_GLYPHS: Final = "歩香桂銀金角飛"
_SQUARE: Final = re.compile(f"([vV^ ]?)([{''.join(_SYMBOLS)}])")


class Headers:
    """Header lines, as they come. `take` says whether a line was one."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.rows: list[str] = []

    def take(self, line: str) -> bool:
        if line[0] == "|":
            self.rows.append(line[:200])
        elif found := _HEADER.fullmatch(line):
            self.facts.setdefault(found[1].strip(), found[2].strip()[:500])
        elif line.strip() in ("後手番", "上手番"):
            self.facts["手番"] = "w"
        elif number := _NUMBER.fullmatch(line.strip()):
            self.facts["手数"] = number[1]
        else:
            return False
        return True

    def __bool__(self) -> bool:
        return bool(self.facts or self.rows)

    def fill(self, sheet: Sheet) -> None:
        """Put what was found into the sheet. Raises BadInput for a start that is none."""
        facts = self.facts
        for side, keys in enumerate((("先手", "下手"), ("後手", "上手"))):
            sheet.names[side] = next((facts[key] for key in keys if facts.get(key)), None)
        sheet.date = read_date(facts.get("開始日時", facts.get("対局日", "")))
        sheet.event = facts.get("棋戦", "")
        sheet.site = facts.get("場所", "")
        sheet.time_control = _read_control(facts, sheet.event)
        rules = facts.get("ルール", "")
        if self.rows:
            sheet.setup = setup_from(_read_board(self.rows, facts), rules)
        else:
            sheet.setup = setup_from(HANDICAPS[_read_handicap(facts.get("手合割", "平手"))], rules)


def read_summary(sheet: Sheet, line: str) -> bool:
    """The line "まで95手で先手の勝ち". It adds a result only where no last word gave one."""
    found = _SUMMARY.fullmatch(line) if line.startswith("まで") else None
    if found is None:
        return False
    if sheet.termination:
        return True
    if found[4] or found[5]:
        sheet.mover_score, sheet.termination = LAST_WORDS[found[4] or "詰み"]
    else:
        sheet.black_score = float((found[2] in "先下") == found[3].endswith("勝ち"))
        sheet.termination = _HOW.get(found[3].removesuffix("勝ち").removesuffix("負け"), _HOW.get(found[1] or "", ""))
    return True


def read_last_word(sheet: Sheet, word: str) -> bool:
    """A word in a move's place that ends the game: "投了", "時間切れ", "先手 反則負け"."""
    if sided := _SIDED_WORD.fullmatch(word):
        own, sheet.termination = LAST_WORDS[_SPELLINGS.get(sided[2], sided[2])]
        sheet.black_score = own if own is None or sided[1] in "先下" else 1 - own
        return True
    plain = _SPELLINGS.get(word, word)
    if plain not in LAST_WORDS:
        return False
    sheet.mover_score, sheet.termination = LAST_WORDS[plain]
    if sheet.mover_score is None:
        sheet.black_score = None
    return True


def _read_handicap(text: str) -> str:
    name = unicodedata.normalize("NFKC", text).replace(" ", "")
    name = name if name.endswith(("ち", "手")) else f"{name}ち"
    name = _HANDICAP_SPELLINGS.get(name, name)
    if name not in HANDICAP_NAMES:
        raise BadRecord(f"unknown handicap: {quote(text)}")
    return HANDICAP_NAMES[name]


def _read_seconds(text: str) -> int | None:
    found = _DURATION.fullmatch(text)
    if not text or found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def _read_control(facts: dict[str, str], event: str) -> str:
    """From its own lines ("10分+30秒" is byoyomi), else from the name that a site gives to its kind of game."""
    main, _, after = unicodedata.normalize("NFKC", facts.get("持ち時間", "")).partition("+")
    seconds = _read_seconds(main.strip())
    if seconds is None:
        found = _EVENT_CONTROL.search(unicodedata.normalize("NFKC", event))
        if found is None:
            return ""
        return f"{60 * int(found[1])}+0" if found[1] else f"0+{int(found[2])}/1"
    if renewed := _read_seconds(after.strip() or facts.get("秒読み", "")):
        return f"{seconds}+{renewed}/1"
    return f"{seconds}+{_read_seconds(facts.get('加算', '')) or 0}"


def _read_board(rows: list[str], facts: dict[str, str]) -> str:
    """SFEN of a drawn board and the hands around it."""
    ranks = []
    for row in rows:
        squares = _SQUARE.findall(row.partition("|")[2].partition("|")[0])
        drawn = "".join(_SYMBOLS[glyph] if side in ("v", "V") else _SYMBOLS[glyph].upper() for side, glyph in squares)
        ranks.append(re.sub("1+", lambda run: str(len(run[0])), drawn))
    black = _read_hand(facts.get("先手の持駒", facts.get("下手の持駒", "")))
    white = _read_hand(facts.get("後手の持駒", facts.get("上手の持駒", "")))
    number = int(facts.get("手数", "0")) + 1
    return canonical_sfen(f"{'/'.join(ranks)} {facts.get('手番', 'b')} {black.upper() + white or '-'} {number}")


def _read_hand(text: str) -> str:
    """SFEN of one hand, in White's letters."""
    hand = ""
    for item in text.split():
        if item in ("なし", "無し"):
            continue
        if item[0] not in _HAND_GLYPHS or item[1:] not in _COUNTS:
            raise BadRecord(f"unknown hand: {quote(text)}")
        hand += f"{_COUNTS[item[1:]]}{_SYMBOLS[item[0]]}"
    return hand
