"""How well people are told apart: which of N people, each known by so many games, played these others?

Two draws: *far* takes the oldest games as known and the latest as asked about, *random* takes both from anywhere.
People are the unit of the intervals.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval
from hitonami.style.signature import Floats, Whole

Draw = Literal["far", "random"]
Match = Callable[[Floats, Whole, Floats, Whole], NDArray[np.float64]]
"""Means [asked] of so many games and means [known] of so many, to [asked, known]: who is likeliest has the most."""
_DRAWS = 20
_RESAMPLES = 2_000


def identify(
    match: Match, vectors: Floats, people: Sequence[Whole], games: tuple[int, int], draw: Draw = "far"
) -> NDArray[np.float64]:
    """[people] how often each was found among all, from vectors [seats]. `people` are their seats, oldest first.

    `games` are how many a person is known by, and how many are asked about: each person has at least both.
    """
    known, asked = games
    found = np.zeros(len(people))
    times = _DRAWS if draw == "random" else 1
    for time in range(times):
        rng = np.random.default_rng([time, known, asked])
        order = [rng.permutation(own) if draw == "random" else own for own in people]
        references = np.stack([vectors[own[:known]].mean(axis=0) for own in order])
        queries = np.stack([vectors[own[len(own) - asked :]].mean(axis=0) for own in order])
        counts = np.full(len(people), asked), np.full(len(people), known)
        odds = match(queries, counts[0], references, counts[1])
        found += odds.argmax(axis=1) == np.arange(len(people))
    return found / times


def match_cosines(queries: Floats, _counts: Whole, known: Floats, _known_counts: Whole) -> NDArray[np.float64]:
    """By the angle between means, however many games they are of."""
    unit = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (queries, known)]
    return np.asarray(unit[0] @ unit[1].T, dtype=np.float64)


def share_found(hits: NDArray[np.float64], seed: int = 0) -> Interval:
    """The mean over people, with an interval from resampled people."""
    rng = np.random.default_rng(seed)
    means = rng.choice(hits, size=(_RESAMPLES, len(hits))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(hits.mean()), float(low), float(high))
