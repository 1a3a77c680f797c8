"""What some games can do besides playing: their own methods, asked for by `isinstance`.

A game has an ability by having its methods; nothing is registered, and a game without any works everywhere.
"""

from collections.abc import Collection
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Counted(Protocol):
    """A finished count. `str` of it is how people write the result."""

    @property
    def score(self) -> float:
        """0..1 for player 0."""


@runtime_checkable
class CountingGame(Protocol):
    """A game whose result depends on which stones are dead: players agree on it, programs guess."""

    def guess_dead(self, position: Any, rng: np.random.Generator) -> list[int]: ...
    def count(self, position: Any, dead: Collection[int]) -> Counted: ...
    def name_point(self, position: Any, point: int) -> str: ...
    def read_point(self, position: Any, text: str) -> int:
        """The inverse of `name_point`, for points that may be played and for others. Raises BadMove."""


@runtime_checkable
class MatingGame(Protocol):
    """A game in which too little may be left to win with: who then runs out of time has not lost."""

    def can_mate(self, position: Any, side: int) -> bool:
        """Whether the side could win by any moves at all."""


@runtime_checkable
class SymmetricGame(Protocol):
    """A game with mirror images that its people do not tell apart."""

    def images(self, size: int) -> NDArray[np.int64]:
        """[ways, moves] where each image takes a move, on an empty board of this size (0: the usual one)."""

    def name_images(self, position: Any) -> list[str]:
        """What stands on the board in each of the images, as text."""


@runtime_checkable
class GtpGame(Protocol):
    """A game that engines which speak GTP play, Black first."""

    def gtp_start(self, start: Any, commands: Collection[str]) -> list[str]:
        """What sets up the start of a record, for an engine that knows `commands`. Raises BadInput where it cannot."""

    def gtp_vertex(self, position: Any, move: int) -> str:
        """Where a move is played; "" for one that the engine makes by itself."""
