"""One twin in the making, in a process of its own at low priority: it has a time and an amount of memory, no more.

It can be ended at any moment: what it has asked is kept, and the next run goes on there.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from hitonami.errors import HitonamiError
from hitonami.models.runtime import THREADS_VARIABLE
from hitonami.style.making import TwinWish, make_twin

LONGEST_SECONDS: Final = 1_800.0
MOST_MEMORY_BYTES: Final = 2 << 30
_NICENESS: Final = 15
_LOOK_SECONDS: Final = 0.25
_BETWEEN_SECONDS: Final = 0.1


@dataclass(frozen=True)
class Order:
    """A twin to make."""

    game: str
    name: str
    player: str
    mind: str
    files: tuple[str, ...]
    store: Path


@dataclass(frozen=True)
class Said:
    """How far it is: so many of so many games, decisions or fits."""

    stage: str
    done: int
    total: int


def run(order: Order, stopped: Callable[[], bool], hear: Callable[[Said], None]) -> str:
    """Make the twin and wait for it: "done", "stopped", "too-much", or what is wrong with the games. Blocks."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context: Any = multiprocessing.get_context(method)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_live, args=(theirs, order), daemon=True)
    process.start()
    theirs.close()
    deadline = time.monotonic() + LONGEST_SECONDS
    try:
        while not stopped() and time.monotonic() < deadline:
            if not ours.poll(_LOOK_SECONDS):
                continue
            said = ours.recv()
            if isinstance(said, str):
                return said
            hear(said)
        return "stopped" if stopped() else "too-much"
    except (EOFError, OSError):  # ended by a limit of the system
        return "too-much"
    finally:
        process.kill()
        process.join()
        ours.close()


def _live(pipe: Connection, order: Order) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C: the server decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ[THREADS_VARIABLE] = "1"  # the other cores are the page's
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    _limit()

    @contextmanager
    def watch(total: int, stage: str) -> Iterator[_Telling]:
        yield _Telling(pipe, stage, total)

    wish = TwinWish(order.game, order.name, order.player, mind=order.mind, store=order.store)
    with contextlib.suppress(BrokenPipeError):  # the server has gone: so does this
        try:
            make_twin(wish, order.files, watch)
            pipe.send("done")
        except HitonamiError as wrong:
            pipe.send(str(wrong))
        except MemoryError:
            pipe.send("too-much")


class _Telling:
    """Progress that goes through a pipe, now and then."""

    def __init__(self, pipe: Connection, stage: str, total: int) -> None:
        self._pipe, self._stage, self._total, self._told = pipe, stage, total, -1.0

    def show(self, done: int, units: int) -> None:
        now = time.monotonic()
        if done >= self._total or now - self._told >= _BETWEEN_SECONDS:
            self._told = now
            self._pipe.send(Said(self._stage, done, self._total))


def _limit() -> None:
    """Memory that is written to, and processor time; what is mapped only, as networks are, does not count."""
    if sys.platform != "linux":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (int(LONGEST_SECONDS), int(LONGEST_SECONDS) + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
