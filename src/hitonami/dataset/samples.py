"""From a stored game to the questions it answers: who was to move, with what time, what they played, how it ended."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hitonami.core import Clock, Query
from hitonami.dataset.filters import Filter
from hitonami.dataset.shards import start_of
from hitonami.records import Record

_MAIN = re.compile(r"^(\d+(?:\.\d+)?)(?=\+|$)")
_INCREMENT = re.compile(r"^\d+\+(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Sample:
    """One human decision. `score` is 0..1 for the mover, None where the record does not say."""

    query: Query
    move: int
    score: float | None


def samples_of(
    record: Record, chosen: Filter, rng: np.random.Generator | None = None, most: int | None = None
) -> Iterator[Sample]:
    """The decisions of a game that a filter keeps, in order; at most `most` of them, drawn by `rng`.

    A decision is left out where the game was over by force before it, though the record goes on.
    """
    plies = np.flatnonzero(chosen.keeps_moves(record))
    if most is not None and len(plies) > most:
        if rng is None:
            raise ValueError("drawing some of the moves needs an rng")
        plies = np.sort(rng.choice(plies, most, replace=False))
    yield from samples_at(record, plies.tolist())


def samples_at(record: Record, plies: Sequence[int]) -> Iterator[Sample]:
    """The decisions at these plies, in order, without those that a game over by force leaves no choice for."""
    if not plies:
        return
    wanted = set(plies)
    position = start_of(record.game, record.setup)
    increment = increment_seconds(record.time_control)
    left: list[float | None] = [None, None]
    for ply, move in enumerate(record.moves[: max(plies) + 1]):
        side = position.to_move
        if ply in wanted:
            clock = _clock(left[side], left[1 - side], increment)
            query = Query(position, record.players[side], record.players[1 - side], clock)
            score = None if record.score is None else abs(side - record.score)
            if move in position.legal:
                yield Sample(query, move, score)
        if ply < len(record.clocks):
            left[side] = record.clocks[ply]
        position = position.follow(move)


def increment_seconds(time_control: str) -> float:
    """What each move adds to a clock, by the control as records write it."""
    found = _INCREMENT.match(time_control)
    return float(found[1]) if found else 0.0


def main_seconds(time_control: str) -> float | None:
    """What each side has at the start, by the control as records write it; None where it does not say."""
    found = _MAIN.match(time_control)
    return float(found[1]) if found else None


def _clock(own: float | None, other: float | None, increment: float) -> Clock | None:
    """What both sides had left before the move, where the record says."""
    return None if own is None or other is None else Clock(own, other, increment, increment)
