"""One pace for every hidden opponent, whatever it needs to think."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

_SPREAD: Final = 0.35
_SHORTEST_SHARE: Final = 0.6
_LONGEST_SHARE: Final = 2.5

T = TypeVar("T")


@dataclass(frozen=True)
class CommonPace:
    """Waits drawn from one distribution, blind to the position and to the opponent.

    An opponent that is not done in time answers at the next of the drawn moments, never at a moment of its own.
    """

    median_seconds: float = 3.0
    now: Callable[[], float] = lambda: asyncio.get_running_loop().time()
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def draw(self, rng: np.random.Generator) -> float:
        share = float(np.exp(rng.normal(0.0, _SPREAD)))
        return self.median_seconds * min(max(share, _SHORTEST_SHARE), _LONGEST_SHARE)

    async def hold_back(self, work: Awaitable[T], rng: np.random.Generator) -> T:
        """The result of the work, or its failure, at a drawn moment."""
        task = asyncio.ensure_future(work)
        moment = self.now()
        try:
            while True:
                moment += self.draw(rng)
                await self.sleep(max(0.0, moment - self.now()))
                if task.done():
                    return task.result()
        finally:
            task.cancel()
