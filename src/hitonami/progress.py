"""How long work tells how far it is, whoever shows it, and how it is ended."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event
from typing import Protocol


class Progress(Protocol):
    """Shows how far the work is."""

    def show(self, done: int, units: int) -> None: ...


Report = Callable[[int, int], None]
"""Hears how much is done, and how many units of work that was."""


def unheard(done: int, units: int) -> None:
    """Where nobody listens."""


Watching = Callable[[int, str], AbstractContextManager[Progress]]
"""A new progress from the total and the name of the units."""


@contextmanager
def stoppable() -> Iterator[Event]:
    """Ctrl-C and SIGTERM set the event, for work that ends after the step under way and saves it."""
    stop = Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda *_: stop.set()) for kind in kinds]
    try:
        yield stop
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
