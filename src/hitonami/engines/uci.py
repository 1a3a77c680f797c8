"""A client of engines that speak UCI (chess) or USI (shogi): one client, two dialects.

It tells the engine the whole record (start and moves), so that repetitions count, searches within
limits, and returns the engine's move with its variations. It does not ponder and keeps no clocks. A move
of the engine that is not legal is an error; a variation is cut at its first move that is not legal.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise, takewhile
from threading import Event
from typing import Final, Literal

import numpy as np

from hitonami.core import Line, Position, Setup, walk_back
from hitonami.engines._uci_info import Collector, Info, read_info
from hitonami.engines._uci_options import Option, OptionValue, find_option, read_option
from hitonami.engines.client import Client
from hitonami.engines.process import Program
from hitonami.errors import BadMove, BadSetup, BadSpec, EngineFailed, quote

_POLL_SECONDS = 0.02
_GRACE_SECONDS = 5.0
"""How long an engine may take beyond its time, and to answer `stop`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the two protocols."""

    greeting: str
    ready_for_options: str
    new_game: str
    position_word: str
    mate_in_plies: bool

    def go(self, limits: "Limits") -> str:
        words = ["go"]
        if limits.milliseconds is not None:
            # Byoyomi is the one limit in time that every USI engine knows.
            clock = ["movetime"] if self is UCI else ["btime", "0", "wtime", "0", "byoyomi"]
            words += [*clock, str(limits.milliseconds)]
        words += ["nodes", str(limits.nodes)] if limits.nodes is not None else []
        words += ["depth", str(limits.depth)] if limits.depth is not None else []
        return " ".join(words)


UCI: Final = Dialect("uci", "uciok", "ucinewgame", "fen", mate_in_plies=False)
USI: Final = Dialect("usi", "usiok", "usinewgame", "sfen", mate_in_plies=True)


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of these. At least one is set."""

    nodes: int | None = None
    depth: int | None = None
    milliseconds: int | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.nodes, self.depth, self.milliseconds) if value is not None]
        if not given or min(given) < 1:
            raise BadSpec(f"a search needs a limit in nodes, depth or milliseconds, each at least 1, got {self}")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found. `move` is None while it runs, and where the engine resigns or declares a win."""

    move: int | None
    lines: tuple[Line, ...]
    verdict: Literal["move", "resign", "win"] = "move"


@dataclass(frozen=True, slots=True)
class Search:
    """What to search, and how."""

    position: Position
    limits: Limits
    multipv: int = 1
    """How many variations. Fewer come from an engine that has no such option."""
    elo: float | None = None
    """The strength to play at, brought into the engine's range; None is its full strength."""
    fresh: bool = True
    """Make the engine forget what it searched before, so that equal searches find the same."""
    stop: Event | None = None
    report: Callable[[Found], None] | None = None
    """Told what is found at each depth."""


class Wording:
    """How positions and moves are told to an engine: as the game itself writes them."""

    def describe_start(self, start: Position, dialect: Dialect) -> str:
        if start.before is None and start.setup == Setup():
            return "startpos"
        return f"{dialect.position_word} {start.game.write(start)}"

    def format(self, position: Position, move: int) -> str:
        return position.game.format(position, move)

    def parse(self, position: Position, text: str) -> int:
        return position.game.parse(position, text)


