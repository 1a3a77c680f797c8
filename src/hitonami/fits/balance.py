"""The lean of a pool whose results teach nothing: the chances of the two sides should sum to 1.

A network that learned results from games of people against stronger bots expects whoever is to move to lose. Where a
pool has no games between people to fit to, this asks for less: between players of the same rating, the mover's expected
score before a move and the opponent's after it sum to 1 on average, whatever the move was worth. The lean (log-odds of
winning against losing) that makes it so is found for each fifth of the ratings. It says nothing about temperature.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Mind, Player, Query
from hitonami.dataset.samples import Sample
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import batches_of
from hitonami.evaluate.selection import Selected
from hitonami.knobs import Curve
from hitonami.progress import Report, unheard

Floats = NDArray[np.float64]
BALANCE_FILTER: Final = "human,known-rating,no-handicap,no-provisional"
_PARTS: Final = 5
_MOST: Final = 6.0
_HALVINGS: Final = 40


@dataclass(frozen=True)
class Balance:
    """The lean of a pool over rating. `before` and `after` are the mean sums of the two sides' chances."""

    pool: str
    n: int
    lean: Curve
    before: float
    after: float


@dataclass(frozen=True)
class Pairs:
    """Chances [n, 3] of the mover before a move and of the opponent after it, ratings [n], pools."""

    mover: Floats
    opponent: Floats
    rating: Floats
    pool: tuple[str, ...]


def ask_pairs(drawn: Selected, mind: Mind, *, report: Report = unheard) -> Pairs:
    """Ask about every decision before and after the move that was played, both sides told the mover's rating."""
    found: list[tuple[Query, Floats, Floats]] = []
    effort = Effort(np.random.default_rng(drawn.plan.seed))
    for batch in batches_of(drawn):
        asked = [_between_equals(sample) for sample, _, _ in batch]
        going = [(query, query.after(sample.move)) for query, (sample, _, _) in zip(asked, batch, strict=True)]
        going = [(query, after) for query, after in going if len(after.position.legal)]
        told = [opinion.wdl for opinion in mind([each for pair in going for each in pair], effort)]
        for at, (query, _) in enumerate(going):
            mover, opponent = told[2 * at], told[2 * at + 1]
            if mover is None or opponent is None:
                raise BadInput("this mind says nothing about results")
            found.append((query, mover.astype(np.float64), opponent.astype(np.float64)))
        report(len(found), 2 * len(found))
    return Pairs(
        np.array([mover for _, mover, _ in found]),
        np.array([opponent for _, _, opponent in found]),
        np.array([query.player.rating for query, _, _ in found], dtype=np.float64),
        tuple(query.player.pool for query, _, _ in found),
    )


def _between_equals(sample: Sample) -> Query:
    player = replace(sample.query.player, kind="human")
    opponent = Player(player.rating, player.pool, kind="human")
    return replace(sample.query, player=player, opponent=opponent)


def fit_balance(pairs: Pairs) -> list[Balance]:
    """The lean of each pool, a point for each fifth of its ratings."""
    found = []
    pools = np.array(pairs.pool, dtype=object)
    for pool in sorted(set(pairs.pool)):
        rows = np.flatnonzero((pools == pool) & ~np.isnan(pairs.rating))
        order = rows[np.argsort(pairs.rating[rows], kind="stable")]
        points: dict[float, float] = {}
        for part in np.array_split(order, min(_PARTS, len(order))):
            rating = round(float(np.median(pairs.rating[part])), 1)
            points.setdefault(rating, round(_solve(pairs.mover[part], pairs.opponent[part]), 4))
        lean = Curve(tuple(sorted(points.items())))
        shifts = lean(pairs.rating[rows])
        sums = (_sum(pairs.mover[rows], pairs.opponent[rows], each) for each in (0.0, shifts))
        found.append(Balance(pool, len(rows), lean, *sums))
    return found


def _solve(mover: Floats, opponent: Floats) -> float:
    """The lean at which the sum is 1: it rises with the lean, so halving an interval finds it."""
    low, high = -_MOST, _MOST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _sum(mover, opponent, middle) < 1.0 else (low, middle)
    return (low + high) / 2


def _sum(mover: Floats, opponent: Floats, lean: Floats | float) -> float:
    """The mean of both sides' expected scores, each with the lean."""
    both = [dist.calibrate(wdl, 1.0, lean) for wdl in (mover, opponent)]
    return float(sum((wdl[:, 0] + wdl[:, 1] / 2).mean() for wdl in both))
