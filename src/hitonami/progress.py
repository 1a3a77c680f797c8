"""How long work tells how far it is, whoever shows it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Progress(Protocol):
    """Shows how far the work is."""

    def show(self, done: int, units: int) -> None: ...


Watching = Callable[[int, str], AbstractContextManager[Progress]]
"""A new progress from the total and the name of the units."""
