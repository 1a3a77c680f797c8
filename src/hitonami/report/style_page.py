"""A person's style as one self-contained page: a dot with its interval for each trait, over people of the level."""

from collections.abc import Sequence
from html import escape
from typing import Final

from matplotlib.axes import Axes

from hitonami import __version__
from hitonami.report.page import page, scrolled, section, table, wide
from hitonami.report.plots import ACCENT, GRID, INK, SECOND, draw_axes, to_svg
from hitonami.report.style import figure, place, standing, who
from hitonami.style.portrait import Portrait, Row
from hitonami.style.reference import PROBABILITIES

_MOST: Final = 24
_EDGE: Final = 4.5
_METHOD: Final = (
    "A dot is the mean over the person's games, its bar 95% of the chance error of that mean. The unit is how much "
    "people of the level differ from each other (one spread), with the chance of few games taken out; 0 is their "
    "median. The bands hold 80% and half of them. Filled dots are those whose bar leaves the median out; of twenty "
    "traits one does so by chance. Traits are sorted by how unusual they are, where an uncertain one counts less."
)


def as_page(found: Portrait, command: str = "") -> str:
    """The whole document. Names of people are in no part of it but the command that was typed."""
    blocks = [f"<p>{escape(each)}.</p>" for each in found.remarks]
    if found.rows:
        blocks.append(wide(picture(found.rows[:_MOST])))
    rows = [_cells(row) for row in found.rows]
    head = [
        "trait",
        "games",
        "this person",
        "80% of the level",
        "spreads (95%)",
        "of the people",
    ]
    footer = f"hitonami {__version__}" + (f" · hitonami {command}" if command else "")
    return page(
        f"Style: {found.game}",
        who(found),
        section("What is unusual", *blocks),
        section("All traits", scrolled(table(head, rows)) if rows else "<p>The games say too little.</p>"),
        section("How to read it", f"<p>{escape(_METHOD)}</p>"),
        footer=footer,
    )


def _cells(row: Row) -> list[object]:
    low, high = (row.quantiles[PROBABILITIES.index(each)] for each in (0.1, 0.9))
    own = " … ".join(figure(row.trait, each) for each in (row.value.low, row.value.high))
    return [
        row.trait.words,
        row.games,
        f"{figure(row.trait, row.value.value)} ({own})",
        f"{figure(row.trait, low)} … {figure(row.trait, high)}",
        place(row.place),
        standing(row),
    ]


def picture(rows: Sequence[Row]) -> str:
    """Dots with intervals, the most unusual on top."""
    figure_, axes = draw_axes("", "spreads of people of the level", "", wide=9.6, high=0.9 + 0.3 * len(rows))
    edge = min(_EDGE, max(2.0, 0.3 + max(max(abs(row.place.low), abs(row.place.high)) for row in rows)))
    for at, row in enumerate(reversed(rows)):
        _draw_level(axes, at, row)
        _draw_person(axes, at, row, edge)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlim(-edge, edge)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_yticks(range(len(rows)), [row.trait.words for row in reversed(rows)])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    return to_svg(figure_)


def _draw_level(axes: Axes, at: int, row: Row) -> None:
    """What 80% and half of the people of the level do, in their spreads."""
    scale = (row.value.high - row.value.low) / max(row.place.high - row.place.low, 1e-12)
    median = row.quantiles[PROBABILITIES.index(0.5)]
    for inner, outer, dark in ((0.1, 0.9, 0.22), (0.25, 0.75, 0.3)):
        low, high = ((row.quantiles[PROBABILITIES.index(each)] - median) / scale for each in (inner, outer))
        axes.barh(at, high - low, left=low, height=0.62, color=ACCENT, alpha=dark, linewidth=0)


def _draw_person(axes: Axes, at: int, row: Row, edge: float) -> None:
    """What lies beyond the edge is drawn at it, as an arrow."""
    certain = row.place.low > 0 or row.place.high < 0
    value = min(max(row.place.value, -edge), edge)
    beyond = value != row.place.value
    axes.plot([max(row.place.low, -edge), min(row.place.high, edge)], [at, at], color=SECOND, linewidth=2)
    mark = (">" if value > 0 else "<") if beyond else "o"
    face = SECOND if certain else "white"
    axes.plot(value, at, mark, markersize=7, markerfacecolor=face, markeredgecolor=SECOND, clip_on=False, zorder=3)
