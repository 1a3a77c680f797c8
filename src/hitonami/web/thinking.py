"""Minds shared by all games: lanes of work, each one thread that asks its minds about everything that waits.

Many games ask at once and a network answers a batch at little more than the price of one query, so a lane takes all
that has queued up while it was busy and asks once (micro-batching; no timer: an idle lane answers at once). Networks
share one lane and one room. Each external program has a lane of its own, so that a slow engine delays nobody else.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread

import numpy as np

from hitonami.core import Effort, Opinion, Query
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.specs import Room
from hitonami.web.opponents import Roster

_LARGEST_BATCH = 256


@dataclass
class _Job:
    spec: str
    queries: Sequence[Query]
    answer: Future[list[Opinion]] = field(default_factory=Future)


class _Lane:
    """One thread and one room. Minds are built and asked in the thread, nowhere else."""

    def __init__(self, name: str) -> None:
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._effort = Effort(rng=np.random.default_rng())
        self._room = Room()
        self._thread = Thread(target=self._run, name=f"lane {name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self.jobs.get()) is not None:
            batch, ending = self._gather(first)
            for spec in dict.fromkeys(job.spec for job in batch):
                self._ask(spec, [job for job in batch if job.spec == spec])
            if ending:
                break
        self._room.close()

    def _gather(self, first: _Job) -> tuple[list[_Job], bool]:
        """What waits, up to a batch; and whether the end of work came with it."""
        batch, count = [first], len(first.queries)
        while count < _LARGEST_BATCH and not self.jobs.empty():
            job = self.jobs.get()
            if job is None:
                return batch, True
            batch.append(job)
            count += len(job.queries)
        return batch, False

    def _ask(self, spec: str, jobs: list[_Job]) -> None:
        queries = [query for job in jobs for query in job.queries]
        try:
            opinions = self._room.open(spec)(queries, self._effort)
        except HitonamiError as wrong:
            if isinstance(wrong, WorkFailed):  # an engine may have died: the next question starts it anew
                self._room.close()
                self._room = Room()
            self._fail(jobs, wrong)
        except Exception as wrong:  # the thread must live on: everybody waits for it
            self._fail(jobs, wrong)
        else:
            begin = 0
            for job in jobs:
                job.answer.set_result(opinions[begin : begin + len(job.queries)])
                begin += len(job.queries)

    def _fail(self, jobs: list[_Job], wrong: Exception) -> None:
        """One bad question must not fail its neighbours: several are asked again one by one."""
        if len(jobs) > 1:
            for job in jobs:
                self._ask(job.spec, [job])
        else:
            jobs[0].answer.set_exception(wrong)


class Thinkers:
    """All lanes of a server, and the roster of those who can be asked in them."""

    def __init__(self, roster: Roster | None = None) -> None:
        self.roster = roster or Roster()
        self._lanes: dict[str, _Lane] = {}
        self._lock = Lock()

    def mind(self, spec: str) -> "LaneMind":
        """A mind that asks its lane. It may be called from any thread, and blocks that thread."""
        return LaneMind(self, spec)

    def ask(self, spec: str, queries: Sequence[Query]) -> Future[list[Opinion]]:
        job = _Job(spec, queries)
        name = "networks" if spec.isidentifier() else spec  # a command, or a file that may hold one
        with self._lock:
            if name not in self._lanes:
                self._lanes[name] = _Lane(name)
            self._lanes[name].jobs.put(job)
        return job.answer

    def close(self) -> None:
        """Answer what waits, then end every engine."""
        with self._lock:
            lanes = list(self._lanes.values())
            self._lanes.clear()
        for lane in lanes:
            lane.close()


@dataclass(frozen=True)
class LaneMind:
    """A Mind. The effort's chance is not used: a shared batch has one of its own."""

    thinkers: Thinkers
    spec: str

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return self.thinkers.ask(self.spec, queries).result()
