"""The bound on the chance to save a game, under which an agent may give it up."""

from typing import Final

import numpy as np

from hitonami.fits.prices import BOUNDS, price_bounds
from hitonami.fits.resign import fit_resignation
from hitonami.fits.resign_sample import Sample, columns_of
from hitonami.fits.turns import Turns
from hitonami.manners.resignation import resign_features

MOST_THROWN_AWAY: Final = 0.02
LEAST_ENDED: Final = 0.05
"""Of lost sides: an agent that ends fewer never gives up, and plays to mate what people end."""
LAXEST: Final = 0.1
"""Whatever people throw away: who saves one game in ten plays on."""
LEAST_FRESH: Final = 60
"""Games that the mind never learned from, under which nothing is learned from them."""


def choose_bound(
    sample: Sample, fresh: Turns | None = None, haste: float = 0.0, most: float = MOST_THROWN_AWAY
) -> float:
    """The largest bound on the chance to save at which at most this share of what is given up would have been saved, by
    an agent that is so much readier there than people; and never more than that share itself, which chances that are
    right keep by themselves. Where such an agent would give up next to nothing, since in this game swindles come true
    more often than that, half of what people's own resignations throw away is the most.

    On whole games, each half by what the other half says of saves: a fit believes its own games too much. On `fresh`
    ones where they are given, since a network knows the results of the games that taught it: shogi's bound of 6% threw
    away nothing in training games and 6.8% in unseen ones.
    """
    whole = sample.whole if fresh is None else fresh
    half = whole["game"] % 2 == 0
    chance, saved = np.zeros(len(whole)), np.zeros(len(whole))
    for rows in (half, ~half):
        rest = whole.where(~rows)
        model = fit_resignation(Sample(rest, sample.ends)) if fresh is None else fit_resignation(sample, rest)
        features = resign_features(columns_of(whole.where(rows)))
        chance[rows], saved[rows] = model.chance(features, whole["pool"][rows]), model.saved(features)
    prices = price_bounds(whole, chance, saved, haste)
    strict = [each for each in prices if each.bound <= most and each.saved.value <= most]
    if strict and strict[-1].ends.value >= LEAST_ENDED:
        return strict[-1].bound
    resigned = whole["resigned"] == 1
    half = 0.5 * float(saved[resigned].mean()) if resigned.any() else most
    few = (each.bound for each in prices if each.saved.value <= max(half, most))
    return max((bound for bound in few if bound <= max(LAXEST, most)), default=BOUNDS[0])
