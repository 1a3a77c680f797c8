"""Games of any kind in plain text: what is known of a game, a line each, then its moves as programs write them.

    game: connect-four
    first: Ann
    first-rating: 1500 lichess
    second-kind: bot
    result: 1-0
    ending: four in a row

    d1 c1 d2 c2 d3 c3 d4

A file holds any number of games; each begins with its line `game:`, after an empty line. A move may be followed by
what its player had left on the clock after it and by what the move took, in seconds: `d1@295.5+4.5`. Every move is
played by the game's own rules: nothing illegal is read, and who moved is known where turns do not alternate.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, BinaryIO, ClassVar, Final

from hitonami.core import Game, Player, Position, Setup, open_game
from hitonami.errors import BadInput, BadRecord, HitonamiError, quote
from hitonami.records import Document, Record, Rejected, cut_at_lines, cut_games, told_movers
from hitonami.records._encoding import decode

NOT_A_LINE: Final = "not a line of the header"
NO_MOVES: Final = "no moves"
UNKNOWN_GAME: Final = "unknown game"
BAD_SETUP: Final = "not a start of the game"
ILLEGAL_MOVE: Final = "illegal move"
PLAY_AFTER_END: Final = "play after the end"
_GAME_START: Final = re.compile(rb"^(?=game:)", re.MULTILINE)
_LINE: Final = re.compile(r"([a-z][a-z-]*):(.*)")
_TIMES: Final = re.compile(r"(?:@([0-9]+(?:\.[0-9]+)?))?(?:\+([0-9]+(?:\.[0-9]+)?))?$")
_SIDES: Final = ("first", "second")
_SETUP_KINDS: Final = {
    each.name: {"size": int, "handicap": int, "komi": float}.get(each.name, str) for each in fields(Setup)
}
_FACTS: Final = {
    "ending": "termination",
    "time-control": "time_control",
    "speed": "speed",
    "date": "date",
    "event": "event",
}
_RESULTS: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "*": None}
_KINDS: Final = ("human", "bot", "unknown")
_MOVES_A_LINE: Final = 20


class Plain:
    """Any game that has rules here."""

    suffixes: ClassVar[tuple[str, ...]] = (".plain",)
    game: ClassVar[str] = ""

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from cut_at_lines(source, stream, (b"game:",))

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        for offset, data in cut_games(document, _GAME_START):
            try:
                yield _read_game(decode(data), offset)
            except HitonamiError as wrong:
                yield Rejected.because(wrong, offset)

    def write(self, record: Record) -> str:
        """Raises BadRecord for a game whose rules are not here, or whose moves they do not allow."""
        position = _begin(record.game, record.setup)
        words = []
        for at, move in enumerate(record.moves):
            try:
                text = position.game.format(position, move)
            except BadInput as wrong:
                raise BadRecord(f"{ILLEGAL_MOVE}: {wrong}") from None
            words.append(text + _write_time("@", record.clocks, at) + _write_time("+", record.think_seconds, at))
            position = position.play(move)
        lines = [" ".join(words[at : at + _MOVES_A_LINE]) for at in range(0, len(words), _MOVES_A_LINE)]
        return "\n".join([*(f"{name}: {text}" for name, text in _header(record)), "", *lines, ""])


def _header(record: Record) -> Iterator[tuple[str, str]]:
    """What is known, without what is not."""
    yield "game", record.game
    for name in _SETUP_KINDS:
        if value := getattr(record.setup, name):
            yield name, f"{value:g}" if name == "komi" else " ".join(str(value).split())
    if record.setup.komi == 0:
        yield "komi", "0"
    for side, player in zip(_SIDES, record.players, strict=True):
        if player.name:
            yield side, " ".join(player.name.split())
        if player.rating is not None or player.pool:
            rating = "-" if player.rating is None else f"{player.rating:.10g}"
            yield f"{side}-rating", f"{rating} {player.pool}".strip()
        if player.kind != "unknown":
            yield f"{side}-kind", player.kind
    if record.score is not None:
        yield "result", next((text for text, score in _RESULTS.items() if score == record.score), f"{record.score:g}")
    for name, attribute in _FACTS.items():
        if text := " ".join(getattr(record, attribute).split()):
            yield name, text
    if record.marks:
        yield "marks", " ".join(sorted(record.marks))


def _write_time(mark: str, times: tuple[float | None, ...], at: int) -> str:
    seconds = times[at] if times else None
    return "" if seconds is None else f"{mark}{round(seconds, 3):.10g}"


@dataclass
class _Read:
    """The moves of a game as they are played."""

    position: Position
    moves: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    clocks: list[float | None] = field(default_factory=list)
    think_seconds: list[float | None] = field(default_factory=list)

    def play(self, word: str) -> None:
        times = _TIMES.search(word)
        assert times is not None  # the pattern takes the empty end, too
        game: Game[Any] = self.position.game
        if not len(self.position.legal):
            raise BadRecord(f"{PLAY_AFTER_END}: {quote(word, 20)} at move {len(self.moves) + 1}")
        try:
            move = game.parse(self.position, word[: times.start()])
        except BadInput as wrong:
            raise BadRecord(f"{ILLEGAL_MOVE}: move {len(self.moves) + 1}, {wrong}") from None
        self.moves.append(move)
        self.movers.append(self.position.to_move)
        self.clocks.append(None if times[1] is None else float(times[1]))
        self.think_seconds.append(None if times[2] is None else float(times[2]))
        self.position = self.position.play(move)


def _read_game(text: str, offset: int) -> Record:
    head, _, body = text.strip().partition("\n\n")
    told = {}
    for line in head.splitlines():
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise BadRecord(f"{NOT_A_LINE}: {quote(line, 40)}")
        told[found[1]] = found[2].strip()
    name = told.get("game", "")
    setup = _read_setup(told)
    played = _Read(_begin(name, setup))
    for word in body.split():
        played.play(word)
    if not played.moves:
        raise BadRecord(NO_MOVES)
    end = played.position
    told["ending"] = told.get("ending") or end.ending or ""
    score = _read_result(told["result"]) if "result" in told else end.score
    marks = frozenset(told.get("marks", "").split())
    return Record(
        game=name,
        setup=setup,
        moves=tuple(played.moves),
        players=(_read_player(told, "first"), _read_player(told, "second")),
        score=score,
        **{attribute: told.get(key, "") for key, attribute in _FACTS.items()},
        clocks=_known(played.clocks),
        think_seconds=_known(played.think_seconds),
        marks=marks if score is not None else marks | {"prefix"},
        offset=offset,
        movers=told_movers(played.movers),
    )


def _known(times: list[float | None]) -> tuple[float | None, ...]:
    return tuple(times) if any(each is not None for each in times) else ()


def _begin(name: str, setup: Setup) -> Position:
    try:
        game = open_game(name)
    except HitonamiError as wrong:
        raise BadRecord(f"{UNKNOWN_GAME}: {wrong}") from None
    try:
        position: Position = game.start(setup) if setup != Setup() else game.start()
    except BadInput as wrong:
        raise BadRecord(f"{BAD_SETUP}: {wrong}") from None
    return position


def _read_setup(told: dict[str, str]) -> Setup:
    try:
        return Setup(**{name: kind(told[name]) for name, kind in _SETUP_KINDS.items() if name in told})
    except (ValueError, OverflowError) as wrong:
        raise BadRecord(f"{BAD_SETUP}: {wrong}") from None


def _read_player(told: dict[str, str], side: str) -> Player:
    rating, _, pool = told.get(f"{side}-rating", "-").partition(" ")
    kind = told.get(f"{side}-kind", "unknown")
    return Player(
        None if rating == "-" else _number(rating),
        pool.strip(),
        told.get(side) or None,
        kind if kind in _KINDS else "unknown",  # type: ignore[arg-type]  # one of three
    )


def _read_result(text: str) -> float | None:
    if text in _RESULTS:
        return _RESULTS[text]
    score = _number(text)
    if not 0 <= score <= 1:
        raise BadRecord(f"{NOT_A_LINE}: a result of {quote(text, 20)}")
    return score


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadRecord(f"{NOT_A_LINE}: {quote(text, 20)} is no number")
    return value
