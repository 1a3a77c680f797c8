"""A game's signature: a vector that is alike for games of one person and unlike for those of others, in any game.

What goes in is read off the moves: the traits of the game, and how often each of a few thousand *turns* was played:
moves by phase, the line so far, the set of own moves so far (systems, however they were reached), answers to the last
move, and pairs of own moves. Turns are known by their hashes. What comes out is a linear map of that, learned so that
games of one person differ by unit noise while people differ as much as may be (Fisher's discriminant). In that space a
person is a mean, and how likely it is that two sets of games are one person's is a sum over dimensions (the
two-covariance model):

    score = −½ Σ (q − s·r)² / (1/m + b(1 − s)) + log(…),   s = n·b / (n·b + 1)

for a mean q of m games, a mean r of n games, and b how much people differ in that dimension.
"""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.dataset.columns import Columns
from hitonami.errors import BadData, BadInput
from hitonami.traits import measure_traits, traits_of

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Hashes = NDArray[np.uint64]
_FOLDER: Final = Path(__file__).with_name("signatures")
_PHASES: Final = (16, 44)
"""Plies at which a phase ends, for what is counted of single moves."""
_LINE_PLIES: Final = 24
_SET_PLIES: Final = 24
BEYOND: Final = 4.0
"""Spreads beyond which a trait counts no more."""
_BLOCK: Final = 1_000
_MOST_BYTE: Final = 127


@dataclass(frozen=True)
class Signature:
    """A learned map of one game's games into vectors."""

    game: str
    turns: Hashes
    """[turns] that are counted, ascending."""
    traits: tuple[str, ...]
    shift: Floats
    """[traits], as `scale`: what a trait is measured from."""
    scale: Floats
    centre: Floats
    """[turns + traits] the mean game."""
    projection: Floats
    """[turns + traits, dimensions]."""
    between: Floats
    """[dimensions] how much people differ where the games of one differ by 1."""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def embed(self, games: Columns, traits: Floats | None = None) -> Floats:
        """[games, 2, dimensions]. Raises BadInput for another game, or traits of another version."""
        if games.game != self.game:
            raise BadInput(f"this signature is of {self.game}, not {games.game}")
        if traits_of(self.game).names != self.traits:
            raise BadInput(f"this signature reads other traits of {self.game} than this version has: learn it again")
        measured = measure_traits(games) if traits is None else traits
        bags, out = Bags(games, self.turns), np.zeros((2 * len(games), len(self.between)), dtype=np.float32)
        flat = standardise(measured.reshape(2 * len(games), -1), self.shift, self.scale)
        offset = self.centre @ self.projection
        for first in range(0, len(out), _BLOCK):
            seats = np.arange(first, min(first + _BLOCK, len(out)))
            out[seats] = bags.dense(seats) @ self.projection[: len(self.turns)]
        return (out + flat @ self.projection[len(self.turns) :] - offset).reshape(len(games), 2, -1)

    def match(self, queries: Floats, counts: Whole, known: Floats, known_counts: Whole) -> NDArray[np.float64]:
        """[queries, known] log-odds that the means of so many games are of one person rather than of two."""
        b = self.between.astype(np.float64)
        n, m = known_counts[None, :, None].astype(np.float64), counts[:, None, None].astype(np.float64)
        shrink = n * b / (n * b + 1.0)
        expected = known[None].astype(np.float64) * shrink
        q = queries[:, None].astype(np.float64)
        same, other = 1.0 / m + b * (1.0 - shrink), 1.0 / m + b
        return np.asarray(
            (-0.5 * np.square(q - expected) / same + 0.5 * np.square(q) / other - 0.5 * np.log(same / other)).sum(
                axis=2
            )
        )


def write_signature(signature: Signature, path: Path) -> None:
    """Keep it: a byte for each number of the map, in steps of its dimension."""
    step = np.abs(signature.projection).max(axis=0) / _MOST_BYTE
    told = {"game": signature.game, "traits": signature.traits}
    with disk.replacing(path) as file:
        np.savez_compressed(
            file,
            about=np.array(json.dumps(told | {"provenance": dict(signature.provenance)})),
            turns=signature.turns,
            shift=signature.shift,
            scale=signature.scale,
            centre=signature.centre.astype(np.float16),
            projection=np.round(signature.projection / step).astype(np.int8),
            step=step.astype(np.float32),
            between=signature.between,
        )


