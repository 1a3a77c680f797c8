"""How often who plays on in a bad position still gets half a point or more, learned from people's games.

A network's expected score is little to go by where nearly all is lost: at 2% by its word people of 1200 saved one game
in ten (stalemates, mates that were missed, flags), people of 2000 none; in Go nobody did. So several forms are tried
on the games themselves, each half by curves of the other, and the likelier is kept: with and without a bound of twice
the expected score, which no chance of half a point can pass where that score is right. What threatens on the board is
asked only where levels are not known: whether a mate is seen is a question of level, and the few turns of which both
are known do not tell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.fits.additive import Design, fit_chances, rising
from hitonami.fits.resign_sample import columns_of
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Additive, Features, Floats, to_chance
from hitonami.manners.resignation import capped, resign_features

SAVES: Final[Mapping[str, Sequence[float]]] = {
    "hope": (-6.0, -4.5, -3.5, -2.5, -1.5, 0.0, 1.5, 3.0),
    "lasting": (-5.0, -3.5, -2.5, -1.5, 0.0, 2.0),
    "balance": (-15.0, -8.0, -3.0, 0.0, 5.0),
    "level": (-2.5, -1.2, 0.0, 1.2, 2.5),
    "level_hope": (-8.0, -3.0, 0.0, 3.0, 8.0),
    "clock": (0.0, 2.0, 4.0, 6.0),
    "points": (-60.0, -30.0, -10.0, 10.0),
    "peril": (0.0, 1.0, 2.0, 3.0, 4.0),
}
"""The opponent is in the hope, which is asked with both ratings. Hope and what a side has more never take from it: few
people play on with nothing left, and those have their reasons."""
_RISING: Final = {"hope", "lasting", "balance", "points"}
_FALLING: Final = {"peril"}
_LEVEL, _THREAT = "level", "peril"
_KNOWN_OF_MOST: Final = 0.05
"""Turns of which a thing must be known for anything to be learned of it."""
_LOST: Final = 0.06
"""Expected score under which forms are compared: that is where games are given up."""
_LEAST_TOLD: Final = 1e-3


@dataclass(frozen=True)
class Saves:
    """The curves, and whether twice the expected score bounds them."""

    curves: Additive
    is_capped: bool


def fit_saves(turns: Turns) -> Saves:
    """Log-odds that who plays on gets half a point or more, from whole games."""
    played = turns.where(turns["resigned"] == 0)
    on = rows_of(resign_features(columns_of(turns)), turns["resigned"] == 0)
    half = np.unique(played["game"], return_inverse=True)[1] % 2 == 0
    if half.all():
        return Saves(_fit(played, on), is_capped=True)
    judged, chance = played["hope"] < _LOST, np.zeros(len(played))
    for rows in (half, ~half):
        chance[rows] = to_chance(_fit(played.where(~rows), rows_of(on, ~rows)).score(rows_of(on, rows)))
    plain, bounded = (_likelihood(said[judged], played.where(judged)) for said in (chance, capped(chance, on["hope"])))
    return Saves(_fit(played, on), is_capped=bounded >= plain)


def _fit(played: Turns, on: Features) -> Additive:
    saved, knots = (played["score"] > 0).astype(np.float64), told(SAVES, on)
    if _LEVEL in knots:
        knots.pop(_THREAT, None)
    curves = fit_chances(Design(knots), on, saved, weights=_even_games(played))
    for name in (_RISING | _FALLING) & set(curves.terms):
        curves = rising(curves, name, on, falls=name in _FALLING)
    return curves


def _likelihood(chance: Floats, turns: Turns) -> float:
    """Mean over turns, each side of each game alike; 0 where there are none."""
    if not len(turns):
        return 0.0
    chance = np.clip(chance, _LEAST_TOLD, 1 - _LEAST_TOLD)
    each = np.where(turns["score"] > 0, np.log(chance), np.log(1 - chance))
    return float(np.average(each, weights=_even_games(turns)))


def rows_of(features: Features, chosen: NDArray[np.bool_]) -> Features:
    """The features of some turns."""
    return {name: values[chosen] for name, values in features.items()}


def told(knots: Mapping[str, Sequence[float]], features: Features) -> dict[str, Sequence[float]]:
    """Knots of the features that the data tell enough of."""

    def is_told(values: Floats) -> bool:
        return bool(np.nan_to_num(values).std() > 0 and (~np.isnan(values)).mean() >= _KNOWN_OF_MOST)

    return {name: own for name, own in knots.items() if is_told(features[name])}


def _even_games(turns: Turns) -> Floats:
    """[n] weights under which each side of each game counts alike, by how bad it stood: long agonies do not decide."""
    key = turns["game"] * 20 + turns["side"] * 10 + np.minimum((turns["hope"] * 20).astype(int), 9)
    _, place, counts = np.unique(key, return_inverse=True, return_counts=True)
    weights = 1.0 / counts[place]
    return np.asarray(weights / weights.mean(), dtype=np.float64)
