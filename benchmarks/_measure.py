"""Speed as a ratio against a reference measured in the same run.

Absolute times say more about the machine than about the code, so nothing here reports one as a claim.
Our work and the reference's alternate, round by round, so that a noisy neighbour hits both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One measured ratio and the bar it is held to (None: reported only)."""

    name: str
    ratio: float
    low: float
    high: float
    at_least: float | None
    note: str = ""

    @property
    def holds(self) -> bool:
        return self.at_least is None or self.ratio >= self.at_least


def ratio_of(
    name: str,
    ours: Callable[[], int],
    reference: Callable[[], int],
    *,
    at_least: float | None,
    rounds: int = 5,
    clock: Callable[[], float] = perf_counter,
) -> Row:
    """Median over rounds of (our units per second) / (the reference's). Each callable returns its units done.

    `process_time` as the clock counts this process's own work alone: for work of one thread, where others work too.
    """
    ours()
    reference()  # both warm
    ratios, own_speeds, reference_speeds = [], [], []
    for _ in range(rounds):
        own, other = _speed(ours, clock), _speed(reference, clock)
        own_speeds.append(own)
        reference_speeds.append(other)
        ratios.append(own / other)
    note = f"{median(own_speeds):,.0f}/s against {median(reference_speeds):,.0f}/s here"
    return Row(name, median(ratios), min(ratios), max(ratios), at_least, note)


def _speed(work: Callable[[], int], clock: Callable[[], float]) -> float:
    begin = clock()
    units = work()
    return units / (clock() - begin)


def show(rows: Sequence[Row]) -> None:
    """Print the rows as a table; a bar that does not hold is marked."""
    table = Table("what", "ratio", "spread", "bar", "", "for orientation")
    for row in rows:
        bar = "" if row.at_least is None else f"≥ {row.at_least:g}"
        verdict = "" if row.at_least is None else ("holds" if row.holds else "[bold red]missed[/]")
        table.add_row(row.name, f"{row.ratio:.2f}", f"{row.low:.2f}–{row.high:.2f}", bar, verdict, row.note)
    Console(width=150).print(table)
