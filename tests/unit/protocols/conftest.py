"""A session to talk to, and minds that think, brood, sleep and break on purpose."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from hitonami.parts import load_part

_PARTS = Path(__file__).parent / "parts"
_HUNG_SECONDS = 60
"""Longer than any answer takes on a busy machine: only a session that hangs runs into it."""


class Talk:
    """One session and what it said, in order."""

    def __init__(self, protocol: str, **options: Any) -> None:
        self._came: Queue[str] = Queue()
        self.session = load_part("protocols", protocol)(self._came.put, **options)

    def send(self, *lines: str) -> None:
        for line in lines:
            self.session.receive(line)

    def hear(self) -> str:
        """The next line that the session says."""
        try:
            return self._came.get(timeout=_HUNG_SECONDS)
        except Empty:
            pytest.fail("the session hangs")

    def hear_until(self, start: str) -> list[str]:
        """Lines up to the first that starts so."""
        said = [self.hear()]
        while not said[-1].startswith(start):
            said.append(self.hear())
        return said

    def ask(self, *lines: str, until: str = "bestmove") -> str:
        """Send lines and return the first answer that starts so."""
        self.send(*lines)
        return self.hear_until(until)[-1]

    def rest(self) -> list[str]:
        """What has been said and not heard yet, once all is answered."""
        self.session.wait()
        return [self._came.get() for _ in range(self._came.qsize())]


@pytest.fixture(autouse=True)
def _minds_for_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HITONAMI_PARTS", os.pathsep.join([str(_PARTS), str(Path(__file__).parents[2] / "parts")]))


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """Opens sessions by the name of their protocol, and closes them after the test."""
    opened: list[Talk] = []

    def begin(protocol: str, mind: str = "uniform", seed: int | None = 1, **options: Any) -> Talk:
        opened.append(Talk(protocol, mind=mind, seed=seed, **options))
        return opened[-1]

    yield begin
    for each in opened:
        each.session.close()
