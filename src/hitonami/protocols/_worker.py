"""One thread that does a session's slow jobs in order, so that reading commands never waits for thinking.

The thread is a daemon: a mind that hears no stop must not keep the process alive after `quit`.
"""

from collections.abc import Callable
from queue import Queue
from threading import Thread
from time import monotonic

_THINKING_SECONDS = 0.6
"""What a stopped thought has left to answer before the session ends without it."""
_PIPED_SECONDS = 60.0
"""What it has left where it began with the end, or had not begun: then the commands were piped in, and nobody waits.

A busy machine takes ten times as long as an idle one, and a script wants its answer all the same."""
_TOGETHER_SECONDS = 0.1
_LOADING_SECONDS = 60.0
"""What a mind that is still loading has left."""
_STEP_SECONDS = 0.05


class Worker:
    """Runs jobs one after another. Jobs must not raise; the thread starts with the first of them."""

    def __init__(self) -> None:
        self._jobs: Queue[Callable[[], None] | None] = Queue()
        self._thread: Thread | None = None
        self._closed = False
        self._done = 0
        self._began = 0.0
        self.loading = False
        """Set by a job while it loads what it needs to think."""

    def submit(self, job: Callable[[], None]) -> None:
        if self._closed:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="hitonami-thinking", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def wait(self) -> None:
        """Until every job submitted so far is done."""
        self._jobs.join()

    def close(self, patient: bool) -> bool:
        """End after the jobs at hand, or give up on them. True where the thread has ended.

        A patient close waits for loading, and for commands that came together with the end.
        """
        self._closed = True
        queued = not self._jobs.empty()
        self._jobs.put(None)
        if self._thread is None:
            return True
        closing = before = monotonic()
        loading, spent, done = (_LOADING_SECONDS if patient else 0.0), 0.0, self._done
        while self._thread.is_alive():
            self._thread.join(_STEP_SECONDS)
            now = monotonic()
            if done != self._done:
                spent, done = 0.0, self._done
            elif self.loading and loading > 0:
                loading -= now - before
            else:
                spent += now - before
            before = now
            piped = patient and (queued or self._began > closing - _TOGETHER_SECONDS)
            if spent > (_PIPED_SECONDS if piped else _THINKING_SECONDS):
                break
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            self._began = monotonic()
            try:
                if job is None:
                    return
                job()
            finally:
                self._done += 1
                self._jobs.task_done()
