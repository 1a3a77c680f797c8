"""Batches made ahead of the training step, in processes of their own. No torch is loaded there.

Groups of games are dealt to the processes in turn and their batches are taken back in the same order, so the stream
is the one of `dataset.batches` for any number of processes. A process waits while its pipe is full. A killed training
leaves nothing behind: its processes are on a leash.
"""

import multiprocessing
import traceback
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import Queue
from threading import Thread
from types import TracebackType
from typing import Any, Self

from hitonami.cluster import Leash, follow
from hitonami.dataset.batches import Batch, Batches, Place
from hitonami.errors import HitonamiError, WorkFailed

AHEAD = 8
"""Batches that wait, ready: a group is encoded in one go, and the step must not wait for the next."""


class Feed:
    """The stream of a `Batches`, from a place on, made by other processes; use it by `with`."""

    def __init__(self, batches: Batches, start: Place, workers: int = 1) -> None:
        self._workers, self._step = workers, batches.parts
        self._first = start.group + (batches.part - start.group) % batches.parts
        self._ready: Queue[tuple[Batch, Place] | BaseException] = Queue(AHEAD)
        self._closed = False
        self._processes, self._pipes = [], []
        context = multiprocessing.get_context("spawn")  # not fork: torch keeps threads
        self._leash = Leash(context)
        for worker in range(workers):
            stream = replace(batches, part=batches.part + batches.parts * worker, parts=batches.parts * workers)
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_send, args=(theirs, stream, start, self._leash.end), daemon=True)
            self._processes.append(process)
            self._pipes.append(ours)
            process.start()
            theirs.close()  # so that its end is noticed here
        self._reader = Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._leash.let_go()
        for process in self._processes:
            process.terminate()
            process.join()
        while self._reader.is_alive():
            while not self._ready.empty():
                self._ready.get_nowait()
            self._reader.join(0.01)
        for pipe in self._pipes:
            pipe.close()

    def __iter__(self) -> Iterator[tuple[Batch, Place]]:
        while True:
            ready = self._ready.get()
            if isinstance(ready, BaseException):
                raise ready
            yield ready

    def _read(self) -> None:
        group = self._first
        try:
            while not self._closed:
                pipe = self._pipes[group // self._step % self._workers]
                for _ in range(self._receive(pipe, group)):
                    self._ready.put(_checked(pipe.recv()))
                group += self._step
        except (EOFError, OSError):
            if not self._closed:
                self._ready.put(WorkFailed("a process that prepares batches has ended; is there too little memory?"))
        except BaseException as wrong:
            self._ready.put(wrong)

    @staticmethod
    def _receive(pipe: "Connection[Any, Any]", group: int) -> int:
        """How many batches of a group will follow."""
        number, count = _checked(pipe.recv())
        if number != group:
            raise WorkFailed(f"batches of group {number} came where those of group {group} were expected")
        return int(count)


def _checked(message: Any) -> Any:
    if isinstance(message, BaseException):
        raise message
    return message


def _send(pipe: "Connection[Any, Any]", stream: Batches, start: Place, leash: "Connection[Any, Any]") -> None:
    """The work of one process: for each group its number and how many batches it has, then those."""
    follow(leash)
    try:
        for number, batches in stream.groups(start):
            pipe.send((number, len(batches)))
            for batch in batches:
                pipe.send(batch)
    except (BrokenPipeError, ConnectionResetError):
        return
    except HitonamiError as wrong:
        pipe.send(wrong)
    except Exception:
        pipe.send(WorkFailed(f"a process that prepares batches failed:\n{traceback.format_exc()}"))
