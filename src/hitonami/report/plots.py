"""Plots as SVG text, drawn without a display and without any script in the page."""

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hitonami.evaluate.intervals import Interval

INK, ACCENT, SECOND, GRID = "#2b2b33", "#3f6fb5", "#c8793a", "#d9d9e0"
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "hitonami"})  # text stays text; equal in, equal out


def draw_axes(title: str, x_label: str, y_label: str, wide: float = 6.4, high: float = 3.0) -> tuple[Figure, Axes]:
    """An empty figure in the house's colours, to draw into."""
    figure = Figure(figsize=(wide, high), layout="constrained")
    axes = figure.subplots()
    dress(axes, title, x_label, y_label)
    return figure, axes


def dress(axes: Axes, title: str, x_label: str, y_label: str) -> None:
    """Put the house's colours on."""
    axes.set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold")
    axes.set_xlabel(x_label, color=INK)
    axes.set_ylabel(y_label, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=9)


def mark_interval(axes: Axes, x: float, found: Interval) -> None:
    """A dot with its interval."""
    axes.plot([x, x], [found.low, found.high], color=ACCENT, linewidth=1.8, alpha=0.7)
    axes.plot([x], [found.value], "o", color=ACCENT, markersize=5)


def to_svg(figure: Figure) -> str:
    """The figure as SVG text, without the head of a file."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    text = out.getvalue()
    return text[text.index("<svg") :]


def histogram(title: str, edges: Sequence[float], counts: Sequence[int], x_label: str, y_label: str = "games") -> str:
    """Counts between edges; one more edge than counts."""
    figure, axes = draw_axes(title, x_label, y_label)
    widths = [high - low for low, high in pairwise(edges)]
    axes.bar(edges[:-1], counts, width=widths, align="edge", color=ACCENT, edgecolor="white", linewidth=0.4)
    return to_svg(figure)


def bars(title: str, counts: Mapping[str, int], x_label: str) -> str:
    """One horizontal bar a name, the longest on top."""
    order = sorted(counts, key=lambda name: (counts[name], name))
    figure, axes = draw_axes(title, x_label, "", high=max(1.4, 0.5 + 0.28 * len(order)))
    axes.barh(order, [counts[name] for name in order], color=ACCENT)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    return to_svg(figure)
