"""Any engine that speaks GTP, as a mind: of Go, and of Othello."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from hitonami import dist
from hitonami.abilities import GtpGame
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.engines.gtp import Chosen, GtpEngine
from hitonami.engines.scores import spread_scores
from hitonami.errors import BadInput
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.specs import Room


@dataclass(frozen=True)
class Gtp:
    """A GTP engine (GNU Go, GRhino for Othello): its move, with a floor for the others.

    With a `temperature_points` above 0 and an engine that tells the values of its candidates (GNU Go's
    top_moves), the share is the softmax of those values. GTP tells no chances: there is no result, except a
    loss where the engine resigns (its moves are then all alike). The seconds of a call are shared by its
    queries, where the engine keeps time; GTP knows neither simulations nor stopping.
    """

    command: str
    temperature_points: Knob = 0.0
    floor: Knob = 0.01
    timeout_seconds: float = 60.0

    GAMES: ClassVar[tuple[str, ...]] = ("go",)
    INEXACT: ClassVar[bool] = True
    """GNU Go's values of one position differ by a few hundredths, whatever is cleared before."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"command": "gnugo --mode gtp --level 1 --positional-superko"},
        {"command": "gnugo --mode gtp --level 1 --positional-superko", "temperature_points": 2.0},
    )

    def __post_init__(self) -> None:
        check_knob("temperature_points", self.temperature_points, 0.0)
        check_knob("floor", self.floor, 0.0, 1.0)
        check_knob("timeout_seconds", self.timeout_seconds, 0.001)

    def open(self, room: Room) -> Mind:
        """Start the engine, or join in where an equal one runs already."""
        make = partial(GtpEngine, self.command, self.timeout_seconds)
        return _Playing(self, room.share(("engine", "gtp", self.command, self.timeout_seconds), make))


@dataclass(frozen=True)
class _Playing:
    """The mind over an engine that runs."""

    fields: Gtp
    engine: GtpEngine

    @property
    def origin(self) -> str:
        """Which program and version answers."""
        return f"{self.engine.name} {self.engine.request('version')}"

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        heats, floors = (read_knob(knob, queries) for knob in (self.fields.temperature_points, self.fields.floor))
        seconds = None if effort.seconds is None else effort.seconds / max(len(queries), 1)
        opinions = []
        for query, heat, floor in zip(queries, heats.tolist(), floors.tolist(), strict=True):
            if not isinstance(query.position.game, GtpGame):
                raise BadInput(f"{self.fields.command} speaks GTP, in which {query.position.game.name} is not played")
            chosen = self.engine.choose(query.position, seconds, with_values=heat > 0)
            opinions.append(_judge(query, chosen, heat, floor))
        return opinions


def _judge(query: Query, chosen: Chosen, temperature: float, floor: float) -> Opinion:
    if chosen.move is None:
        return Opinion(dist.uniform(len(query.position.legal)), np.array([0, 0, 1], dtype=np.float32))
    scores = dict(chosen.values)
    scores[chosen.move] = max(scores.values(), default=0.0)  # its choice stands above the values (joseki, openings)
    return Opinion(spread_scores(query.position, scores, temperature or 1.0, floor))
