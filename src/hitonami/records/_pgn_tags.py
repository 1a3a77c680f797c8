"""What PGN tags say of a game: who played, how strong, where, how fast, how it ended.

Ratings keep the scale of their pool, which the site tells. Elo without a site that has ratings of its own
is FIDE's, as in collections of over-the-board play; an unknown site leaves the pool open. Whoever plays in
a known pool is human unless the record says otherwise. Texts that hold names (Termination on chess.com) are
reduced to a fixed vocabulary.
"""

import re
from functools import lru_cache
from math import sqrt
from typing import Final, Literal

from hitonami.core import Player

_SHARED: Final = ("Event", "Site", "Link", "Date", "UTCDate", "Result", "TimeControl", "Termination", "Variant", "FEN")
_OWN: Final = ("", "Elo", "Title", "Type", "IsComp", "Pool", "FideId", "RatingDiff")
NAMES: Final = (*_SHARED, *(f"{side}{name}" for name in _OWN for side in ("White", "Black")))
(EVENT, SITE, LINK, DATE, UTC_DATE, RESULT, TIME_CONTROL, TERMINATION, VARIANT, FEN) = range(10)
(WHITE, ELO, TITLE, TYPE, IS_COMP, POOL, FIDE_ID, RATING_DIFF) = range(10, 26, 2)
"""Black's follow White's at once."""

Values = list[bytes]
"""One a name of NAMES, empty where the tag is missing."""

