"""How often people played each move in the first moves of their games, as data that comes with the package.

One file a game in `levels/`, made by `recipes/openings.py` from games of the training split:

    {"game": "shogi", "plies": 12, "weight": 20, "sections": [{"pools": ["shogiwars", ""], "size": 0, "ratings": null,
     "games": 5043, "table": {"lnsgkgsnl/1r5b1/… b -": {"4218": 1811, …}}}], "provenance": …}

A section is for players of some pools, one board size and a range of ratings. Positions are named by their text without
move counters, so that ways which meet are counted together; moves by their ids. In Go a position is named by its stones
as the first of its eight mirror images, and moves are those of that image, because people do not tell them apart.
"""

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import SymmetricGame
from hitonami.core import Player, Position, Setup, size_of
from hitonami.errors import BadSpec
from hitonami.levels import FOLDER

_COUNTERS = re.compile(r"(?: \d+)+$")

MoveCounts = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Section:
    """The counts of some players."""

    pools: tuple[str, ...]
    size: int
    """0 where the game has one board."""
    ratings: tuple[float, float] | None
    """From the first to below the second."""
    table: MoveCounts

    def is_for(self, player: Player, size: int) -> bool:
        if player.pool not in self.pools or size != self.size:
            return False
        if self.ratings is None or player.rating is None:
            return self.ratings is None
        return self.ratings[0] <= player.rating < self.ratings[1]


@dataclass(frozen=True)
class OpeningCounts:
    """What a game's file holds. `weight` is how many games of people the mind's own opinion counts for."""

    plies: int
    weight: float
    sections: tuple[Section, ...]

    def find(self, position: Position, player: Player) -> NDArray[np.float64] | None:
        """[L] how often each legal move was played here by such players; None where nothing is known."""
        if position.ply >= self.plies or not is_plain(position.setup):
            return None
        size = size_of(position)
        section = next((each for each in self.sections if each.is_for(player, size)), None)
        if section is None:
            return None
        view = view_of(position)
        counts = section.table.get(view.name)
        return None if counts is None else view.spread(position.legal, counts)


def is_plain(setup: Setup) -> bool:
    """Whether the game began as most do."""
    return not setup.start and not setup.handicap and setup.variant in ("", "standard", "even")


@dataclass(frozen=True)
class View:
    """A position as the tables name it, and the images of the board that look like this."""

    name: str
    images: NDArray[np.int64] | None = None
    """[ways, moves] where each move goes; None where boards have no mirror images."""

    def move(self, move: int) -> str:
        """A move as the tables name it: one for all moves that are the same but for a mirror."""
        return str(move if self.images is None else int(self.images[:, move].min()))

    def spread(self, legal: Sequence[int] | NDArray[np.int32], counts: dict[str, int]) -> NDArray[np.float64]:
        """[L] a count for each legal move; moves that mirror each other share theirs."""
        names = [self.move(int(move)) for move in legal]
        sharing: dict[str, int] = {}
        for name in names:
            sharing[name] = sharing.get(name, 0) + 1
        return np.array([counts.get(name, 0) / sharing[name] for name in names])


def drop_counters(text: str) -> str:
    """A position's text without the numbers that count moves."""
    return _COUNTERS.sub("", text)


def text_key(position: Position) -> str:
    """The position as tables of moves name it."""
    return drop_counters(position.game.write(position))


def view_of(position: Position) -> View:
    """The name of a position, and where boards have mirror images, those that give it."""
    game = position.game
    if not isinstance(game, SymmetricGame):
        return View(text_key(position))
    named = game.name_images(position)
    first = min(named)
    ways = [at for at, name in enumerate(named) if name == first]
    return View(f"{first} {'bw'[position.to_move]}".strip(), game.images(size_of(position))[ways])


def counts_file(game: str) -> Path:
    return FOLDER / f"openings-{game.replace(':', '-')}.json.gz"


@cache
def opening_counts(game: str) -> OpeningCounts | None:
    """The package's counts for a game, None where it has none."""
    path = counts_file(game)
    return read_counts(path) if path.is_file() else None


def read_counts(path: Path) -> OpeningCounts:
    """Raises BadSpec that names the file."""
    try:
        data: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        sections = tuple(
            Section(tuple(each["pools"]), each["size"], _range(each["ratings"]), each["table"])
            for each in data["sections"]
        )
        return OpeningCounts(int(data["plies"]), float(data["weight"]), sections)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as wrong:
        raise BadSpec(f"{path}: no counts of opening moves: {wrong}") from None


def _range(value: Any) -> tuple[float, float] | None:
    return None if value is None else (float(value[0]), float(value[1]))
