"""Figures with their intervals as words, and tables for a terminal."""

from collections.abc import Iterator, Sequence

from hitonami.evaluate.intervals import Interval


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
    """Columns as wide as they need, the second set right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        sides = ("<" if at != 1 else ">" for at in range(len(row)))
        cells = (f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True))
        yield ("  " + "   ".join(cells)).rstrip()


def titled(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table below an empty line and its title."""
    yield ""
    yield title
    yield from aligned(rows)
