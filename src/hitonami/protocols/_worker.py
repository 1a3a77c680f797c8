"""One thread that does a session's slow jobs in order, so that reading commands never waits for thinking.

The thread is a daemon: a mind that hears no stop must not keep the process alive after `quit`.
"""

from collections.abc import Callable
from queue import Queue
from threading import Thread
from time import monotonic

_THINKING_SECONDS = 0.6
"""What each stopped thought has left to answer before the session ends without it."""
_LOADING_SECONDS = 30.0
"""What a mind that is still loading has left: commands piped in with `quit` behind them deserve their answers."""
_STEP_SECONDS = 0.05


class Worker:
    """Runs jobs one after another. Jobs must not raise; the thread starts with the first of them."""

    def __init__(self) -> None:
        self._jobs: Queue[Callable[[], None] | None] = Queue()
        self._thread: Thread | None = None
        self._closed = False
        self._done = 0
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
        """End after the jobs at hand, or give up on them. True where the thread has ended."""
        self._closed = True
        self._jobs.put(None)
        if self._thread is None:
            return True
        thinking, loading = _THINKING_SECONDS, _LOADING_SECONDS if patient else 0.0
        before, done = monotonic(), self._done
        while self._thread.is_alive() and thinking > 0:
            self._thread.join(_STEP_SECONDS)
            now = monotonic()
            if done != self._done:
                thinking, done = _THINKING_SECONDS, self._done
            if self.loading and loading > 0:
                loading -= now - before
            else:
                thinking -= now - before
            before = now
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                if job is None:
                    return
                job()
            finally:
                self._done += 1
                self._jobs.task_done()
