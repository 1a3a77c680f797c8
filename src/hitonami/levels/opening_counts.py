"""How often people played each move in the first moves of their games, as data that comes with the package.

One file a game in `levels/`, made by `recipes/openings.py` from games of the training split. A section is for players
of some pools on one board; its limits part them into bands of ratings, and every move of a position has a count for
each band. Positions are named by their text without move counters, so that ways which meet are counted together; moves
by their ids. In Go and Othello a position is named by its stones as the first of its eight mirror images, and moves are
those of that image, because people do not tell them apart.

Of a position the file holds 48 bits of a hash of its name. Where hundreds of thousands are counted, one that is not is
taken for one of them once in a thousand million times, and then only moves that happen to be legal are its own.
"""

import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import SymmetricGame
from hitonami.core import Player, Position, Setup, size_of
from hitonami.errors import BadSpec
from hitonami.levels import FOLDER

_COUNTERS = re.compile(r"(?: \d+)+$")
_NAME_BYTES: Final = 6
_ARRAYS: Final = ("names", "lengths", "moves", "bands", "counts")
_TOLD: Final = ("pools", "size", "limits", "weight", "games")

MoveCounts = Mapping[str, Mapping[int, Mapping[str, int]]]
"""Position → band → move → how often."""


@dataclass(frozen=True, eq=False)
class CountTable:
    """Rows of counts, sorted by the position that they are of."""

    names: NDArray[np.uint64]
    """[positions] hashes, ascending."""
    lengths: NDArray[np.uint16]
    """[positions] how many rows each has."""
    moves: NDArray[np.int32]
    bands: NDArray[np.uint8]
    counts: NDArray[np.uint32]
    begins: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "begins", np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)]))

    @classmethod
    def of(cls, table: MoveCounts) -> "CountTable":
        named = sorted((_hash(name), bands) for name, bands in table.items())
        rows = [
            [(int(move), band, count) for band, moves in sorted(bands.items()) for move, count in sorted(moves.items())]
            for _, bands in named
        ]
        flat = np.array([row for some in rows for row in some], np.int64).reshape(-1, 3)
        return cls(
            np.array([name for name, _ in named], np.uint64),
            np.array([len(some) for some in rows], np.uint16),
            flat[:, 0].astype(np.int32),
            flat[:, 1].astype(np.uint8),
            flat[:, 2].astype(np.uint32),
        )

    def find(self, name: str) -> "Rows | None":
        """What was counted in the position of that name; None where nothing is known."""
        wanted = np.uint64(_hash(name))
        at = int(np.searchsorted(self.names, wanted))
        if at == len(self.names) or self.names[at] != wanted:
            return None
        rows = slice(int(self.begins[at]), int(self.begins[at + 1]))
        return Rows(self.moves[rows], self.bands[rows], self.counts[rows])


@dataclass(frozen=True, eq=False)
class Rows:
    """The counts of one position: how often each move was played by players of each band."""

    moves: NDArray[np.int32]
    bands: NDArray[np.uint8]
    counts: NDArray[np.uint32]


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=_NAME_BYTES).digest(), "little")


@dataclass(frozen=True)
class Section:
    """The counts of some players."""

    pools: tuple[str, ...]
    size: int
    """0 where the game has one board."""
    limits: tuple[float, ...]
    """Where a band of ratings ends and the next begins; none where all are one."""
    weight: float
    """How many games of people the opinion that was there before counts for."""
    games: int
    table: CountTable

    def is_for(self, player: Player, size: int) -> bool:
        return player.pool in self.pools and size == self.size


def band_in(limits: tuple[float, ...], rating: float | None) -> int | None:
    """The band of a rating; None where it would have to be known and is not."""
    if not limits:
        return 0
    return None if rating is None else int(np.searchsorted(limits, rating, side="right"))


