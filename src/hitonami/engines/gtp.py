"""A client of engines that speak GTP 2: Go, and other games that say how in `gtp_start` and `gtp_vertex`.

It sets up the whole record, playing only the new moves where the record goes on
from the last one. It asks for a move without changing the engine's board. GTP has no command to stop a
search, so a request is waited for until it is answered or its time is up; then the engine is ended.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

from hitonami.abilities import GtpGame
from hitonami.core import Position, walk_back
from hitonami.engines.client import Client
from hitonami.engines.process import Program
from hitonami.errors import BadInput, BadMove, EngineFailed, quote

_COLOURS = ("black", "white")
_GRACE_SECONDS = 5.0


class GtpRefused(EngineFailed):
    """The engine answered `?`: it understood the command and did not carry it out."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the engine would do. `move` is None where it resigns; `values` are the moves it considered, if it says."""

    move: int | None
    values: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class _Record:
    """A game as the engine is told it: the commands that make the start, and the moves."""

    start: tuple[str, ...]
    plays: tuple[str, ...]


class GtpEngine(Client):
    """A GTP engine. `commands` are those that it knows."""

    def __init__(self, command: str, timeout_seconds: float = 60.0) -> None:
        super().__init__(command, timeout_seconds)
        self.name = command
        self.commands: frozenset[str] = frozenset()
        self._number = 0
        self._shown: _Record | None = None
        self._pace: str | None = None

    def request(self, command: str) -> str:
        """Send any one command and return its answer. Raises GtpRefused for `?`."""

        def work(program: Program) -> str:
            self._shown = None  # it may change the board
            return self._request(program, command)

        return self._ask(work)

    def choose(self, position: Position, seconds: float | None = None, with_values: bool = False) -> Chosen:
        """The engine's move for the side to move, within about `seconds` where the engine keeps time."""

        def work(program: Program) -> Chosen:
            self._show(program, position)
            colour = _COLOURS[position.to_move]
            self._tell_pace(program, colour, seconds)
            text = self._generate(program, colour, seconds)
            if text.lower() == "resign":
                return Chosen(None)
            return Chosen(self._read_move(position, text), self._read_values(program, position) if with_values else ())

        return self._ask(work)

    def _greet(self, program: Program) -> None:
        self._number, self._shown, self._pace = 0, None, None
        self.commands = frozenset(self._request(program, "list_commands").split())
        self.name = self._request(program, "name")

    def _request(self, program: Program, command: str, seconds: float | None = None) -> str:
        self._number += 1
        program.send(f"{self._number} {command}")
        seconds = self.timeout_seconds if seconds is None else seconds
        came = program.expect(lambda line: line[:1] in ("=", "?"), f"an answer to {quote(command)}", seconds)
        status, _, first = came[-1].partition(" ")
        if status[1:] != str(self._number):
            numbered = quote(f"{self._number} {command}")
            raise EngineFailed(f"{quote(self.command)} answered {quote(came[-1])} to {numbered}")
        rest = program.expect(lambda line: not line.strip(), f"the end of the answer to {quote(command)}", seconds)
        answer = "\n".join([first, *rest[:-1]]).strip()
        if status[0] == "?":
            raise GtpRefused(f"{quote(self.command)} refused {quote(command)}: {answer}")
        return answer

    def _show(self, program: Program, position: Position) -> None:
        record = _describe(position, self.commands)
        shown, self._shown = self._shown, None  # unknown until every command went through
        if shown is not None and shown.start == record.start and shown.plays == record.plays[: len(shown.plays)]:
            commands = record.plays[len(shown.plays) :]
        else:
            commands = (*record.start, *record.plays)
        for command in commands:
            self._request(program, command)
        self._shown = record

    def _tell_pace(self, program: Program, colour: str, seconds: float | None) -> None:
        if seconds is None or not {"time_settings", "time_left"} <= self.commands:
            return
        whole = max(1, math.floor(seconds))
        if self._pace != (pace := f"time_settings 0 {whole} 1"):
            self._request(program, pace)
            self._pace = pace
        self._request(program, f"time_left {colour} {whole} 1")

    def _generate(self, program: Program, colour: str, seconds: float | None) -> str:
        patience = self.timeout_seconds if seconds is None else max(self.timeout_seconds, seconds + _GRACE_SECONDS)
        if "reg_genmove" in self.commands:
            return self._request(program, f"reg_genmove {colour}", patience)
        shown, self._shown = self._shown, None
        text = self._request(program, f"genmove {colour}", patience)
        if text.lower() != "resign":
            self._request(program, "undo")
        self._shown = shown
        return text

    def _read_move(self, position: Position, text: str) -> int:
        try:
            return position.game.parse(position, text)
        except BadMove as wrong:
            raise EngineFailed(f"{quote(self.command)} chose {quote(text)}: {wrong}") from None

    def _read_values(self, program: Program, position: Position) -> tuple[tuple[int, float], ...]:
        """GNU Go's `top_moves`: the candidates of the last search, each with its value in points."""
        if "top_moves" not in self.commands:
            return ()
        words = self._request(program, "top_moves").split()
        try:
            pairs = [(text, float(value)) for text, value in zip(words[::2], words[1::2], strict=True)]
        except ValueError:
            raise EngineFailed(
                f"{quote(self.command)} gave no list of moves and values: {quote(' '.join(words))}"
            ) from None
        return tuple((self._read_move(position, text), value) for text, value in pairs)


def _describe(position: Position, commands: frozenset[str]) -> _Record:
    game, record = position.game, list(walk_back(position))[::-1]
    if not isinstance(game, GtpGame):
        raise BadInput(f"engines of GTP do not play {game.name}")
    plays = [
        f"play {_COLOURS[here.to_move]} {told}"
        for here, after in pairwise(record)
        if after.last_move is not None and (told := game.gtp_vertex(here, after.last_move))
    ]
    return _Record(tuple(game.gtp_start(record[0], commands)), tuple(plays))
