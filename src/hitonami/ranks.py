"""Ranks and ratings as people write them beside names, as numbers.

Ranks of Go and shogi share one scale: 30 is 1 dan, 29 is 1 kyu, 38 is 9 dan, 20 is 10 kyu, and
professional dans start at 40 for 1p (48 is 9p). One step is one rank; between pools the steps differ,
which is why a `Player` names its pool. Ratings (three or four digits) stay as they are: no rating is
turned into a rank or back. Titles (名人, 龍王) are no numbers and are dropped.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hitonami.customs import customs_of
from hitonami.errors import BadInput, quote

FIRST_DAN: Final = 30
FIRST_PROFESSIONAL: Final = 40
_KANJI: Final = {"初": 1, "零": 0} | {letter: at for at, letter in enumerate("一二三四五六七八九", start=1)}
_COUNT: Final = r"(?:[0-9]{1,2}|初|[一二三四五六七八九]?十?[一二三四五六七八九]?)"
_DAN: Final = r"dan|d|段"
_KYU: Final = r"kyu|k|級|级|gup|g"
_PRO: Final = r"pro|p|プロ"
_RANK: Final = re.compile(
    rf"(?P<pro>p|pro|プロ|職業|职业)?\s*(?P<count>{_COUNT})\s*-?\s*"
    rf"(?:(?P<dan>{_DAN})|(?P<kyu>{_KYU})|(?P<late>{_PRO}))(?P<kind>\s*-?\s*(?:pro|プロ))?\s*(?P<doubt>[?？*])?\+?",
    re.IGNORECASE,
)
_RATING: Final = re.compile(r"[rR]?\s*(?P<rating>[0-9]{3,4}(?:\.[0-9]{1,6})?)\s*(?P<doubt>[?？*])?")
_BRACKETS: Final = re.compile(r"^(?P<name>.*?)\s*[(\[（［<](?P<inside>[^()\[\]<>（）［］]{1,20})[)\]）］>]$", re.DOTALL)
_LAST_WORD: Final = re.compile(r"^(?P<name>.*\S)\s+(?P<last>\S{1,8})$", re.DOTALL)
_GLUED: Final = re.compile(
    r"^(?P<name>.*\S?)\s*(?P<last>(?:初|[一二三四五六七八九十]|(?<![0-9])[0-9]{1,2})[段級级])$", re.DOTALL
)
_TITLES: Final = re.compile(
    r"^(?P<name>.*?\S)[\s・]*(?:前|元|新|永世|女流)?(?:竜王|龍王|名人|王位|王座|棋王|王将|棋聖|叡王|十段|本因坊|天元|碁聖|女王|清麗|白玲|倉敷藤花|プロ)$",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A rank on the module's scale or a rating; `doubtful` where the record itself marks it so."""

    value: float
    is_rank: bool
    doubtful: bool = False


def read_standing(text: str) -> Standing | None:
    """A rank or a rating in any spelling ("3k", "3級", "初段", "[6d?]", "P9段", "R1834"), None for other text."""
    if not text or len(text) > 40:
        return None
    plain = unicodedata.normalize("NFKC", text).strip().strip("[](){}<>").strip()
    if (rank := _RANK.fullmatch(plain)) is not None:
        return _as_rank(rank)
    if (rating := _RATING.fullmatch(plain)) is not None:
        return Standing(float(rating["rating"]), is_rank=False, doubtful=rating["doubt"] is not None)
    return None


def read_rating(text: str, game: str = "") -> float:
    """A rating as people type it: a number, or a rank ("3k", "2d") where the game has ranks. Raises BadInput."""
    try:
        value = float(text)
    except ValueError:
        standing = read_standing(text)
        if standing is not None and standing.is_rank and game and customs_of(game).scale.kind != "rank":
            raise BadInput(f"{quote(text)} is a rank, and {game} has ratings: write a number such as 1500") from None
        value = math.nan if standing is None or not standing.is_rank else standing.value
    if not math.isfinite(value):
        raise BadInput(f"{quote(text)} is no rating: write a number such as 1500, or a rank such as 3k or 2d")
    return value


def write_rank(rating: float) -> str:
    """The inverse of `read_standing`; a rank between two ranks is rounded, since there is no word for it."""
    if rating >= 100 or rating <= -5:
        return f"{rating:.10g}"
    rank = round(rating)
    if rank >= FIRST_PROFESSIONAL:
        return f"{rank - FIRST_PROFESSIONAL + 1}p"
    return f"{rank - FIRST_DAN + 1}d" if rank >= FIRST_DAN else f"{FIRST_DAN - rank}k"


def _as_rank(rank: re.Match[str]) -> Standing | None:
    count = _read_count(rank["count"])
    doubtful = rank["doubt"] is not None
    if rank["kyu"]:
        return Standing(float(FIRST_DAN - count), True, doubtful) if 1 <= count <= 40 and not rank["pro"] else None
    if not 1 <= count <= 10:
        return None
    base = FIRST_PROFESSIONAL if rank["pro"] or rank["late"] or rank["kind"] else FIRST_DAN
    return Standing(float(base + count - 1), True, doubtful)


def _read_count(text: str) -> int:
    """0 for text that is no count: "" is allowed by the pattern and refused by the ranges."""
    if text.isascii() and text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return _KANJI.get(tens, 1) * 10 + _KANJI.get(ones, 0)
    return _KANJI.get(text, 0)


@lru_cache(maxsize=1 << 14)
def split_name(text: str) -> tuple[str, Standing | None]:
    """A name and the standing written after it: ("tata", 2268) of "tata (2268)", ("suzu", 32) of "suzu 三段".

    Titles go too, so that a person keeps one name through a career. Where several standings follow a
    name, the first found from the end counts.
    """
    name, standing = text.strip()[:200], None
    for _ in range(4):
        cut = _cut_standing(name)
        if cut is not None:
            name, found = cut
            standing = standing or found
        elif (title := _TITLES.match(name)) is not None:
            name = title["name"].rstrip("・ \u3000")
        else:
            break
    return name, standing


def _cut_standing(name: str) -> tuple[str, Standing] | None:
    bracketed = _BRACKETS.match(name)
    if bracketed is not None and bracketed["name"]:
        found = read_standing(bracketed["inside"])
        return None if found is None else (bracketed["name"].strip(), found)
    if name.isascii() and name[-1:].isdigit() and " R" not in name:
        return None
    last = _LAST_WORD.match(name) or _GLUED.match(name)
    if last is None:
        return None
    found = read_standing(last["last"])
    if found is None or (not found.is_rank and not last["last"].upper().startswith("R")):
        return None  # a bare number after a blank may be part of the name
    return last["name"].strip(), found
