"""Who finds the person's move, and who does where another blunders: minds' favourites compared by a judge (S0 A.2).

The best of a position is the best of the person's move and of every mind's favourite. A mind is bad there if its
favourite loses BAD or more against that. Regions of the Venn diagram count positions by which minds' favourites are the
person's move, in all positions and in those where the first mind is bad: so one sees where a mind gains on the first.
Computes on what was judged; asks nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import means_of
from hitonami.judging.losses import Judged

Floats = NDArray[np.float64]
BAD: Final = 0.2
"""Of expected score. S0's 500 centipawns in shogi are 0.197 on the judge's scale, from an even position."""


@dataclass(frozen=True)
class Region:
    """Positions where the favourites of exactly these minds are the person's move."""

    minds: tuple[str, ...]
    n: int
    n_bad: int
    """Of them, where the first mind is bad."""


@dataclass(frozen=True)
class Finder:
    """One mind. `gain` and `gain_where_bad` are points over the first mind, the second only from where that is bad."""

    mind: str
    matched: Interval
    bad: Interval
    gain: Interval
    gain_where_bad: Interval


@dataclass(frozen=True)
class Blunders:
    """All minds, the first one the measure of the others. `n_bad`: positions where the first is bad."""

    n: int
    n_bad: int
    finders: tuple[Finder, ...]
    regions: tuple[Region, ...]
    """Every set of minds, the smaller first; one of them holds nobody."""


def favourite_places(judged: Judged, mind: str) -> NDArray[np.int64]:
    """[n] where the mind's likeliest move stands among all judged moves; a decision's first is the person's own.

    Of moves alike at the top the last is taken: who likes the person's move no more than others has not found it.
    """
    own = judged.log_probs[mind]
    return np.array([end - 1 - int(own[begin:end][::-1].argmax()) for begin, end in pairwise(judged.begins.tolist())])


def favourite_losses(judged: Judged, mind: str) -> Floats:
    """[n] what the mind's likeliest move gives away."""
    return judged.loss[favourite_places(judged, mind)]


def compare_blunders(judged: Judged, minds: Sequence[str], *, limit: float = BAD, seed: int = 0) -> Blunders:
    """The favourites of all minds against the person's moves and each other; bad is a loss of `limit`."""
    places = np.column_stack([favourite_places(judged, mind) for mind in minds])
    found = (places == judged.begins[:-1, None]).astype(np.float64)
    lost = judged.loss[places]
    best = np.minimum(lost.min(axis=1), judged.person)
    bad = (lost - best[:, None] >= limit).astype(np.float64)
    gains = found - found[:, :1]
    columns = np.hstack([found, bad, gains, gains * bad[:, :1]])
    [(_, _, means)] = means_of(judged.facts, columns, [(ALL, np.arange(judged.count))], seed)
    count = len(minds)
    finders = [
        Finder(mind, means[at], means[count + at], means[2 * count + at], means[3 * count + at])
        for at, mind in enumerate(minds)
    ]
    return Blunders(judged.count, int(bad[:, 0].sum()), tuple(finders), _regions(minds, found, bad[:, 0] > 0))


def _regions(minds: Sequence[str], found: Floats, bad: NDArray[np.bool_]) -> tuple[Region, ...]:
    regions = []
    for size in range(len(minds) + 1):
        for chosen in combinations(range(len(minds)), size):
            inside = np.isin(np.arange(len(minds)), chosen)
            rows = (found == inside).all(axis=1)
            names = tuple(minds[at] for at in chosen)
            regions.append(Region(names, int(rows.sum()), int((rows & bad).sum())))
    return tuple(regions)
