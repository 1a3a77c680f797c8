"""What other people teach about one: a prior over weights from many, and the few who play most alike.

People's weights are taken to lie around a common centre, each with its own variance (empirical Bayes: the expectation
of every person's weights under the present prior, by Laplace's approximation, gives the next one). People who play
alike are found by what they choose otherwise than the base expects; a fit to their decisions moves the centre, as
fine-tuning on similar games comes before one's own (SGFT).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from hitonami.style.decisions import Decisions, join
from hitonami.style.learning import Choices, Floats, Prior, plain_prior

_ROUNDS: Final = 2
_LEAST_VARIANCE: Final = 1e-4
_MOST_VARIANCE: Final = 0.5


def fit_prior(people: Sequence[Decisions], sizes: Sequence[int], rounds: int = _ROUNDS) -> Prior:
    """The centre and the variances of the weights of these people."""
    prior = plain_prior(join(people), sizes)
    for _ in range(rounds):
        weights, variances = [], []
        for held in people:
            choices = Choices(held, prior, sizes)
            found = choices.fit(np.arange(len(held)), 1.0)
            weights.append(found)
            variances.append(1.0 / (choices.curvature(found) + prior.pull))
        centre = np.mean(weights, axis=0)
        spread = np.mean((np.array(weights) - centre) ** 2 + np.array(variances), axis=0)
        prior = replace(prior, centre=centre, pull=1.0 / np.clip(spread, _LEAST_VARIANCE, _MOST_VARIANCE))
    return prior


def describe(held: Decisions, prior: Prior, sizes: Sequence[int]) -> Floats:
    """[F] how far a person's choices lie from what the base expects, in chance errors: a style in numbers."""
    choices = Choices(held, prior, sizes)
    shares = np.exp(choices.inner)
    shares /= np.repeat(np.add.reduceat(shares, choices.begins[:-1]), held.widths)
    expected = np.add.reduceat(shares[:, None] * choices.seen, choices.begins[:-1])
    known = choices.own >= 0
    off = choices.seen[choices.own[known]] - expected[known]
    error: Floats = off.std(axis=0) / np.sqrt(max(len(off), 1)) + 1e-6
    return np.asarray(off.mean(axis=0) / error, dtype=np.float64)


def nearest(person: Decisions, others: Sequence[Decisions], prior: Prior, sizes: Sequence[int], most: int) -> list[int]:
    """The places of those who play most like a person, the nearest first."""
    own = describe(person, prior, sizes)
    rest = np.array([describe(held, prior, sizes) for held in others])
    spread = rest.std(axis=0) + 1e-6
    return np.argsort((((rest - own) / spread) ** 2).sum(axis=1), kind="stable")[:most].tolist()


def lean_on_similar(prior: Prior, similar: Sequence[Decisions], sizes: Sequence[int]) -> Prior:
    """The prior with its centre where the decisions of these people put it: the first of two stages."""
    held = join(similar)
    return prior.moved(Choices(held, prior, sizes).fit(np.arange(len(held)), 1.0))
