"""Moves of shogi in Japanese, as KIF and KI2 write them, without a board.

One text stands for one `JapaneseMove` however it is spelled: full-width or ASCII digits, 王 for 玉, 竜 for 龍, 成銀
for 全, 行 and 入 for 上. Which piece a step without an origin means is KI2's business.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hitonami.games.shogi_rules.notation import DROP_ORIGIN, PIECE_GLYPHS

SAME: Final = -1
"""The target of 同: where the last move went."""
UNKNOWN: Final = -1
"""The origin of a step that names none."""
_RANKS: Final = dict(zip("一二三四五六七八九", "123456789", strict=True))
_SPELLINGS: Final = str.maketrans({"王": "玉", "竜": "龍", "行": "上", "入": "上", "下": "引", "仝": "同"} | _RANKS)
_LONG_NAMES: Final = (("成香", "杏"), ("成桂", "圭"), ("成銀", "全"))
_STEP: Final = re.compile(
    r"(?:([1-9])([1-9])同?|同(?:([1-9])([1-9]))?)([歩香桂銀角飛金玉と杏圭全馬龍])([左直右]?)([上寄引]?)(打|成|不成|生)?(?:\(([0-9])([0-9])\))?"
)


@dataclass(frozen=True, slots=True)
class JapaneseMove:
    """Squares run as in `games/shogi.py`; pieces are cshogi's types."""

    target: int
    origin: int
    """A square, 80 + piece for a drop, or UNKNOWN."""
    piece: int
    """The piece that moves, before any promotion."""
    promotes: bool
    side: str = ""
    """左, 直, 右 or nothing: which of several pieces is meant, seen by the mover."""
    motion: str = ""
    """上, 寄, 引 or nothing."""


@lru_cache(maxsize=1 << 16)
def read_step(text: str) -> JapaneseMove | None:
    """The step that the text describes, None for other text."""
    plain = "".join(unicodedata.normalize("NFKC", text[:40]).split()).translate(_SPELLINGS)
    for long, short in _LONG_NAMES:
        plain = plain.replace(long, short)
    found = _STEP.fullmatch(plain)
    if found is None:
        return None
    file, rank = found[1] or found[3], found[2] or found[4]
    target = SAME if file is None else 9 * (int(file) - 1) + int(rank) - 1
    piece = PIECE_GLYPHS.index(found[5])
    origin = UNKNOWN
    if found[8] == "打" or found[9] == found[10] == "0":
        origin = DROP_ORIGIN + piece
    elif found[9] is not None:
        if "0" in (found[9], found[10]):
            return None
        origin = 9 * (int(found[9]) - 1) + int(found[10]) - 1
    return JapaneseMove(target, origin, piece, found[8] == "成", found[6], found[7])
