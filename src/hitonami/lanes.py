"""Rules over rows of numbers, many games at a time: what self-play, any game's networks and intuition ask of it."""

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

States = NDArray[np.int16]
"""[B, width] rows of numbers, a situation each; `Lanes` says what they mean."""
STOOD: Final = 3
"""Where after the cells a state says how often its position has stood before."""


class Lanes(Protocol):
    """The rules of one board over rows of numbers, many games at a time: for self-play, and for networks of any game.

    A state begins with the board's cells, row by row from the top: 0 empty, k a piece of kind k of player 0, -k one of
    player 1. Then follow who is to move, the squares that the last move came from and went to (-1 for none), and how
    often the position has stood before (2 for more); the rest is the game's own.
    """

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def kinds(self) -> int:
        """Of pieces, counted from 1."""

    @property
    def width(self) -> int: ...
    @property
    def most_moves(self) -> int:
        """No position has more legal moves."""

    @property
    def view(self) -> Literal["same", "turned", "transposed"]:
        """How the board lies for player 1, so that both players have the same aims on it."""

    @property
    def places(self) -> NDArray[np.int32]:
        """[2, ids] where a move stands among all moves, by who is to move, seen from his side; -1 for no move."""

    @property
    def head_size(self) -> int:
        """How many places there are."""

    @property
    def images(self) -> NDArray[np.int32]:
        """[ways, squares] where each image of the board as it is seen takes a square; way 0 is the board itself."""

    @property
    def head_images(self) -> NDArray[np.int32]:
        """[ways, places] where each image takes a move."""

    def state_of(self, position: Any) -> NDArray[np.int16]: ...
    def advance(  # noqa: PLR0913, PLR0917  (arrays of one batch)
        self,
        states: States,
        moves: NDArray[np.int32],
        after: States,
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
        scores: NDArray[np.float32],
    ) -> None:
        """Play a legal move in each row: what stands `after`, its `legal` moves (ascending) and their `counts`.

        `scores` are 0..1 of player 0 where the game is over, else -1.
        """


@runtime_checkable
class LaneGame(Protocol):
    """A game whose rules are compiled for many boards at once."""

    def lanes(self, setup: Any) -> Lanes:
        """For positions on the board of this setup."""


@runtime_checkable
class ThinGame(Protocol):
    """A game that can also be begun with fewer men."""

    def without(self, position: Any, cells: Sequence[int]) -> Any:
        """A position as a start, without the men on some cells of its diagram; kings stay. Raises BadPosition."""


@runtime_checkable
class CellGame(Protocol):
    """A game with one kind of piece that says fast, as arrays, what `diagram` and `touches` say to people."""

    def fill_cells(self, position: Any) -> NDArray[np.int8]:
        """[cells] of the diagram, row by row: 0 empty, 1 player 0's, -1 player 1's."""

    def list_landings(self, position: Any) -> NDArray[np.int32]:
        """[moves, 2] the cells that each legal move leaves and lands on; -1 for none."""