class UciEngine(Client):
    """A UCI or USI engine. Options are checked against what the engine offers when it starts."""

    wording: Wording = Wording()

    def __init__(
        self,
        command: str,
        options: Mapping[str, OptionValue] | None = None,
        dialect: Dialect = UCI,
        timeout_seconds: float = 60.0,
    ) -> None:
        super().__init__(command, timeout_seconds)
        self.dialect: Final = dialect
        self.name = command
        self.options: dict[str, Option] = {}
        self._given = dict(options or {})
        self._told: dict[str, str] = {}
        self._in_game = False

    def search(self, wanted: Search) -> Found:
        """Search one position."""

        def work(program: Program) -> Found:
            self._tell_options(program, wanted)
            self._begin(program, wanted.fresh)
            program.send(describe_position(wanted.position, self.dialect, self.wording))
            program.send(self.dialect.go(wanted.limits))
            collector = Collector(min(wanted.multipv, len(wanted.position.legal)))
            best = self._listen(program, wanted, collector)
            return self._conclude(wanted.position, collector, best)

        return self._ask(work)

    def require(self, name: str) -> Option:
        """The engine's option of that name. Raises BadSpec where it has none."""
        return find_option(self.options, name)

    def _greet(self, program: Program) -> None:
        self._told, self._in_game = {}, False
        program.send(self.dialect.greeting)
        ok = self.dialect.ready_for_options
        came = program.expect(lambda line: line.strip() == ok, quote(ok), self.timeout_seconds)
        names = [line.removeprefix("id name ").strip() for line in came if line.startswith("id name ")]
        self.name = names[0] if names else self.command
        self.options = {option.name: option for option in map(read_option, came) if option is not None}
        for name, value in self._given.items():
            program.send(find_option(self.options, name).command(value))
        self._tell(program, "UCI_ShowWDL", True)
        self._synchronise(program)

    def _synchronise(self, program: Program) -> None:
        program.send("isready")
        program.expect(lambda line: line.strip() == "readyok", "'readyok'", self.timeout_seconds)

    def _tell(self, program: Program, name: str, value: OptionValue) -> bool:
        """Set an option where the engine has it and is not told yet. True where it has it."""
        if name not in self.options:
            return False
        line = self.options[name].command(value)
        if self._told.get(name) != line:
            program.send(line)
            self._told[name] = line
        return True

    def _tell_options(self, program: Program, wanted: Search) -> None:
        if "MultiPV" in self.options:
            self._tell(program, "MultiPV", self.options["MultiPV"].clamp(wanted.multipv))
        is_960 = wanted.position.setup.variant == "chess960"
        if not self._tell(program, "UCI_Chess960", is_960) and is_960:
            raise BadSetup(f"the engine {self.name} does not play Chess960")
        if wanted.elo is not None:
            self._tell(program, "UCI_Elo", self.require("UCI_Elo").clamp(wanted.elo))
        self._tell(program, "UCI_LimitStrength", wanted.elo is not None)

    def _begin(self, program: Program, fresh: bool) -> None:
        if self._in_game and not fresh:
            return
        if self.dialect is USI and self._in_game:
            self._synchronise(program)  # USI prepares a game at `isready`, before it is announced
        program.send(self.dialect.new_game)
        if self.dialect is UCI:
            self._synchronise(program)
        self._in_game = True

    def _listen(self, program: Program, wanted: Search, collector: Collector) -> str:
        """Collect until `bestmove`, and return what stands after that word."""
        time_limit = wanted.limits.milliseconds
        seconds = self.timeout_seconds if time_limit is None else time_limit / 1000 + _GRACE_SECONDS
        deadline = time.monotonic() + seconds
        stopped = False
        while True:
            line = program.read_line(_POLL_SECONDS) or ""
            words = line.split()
            if words[:1] == ["bestmove"]:
                return words[1] if len(words) > 1 else ""
            info = read_info(line, self.dialect.mate_in_plies)
            if info is not None and collector.add(info) and wanted.report is not None:
                wanted.report(Found(None, self._read_lines(wanted.position, collector.lines())))
            is_late = time.monotonic() > deadline
            if is_late and stopped:
                raise program.silent("'bestmove' was expected after the time was up and 'stop' was sent")
            if not stopped and (is_late or (wanted.stop is not None and wanted.stop.is_set())):
                program.send("stop")
                stopped, deadline = True, time.monotonic() + min(_GRACE_SECONDS, self.timeout_seconds)

    def _conclude(self, position: Position, collector: Collector, best: str) -> Found:
        if self.dialect is USI and best in ("resign", "win"):
            return Found(None, self._read_lines(position, collector.lines()), "resign" if best == "resign" else "win")
        try:
            move = self.wording.parse(position, best)
        except BadMove as wrong:
            raise EngineFailed(f"{quote(self.command)} answered bestmove {quote(best)}: {wrong}") from None
        return Found(move, self._read_lines(position, collector.lines(best)))

    def _read_lines(self, position: Position, infos: list[Info]) -> tuple[Line, ...]:
        lines = (_read_line(position, info, self.wording) for info in infos)
        return tuple(line for line in lines if line.moves)


def describe_position(position: Position, dialect: Dialect, wording: Wording = UciEngine.wording) -> str:
    """The `position` command: the start of the record and all moves since.

    Some records go on where the rules had ended the game (five times the same position, 75 moves); their start is told
    from there on.
    """
    record = list(takewhile(lambda here: here is position or len(here.legal), walk_back(position)))[::-1]
    words = ["position", wording.describe_start(record[0], dialect)]
    words += ["moves"] if len(record) > 1 else []
    words += [wording.format(here, after.last_move) for here, after in pairwise(record) if after.last_move is not None]
    return " ".join(words)


def _read_line(position: Position, info: Info, wording: Wording) -> Line:
    moves: list[int] = []
    for text in info.pv:
        try:
            moves.append(wording.parse(position, text))
            position = position.play(moves[-1])
        except BadMove:  # some engines write passes, or moves past the end of the game
            break
    wdl = None if info.wdl is None else (np.array(info.wdl) / sum(info.wdl)).astype(np.float32)
    return Line(tuple(moves), wdl, info.centipawns, info.mate_in)
