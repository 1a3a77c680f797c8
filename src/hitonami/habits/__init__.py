"""What a person is in the habit of, as a twin remembers it: one file a game, found by its name.

*Scenes* are names of a position, the broadest first: what was played before in a scene tells what will be played in it
again. *Turns of hand* sort moves into a few hundred kinds that a person may like or shun whatever the position. A game
without a file has the position itself as its only scene, and no kinds.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.levels.opening_counts import View, view_of
from hitonami.parts import find_parts, load_part

Whole = NDArray[np.int64]


class Habits(Protocol):
    """The habits of a game."""

    @property
    def scenes(self) -> tuple[str, ...]:
        """What `view` names, the broadest first; the last is the position itself."""

    @property
    def kinds(self) -> tuple[tuple[str, int], ...]:
        """The ways in which `sort` tells moves apart, and into how many kinds each."""

    def view(self, position: Any) -> tuple[View, ...]:
        """The scenes that a position stands in; one without a name is none."""

    def sort(self, positions: Sequence[Any], moves: Whole, begins: Whole) -> Whole:
        """[M, kinds] of moves (ids) that are given by position, from `begins` on."""


class PlainHabits:
    """Of any game: the position itself, its mirror images alike where the game has them."""

    scenes = ("position",)
    kinds: tuple[tuple[str, int], ...] = ()

    def view(self, position: Position) -> tuple[View, ...]:
        return (view_of(position),)

    def sort(self, positions: Sequence[Position], moves: Whole, begins: Whole) -> Whole:
        return np.zeros((len(moves), 0), dtype=np.int64)


@cache
def habits_of(game: str) -> Habits:
    """The habits of a game."""
    if game not in find_parts("habits"):
        return PlainHabits()
    found: Habits = load_part("habits", game)()
    return found
