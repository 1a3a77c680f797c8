"""The thread of a session's slow jobs: what it still does when the session ends."""

from threading import Event
from time import sleep

import pytest

from hitonami.protocols import _worker
from hitonami.protocols._worker import Worker


@pytest.fixture
def began() -> Event:
    return Event()


@pytest.fixture
def worker(began: Event, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """In the middle of a job that takes far longer than a stopped thought may, and that began long before the end."""
    monkeypatch.setattr(_worker, "_THINKING_SECONDS", 0.02)
    monkeypatch.setattr(_worker, "_TOGETHER_SECONDS", 0.01)

    def broods() -> None:
        began.set()
        sleep(0.4)

    worker = Worker()
    worker.submit(broods)
    assert began.wait(60)
    sleep(0.05)
    return worker


def test_a_job_that_had_not_begun_at_the_end_was_piped_in_with_it_and_is_done(worker: Worker) -> None:
    done = Event()
    worker.submit(done.set)
    assert worker.close(patient=True)
    assert done.is_set()


def test_an_impatient_end_waits_for_no_job_in_the_queue(worker: Worker) -> None:
    done = Event()
    worker.submit(done.set)
    assert not worker.close(patient=False)
    assert not done.is_set()


def test_a_thought_that_began_long_before_the_end_is_given_up(worker: Worker) -> None:
    assert not worker.close(patient=True)


def test_nothing_is_begun_after_the_end(worker: Worker) -> None:
    done = Event()
    worker.close(patient=True)
    worker.submit(done.set)
    worker.wait()
    assert not done.is_set()
