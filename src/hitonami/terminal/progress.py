"""Progress of long work on standard error: a bar in a terminal, a line now and then elsewhere."""

import sys
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

_LINE_EVERY_SECONDS = 30.0


class Meter:
    """Shows how far the work is, how fast it goes, and how long it will take."""

    def __init__(self, total: int, unit: str) -> None:
        self._total, self._unit = total, unit
        self._begin = self._last = monotonic()
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            columns = BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TextColumn("{task.description}")
            self._bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=total or None)

    def __enter__(self) -> "Meter":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, units: int) -> None:
        """`done` of the total is behind us, and so many units came of it."""
        now = monotonic()
        speed = units / max(now - self._begin, 1e-6)
        text = f"{units:,} {self._unit}, {speed:,.0f}/s"
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=text)
        elif now - self._last >= _LINE_EVERY_SECONDS:
            self._last = now
            share = done / self._total if self._total else 0.0
            left = (now - self._begin) * (1 - share) / share if share > 0 else 0.0
            print(f"{share:4.0%}  {text}, about {left:,.0f} s left", file=sys.stderr, flush=True)
