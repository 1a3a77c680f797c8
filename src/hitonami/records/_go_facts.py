"""What a record of Go says about its game beside the moves: players, result, date, time.

Ranks and ratings are read by `ranks.py`, pools by `_pools`. Two pools are told by their habits, since they
do not name themselves: Fox writes its overtime as TC and TT, GoQuest writes ratings into both names. Where
a record knows no more of its players than "kyu" or "dan", that word is their pool. Accounts whose names
say that a program plays are bots; nobody is taken for a human by name.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

from hitonami.core import Player
from hitonami.games.go_rules.sgf_tree import Node, flatten
from hitonami.ranks import Standing, read_standing, split_name
from hitonami.records._pools import find_pool

_RESULT: Final = re.compile(
    r"(?:(?P<letter>[bw])\s*\+|(?P<word>black|white)\s*(?:\+|wins?(?:\s+by)?)|(?P<kanji>[黒黑白])[番棋方]?)\s*(?P<how>.*)",
    re.DOTALL,
)
_HOW: Final = (
    ("resignation", re.compile(r"r(?:es.*)?$|中押|中盘|中盤|投了|认输")),
    ("time", re.compile(r"t(?:ime.*)?$|時間|时间|超时|切れ")),
    ("forfeit", re.compile(r"f(?:orfeit.*)?$|反則|判")),
)
_POINTS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?)?\s*(?:目|子|points?|pts?)?\s*(半)?")
_DRAWS: Final = frozenset(("0", "draw", "jigo", "持碁", "和棋", "和", "平局"))
_LONGEST_FACT: Final = 500
_DATE: Final = re.compile(r"([0-9]{4})(?:[-/.年]([0-9]{1,2})(?:[-/.月]([0-9]{1,2}))?)?")
_MARGIN: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?) points?")
_BYOYOMI: Final = re.compile(r"([0-9]{1,3})x([0-9]{1,4}) byo-?yomi", re.IGNORECASE)
_LETTERS: Final = {"resignation": "R", "time": "T", "forfeit": "F"}
_BOT: Final = re.compile(
    r"katrain-|gnu ?go|katago|leela|crazystone|zen19|pachi\b|fuego|alphago|golaxy|fine ?art|绝.{0,2}艺|艺指导|星阵",
    re.IGNORECASE,
)


def said(node: Node, name: str) -> str:
    """A property's first value as plain text, "" where it is missing. What is longer than any fact is cut."""
    values = node.get(name)
    return flatten(values[0][:_LONGEST_FACT]) if values else ""


def read_players(root: Node) -> tuple[tuple[Player, Player], frozenset[str]]:
    """Both players, and the marks of doubtful ratings. A name is cut only where its rank is nowhere else."""
    names, standings, rated_names = [], [], 0
    for name_key, rank_key in (("PB", "BR"), ("PW", "WR")):
        name, standing = said(root, name_key), cached_standing(said(root, rank_key))
        if standing is None:
            name, standing = split_name(name)
            rated_names += standing is not None and not standing.is_rank
        names.append(name)
        standings.append(standing)
    pool = _read_pool(root, rated_names)
    marks = {f"provisional-{side}" for side, known in enumerate(standings) if known is not None and known.doubtful}
    black, white = (
        Player(None if known is None else known.value, pool, name or None, kind_of(name))
        for name, known in zip(names, standings, strict=True)
    )
    return (black, white), frozenset(marks)


@lru_cache(maxsize=4096)
def cached_standing(text: str) -> Standing | None:
    return read_standing(text)


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Literal["bot", "unknown"]:
    return "bot" if _BOT.search(name) else "unknown"


def _read_pool(root: Node, rated_names: int) -> str:
    pool = find_pool("go", said(root, "PC"), " ".join(root.get("AP", ())), said(root, "SO"), said(root, "EV"))
    if pool:
        return pool
    if "TC" in root and "TT" in root:
        return "fox"
    if rated_names == 2 and "PC" not in root:
        return "goquest"
    level = said(root, "BR")
    return level if level in ("kyu", "dan") and level == said(root, "WR") else ""


@lru_cache(maxsize=4096)
def read_result(text: str) -> tuple[float | None, str]:
    """Black's score and how the game ended: "B+R", "W+3.5", "黒中押し勝ち", "白3目半勝ち", "0", "Void"."""
    plain = unicodedata.normalize("NFKC", text[:80]).strip().lower()
    if plain in _DRAWS:
        return 0.5, "jigo"
    if plain == "void":
        return None, "void"
    found = _RESULT.fullmatch(plain)
    if found is None:
        return None, ""
    winner = found["letter"] or found["word"] or found["kanji"]
    score, how = float(winner in ("b", "black", "黒", "黑")), found["how"].strip()
    for ending, pattern in _HOW:
        if pattern.match(how):
            return score, ending
    margin = _POINTS.match(how)
    if margin is None or not (margin[1] or margin[2]):
        return score, ""
    return score, f"{float(margin[1] or 0) + (0.5 if margin[2] else 0):g} points"


def write_result(score: float | None, termination: str) -> str:
    if score is None:
        return "Void" if termination == "void" else ""
    if score == 0.5:
        return "0"
    margin = _MARGIN.fullmatch(termination)
    how = margin[1] if margin else _LETTERS.get(termination, "")
    return f"{'B' if score > 0.5 else 'W'}+{how}"


def read_date(text: str) -> str:
    """The first day that DT names, as far as it is known."""
    found = _DATE.match(text)
    return "" if found is None else "-".join(part.zfill(2) for part in found.groups() if part)


def read_time(root: Node) -> str:
    """Five periods of 30 s after 600 s are 600+30/5; other overtime stays as the file says it."""
    main, overtime = said(root, "TM"), said(root, "OT")
    if "TC" in root and "TT" in root and not overtime:  # Fox
        return f"{main or 0}+{said(root, 'TT')}/{said(root, 'TC')}"
    if not overtime:
        return main if main.strip("0.") else "-" if main else ""
    byoyomi = _BYOYOMI.fullmatch(overtime)
    return f"{main or 0}+{byoyomi[2]}/{byoyomi[1]}" if byoyomi else f"{main or 0}+{overtime}"


def write_time(time_control: str) -> tuple[str, str]:
    """TM and OT."""
    main, _, overtime = time_control.partition("+")
    seconds, _, periods = overtime.partition("/")
    if seconds.isdecimal() and periods.isdecimal():
        overtime = f"{periods}x{seconds} byo-yomi"
    return "0" if main == "-" else main, overtime
