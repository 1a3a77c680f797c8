"""What shows how somebody plays, one file a game, found by its name: features of style, measured over whole shards.

A game's traits are measured for both sides at once, from arrays (`dataset/columns.py`), by kernels that walk the
games. A trait of a position is taken after each of the side's own moves and averaged over them; a trait of moves is the
share of the side's own moves; what happens once in a game is 0 or 1, or the number of the own move at which it does.
NaN is where a game says nothing of a trait. Time use is the same in all games. A game without a file has what can be
told of any game (`_plain.py`).

Table 5.1 of the source (Shogi) names kinds of features; what it leaves open is decided here and said where it is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.parts import find_parts, load_part
from hitonami.traits._plain import PlainTraits
from hitonami.traits._time_use import TIME_USE, measure_time_use
from hitonami.traits._trait import Trait

__all__ = ["Trait", "Traits", "WeighingTraits", "measure_traits", "traits_of"]
Floats = NDArray[np.float32]


class Traits(Protocol):
    """The traits of a game, besides time use."""

    @property
    def traits(self) -> tuple[Trait, ...]: ...

    def measure(self, games: Columns) -> Floats:
        """[games, 2, traits], NaN where a game says nothing of one."""


@runtime_checkable
class WeighingTraits(Protocol):
    """Traits that tell of a move before it is made, for features of a mind."""

    @property
    def weighed(self) -> tuple[str, ...]:
        """The names of what `weigh` tells."""

    def weigh(self, positions: Sequence[Any], moves: NDArray[np.int64], begins: NDArray[np.int64]) -> Floats:
        """[M, weighed] of moves (ids) that are given by position, from `begins` on: as after the move."""


@dataclass(frozen=True)
class GameTraits:
    """All traits of a game."""

    game: str
    own: Traits

    @property
    def traits(self) -> tuple[Trait, ...]:
        return (*self.own.traits, *TIME_USE)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.traits)


@cache
def traits_of(game: str) -> GameTraits:
    """The traits of a game; those of any game where nobody wrote its own."""
    part = game.partition(":")[0]
    own: Traits = load_part("traits", game)() if game == part and part in find_parts("traits") else PlainTraits(game)
    return GameTraits(game, own)


def measure_traits(games: Columns) -> Floats:
    """[games, 2, traits] of all games, in one call."""
    own = traits_of(games.game).own.measure(games)
    return np.concatenate([own, measure_time_use(games)], axis=2)