_SCORES: Final = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5, b"1/2": 0.5}
_NOBODY: Final = frozenset((b"", b"?", b"-", b"NN", b"N.N.", b"Anonymous"))
_POOLS: Final = (
    ("lichess", rb"lichess"),
    ("chess.com", rb"chess\.com"),
    ("fics", rb"freechess\.org|\bFICS\b"),
    ("icc", rb"chessclub\.com|internet chess club|\bICC\b"),
    ("playchess", rb"playchess"),
    ("chess24", rb"chess24"),
    ("iccf", rb"\bICCF\b"),
    ("ccrl", rb"\bCCRL\b|computerchess\.org"),
    ("tcec", rb"\bTCEC\b"),
)
_SITE: Final = re.compile(rb"|".join(b"(%b)" % pattern for _, pattern in _POOLS), re.IGNORECASE)
_RELAYED: Final = re.compile(rb"\bINT$")
"""Over-the-board collections write "chess.com INT" for events held online by players with FIDE ratings."""
_HOST: Final = re.compile(rb"://|\.[a-z]{2,4}\b", re.IGNORECASE)
_PROGRAMS: Final = frozenset(("ccrl", "tcec"))
_RATING: Final = re.compile(rb"\s*([0-9]{1,4}(?:\.[0-9]{1,6})?)\s*([?pP]?)\s*")
_SPEEDS: Final = (("ultrabullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500))
_SPEED_WORD: Final = re.compile(r"\b(ultra ?bullet|bullet|blitz|rapid|classical|correspondence)\b", re.IGNORECASE)
_CASUAL: Final = re.compile(r"\b(casual|unrated)\b", re.IGNORECASE)
_PERIOD: Final = re.compile(r"(?:([0-9]{1,3})/)?\*?([0-9]{1,8}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,6}(?:\.[0-9]{1,3})?))?")
_DATE: Final = re.compile(rb"\s*([0-9]{4})(?:[./-](0[1-9]|1[0-2])(?:[./-](0[1-9]|[12][0-9]|3[01]))?)?")
_ENDED: Final = (
    ("time", r"time forfeit|on time|timeout|out of time|^time$"),
    ("checkmate", r"checkmate"),
    ("stalemate", r"stalemate"),
    ("resignation", r"resign"),
    ("abandoned", r"abandon"),
    ("agreement", r"agree"),
    ("fivefold repetition", r"fivefold"),
    ("threefold repetition", r"repetition|threefold"),
    ("insufficient material", r"insufficient|mating material"),
    ("75-move rule", r"75.move"),
    ("fifty-move rule", r"50.move|fifty.move"),
    ("adjudication", r"adjudicat"),
    ("rules infraction", r"rules? infraction|fair play|cheat"),
    ("interrupted", r"unterminated|interrupted"),
    ("death", r"\bdeath\b"),
    ("emergency", r"emergency"),
    ("forfeit", r"forfeit"),
    ("normal", r"^normal$"),
)
_ENDED_WORD: Final = re.compile("|".join(f"({pattern})" for _, pattern in _ENDED), re.IGNORECASE)


def decode(text: bytes) -> str:
    """UTF-8, or the Latin-1 that the PGN standard names; escapes undone, blanks trimmed."""
    try:
        said = text.decode()
    except UnicodeDecodeError:
        said = text.decode("latin-1")
    if "\\" in said:
        said = said.replace('\\"', '"').replace("\\\\", "\\")
    return said.strip()


def read_score(text: bytes) -> float | None:
    return _SCORES.get(text.strip())


@lru_cache(4096)
def read_date(text: bytes) -> str:
    """ISO 8601 as far as the text says it."""
    found = _DATE.match(text)
    return "" if found is None else "-".join(part.decode() for part in found.groups() if part)


@lru_cache(4096)
def read_event(text: bytes) -> tuple[str, str, bool]:
    """The event's name, the speed that it names, and whether it was unrated. Two speeds are none."""
    said = decode(text)
    speeds = {found.lower().replace(" ", "") for found in _SPEED_WORD.findall(said)}
    return "" if said in ("?", "-") else said, speeds.pop() if len(speeds) == 1 else "", bool(_CASUAL.search(said))


@lru_cache(4096)
def read_time_control(text: bytes) -> tuple[str, str]:
    """The time control as it stands, and its speed as Lichess defines it: by the time that forty moves have."""
    said = decode(text)[:40]
    if said in ("", "?"):
        return "", ""
    if said == "-":
        return said, "correspondence"
    seconds = 0.0
    for period in said.split(":"):
        found = _PERIOD.fullmatch(period)
        if found is None:
            return said, ""
        moves, base, increment = int(found[1] or 40), float(found[2]), float(found[3] or 0)
        if moves == 1 and base >= 3600:
            return said, "correspondence"
        seconds += base * max(1.0, 40 / max(moves, 1)) + 40 * increment
    return said, next((speed for speed, below in _SPEEDS if seconds < below), "classical")


@lru_cache(4096)
def read_termination(text: bytes) -> str:
    """The first word of the vocabulary that is said after who won, "" where none is."""
    said = decode(text)
    found = _ENDED_WORD.search(said.rpartition(" won ")[2])
    return "" if found is None else _ENDED[(found.lastindex or 1) - 1][0]


@lru_cache(8192)
def _read_rating(text: bytes) -> tuple[float | None, bool]:
    """The rating, and whether it is marked as provisional. Nought is none."""
    found = _RATING.fullmatch(text)
    return (None, False) if found is None else (float(found[1]) or None, bool(found[2]))


def _read_pool(values: Values, ratings: tuple[float | None, float | None]) -> str:
    if values[FIDE_ID].strip(b" ?-0") or values[FIDE_ID + 1].strip(b" ?-0"):
        return "fide"
    site = values[SITE]
    if not _RELAYED.search(site):
        found = _SITE.search(site) or _SITE.search(values[LINK])
        if found is not None:
            return _POOLS[(found.lastindex or 1) - 1][0]
        if _HOST.search(site) or _HOST.search(values[LINK]):
            return ""
    known = [rating for rating in ratings if rating is not None]
    return "fide" if known and all(1000 <= rating < 2900 for rating in known) else ""


def _read_kind(values: Values, side: int, pool: str) -> Literal["human", "bot", "unknown"]:
    said = values[TYPE + side]
    if (
        values[TITLE + side] == b"BOT"
        or said in (b"program", b"computer")
        or values[IS_COMP + side] == b"Yes"
        or pool in _PROGRAMS
        or values[WHITE + side].startswith(b"lichess AI")
    ):
        return "bot"
    if said in (b"human", b"unknown"):
        return "human" if said == b"human" else "unknown"
    return "human" if pool else "unknown"


def read_players(values: Values, score: float | None) -> tuple[tuple[Player, Player], list[str]]:
    """Both players, and the marks of those whose rating is provisional."""
    (white, white_open), (black, black_open) = _read_rating(values[ELO]), _read_rating(values[ELO + 1])
    pool = _read_pool(values, (white, black))
    players, marks = [], []
    for side, own, other, is_open in ((0, white, black, white_open), (1, black, white, black_open)):
        own_pool = values[POOL + side].decode("ascii", "ignore").strip(" -") if values[POOL + side] else pool
        name = values[WHITE + side]
        players.append(
            Player(own, own_pool, None if name in _NOBODY else decode(name), _read_kind(values, side, own_pool))
        )
        change = values[RATING_DIFF + side]
        if is_open or (len(change) > 2 and pool == "lichess" and _is_loose(change, side, own, other, score)):
            marks.append(f"provisional-{side}")
    return (players[0], players[1]), marks


def _is_loose(change: bytes, side: int, own: float | None, other: float | None, score: float | None) -> bool:
    """Did the rating move as only one with a deviation above 110 does, which Lichess calls provisional?

    Glicko-2 (Glickman 2013, steps 3-7) solved for the deviation, the opponent's taken as nought and volatility
    left out. Below 20 points the rounded change says too little.
    """
    try:
        points = float(change)
    except ValueError:
        return False
    if own is None or other is None or score is None or not 20 <= abs(points) < 2000:
        return False
    expected = 1 / (1 + 10 ** (min(max(other - own, -2000.0), 2000.0) / 400))
    surprise = (score if side == 0 else 1 - score) - expected
    if surprise * points <= 0:
        return False
    scale = 173.7178
    precision = surprise * scale / points - expected * (1 - expected)
    return precision <= 0 or scale / sqrt(precision) > 110
