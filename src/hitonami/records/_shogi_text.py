"""What the text formats of shogi share: encodings, replay by the rules, results and time controls."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hitonami.core import Player, Setup, lineage
from hitonami.errors import BadInput, BadRecord, quote
from hitonami.games._shogi_sfen import HANDICAPS
from hitonami.games.shogi import Shogi, ShogiPosition
from hitonami.records import Record

SHOGI: Final = Shogi()
ENCODINGS: Final = ("utf-8-sig", "cp932")
"""Tried in turn: what programs write today, what they wrote before."""
_DATE = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?(?![0-9])", re.ASCII)
_CONTROL = re.compile(r"([0-9]+)(?:\+([0-9]+)(/1)?)?", re.ASCII)


@dataclass(slots=True)
class Sheet:
    """A game as far as it has been read."""

    setup: Setup = field(default_factory=Setup)
    names: list[str | None] = field(default_factory=lambda: [None, None])
    ratings: list[float | None] = field(default_factory=lambda: [None, None])
    moves: list[str] = field(default_factory=list)
    seconds: list[float | None] = field(default_factory=list)
    """Spent on each move; as long as `moves`."""
    mover_score: float | None = None
    """What the last word says of the side to move: 1 it wins, 0 it loses, None nothing."""
    black_score: float | None = None
    """The same where it names a side instead."""
    termination: str = ""
    event: str = ""
    date: str = ""
    time_control: str = ""

    def add_move(self, text: str, seconds: float | None = None) -> None:
        self.moves.append(text)
        self.seconds.append(seconds)


def decode(data: bytes) -> str:
    """The text, with line ends as `\\n`. Raises BadRecord where no encoding fits."""
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    raise BadRecord("unknown encoding: neither UTF-8 nor Shift JIS")


def finish(sheet: Sheet, offset: int) -> Record:
    """Replay the moves by the rules. The result is what the record says, else what the rules say."""
    position = SHOGI.start(sheet.setup)
    for number, text in enumerate(sheet.moves, start=1):
        if position.ending is not None:
            raise BadRecord(f"play after the end: move {number} after {position.ending}")
        try:
            position = position.play(SHOGI.parse(position, text))
        except BadInput:
            raise BadRecord(f"illegal move: move {number}, {quote(text)} in {position.sfen}") from None
    score, termination = _result(sheet, position)
    black, white = (Player(rating=r, name=n) for r, n in zip(sheet.ratings, sheet.names, strict=True))
    return Record(
        game="shogi",
        setup=sheet.setup,
        moves=tuple(lineage(position)[1]),
        players=(black, white),
        score=score,
        termination=termination,
        time_control=sheet.time_control,
        date=sheet.date,
        event=sheet.event,
        think_seconds=tuple(sheet.seconds) if any(spent is not None for spent in sheet.seconds) else (),
        offset=offset,
    )


def _result(sheet: Sheet, position: ShogiPosition) -> tuple[float | None, str]:
    score = sheet.black_score
    if sheet.mover_score is not None:
        score = sheet.mover_score if position.to_move == 0 else 1 - sheet.mover_score
    if position.ending is not None and score in (None, position.score):
        return position.score, position.ending
    return score, sheet.termination


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