@dataclass(frozen=True)
class Found:
    """What is known of a position: counts [L] of the other bands first, then of the player's own."""

    counts: tuple[NDArray[np.float64], ...]
    weight: float

    def mix(self, chances: NDArray[np.float64], weight: float | None = None) -> NDArray[np.float64]:
        """[L] chances after all counts: (count + weight · chance) / (games + weight), one after the other."""
        behind = self.weight if weight is None else weight
        for counts in self.counts:
            chances = (counts + behind * chances) / (counts.sum() + behind)
        return chances


@dataclass(frozen=True)
class OpeningCounts:
    """What a game's file holds."""

    plies: int
    sections: tuple[Section, ...]

    def find(self, position: Position, player: Player) -> Found | None:
        """What such players did here; None where nothing is known."""
        if position.ply >= self.plies or not is_plain(position.setup):
            return None
        size = size_of(position)
        section = next((each for each in self.sections if each.is_for(player, size)), None)
        if section is None:
            return None
        view, band = view_of(position), band_in(section.limits, player.rating)
        rows = section.table.find(view.name)
        if rows is None:
            return None
        own = rows.bands == band if band is not None else np.zeros(len(rows.bands), bool)
        spread = [
            view.spread(position.legal, rows.moves[some], rows.counts[some]) for some in (~own, own) if some.any()
        ]
        return Found(tuple(spread), section.weight)


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

    def spread(
        self, legal: NDArray[np.int32], moves: NDArray[np.int32], counts: NDArray[np.uint32]
    ) -> NDArray[np.float64]:
        """[L] a count for each legal move; moves that mirror each other share theirs, a move may be named twice."""
        if self.images is None:
            return _at(legal, moves, counts)
        named = self.images[:, legal].min(axis=0)
        names, inverse, sharing = np.unique(named, return_inverse=True, return_counts=True)
        return np.asarray((_at(names, moves, counts) / sharing)[inverse], np.float64)


def _at(names: NDArray[Any], moves: NDArray[np.int32], counts: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The counts where `names`, which ascend, have their moves. Those that are not there are left out."""
    at = np.searchsorted(names, moves)
    at[at == len(names)] = 0
    known = names[at] == moves
    return np.bincount(at[known], counts[known], len(names)).astype(np.float64)


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
    return FOLDER / f"openings-{game.replace(':', '-')}.npz"


@cache
def opening_counts(game: str) -> OpeningCounts | None:
    """The package's counts for a game, None where it has none."""
    path = counts_file(game)
    return read_counts(path)[0] if path.is_file() else None


def write_counts(counts: OpeningCounts, provenance: Mapping[str, Any]) -> bytes:
    """The file. The same counts give the same bytes."""
    arrays: dict[str, NDArray[Any]] = {}
    sections = []
    for at, section in enumerate(counts.sections):
        sections.append({name: getattr(section, name) for name in _TOLD})
        for name in _ARRAYS:
            arrays[f"{at}.{name}"] = getattr(section.table, name)
        arrays[f"{at}.names"] = np.diff(section.table.names, prepend=np.uint64(0))  # small numbers pack better
    about = {"plies": counts.plies, "provenance": provenance, "sections": sections}
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
    made = io.BytesIO()
    np.savez_compressed(made, allow_pickle=False, about=np.frombuffer(text, np.uint8), **arrays)
    return made.getvalue()


def read_counts(path: Path) -> tuple[OpeningCounts, dict[str, Any]]:
    """The counts, and what they were made from. Raises BadSpec that names the file."""
    try:
        with np.load(path, allow_pickle=False) as held:
            about: dict[str, Any] = json.loads(held["about"].tobytes())
            sections = tuple(
                Section(
                    tuple(each["pools"]),
                    int(each["size"]),
                    tuple(map(float, each["limits"])),
                    float(each["weight"]),
                    int(each["games"]),
                    CountTable(np.cumsum(held[f"{at}.names"]), *(held[f"{at}.{name}"] for name in _ARRAYS[1:])),
                )
                for at, each in enumerate(about["sections"])
            )
        return OpeningCounts(int(about["plies"]), sections), dict(about["provenance"])
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as wrong:
        raise BadSpec(f"{path}: no counts of opening moves: {wrong}") from None
