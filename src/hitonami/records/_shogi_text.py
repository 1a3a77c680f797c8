"""What the text formats of shogi share: encodings, replay by the rules, results and time controls."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hitonami.core import Player, Setup
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games.shogi import Shogi, ShogiPosition
from hitonami.games.shogi_rules.sfen import HANDICAPS
from hitonami.ranks import split_name
from hitonami.records import Record, Rejected
from hitonami.records._encoding import decode as read_text
from hitonami.records._pools import find_pool
from hitonami.records._shogi_replay import Played, play_wishes

SHOGI: Final = Shogi()
_PIYO_LEVEL = re.compile(r"Lv[0-9]")
"""How the Piyo Shogi program names itself."""
_DATE = re.compile(r"([0-9]{4})(?:[-/年]([0-9]{1,2})(?:[-/月]([0-9]{1,2}))?)?(?![0-9])")
_CONTROL = re.compile(r"([0-9]+)(?:\+([0-9]+)(/1)?)?", re.ASCII)


@dataclass(slots=True)
class Sheet:
    """A game as far as it has been read."""

    setup: Setup = field(default_factory=Setup)
    names: list[str | None] = field(default_factory=lambda: [None, None])
    ratings: list[float | None] = field(default_factory=lambda: [None, None])
    moves: list[int] = field(default_factory=list)
    """Made by `_shogi_replay.wish`."""
    seconds: list[float | None] = field(default_factory=list)
    """Spent on each move; as long as `moves`."""
    mover_score: float | None = None
    """What the last word says of the side to move: 1 it wins, 0 it loses, None nothing."""
    black_score: float | None = None
    """The same where it names a side instead."""
    termination: str = ""
    event: str = ""
    site: str = ""
    date: str = ""
    time_control: str = ""

    def add_move(self, move: int, seconds: float | None = None) -> None:
        self.moves.append(move)
        self.seconds.append(seconds)


def decode(data: bytes) -> str:
    """The text, with line ends as `\\n`."""
    return read_text(data).replace("\r\n", "\n").replace("\r", "\n")


def read_one(data: bytes, offset: int, read_sheet: Callable[[str], Sheet]) -> Record | Rejected:
    """One game; whatever `read_sheet` or the rules refuse becomes its reason."""
    try:
        return finish(read_sheet(decode(data)), offset)
    except BadInput as wrong:
        return Rejected.because(wrong, offset)


def finish(sheet: Sheet, offset: int) -> Record:
    """Replay the moves by the rules. A game that the rules ended has the rules' result.

    Where the record says that it ended by an illegal move, and that move is written down, it is left out.
    """
    wishes, mover_flips = sheet.moves, False
    try:
        played = play_wishes(sheet.setup, wishes)
    except BadRecord:
        if sheet.termination != "illegal move" or not wishes:
            raise
        played, mover_flips = play_wishes(sheet.setup, wishes[:-1]), True
    seconds = sheet.seconds[: len(played.moves)]
    players, marks = read_players(sheet)
    score, termination = _result(sheet, played, mover_flips)
    return Record(
        game="shogi",
        setup=sheet.setup,
        moves=played.moves,
        players=players,
        score=score,
        termination=termination,
        time_control=sheet.time_control,
        date=sheet.date,
        event=sheet.event,
        think_seconds=tuple(seconds) if any(spent is not None for spent in seconds) else (),
        marks=marks,
        offset=offset,
    )


def _result(sheet: Sheet, played: Played, mover_flips: bool) -> tuple[float | None, str]:
    if played.ending is not None and not mover_flips:
        return played.score, played.ending
    score = sheet.black_score
    if sheet.mover_score is not None:
        score = sheet.mover_score if played.to_move == mover_flips else 1 - sheet.mover_score
    return score, sheet.termination


def read_players(sheet: Sheet) -> tuple[tuple[Player, Player], frozenset[str]]:
    """Names without the ranks in them, ratings, the pool, and the marks of doubtful ratings."""
    pool = find_pool("shogi", sheet.event, sheet.site)
    players, marks = [], set()
    for side, (full_name, rating) in enumerate(zip(sheet.names, sheet.ratings, strict=True)):
        name, standing = split_name(full_name or "")
        if standing is not None and standing.doubtful and rating is None:
            marks.add(f"provisional-{side}")
        known = standing.value if rating is None and standing is not None else rating
        is_bot = pool == "piyo" and _PIYO_LEVEL.match(name) is not None
        players.append(Player(known, pool, name or None, "bot" if is_bot else "unknown"))
    return (players[0], players[1]), frozenset(marks)


def replay(record: Record, format_name: str) -> list[ShogiPosition]:
    """Every position of the record, the start first. Raises BadRecord for another game's record."""
    if record.game != "shogi":
        raise BadRecord(f"{format_name} holds games of shogi, not of {quote(record.game)}")
    positions = [SHOGI.start(record.setup)]
    for move in record.moves:
        positions.append(positions[-1].play(move))
    return positions


def handicap_of(sfen: str) -> str:
    """The name of the handicap that starts from there, "" for any other position."""
    return next((name for name, start in HANDICAPS.items() if start == sfen), "")


def setup_from(sfen: str, rules: str = "") -> Setup:
    """The setup that starts there, in the plainest form: no start for the standard one, a handicap's name."""
    handicap = handicap_of(sfen)
    if handicap:
        return Setup(variant="" if handicap == "even" else handicap, rules=rules)
    return Setup(start=sfen, rules=rules)


def one_line(text: str) -> str:
    """Text that cannot break out of its header line."""
    return " ".join(text.split())


def read_date(text: str) -> str:
    """ISO 8601 as far as the text says it."""
    found = _DATE.match(text.strip())
    return "" if found is None else "-".join(part.zfill(2) for part in found.groups() if part)


def split_control(time_control: str) -> tuple[int, int, int] | None:
    """Main time, increment and byoyomi of "600", "600+10" (increment) and "600+30/1" (byoyomi), in seconds."""
    found = _CONTROL.fullmatch(time_control)
    if found is None:
        return None
    renewed = int(found[2] or 0)
    return (int(found[1]), 0, renewed) if found[3] else (int(found[1]), renewed, 0)


def spent_seconds(record: Record) -> Callable[[int], float | None]:
    """Seconds spent on the move with that index, where the record knows them."""

    def spent(at: int) -> float | None:
        return record.think_seconds[at] if at < len(record.think_seconds) else None

    return spent
