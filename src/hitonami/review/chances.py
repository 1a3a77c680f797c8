"""The first player's chances through a game, as curves: whom a network leans to is taken out of them.

A game whose custom it is (Go) has them averaged over both sides to move, too: what its network says of one position is
uncertain by more than a move is worth, in favour of whoever has just moved, so its curve would be a saw. Sides need not
alternate. Nothing here asks anybody.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hitonami.customs import customs_of

Curve = tuple[float | None, ...]
"""The first player's expected score in each position, the start first; None where nobody told."""


@dataclass(frozen=True)
class Point:
    """One position: the chance of `side`, 0..1. Where the game is `over` it is a result, and nothing leans."""

    side: int
    chance: float | None
    over: bool = False


@dataclass(frozen=True)
class Curves:
    """Chances by position: between these two players, between two of their mean level, and by the judge."""

    people: Curve
    equals: Curve
    judge: Curve

    def own(self, which: str, ply: int, side: int) -> float | None:
        """A side's chance after so many moves, by the curve of this name; None beyond its end."""
        curve: Curve = getattr(self, which)
        chance = curve[ply] if ply < len(curve) else None
        return None if chance is None else abs(side - chance)


def curve_of(game: str, points: Sequence[Point]) -> Curve:
    """The points of a game, in order, as one curve."""
    lean = lean_of([point for point in points if not point.over])
    turned = [_turn(point, lean) for point in points]
    averaged = customs_of(game).chances_averaged
    return tuple(average_sides(turned, [point.side for point in points]) if averaged else turned)


def _turn(point: Point, lean: float) -> float | None:
    chance = point.chance if point.over else straighten(point.chance, lean)
    return None if chance is None else abs(point.side - chance)


def average_sides(chances: Sequence[float | None], sides: Sequence[int]) -> list[float | None]:
    """Each position's log-odds with those of its neighbours of the other side: half of the weight with each.

    Results, which are certain, are left as they are and shift nothing; a position without such neighbours stays.
    """
    found: list[float | None] = []
    for at, chance in enumerate(chances):
        near = [place for place in (at - 1, at + 1) if 0 <= place < len(chances)]
        beside = [chances[place] for place in near if sides[place] != sides[at]]
        odds = [_log_odds(each) for each in beside if each is not None and 0.0 < each < 1.0]
        if chance is None or not 0.0 < chance < 1.0 or not odds:
            found.append(chance)
        else:
            found.append(_chance_of(_log_odds(chance) / 2 + sum(odds) / len(odds) / 2))
    return found


def lean_of(points: Sequence[Point]) -> float:
    """How far chances lean away from whoever they are told for, in log-odds.

    Were they fair, two neighbours of different sides would be p and 1 − p but for the odd bad move; the median does not
    hear of those. A network that learned from games that one side usually won (Go's, from people against programs)
    leans by more than a move is worth.
    """
    sums = [
        -(_log_odds(one.chance) + _log_odds(other.chance)) / 2
        for one, other in pairwise(points)
        if one.side != other.side and one.chance is not None and other.chance is not None
    ]
    return float(np.median(sums)) if sums else 0.0


def straighten(chance: float | None, lean: float) -> float | None:
    """The chance without the lean; certain ones stay certain."""
    if chance is None or not 0.0 < chance < 1.0:
        return chance
    return _chance_of(_log_odds(chance) + lean)


def between(ratings: Sequence[float], chances: Sequence[float | None], rating: float) -> float | None:
    """The chance at a rating between those that were asked at, straight between them in log-odds; the ends go on."""
    if not chances or any(chance is None for chance in chances):
        return None
    odds = [_log_odds(chance) for chance in chances if chance is not None]
    return _chance_of(float(np.interp(rating, ratings, odds)))


def _chance_of(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def _log_odds(chance: float) -> float:
    held = min(max(chance, 1e-4), 1.0 - 1e-4)
    return math.log(held / (1.0 - held))