def read_signature(path: Path) -> Signature:
    """Raises BadData that names the file."""
    try:
        with np.load(path, allow_pickle=False) as held:
            about = json.loads(str(held["about"]))
            return Signature(
                str(about["game"]),
                held["turns"],
                tuple(about["traits"]),
                held["shift"],
                held["scale"],
                held["centre"].astype(np.float32),
                held["projection"].astype(np.float32) * held["step"],
                held["between"],
                dict(about["provenance"]),
            )
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as wrong:
        raise BadData(f"{path}: no signature: {wrong}") from None


@cache
def packaged_signature(game: str) -> Signature | None:
    """The one that comes with the package, or None."""
    path = _FOLDER / f"{game}.npz"
    return read_signature(path) if path.is_file() else None


def standardise(traits: Floats, shift: Floats, scale: Floats) -> Floats:
    """In spreads from the mean, bounded; 0 where a game says nothing."""
    return np.nan_to_num(np.clip((traits - shift) / scale, -BEYOND, BEYOND)).astype(np.float32)


class Bags:
    """Which turns were played. A seat is twice the game's place, and one more for the second side."""

    def __init__(self, games: Columns, turns: Hashes) -> None:
        self._wide: Final = len(turns)
        seats, hashes = list_turns(games)
        places = np.searchsorted(turns, hashes)
        places[places == len(turns)] = 0
        known = turns[places] == hashes if len(turns) else np.zeros(len(hashes), dtype=np.bool_)
        seats, places = seats[known], places[known]
        order = np.argsort(seats, kind="stable")
        self._places: Final = places[order]
        self._begins: Final = np.searchsorted(seats[order], np.arange(2 * len(games) + 1))

    def dense(self, seats: Whole) -> Floats:
        """[seats, turns] the root of how often: what is done twice is not twice as telling."""
        widths = self._begins[seats + 1] - self._begins[seats]
        ends = np.cumsum(widths)
        at = np.repeat(self._begins[seats] - ends + widths, widths) + np.arange(ends[-1] if len(ends) else 0)
        cells = np.repeat(np.arange(len(seats)), widths) * self._wide + self._places[at]
        counts = np.bincount(cells, minlength=len(seats) * self._wide)
        return np.sqrt(counts.astype(np.float32)).reshape(len(seats), self._wide)


def list_turns(games: Columns) -> tuple[Whole, Hashes]:
    """The seat and the hash of all that was played."""
    row, moves = games.game_of_move, games.moves.astype(np.uint64)
    ply = np.arange(len(row)) - games.begins[row]
    movers = games.movers.astype(np.uint64)
    seat = 2 * row + games.movers
    own = moves * np.uint64(2) + movers
    phase = np.searchsorted(_PHASES, ply, side="right").astype(np.uint64)
    line = _since_start(_mix(moves + (ply.astype(np.uint64) << np.uint64(32))), games)
    single = _mix(moves ^ np.uint64(0xA5A5_A5A5))
    sets = [_since_start(np.where(games.movers == side, single, np.uint64(0)), games) for side in (0, 1)]
    last, own_last = _earlier(moves, ply, 1), _earlier(moves, ply, 2)
    everywhere = np.ones(len(row), dtype=np.bool_)
    kinds = (
        (own * np.uint64(4) + phase, everywhere),
        (line, ply < _LINE_PLIES),
        (np.where(games.movers == 0, sets[0], sets[1]) + movers, ply < _SET_PLIES),
        (_mix(last) + own, ply >= 1),
        (_mix(own_last) * np.uint64(3) + own, ply >= 2),
    )
    found = [(seat[kept], _mix(told[kept] + _mix(np.uint64(at)))) for at, (told, kept) in enumerate(kinds, 1)]
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])


def _since_start(hashes: Hashes, games: Columns) -> Hashes:
    """[M] the sum over the game's moves up to each of them."""
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(hashes, dtype=np.uint64)])
    return total[1:] - total[games.begins[games.game_of_move]]


def _earlier(moves: Hashes, ply: Whole, plies: int) -> Hashes:
    before = np.concatenate([np.zeros(plies, np.uint64), moves])[: len(moves)]
    return np.where(ply >= plies, before, np.uint64(0))


def _mix(values: Any) -> Any:
    """SplitMix64's last steps: near numbers become far ones."""
    with np.errstate(over="ignore"):
        mixed = np.asarray(values, dtype=np.uint64) + np.uint64(0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
        return mixed ^ (mixed >> np.uint64(31))
