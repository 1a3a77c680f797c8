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
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

from hitonami.errors import WorkFailed, quote

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

    `address` is a Ray cluster's ("auto" on one of its machines, an address as Ray takes it, or "local" for one started
    here); without it `jobs` processes of this machine do the work, and one job runs in this process.
    """

    def __init__(self, jobs: int = 1, address: str | None = None, ahead: int = 2) -> None:
        self._jobs, self._address, self._ahead = jobs, address, ahead
        self._crew: _Crew | None = None
        self._ray: Any = None

    def __enter__(self) -> "Workers":
        if self._address is not None:
            self._ray = _start_ray(self._address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._crew is not None:
            self._crew.end(at_once=kind is not None)
        if self._ray is not None:
            self._ray.shutdown()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield `work(item)` for each item, in order."""
        if self._ray is not None:
            return self._on_ray(work, items)
        return map(work, items) if self._jobs <= 1 else self._on_processes(work, items)

    def _on_processes(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        if self._crew is None:
            self._crew = _Crew(self._jobs, _context(work))
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(self._crew.submit(work, item))
            while len(waiting) > self._jobs * self._ahead or (waiting and waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

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


class _Crew:
    """Processes, each with a pipe and a thread of its own here.

    They share no queue and no lock: one that is ended in the midst of a word holds up nobody, which the executor of the
    standard library does not promise.
    """

    def __init__(self, jobs: int, context: multiprocessing.context.BaseContext) -> None:
        self._leash = Leash(context)
        self._free: SimpleQueue[Connection[Any, Any]] = SimpleQueue()
        self._threads = ThreadPoolExecutor(jobs, "worker")
        self._processes = []
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._leash.end), daemon=True)  # type: ignore[attr-defined]
            process.start()
            theirs.close()  # so that its end is noticed here
            self._processes.append(process)
            self._free.put(ours)

    def submit(self, work: Callable[[Item], Result], item: Item) -> "Future[Result]":
        return self._threads.submit(self._ask, work, item)

    def _ask(self, work: Callable[[Item], Result], item: Item) -> Result:
        pipe = self._free.get()
        try:
            pipe.send((work, item))
            is_done, came = pipe.recv()
        except (EOFError, OSError):
            raise WorkFailed("a worker process has ended by itself; is there too little memory?") from None
        finally:
            self._free.put(pipe)
        if not is_done:
            raise came
        result: Result = came
        return result

    def end(self, *, at_once: bool) -> None:
        """End the processes: after what is under way, or without waiting for it."""
        if at_once:
            self._leash.let_go()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._leash.let_go()
        for process in self._processes:
            process.join()
        while not self._free.empty():
            self._free.get().close()


def _serve(pipe: "Connection[Any, Any]", leash: "Connection[Any, Any]") -> None:
    """The work of a process: one item after the other, until the leash is let go."""
    follow(leash)
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(*pipe.recv()))


def _answer(work: Callable[[Item], Result], item: Item) -> tuple[bool, Result | BaseException]:
    try:
        return True, work(item)
    except BaseException as wrong:
        wrong.add_note("In a worker process:\n" + traceback.format_exc())
        return False, wrong


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
    where = {"include_dashboard": False} if address == "local" else {"address": address}
    try:
        ray.init(**where, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as wrong:
        raise WorkFailed(f"cannot join a Ray cluster at {quote(address)}: {wrong}") from None
    return ray


def _call(work: Callable[[Item], Result], item: Item) -> Result:
    """Ray takes plain functions only, not partial ones."""
    return work(item)
