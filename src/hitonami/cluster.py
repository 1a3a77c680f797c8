"""Map functions over work items: on this machine by default, on a Ray cluster when asked.

Results come in the order of the items, and no more than a few items are under way at once, so memory
stays bounded however long the list is. Functions and items must be picklable.

No process outlives the one that started it, however that ends: each holds a leash, a pipe's end, and ends itself as
soon as the other end is gone, with the programs that it started.
"""

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

from hitonami.errors import WorkFailed

Item = TypeVar("Item")
Result = TypeVar("Result")
_LAST_DEEDS: list[Callable[[], None]] = []


def before_end(deed: Callable[[], None]) -> Callable[[], None]:
    """Do this before a process on a leash ends itself: end programs that it started. It must not wait for anything."""
    _LAST_DEEDS.append(deed)
    return deed


class Leash:
    """Processes that are given its `end` end when it is let go, and when the process that made it is gone."""

    def __init__(self, context: multiprocessing.context.BaseContext) -> None:
        self.end, self._held = context.Pipe(duplex=False)

    def let_go(self) -> None:
        self._held.close()
        self.end.close()


def follow(end: "Connection[Any, Any]") -> None:
    """Tie this process to a leash. Ctrl-C is for the one that holds it: that says when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(end,), daemon=True, name="leash").start()


def _end_with(end: "Connection[Any, Any]") -> None:
    with contextlib.suppress(EOFError, OSError):
        end.recv_bytes()
    for deed in _LAST_DEEDS:
        deed()
    os._exit(1)


class Workers:
    """Processes to give work to, for the length of a `with` block; they start with the first item.

    `address` is a Ray cluster's ("auto", "ray://host:port", or "local" for one started here); without it
    `jobs` processes of this machine do the work, and one job runs in this process.
    """

    def __init__(self, jobs: int = 1, address: str | None = None, ahead: int = 2) -> None:
        self._jobs, self._address, self._ahead = jobs, address, ahead
        self._pool: ProcessPoolExecutor | None = None
        self._leash: Leash | None = None
        self._ray: Any = None

    def __enter__(self) -> "Workers":
        if self._address is not None:
            self._ray = _start_ray(self._address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            if kind is not None and self._leash is not None:
                self._leash.let_go()  # what is under way is not waited for
            self._pool.shutdown(wait=True, cancel_futures=True)
        if self._leash is not None:
            self._leash.let_go()
        if self._ray is not None:
            self._ray.shutdown()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield `work(item)` for each item, in order."""
        if self._ray is not None:
            return self._on_ray(work, items)
        return map(work, items) if self._jobs <= 1 else self._on_processes(work, items)

    def _on_processes(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        if self._pool is None:
            context = _context(work)
            self._leash = Leash(context)
            self._pool = ProcessPoolExecutor(
                self._jobs, mp_context=context, initializer=follow, initargs=(self._leash.end,)
            )
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(self._pool.submit(work, item))
            while len(waiting) > self._jobs * self._ahead or (waiting and waiting[0].done()):
                yield _result_of(waiting.popleft())
        while waiting:
            yield _result_of(waiting.popleft())

    def _on_ray(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        remote = self._ray.remote(_call)
        window = max(1, int(self._ray.cluster_resources().get("CPU", 1))) * self._ahead
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(remote.remote(work, item))
            if len(waiting) > window:
                yield self._ray.get(waiting.popleft())
        while waiting:
            yield self._ray.get(waiting.popleft())


def _result_of(work: "Future[Result]") -> Result:
    try:
        return work.result()
    except BrokenProcessPool:
        raise WorkFailed("a worker process has ended by itself; is there too little memory?") from None


def _context(work: Callable[..., Any]) -> multiprocessing.context.BaseContext:
    """How workers start. Never a plain fork: readers keep threads, and a child would inherit their locks.

    A fork server imports what the work needs once for all workers, where the system has one.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([getattr(work, "func", work).__module__, "numba"])
    return context


def map_ordered(work: Callable[[Item], Result], items: Iterable[Item], *, jobs: int = 1) -> Iterator[Result]:
    """One map on workers of its own, which end with it."""
    with Workers(jobs) as workers:
        yield from workers.map(work, items)


def _start_ray(address: str) -> Any:
    try:
        import ray  # an extra: most users never need it
    except ImportError:
        raise WorkFailed("a cluster needs Ray: pip install 'hitonami[cluster]'") from None
    ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
    return ray


def _call(work: Callable[[Item], Result], item: Item) -> Result:
    """Ray takes plain functions only, not partial ones."""
    return work(item)
