"""Intuition: moves by patterns around them that were learned from nothing, and can be read.

`docs/intuition.md` says what the patterns are; `hitonami learn GAME --out FILE` learns them, `hitonami explain` shows
which of them speak for a move.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Opinion, Position, Query
from hitonami.intuition.knowledge import ANY_SIZE, Knowledge, load, packaged
from hitonami.knobs import Knob, check_knob, read_knob


@dataclass(frozen=True)
class Intuition:
    """The chances of moves by the patterns that hold around them, and the result that is expected of the likeliest.

    `file` is what `hitonami learn` wrote; without one it is the package's. `size` leaves out patterns of more
    conditions (0: none), and `temperature` flattens the chances: two knobs of strength.
    """

    file: str = ""
    size: int = 0
    temperature: Knob = 1.0

    GAMES: ClassVar[tuple[str, ...]] = tuple(packaged())
    """Where the package has one. With a file it is for that file's game."""

    def __post_init__(self) -> None:
        check_knob("size", self.size, 0, ANY_SIZE)
        check_knob("temperature", self.temperature, 0.01, 1000.0)

    def knowledge_of(self, position: Position) -> Knowledge:
        return load(self.file, position.game.name, self.size or ANY_SIZE)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = []
        for query, heat in zip(queries, read_knob(self.temperature, queries).tolist(), strict=True):
            chances, expected = self.knowledge_of(query.position).judge(query.position)
            score = float(expected[int(chances.argmax())])
            opinions.append(Opinion(dist.normalise(chances / heat), as_wdl(score)))
        return opinions

    def drawer(self, query: Query) -> Callable[[Position, np.random.Generator], int]:
        """Draws moves from its opinions, sooner than it would give them: for minds that play games on."""
        heat = float(read_knob(self.temperature, [query])[0])
        knowledge = self.knowledge_of(query.position)
        return lambda position, rng: knowledge.draw(position, heat, rng)


def as_wdl(score: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """An expected score, without a view of draws."""
    return np.array([score, 0.0, 1.0 - score], np.float32)
