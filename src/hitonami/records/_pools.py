"""Which pool of players a record comes from, told by the site or event that it names.

A pool is the scale that ratings and ranks belong to, so a wrong one is worse than none: only names that
stand for one site, or events that professionals alone play, count. No match is "".
"""

import re
from functools import lru_cache
from typing import Final

_SHOGI: Final = (
    ("shogiwars", re.compile(r"将棋ウォーズ|shogi ?wars", re.IGNORECASE)),
    (
        "shogi24",
        re.compile(r"将棋倶楽部24|将棋倶楽部２４|レーティング対局室|^R対局|早指し?[0-9２３]|shogidojo", re.IGNORECASE),
    ),
    ("shogiquest", re.compile(r"将棋クエスト|shogi ?quest", re.IGNORECASE)),
    ("piyo", re.compile(r"ぴよ将棋")),
    ("lishogi", re.compile(r"lishogi", re.IGNORECASE)),
    ("81dojo", re.compile(r"81 ?dojo|81道場", re.IGNORECASE)),
    ("floodgate", re.compile(r"wdoor|floodgate", re.IGNORECASE)),
    (
        "shogi-pro",
        re.compile(
            r"(?:順位|名人|竜王|龍王|王位|王座|棋王|王将|棋聖|叡王|十段|九段|女流\S{2})戦|NHK杯|ＮＨＫ杯|銀河戦|朝日杯|新人王"
        ),
    ),
)
_GO: Final = (
    ("kgs", re.compile(r"KGS|gokgs|kiseido", re.IGNORECASE)),
    ("ogs", re.compile(r"online-go\.com|\bOGS\b", re.IGNORECASE)),
    ("fox", re.compile(r"fox ?wq|foxwq|野狐", re.IGNORECASE)),
    ("igs", re.compile(r"\bIGS\b|pandanet|joyjoy\.net", re.IGNORECASE)),
    ("dgs", re.compile(r"dragon ?go", re.IGNORECASE)),
    ("tygem", re.compile(r"tygem|tom\.com|弈城", re.IGNORECASE)),
    ("goquest", re.compile(r"go ?quest", re.IGNORECASE)),
    ("cgos", re.compile(r"\bCGOS\b", re.IGNORECASE)),
)
_TABLES: Final = {"shogi": _SHOGI, "go": _GO}


@lru_cache(maxsize=4096)
def find_pool(game: str, *places: str) -> str:
    """The pool that the first telling place names: a site, an event, the program that saved the game."""
    for place in places:
        for pool, pattern in _TABLES[game]:
            if place and pattern.search(place[:200]):
                return pool
    return ""
