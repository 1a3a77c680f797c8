"""Games of chess as a frozen trunk sees them: the positions before and after some of a person's own moves.

The source reads every move with a residual network of its own. Here the trunk is one that exists (an Lc0 or Maia
network, cut after some of its blocks), its channels are turned into the few directions in which they vary most, and
what is left of a square is a byte. A token is one own move: both positions, each from the side of who is to move there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.dataset.columns import Columns
from hitonami.dataset.shards import start_of
from hitonami.games.chess import ChessPosition
from hitonami.models.encoders.lc0 import paint_positions
from hitonami.models.importers.lc0 import trunk_to_onnx, unpack
from hitonami.models.lc0_proto import read_network
from hitonami.models.sessions import open_session
from hitonami.progress import Report, unheard

Floats = NDArray[np.float32]
Bytes = NDArray[np.int8]
Whole = NDArray[np.int64]
OWN_MOVES: Final = (1, 2, 3, 5, 8, 11, 16, 24)
"""Which of a person's moves are looked at, from 0: of the opening most, fewer and fewer later."""
_BATCH: Final = 256
_STEPS: Final = 32
"""Of a byte to a spread: what lies four spreads away is cut."""
_SQUARES: Final = 64


class Eye:
    """A trunk cut after some of its blocks."""

    def __init__(self, path: Path, blocks: int, threads: int = 1) -> None:
        self._session: Final = open_session(trunk_to_onnx(read_network(unpack(path.read_bytes())), blocks), threads)

    def see(self, positions: Sequence[ChessPosition]) -> Floats:
        """[positions, channels, 64]."""
        (seen,) = self._session.run(["trunk"], {"planes": paint_positions(positions, np.float32)})
        return np.asarray(seen, dtype=np.float32).reshape(len(positions), -1, _SQUARES)


@dataclass(frozen=True)
class Gaze:
    """The directions in which a trunk's channels vary most, measured from the mean in spreads."""

    mean: Floats
    """[channels]."""
    axes: Floats
    """[channels, directions], each in steps of a byte."""

    def reduce(self, seen: Floats) -> Bytes:
        """[positions, directions · 64]."""
        found = np.einsum("pcs,cd->pds", seen - self.mean[:, None], self.axes, optimize=True)
        return np.clip(np.round(found), -127, 127).astype(np.int8).reshape(len(seen), -1)


def fit_gaze(seen: Floats, directions: int) -> Gaze:
    """From what a trunk saw of some positions."""
    flat = seen.transpose(0, 2, 1).reshape(-1, seen.shape[1]).astype(np.float64)
    mean = flat.mean(axis=0)
    sizes, axes = np.linalg.eigh(np.cov((flat - mean).T))
    kept = np.argsort(-sizes)[:directions]
    scale = _STEPS / np.sqrt(np.maximum(sizes[kept], 1e-9))
    return Gaze(mean.astype(np.float32), (axes[:, kept] * scale).astype(np.float32))


@dataclass(frozen=True)
class Tokens:
    """Seats [n] of games, each with at most T tokens."""

    seen: Bytes
    """[n, T, 2 · directions · 64]."""
    lengths: Whole
    """[n] how many tokens there are."""
    sides: Whole
    """[n] which side of the game the person had."""

    def take(self, rows: Any) -> "Tokens":
        return Tokens(self.seen[rows], self.lengths[rows], self.sides[rows])


def pairs_of(games: Columns, seat: int) -> list[tuple[Position, Position]]:
    """Before and after each of the own moves that are looked at. A seat is twice the game's place, plus the side."""
    at, side = divmod(seat, 2)
    moves = games.moves[games.begins[at] : games.begins[at + 1]].tolist()
    position, own, found = start_of(games.game, games.setups[games.setup[at]]), 0, []
    for move in moves:
        before, position = position, position.follow(move)
        if before.to_move == side:
            if own in OWN_MOVES:
                found.append((before, position))
            own += 1
            if own > OWN_MOVES[-1]:
                break
    return found


def look_at_games(games: Columns, seats: Sequence[int], eye: Eye, gaze: Gaze, report: Report = unheard) -> Tokens:
    """What the trunk sees of these seats."""
    wide = gaze.axes.shape[1] * _SQUARES
    seen = np.zeros((len(seats), len(OWN_MOVES), 2 * wide), dtype=np.int8)
    lengths = np.zeros(len(seats), dtype=np.int64)
    for batch in _batches((row, pairs_of(games, seat)) for row, seat in enumerate(seats)):
        places = [(row, at, half) for row, pairs in batch for at in range(len(pairs)) for half in (0, 1)]
        if not places:
            continue
        positions: Any = [each for _, pairs in batch for pair in pairs for each in pair]
        found = gaze.reduce(eye.see(positions))
        row, at, half = np.array(places).T
        seen.reshape(len(seats), len(OWN_MOVES), 2, wide)[row, at, half] = found
        for each, pairs in batch:
            lengths[each] = len(pairs)
        report(batch[-1][0] + 1, len(seats))
    return Tokens(seen, lengths, np.asarray(seats, dtype=np.int64) % 2)


def _batches(rows: Iterator[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    while batch := list(islice(rows, max(_BATCH // (2 * len(OWN_MOVES)), 1))):
        yield batch
