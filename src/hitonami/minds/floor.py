"""No move is impossible: a small share spread over all of them keeps likelihoods finite."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob, check_knob, read_knob


@dataclass(frozen=True)
class Floor:
    """Spread `share` of the probability evenly over all legal moves."""

    mind: Mind
    share: Knob = 0.01

    def __post_init__(self) -> None:
        check_knob("share", self.share, 0.0, 1.0)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort)
        return [
            replace(opinion, log_probs=dist.floor(opinion.log_probs, float(share)))
            for opinion, share in zip(opinions, read_knob(self.share, queries), strict=True)
        ]
