"""What the minds over KataGo's analysis engine share: the program that runs, the boards it takes, its bare policy."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

import numpy as np

from hitonami import dist
from hitonami.core import LogProbs, Query
from hitonami.engines.katago import Analysis, KatagoEngine
from hitonami.errors import BadInput
from hitonami.games.go import GoPosition
from hitonami.knobs import check_knob
from hitonami.specs import Room


class Started(Protocol):
    """How the program is started, and how long it may take."""

    @property
    def command(self) -> str: ...
    @property
    def timeout_seconds(self) -> float: ...
    @property
    def start_seconds(self) -> float: ...


def check_seconds(wanted: Started) -> None:
    check_knob("timeout_seconds", wanted.timeout_seconds, 0.001)
    check_knob("start_seconds", wanted.start_seconds, 0.001)


def share_engine(wanted: Started, room: Room) -> KatagoEngine:
    """Start the engine, or join in where an equal one runs already."""
    how = wanted.command, wanted.timeout_seconds, wanted.start_seconds
    return room.share(("engine", "katago", *how), partial(KatagoEngine, *how))


def boards_of(queries: Sequence[Query], command: str) -> list[GoPosition]:
    """The positions asked about. Raises BadInput for another game's."""
    boards = []
    for query in queries:
        if not isinstance(query.position, GoPosition):
            raise BadInput(f"{command} plays go, not {query.position.game.name}")
        boards.append(query.position)
    return boards


def judge_chances(found: Analysis) -> np.ndarray:
    """Win, draw and loss; it knows no draws."""
    win = np.float32(found.win)
    return np.array([win, 0.0, 1.0 - win], dtype=np.float32)


def floored(shares: np.ndarray, floor: float) -> LogProbs:
    """Shares of the moves as log-probabilities, the floor under all."""
    with np.errstate(divide="ignore"):
        return dist.floor(dist.normalise(np.log(shares)), floor)
