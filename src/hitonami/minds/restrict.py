"""Leave out moves that are too unlikely to be worth a slip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.knobs import Knob, check_knob, read_knob


@dataclass(frozen=True)
class Restrict:
    """Exclude unlikely moves by minimum probability, by top-p mass (the move on the boundary stays) or by top-k."""

    mind: Mind
    min_probability: Knob = 0.0
    top_p: Knob = 1.0
    top_k: int | None = None

    def __post_init__(self) -> None:
        check_knob("min_probability", self.min_probability, 0.0, 1.0)
        check_knob("top_p", self.top_p, 0.0, 1.0)
        if self.top_k is not None and self.top_k < 1:
            raise BadSpec(f"top_k must be at least 1, got {self.top_k}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort)
        least, mass = read_knob(self.min_probability, queries), read_knob(self.top_p, queries)
        return [
            replace(opinion, log_probs=dist.restrict(opinion.log_probs, float(low), float(top), self.top_k))
            for opinion, low, top in zip(opinions, least, mass, strict=True)
        ]
