"""A mind that hears no stop."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hitonami.core import Effort, Opinion, Query
from hitonami.errors import EngineFailed


@dataclass(frozen=True)
class Deaf:
    """Sleeps for two minutes, whatever it is told, and has no opinion then."""

    started: str = ""
    """A file to make when thinking begins."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        if self.started:
            Path(self.started).touch()
        time.sleep(120)
        raise EngineFailed("slept through it")
