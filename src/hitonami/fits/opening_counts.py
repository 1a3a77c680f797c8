"""The weight of a mind behind the counts of people's first moves, which the mind `opening` reads.

It is the one of a few that gives people's moves in other games (the validation split) the highest likelihood.
"""

from typing import Final

import numpy as np

from hitonami.core import Effort, Mind, index_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.samples import samples_at
from hitonami.levels.opening_counts import OpeningCounts

FILTER: Final = "human,no-bullet,no-handicap"
"""Of the moves that are counted, and of those that the weight is found on."""
WEIGHTS: Final = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def fit_weight(data: Data, mind: Mind, counts: OpeningCounts, most: int = 400) -> dict[float, float]:
    """Mean log-likelihood of people's moves in games of the validation split, by weight. At most so many games."""
    rules, gains = parse_filter(FILTER), {weight: list[float]() for weight in WEIGHTS}
    games = 0
    for game in sorted(data.games(Tally(), "validation"), key=lambda each: each.content):
        keep = np.flatnonzero(rules.keeps_moves(game.record)[: counts.plies]).tolist()
        samples = list(samples_at(game.record, keep))
        known = [(each, counts.find(each.query.position, each.query.player)) for each in samples]
        asked = [(each, found) for each, found in known if found is not None]
        if not asked:
            continue
        opinions = mind([each.query for each, _ in asked], Effort.seeded())
        for (sample, known_moves), opinion in zip(asked, opinions, strict=True):
            at = index_of(sample.query.position, sample.move)
            chances = np.exp(opinion.log_probs.astype(np.float64))
            for weight in WEIGHTS:
                gains[weight].append(float(np.log(max(known_moves.mix(chances, weight)[at], 1e-12))))
        games += 1
        if games >= most:
            break
    return {weight: float(np.mean(values)) for weight, values in gains.items() if values}
