"""What the minds of UCI and USI engines share: fields, limits, and opinions from variations."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from hitonami.core import Effort, Game, Line, Mind, Opinion, Query, Wdl
from hitonami.engines.scores import Options, as_options, centipawns_of, result_of, spread_scores
from hitonami.engines.uci import UCI, Dialect, Found, Limits, Search, UciEngine
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.specs import Room

_OWN_FIELDS = {
    "multipv": "the field multipv",
    "uci_limitstrength": "the field limit_strength",
    "uci_elo": "the field limit_strength",
    "uci_chess960": "the variant of the position",
    "uci_variant": "the game: `fairy` tells it by itself",
}


@dataclass(frozen=True)
class SearchingEngine:
    """The fields of a mind over a UCI or USI engine. `Uci` and `Usi` document them."""

    command: str
    options: Options = ()
    nodes: int | None = None
    depth: int | None = None
    move_milliseconds: int | None = None
    multipv: int = 5
    temperature_centipawns: Knob = 50.0
    floor: Knob = 0.01
    limit_strength: bool = False
    fresh: bool = True
    processes: int = 1
    timeout_seconds: float = 60.0
    result_centipawns: float = 272.0
    draw_share: float = 0.3

    DIALECT: ClassVar[Dialect] = UCI
    ENGINE: ClassVar[type[UciEngine]] = UciEngine
    GAMES: ClassVar[tuple[str, ...]] = ()
    DEFAULT_LIMITS: ClassVar[Limits] = Limits(nodes=10_000)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", as_options(self.options))
        for name, _ in as_options(self.options):
            if name.lower() in _OWN_FIELDS:
                raise BadSpec(f"option {name} is set by {_OWN_FIELDS[name.lower()]}")
        check_knob("temperature_centipawns", self.temperature_centipawns, 0.001)
        check_knob("floor", self.floor, 0.0, 1.0)
        check_knob("draw_share", self.draw_share, 0.0, 0.5)
        check_knob("result_centipawns", self.result_centipawns, 1.0)
        check_knob("timeout_seconds", self.timeout_seconds, 0.001)
        check_knob("multipv", self.multipv, 1)
        check_knob("processes", self.processes, 1)
        self.limits()

    def limits(self) -> Limits:
        """The limits of a search that is given no other."""
        if self.nodes is None and self.depth is None and self.move_milliseconds is None:
            return self.DEFAULT_LIMITS
        return Limits(self.nodes, self.depth, self.move_milliseconds)

    def plays(self, game: Game[Any]) -> bool:
        return game.name in self.GAMES

    def open(self, room: Room) -> Mind:
        """Start the engine, or join in where an equal one runs already."""
        options = as_options(self.options)
        engines: list[UciEngine] = []
        for at in range(self.processes):
            key = ("engine", self.ENGINE, self.DIALECT.greeting, self.command, options, self.timeout_seconds, at)
            make = partial(self.ENGINE, self.command, dict(options), self.DIALECT, self.timeout_seconds)
            engines.append(room.share(key, make))
        if self.limit_strength:
            engines[0].require("UCI_LimitStrength")
            engines[0].require("UCI_Elo")
        return _Searching(self, tuple(engines))


@dataclass(frozen=True, slots=True)
class _Task:
    """One query made ready: what to search, and the knobs read for it."""

    search: Search
    temperature: float
    floor: float


@dataclass(frozen=True)
class _Searching:
    """The mind over engines that run."""

    fields: SearchingEngine
    engines: tuple[UciEngine, ...]

    @property
    def origin(self) -> str:
        """Which program and version answers."""
        return self.engines[0].name

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        tasks = self._plan(queries, effort)
        count = len(self.engines)
        if count == 1:
            return [self._carry_out(self.engines[0], task) for task in tasks]

        def work(at: int) -> list[Opinion]:
            return [self._carry_out(self.engines[at], task) for task in tasks[at::count]]

        with ThreadPoolExecutor(count) as pool:  # each engine has a fixed share, so that runs repeat
            shares = list(pool.map(work, range(count)))
        return [shares[at % count][at // count] for at in range(len(tasks))]

    def _plan(self, queries: Sequence[Query], effort: Effort) -> list[_Task]:
        limits = self._limits(effort, math.ceil(len(queries) / len(self.engines)))
        tasks = []
        heats, floors = (read_knob(knob, queries) for knob in (self.fields.temperature_centipawns, self.fields.floor))
        for query, heat, floor in zip(queries, heats.tolist(), floors.tolist(), strict=True):
            if not self.fields.plays(query.position.game):
                known = ", ".join(self.fields.GAMES)
                raise BadInput(f"{self.fields.command} plays {known}, not {query.position.game.name}")
            search = Search(
                query.position, limits, self.fields.multipv, self._elo(query), self.fields.fresh, effort.stop
            )
            task = _Task(search, heat, floor)
            if effort.report is not None and len(queries) == 1:
                task = replace(task, search=replace(search, report=self._reporter(task, effort.report)))
            tasks.append(task)
        return tasks

    def _limits(self, effort: Effort, searches: int) -> Limits:
        """The seconds of a call are shared by its queries; its simulations are nodes for each."""
        seconds = None if effort.seconds is None or math.isinf(effort.seconds) else effort.seconds
        if seconds is None and effort.simulations is None:
            return self.fields.limits()
        share = None if seconds is None else max(1, round(1000 * seconds / max(searches, 1)))
        nodes = None if effort.simulations is None else max(1, effort.simulations)
        return Limits(nodes=nodes, milliseconds=share)

    def _elo(self, query: Query) -> float | None:
        if not self.fields.limit_strength:
            return None
        if query.player.rating is None:
            raise BadInput(f"{self.fields.command} is to play at the player's rating, and the player has none")
        return query.player.rating

    def _reporter(self, task: _Task, report: Callable[[Opinion], None]) -> Callable[[Found], None]:
        return lambda found: report(self._judge(task, found)) if found.lines else None

    def _carry_out(self, engine: UciEngine, task: _Task) -> Opinion:
        return self._judge(task, engine.search(task.search))

    def _judge(self, task: _Task, found: Found) -> Opinion:
        lines = tuple(replace(line, wdl=self._result(line)) for line in found.lines)
        scores = {line.moves[0]: centipawns_of(line) for line in lines}
        if found.move is not None and (task.search.elo is not None or not scores):
            scores = {found.move: 0.0}  # a weakened engine's choice is its draw; a book move comes without scores
        elif found.move is not None:
            scores[found.move] = max(scores.values())  # it may have changed its mind after the last full depth
        if not scores:
            scores = dict.fromkeys(task.search.position.legal.tolist(), 0.0)
        log_probs = spread_scores(task.search.position, scores, task.temperature, task.floor)
        return Opinion(log_probs, _expect(found, lines), lines)

    def _result(self, line: Line) -> Wdl:
        return result_of(line, self.fields.result_centipawns, self.fields.draw_share)


def _expect(found: Found, lines: tuple[Line, ...]) -> Wdl | None:
    if found.verdict != "move":
        return np.array([1, 0, 0] if found.verdict == "win" else [0, 0, 1], dtype=np.float32)
    chosen = [line for line in lines if line.moves[0] == found.move] or list(lines)
    return chosen[0].wdl if chosen else None
