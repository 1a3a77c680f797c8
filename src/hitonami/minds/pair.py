"""Moves of one mind, result of another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hitonami.core import Effort, Mind, Opinion, Query


@dataclass(frozen=True)
class Pair:
    """The moves of `policy` with the result of `value`: what people play, with a judge of one's choice.

    A mean of several judges' results is the result of a `blend` of them.
    """

    policy: Mind
    value: Mind

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        pairs = zip(self.policy(queries, effort), self.value(queries, effort), strict=True)
        return [replace(opinion, wdl=judged.wdl) for opinion, judged in pairs]
