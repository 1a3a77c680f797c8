"""Every legal move alike: the floor under every comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

from hitonami import dist
from hitonami.core import Effort, Opinion, Query


@dataclass(frozen=True)
class Uniform:
    """Every legal move alike, and no view of the result."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.uniform(len(query.position.legal))) for query in queries]
