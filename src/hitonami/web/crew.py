"""Threads for what would hold the event loop up, apart by kind: no kind of work can take another's threads.

What waits for a mind takes no thread here: it awaits its lane (thinking.py). What is asked of `asyncio.to_thread`
(predictions, reviews, studies) has threads of its own, which games never use.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal, TypeVar

Kind = Literal["store", "moves", "reading"]
_THREADS: Final[dict[Kind, int]] = {"store": 4, "moves": 4, "reading": 2}
_OTHER_THREADS: Final = 32

T = TypeVar("T")


class Crew:
    """`store` writes and reads games, `moves` knows the rules, `reading` plans, replays and writes whole games."""

    def __init__(self) -> None:
        self._pools = {kind: ThreadPoolExecutor(count, f"games {kind}") for kind, count in _THREADS.items()}

    async def do(self, kind: Kind, work: Callable[..., T], *args: object) -> T:
        """The result of the work, which goes on to its end even where nobody waits for it any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pools[kind], work, *args)

    async def rest(self, seconds: float) -> None:
        """Let time pass, in no thread."""
        await asyncio.sleep(seconds)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(cancel_futures=True)


def widen_default() -> None:
    """Threads of the running loop's `asyncio.to_thread`: its usual ones are as few as six, and many only wait."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_OTHER_THREADS, "other"))
