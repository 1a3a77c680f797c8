"""A mind with a defect."""

from collections.abc import Sequence
from dataclasses import dataclass

from hitonami.core import Effort, Opinion, Query


@dataclass(frozen=True)
class Broken:
    """Fails with an exception that is none of ours."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        raise KeyError("a defect\nof two lines")
