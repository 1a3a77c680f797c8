"""A mind that thinks until it is stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hitonami import dist
from hitonami.core import Effort, Opinion, Query
from hitonami.errors import EngineFailed


@dataclass(frozen=True)
class Brooding:
    """Waits for stop, a minute at most, then finds every move alike. Without a stop it refuses."""

    started: str = ""
    """A file to make when thinking begins."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        if self.started:
            Path(self.started).touch()
        opinions = [Opinion(dist.uniform(len(query.position.legal))) for query in queries]
        if effort.report is not None:
            effort.report(opinions[0])
        if effort.stop is None or not effort.stop.wait(60):
            raise EngineFailed("nobody said stop")
        return opinions
