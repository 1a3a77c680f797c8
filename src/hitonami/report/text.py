"""Figures with their intervals as words, and tables for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import east_asian_width

from hitonami.evaluate.intervals import Interval

Table = tuple[str, Sequence[Sequence[str]]]
"""A title, and rows, the first of them a head: for the terminal as for a page."""


def spanned(found: Interval, how: str) -> str:
    """A figure and its interval, as in 0.51 (0.48–0.54); `how` is the format of each number."""
    return f"{found.value:{how}} ({found.low:{how}}–{found.high:{how}})"


def signed(found: Interval, how: str = "+.3f") -> str:
    """A difference and its interval, as in +0.02 (-0.01 … +0.05)."""
    return f"{found.value:{how}} ({found.low:{how}} … {found.high:{how}})"


def percent_text(found: Interval) -> str:
    return f"{100 * found.value:.1f}% ({100 * found.low:.1f}–{100 * found.high:.1f})"


def nats_text(found: Interval) -> str:
    return spanned(found, ".3f")


def points_text(found: Interval) -> str:
    return signed(Interval(100 * found.value, 100 * found.low, 100 * found.high), "+.1f")


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they need, the second set right; Japanese letters are two places wide."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        gaps = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = (gap + cell if at == 1 else cell + gap for at, (cell, gap) in enumerate(zip(row, gaps, strict=True)))
        yield ("  " + "   ".join(cells)).rstrip()


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def titled(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table below an empty line and its title."""
    yield ""
    yield title
    yield from aligned(rows)


def all_titled(tables: Iterable[Table]) -> Iterator[str]:
    """One below the other."""
    for title, rows in tables:
        yield from titled(title, rows)
