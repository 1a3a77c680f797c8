"""How a run of self-play goes: curves over its generations, as one page."""

from collections.abc import Mapping, Sequence
from typing import Final

from hitonami.report.page import page, plots, section, table
from hitonami.report.plots import ACCENT, SECOND, draw_axes, to_svg

Row = Mapping[str, float]
_CURVES: Final = (
    ("How well results are foreseen", "R²", (("r2_network", "network"), ("r2_search", "search"))),
    ("Losses", "nats", (("policy_loss", "moves"), ("result_loss", "result"))),
    ("Length of games", "plies", (("length", ""),)),
    ("Legal moves", "moves", (("branching", ""),)),
    ("Results", "share", (("first_player", "score of the first player"), ("draws", "drawn"))),
    ("Leaves that the rules decide", "share", (("ended_leaves", ""),)),
    ("Given up", "share", (("resigned", "games"), ("resign_below", "expected score below which"))),
    ("Positions a second", "positions", (("leaves_per_second", ""),)),
    ("Gate", "score of the new network", (("gate_score", ""),)),
)


def as_page(name: str, rows: Sequence[Row]) -> str:
    """The whole page, after any number of generations."""
    games = sum(row["games"] for row in rows)
    seconds = sum(row["play_seconds"] for row in rows)
    lead = f"{len(rows)} generations, {games:,.0f} games, {seconds / 60:,.0f} minutes of playing"
    pictures = [picture for curve in _CURVES if (picture := _draw(rows, *curve))]
    last = rows[-1] if rows else {}
    figures = table(["last generation", ""], [[key.replace("_", " "), _plain(value)] for key, value in last.items()])
    return page(f"Self-play: {name}", lead, section("Curves", plots(pictures)), section("Figures", figures))


def _plain(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)


def _draw(rows: Sequence[Row], title: str, unit: str, curves: Sequence[tuple[str, str]]) -> str:
    """Nothing where no generation has such a figure."""
    if not any(row.get(key) for row in rows for key, _ in curves):
        return ""
    figure, axes = draw_axes(title, "generation", unit)
    for (key, label), colour in zip(curves, (ACCENT, SECOND), strict=False):
        told = [(row["generation"] + 1, row[key]) for row in rows if key in row]
        marker = "o" if len(told) < 3 else ""
        axes.plot([at for at, _ in told], [value for _, value in told], color=colour, label=label, marker=marker)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=9)
    return to_svg(figure)
