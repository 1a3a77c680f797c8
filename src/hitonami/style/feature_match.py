"""Does a mind play in a person's style? Traits of the moves it would draw, beside those of the moves people made.

A model's features are not defined in the source (S0 §5.4.2): here they are those after its move, expected over its
probabilities, on the person's own positions; people's are those after the move that was made, on the same positions.
RMSE is over people, in spreads of people's own means. What is mostly a property of the position (controls) comes out
small for everybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind
from hitonami.dataset.samples import Sample
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval
from hitonami.traits import WeighingTraits, traits_of

Floats = NDArray[np.float64]
_RESAMPLES = 1_000


@dataclass(frozen=True)
class Match:
    """One trait, over people."""

    name: str
    rmse: Interval
    correlation: float
    """Of people's means and the mind's: does it keep their order?"""


def expected_traits(mind: Mind, samples: Sequence[Sample], effort: Effort) -> tuple[Floats, Floats]:
    """[traits] of the person's moves and of the mind's, means over these decisions. Raises BadInput for other games."""
    queries = [sample.query for sample in samples]
    positions = [query.position for query in queries]
    own = traits_of(positions[0].game.name).own
    if not isinstance(own, WeighingTraits):
        raise BadInput(f"moves of {positions[0].game.name} cannot be weighed before they are made")
    begins = np.concatenate([[0], np.cumsum([len(each.legal) for each in positions])])
    moves = np.concatenate([each.legal for each in positions]).astype(np.int64)
    weighed = np.nan_to_num(own.weigh(positions, moves, begins))
    chances = np.exp(np.concatenate([each.log_probs for each in mind(queries, effort)]).astype(np.float64))
    played = begins[:-1] + [np.searchsorted(each.query.position.legal, each.move) for each in samples]
    return weighed[played].mean(axis=0), chances @ weighed / len(samples)


def match_people(names: Sequence[str], people: Floats, model: Floats, seed: int = 0) -> list[Match]:
    """From the traits [people, traits] of each person and of the mind in their place."""
    spread = people.std(axis=0, ddof=1)
    off = (model - people) / np.where(spread > 0, spread, 1.0)
    rows = np.random.default_rng(seed).integers(0, len(people), size=(_RESAMPLES, len(people)))
    drawn = np.sqrt(np.square(off)[rows].mean(axis=1))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    found = []
    for at, name in enumerate(names):
        if spread[at] > 0:
            pair = people[:, at], model[:, at]
            together = float(np.corrcoef(*pair)[0, 1]) if pair[1].std() > 0 else 0.0
            rmse = Interval(float(np.sqrt(np.square(off[:, at]).mean())), float(low[at]), float(high[at]))
            found.append(Match(name, rmse, together))
    return found
