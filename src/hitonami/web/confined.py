"""Work on what visitors send, in processes of their own: each piece has a time and an amount of memory, no more.

A thread cannot be ended, so a text that somebody made to be slow would hold the server, and its end, for as long as it
likes; a process can. A few are kept warm, because starting one costs a second; whatever oversteps its limits is ended
with its process, and the next piece of work starts another. The time is the processor's, so that nobody is refused
because the machine has other things to do; where the system has no limits for processes, it is the clock's.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from hitonami.errors import HitonamiError
from hitonami.web.refusals import Refusal

Item = TypeVar("Item")
Result = TypeVar("Result")
LONGEST_SECONDS: Final = 20.0
"""Of the processor."""
_PATIENCE: Final = 6 if sys.platform != "win32" else 1
"""How many times as long it may take by the clock."""
MOST_MEMORY_BYTES: Final = 512 << 20
"""What a piece of work may take beyond what its process has when it is warm."""
_START_SECONDS: Final = 300.0
"""A first start may have to compile board kernels."""
_NICENESS: Final = 10


class Overstepped(Refusal):
    """The work took more time or memory than it may. Whoever sent it is told, and nothing else happens."""

    def __init__(self, message: str) -> None:
        super().__init__("too-much", message)
        self.args = (message,)  # as it travels between processes


class Confined:
    """Processes for the work of one server, at most `at_once`; others wait their turn.

    `warm_up` is called once in each process, before the limits hold. It, the work and its items must be picklable.
    """

    def __init__(
        self, warm_up: Callable[[], object], at_once: int = 2, longest_seconds: float = LONGEST_SECONDS
    ) -> None:
        self._warm_up, self._longest_seconds = warm_up, longest_seconds
        self._turns = asyncio.Semaphore(at_once)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()

    async def run(self, work: Callable[[Item], Result], item: Item) -> Result:
        """`work(item)`, in a process. What it raises on purpose is raised here; Overstepped beyond the limits."""
        async with self._turns:
            worker = self._idle.pop() if self._idle else _Worker(self._warm_up)
            self._busy.add(worker)
            try:
                done, answer = await asyncio.to_thread(worker.ask, work, item, self._longest_seconds)
            except BaseException:  # overstepped, or nobody waits any more: what it is doing ends with it
                worker.kill()
                raise
            finally:
                self._busy.discard(worker)
            self._idle.append(worker)
        if not done:
            raise answer
        result: Result = answer
        return result

    def close(self) -> None:
        """End every process, whatever it is doing."""
        for worker in [*self._idle, *self._busy]:
            worker.kill()
        self._idle.clear()


class _Worker:
    """One process and the pipe to it. It starts when it is first asked, in the thread that asks."""

    def __init__(self, warm_up: Callable[[], object]) -> None:
        self._warm_up = warm_up
        self._folder = tempfile.TemporaryDirectory(prefix="hitonami-")
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._ended = False

    def ask(self, work: Callable[[Item], Result], item: Item, longest_seconds: float) -> tuple[bool, Any]:
        """Whether the work was done, and its result or what it raised."""
        try:
            pipe = self._pipe or self._start()
            pipe.send((work, item, longest_seconds))
            if pipe.poll(_PATIENCE * longest_seconds):
                answer: tuple[bool, Any] = pipe.recv()
                return answer
        except (EOFError, OSError):  # ended by a limit of the system
            pass
        raise Overstepped("this takes too much time or memory to read")

    def _start(self) -> Connection:
        """Raises EOFError where it was killed meanwhile."""
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        context: Any = multiprocessing.get_context(method)
        self._pipe, theirs = context.Pipe()
        process = context.Process(target=_live, args=(theirs, self._warm_up, self._folder.name), daemon=True)
        process.start()
        theirs.close()
        self._process = process
        if self._ended:
            self.kill()
        elif self._pipe.poll(_START_SECONDS):
            self._pipe.recv()
            return self._pipe
        raise EOFError

    def kill(self) -> None:
        self._ended = True
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._folder.cleanup()


def _live(pipe: Connection, warm_up: Callable[[], object], folder: str) -> None:
    """A worker's life: it ends with its pipe, so it never outlives its server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C: the server decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tempfile.tempdir = folder  # whatever a killed worker leaves behind is the server's to remove
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    warm_up()
    _limit_memory()
    pipe.send(True)
    while True:
        try:
            work, item, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        _limit_seconds(seconds)
        pipe.send(_try(work, item))


def _try(work: Callable[[Any], Any], item: Any) -> tuple[bool, Any]:
    try:
        return True, work(item)
    except HitonamiError as wrong:
        return False, wrong
    except (MemoryError, RecursionError):
        return False, Overstepped("this takes too much memory to read")


def _limit_memory() -> None:
    if sys.platform != "linux":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MOST_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_seconds(seconds: float) -> None:
    """Processor time from now on; the system ends the process, even were the server itself stopped meanwhile."""
    if sys.platform == "win32":
        return
    import resource

    _, highest = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 2, highest))
