"""What moves say about who played them: how likely each is for people of every rating, and how strong players see it.

A human mind is told each rating of a grid in turn, both players alike, so that nothing but the moves speaks: not the
result, not the rating in the record, not the opponent. One position's ratings stand together in a batch, where a
network computes the board once. Where the game comes with an expert head, what it thinks of the move is heard too.
Evidence is a sum over moves, so that of several games adds up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, LogProbs, Mind, Opinion, Player, Query, index_of
from hitonami.dataset.order import GOLDEN, scramble
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import clocks_before, movers_of
from hitonami.evaluate.decisions import opinions_of
from hitonami.records import Record

Floats = NDArray[np.float64]
FIRST_PLY: Final = 10
"""Openings are learned by heart, and are left out everywhere."""
LEAST_SECONDS: Final = 30.0
LEAST_LOG_PROB: Final = -9.0
"""One move that a mind finds absurd must not outweigh fifty others; e^-9 is about one in eight thousand."""
_POSITIONS_AT_ONCE: Final = 24


@dataclass(frozen=True)
class Evidence:
    """Sums over moves: `sums` [features] in the order of `feature_names`."""

    moves: int
    games: int
    sums: Floats

    @property
    def means(self) -> Floats:
        return self.sums / max(self.moves, 1)

    def __add__(self, other: "Evidence") -> "Evidence":
        return Evidence(self.moves + other.moves, self.games + other.games, self.sums + other.sums)


def feature_names(ratings: Sequence[float], expert: bool) -> list[str]:
    """What each place of `Evidence.sums` holds."""
    names = [f"log_prob@{rating:g}" for rating in ratings]
    return names + (["expert_log_prob", "expert_regret"] if expert else [])


def plies_of(record: Record, side: int, most: int | None, key: int = 0) -> list[int]:
    """The plies at which a side's moves are asked about: past the opening, not in a hurry; at most so many, spread by
    a hash of `key`, so that equal games give equal plies."""
    plies = np.flatnonzero(movers_of(record) == side)
    plies = plies[plies >= FIRST_PLY]
    plies = plies[clocks_before(record)[plies] >= LEAST_SECONDS]
    if most is not None and len(plies) > most:
        marks = scramble(plies.astype(np.uint64) * np.uint64(GOLDEN) + np.uint64(key))
        plies = np.sort(plies[np.argsort(marks, kind="stable")[:most]])
    return [int(ply) for ply in plies]


@dataclass(frozen=True)
class Witness:
    """Asks minds about moves. `expert` is None where the game has no expert head."""

    human: Mind
    expert: Mind | None
    ratings: tuple[float, ...]
    pool: str

    @property
    def features(self) -> list[str]:
        return feature_names(self.ratings, self.expert is not None)

    def rows_of(self, record: Record, plies: Sequence[int], effort: Effort) -> Iterator[Floats]:
        """[features] for each of the moves; a move that the rules left no choice for is passed over."""
        held: list[Sample] = []
        for sample in samples_at(record, plies):
            if len(sample.query.position.legal) > 1:
                held.append(sample)
            if len(held) == _POSITIONS_AT_ONCE:
                yield from self.ask(held, effort)
                held = []
        if held:
            yield from self.ask(held, effort)

    def ask(self, samples: Sequence[Sample], effort: Effort) -> Iterator[Floats]:
        """[features] for each of some moves in positions with a choice."""
        queries = [told(sample.query, rating, self.pool) for sample in samples for rating in self.ratings]
        opinions = opinions_of(self.human, queries, effort)
        count = len(self.ratings)
        # The expert is asked about one of the same queries: a network of two heads remembers them.
        masters = opinions_of(self.expert, queries[::count], effort) if self.expert is not None else []
        for at, sample in enumerate(samples):
            place = index_of(sample.query.position, sample.move)
            yield row_of(opinions[at * count : (at + 1) * count], masters[at : at + 1], place)


def told(query: Query, rating: float, pool: str) -> Query:
    """The same situation between two people of that rating."""
    return replace(query, player=Player(rating, pool, kind="human"), opponent=Player(rating, pool, kind="human"))


def row_of(levels: Sequence[Opinion], masters: Sequence[Opinion], place: int) -> Floats:
    """[features] of the move at `place`: an opinion for each rating, and the expert's where there is one."""
    row = [_floored(each.log_probs)[place] for each in levels]
    for opinion in masters:
        log_probs = _floored(opinion.log_probs)
        row += [log_probs[place], log_probs.max() - log_probs[place]]
    return np.array(row)


def _floored(log_probs: LogProbs) -> Floats:
    return np.maximum(log_probs.astype(np.float64), LEAST_LOG_PROB)
