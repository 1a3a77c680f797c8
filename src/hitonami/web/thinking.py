"""Minds shared by all games: lanes of work, each one thread that asks its minds about what waits.

Many games ask at once and a network answers a batch at little more than the price of one query, so a lane takes what
has queued up for one mind while it was busy and asks once (micro-batching; no timer: an idle lane answers at once).
Networks share one lane and one room, random playouts of all strengths another, twins a third: each is read again
where its file has changed, so that one that was forgotten is. Each external program has a lane of its
own, so that a slow engine delays nobody else, and is asked as many questions at a time as it has processes.

Askers have turns: whoever asks much waits for himself. What happens in the background waits for everybody, in small
pieces, but is never forgotten.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition, Event, Lock, Thread
from typing import Final

import numpy as np

from hitonami.agent import Agent, level_style, open_leaves
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.minds.twin import Twin as TwinSpec
from hitonami.specs import Room, mind_spec
from hitonami.web.opponents import PLAYOUT, Roster
from hitonami.web.twins import TWIN

_LARGEST_BATCH: Final = 64
_BACKGROUND_BATCH: Final = 8
_IN_A_ROW: Final = 8
"""Batches that may pass the background by."""


@dataclass(eq=False)
class _Job:
    spec: str
    queries: Sequence[Query]
    asker: str = ""
    background: bool = False
    answer: Future[list[Opinion]] = field(default_factory=Future)
    stop: Event = field(default_factory=Event)
    """Set where nobody wants the answer any more."""


class _Queue:
    """What waits for one lane. `put` and `end` from any thread, `take` from the lane's."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._changed = Condition()
        self._front: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._back: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._in_a_row = 0
        self._ended = False

    def put(self, job: _Job) -> None:
        with self._changed:
            if self._ended:
                job.answer.set_exception(WorkFailed("the server is being stopped"))
                return
            (self._back if job.background else self._front).setdefault(job.asker, deque()).append(job)
            self._changed.notify()

    def take(self) -> list[_Job]:
        """The next batch, of one mind; none at the end. Blocks until there is one."""
        with self._changed:
            while not self._ended:
                batch = self._next()
                if batch:
                    return batch
                self._changed.wait()
        return []

    def end(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self._ended = True
            waiting = [job for band in (self._front, self._back) for jobs in band.values() for job in jobs]
            self._changed.notify()
        for job in waiting:
            if job.answer.set_running_or_notify_cancel():
                job.answer.set_exception(WorkFailed("the server is being stopped"))

    def _next(self) -> list[_Job]:
        if not self._front and not self._back:
            return []
        behind = self._back and (not self._front or self._in_a_row >= _IN_A_ROW)
        self._in_a_row = 0 if behind else self._in_a_row + 1
        band, most = (self._back, _BACKGROUND_BATCH) if behind else (self._front, self._largest)
        batch: list[_Job] = []
        count = 0
        while count < min(most, self._largest) and (job := self._pick(band, batch[0].spec if batch else None)):
            batch.append(job)
            count += len(job.queries)
        return batch

    def _pick(self, band: OrderedDict[str, deque[_Job]], spec: str | None) -> _Job | None:
        """The first job of that mind (of any, for None) by whose turn it is; its asker goes to the end of the row."""
        for asker in list(band):
            jobs = band[asker]
            while jobs and jobs[0].answer.cancelled():
                jobs.popleft()
            if jobs and spec in (None, jobs[0].spec):
                job = jobs.popleft()
                band.move_to_end(asker)
                if not jobs:
                    del band[asker]
                if job.answer.set_running_or_notify_cancel():
                    return job
            elif not jobs:
                del band[asker]
        return None


class _Lane:
    """One thread and one room. Minds are built and asked in the thread, nowhere else."""

    def __init__(self, name: str, largest: int) -> None:
        self.queue = _Queue(largest)
        self._rng = np.random.default_rng()
        self._room = Room()
        self._closing = Event()
        self._asked: list[_Job] = []
        self._thread = Thread(target=self._run, name=f"lane {name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop what is being thought, and end every engine."""
        self.queue.end()
        self._closing.set()
        for job in self._asked:
            job.stop.set()
        self._thread.join()

    def _run(self) -> None:
        while batch := self.queue.take():
            self._ask(batch)
            batch = self._asked = []  # while nobody asks, no game is kept here
        self._room.close()

    def _ask(self, jobs: list[_Job]) -> None:
        self._asked = jobs
        stop = jobs[0].stop if len(jobs) == 1 else self._closing
        if self._closing.is_set():
            stop.set()  # it came between the end of the queue and here
        queries = [query for job in jobs for query in job.queries]
        try:
            opinions = self._open(jobs[0].spec)(queries, Effort(rng=self._rng, stop=stop))
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

    def _open(self, spec: str) -> Mind:
        if spec.startswith(TWIN):
            return TwinSpec(spec.removeprefix(TWIN)).open(self._room)
        return self._room.open(spec)

    def _fail(self, jobs: list[_Job], wrong: Exception) -> None:
        """One bad question must not fail its neighbours: several are asked again one by one."""
        if len(jobs) > 1:
            for job in jobs:
                self._ask([job])
        else:
            jobs[0].answer.set_exception(wrong)


class Thinkers:
    """All lanes of a server, and the roster of those who can be asked in them."""

    def __init__(self, roster: Roster | None = None) -> None:
        self.roster = roster or Roster()
        self._lanes: dict[str, _Lane] = {}
        self._lock = Lock()

    def mind(self, spec: str, asker: str = "", *, background: bool = False) -> "LaneMind":
        """A mind that asks its lane. It may be called from any thread, and blocks that thread."""
        return LaneMind(self, spec, asker, background)

    def agent(self, spec: str, game: str, asker: str = "", *, background: bool = False) -> Agent:
        """Who plays by a mind, with the draw and the looks of its levels."""

        def ask(spec: str) -> Mind:
            return self.mind(spec, asker, background=background)

        return Agent(ask(spec), style=level_style(spec), leaves=open_leaves(ask, spec, game))

    def ask(self, spec: str, queries: Sequence[Query], asker: str = "", *, background: bool = False) -> _Job:
        job = _Job(spec, queries, asker, background)
        shares = spec.isidentifier() or spec.startswith(TWIN)  # any other is a command, or a file that may hold one
        with self._lock:
            name = _lane_of(spec)
            if name not in self._lanes:
                self._lanes[name] = _Lane(name, _LARGEST_BATCH if shares else _processes(spec))
            self._lanes[name].queue.put(job)
        return job

    async def opinions(self, spec: str, queries: Sequence[Query], asker: str) -> list[Opinion]:
        """What a mind says. Whoever stops waiting takes the question back, and ends a search that is about it alone."""
        job = self.ask(spec, queries, asker)
        try:
            return await asyncio.wrap_future(job.answer)
        except asyncio.CancelledError:
            job.stop.set()
            raise

    def close(self) -> None:
        """Answer nobody any more, and end every engine."""
        with self._lock:
            lanes = list(self._lanes.values())
            self._lanes.clear()
        for lane in lanes:
            lane.close()


def _lane_of(spec: str) -> str:
    if spec.isidentifier():
        return "networks"
    return next((kind for kind in (PLAYOUT, TWIN.rstrip(":")) if spec.startswith(f"{kind}:")), spec)


def _processes(spec: str) -> int:
    """How many questions an external program answers at a time."""
    try:
        return int(mind_spec(spec).as_dict().get("processes", 1))
    except HitonamiError:
        return 1  # whoever asks hears what is wrong with it


@dataclass(frozen=True)
class LaneMind:
    """A Mind. The effort's chance is not used: a shared batch has one of its own."""

    thinkers: Thinkers
    spec: str
    asker: str = ""
    background: bool = False

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        size = _BACKGROUND_BATCH if self.background else max(len(queries), 1)
        opinions: list[Opinion] = []
        for begin in range(0, len(queries), size):
            part = queries[begin : begin + size]
            opinions += self.thinkers.ask(self.spec, part, self.asker, background=self.background).answer.result()
        return opinions
