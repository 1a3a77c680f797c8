"""A rating from test positions: what somebody chooses in positions of other people's games (S4 asks Elometer's 76).

Here the positions are decisions of people of a level, and what is chosen there is read as `rate` reads the moves of a
game: how likely people of each rating would have chosen so. People's own choices in the same positions stand beside
it: where they are not rated as they are, no agent could be.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind
from hitonami.dataset.samples import Sample
from hitonami.evaluate.decisions import Asked, opinions_of
from hitonami.strength.estimate import Calibration, Estimate, estimate, ratings_told
from hitonami.strength.evidence import Evidence, Witness

_AT_ONCE: Final = 48


def choose(asked: Sequence[Asked], mind: Mind, seed: int) -> list[Asked]:
    """The same decisions with moves drawn from a mind in place of people's."""
    rng, effort = np.random.default_rng([seed, 0x7E57]), Effort.seeded(seed)
    chosen: list[Asked] = []
    for begin in range(0, len(asked), _AT_ONCE):
        part = asked[begin : begin + _AT_ONCE]
        opinions = opinions_of(mind, [sample.query for sample, _, _ in part], effort)
        for (sample, group, content), opinion in zip(part, opinions, strict=True):
            move = int(sample.query.position.legal[dist.sample(opinion.log_probs, rng)])
            chosen.append((replace(sample, move=move), group, content))
    return chosen


def rate_choices(asked: Sequence[Asked], witness: Witness, calibration: Calibration | None) -> Estimate:
    """What rating the moves of these decisions look like, all of them taken as one player's."""
    held = [(sample, content) for sample, _, content in asked if len(sample.query.position.legal) > 1]
    samples: list[Sample] = [sample for sample, _ in held]
    rows = [
        row
        for begin in range(0, len(samples), _AT_ONCE)
        for row in witness.ask(samples[begin : begin + _AT_ONCE], Effort.seeded())
    ]
    evidence = Evidence(len(rows), len({content for _, content in held}), np.sum(rows, axis=0))
    game = samples[0].query.position.game.name
    return estimate(evidence, witness.pool, calibration, ratings_told(game, witness.pool, calibration))
