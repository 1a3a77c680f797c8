"""The softmax strength knob: P^rho (argmax is far too strong for a level, plain sampling too weak)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob, check_knob, read_knob


@dataclass(frozen=True)
class Temper:
    """Raise move probabilities to the power rho: above 1 sharper, below 1 flatter. The result stays."""

    mind: Mind
    rho: Knob = 1.0

    def __post_init__(self) -> None:
        check_knob("rho", self.rho, 0.0, 1000.0)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort)
        return [
            replace(opinion, log_probs=dist.temper(opinion.log_probs, float(rho)))
            for opinion, rho in zip(opinions, read_knob(self.rho, queries), strict=True)
        ]
