"""Plots of likeness: probabilities of moves against what was played, losses of people and minds, Venn diagrams. SVG."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from hitonami.evaluate.likeness import MoveBin
from hitonami.judging.losses import FAR
from hitonami.report.interval_plots import COLOURS
from hitonami.report.plots import GRID, INK, draw_axes, to_svg

_LEAST_SHOWN: Final = 2e-4
"""The end of the logarithmic axes: below it moves are given next to nothing and next to none are played."""
_MOST_CIRCLES: Final = 3


def move_calibration(title: str, series: Sequence[tuple[str, Sequence[MoveBin]]]) -> str:
    """The share of moves that were played against the probability they were given, on logarithmic axes."""
    figure, axes = draw_axes(title, "probability given to a move", "share played", wide=5.2, high=4.6)
    axes.plot([_LEAST_SHOWN, 1], [_LEAST_SHOWN, 1], color=INK, linewidth=0.9, linestyle=(0, (4, 4)))
    for at, (name, bins) in enumerate(series):
        shown = [each for each in bins if each.played > _LEAST_SHOWN and each.probability > _LEAST_SHOWN]
        xs, ys = [each.probability for each in shown], [each.played for each in shown]
        axes.plot(xs, ys, "o-", markersize=5, linewidth=1.1, alpha=0.8, color=COLOURS[at % len(COLOURS)], label=name)
    axes.set(xscale="log", yscale="log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"{100 * value:g}%")
    axes.set_xlim(_LEAST_SHOWN, 1.15)
    axes.set_ylim(_LEAST_SHOWN, 1.15)
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="upper left")
    return to_svg(figure)


def scatter(title: str, points: Sequence[tuple[float, float]], x_label: str, y_label: str, far: float = FAR) -> str:
    """A point a position: what two lose there. Between the lines they lose about as much."""
    figure, axes = draw_axes(title, x_label, y_label, wide=5.2, high=4.6)
    held = np.array(points, dtype=np.float64).reshape(-1, 2)
    most = max(0.1, float(held.max(initial=0.0)) * 1.05)
    for shift in (-far, far):
        axes.plot([0, most], [shift, most + shift], color=INK, linewidth=0.8, linestyle=(0, (4, 4)))
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.scatter(held[:, 0], held[:, 1], s=16, color=COLOURS[0], alpha=0.35, lw=0)
    axes.set_xlim(-0.02 * most, most)
    axes.set_ylim(-0.02 * most, most)
    return to_svg(figure)


def venn(title: str, minds: Sequence[str], counts: Mapping[frozenset[str], int]) -> str:
    """Circles of up to three minds and how many positions are in each region; "" for more minds. Areas mean nothing."""
    if not 1 <= len(minds) <= _MOST_CIRCLES:
        return ""
    figure, axes = draw_axes(title, "", "", wide=5.2, high=4.6)
    axes.grid(visible=False)
    axes.set_axis_off()
    axes.set_aspect("equal")
    centres = _centres(len(minds))
    for at, (name, (x, y)) in enumerate(zip(minds, centres, strict=True)):
        axes.add_patch(Circle((x, y), 1.0, color=COLOURS[at], alpha=0.28, linewidth=0))
        axes.add_patch(Circle((x, y), 1.0, fill=False, edgecolor=COLOURS[at], linewidth=1.6))
        _name(axes, name, x, y, COLOURS[at])
    for inside, count in counts.items():
        x, y = _middle(minds, centres, inside)
        axes.text(x, y, f"{count:,}", ha="center", va="center", fontsize=10.5, color=INK)
    axes.set_xlim(-2.4, 2.4)
    axes.set_ylim(-2.2, 2.1)
    return to_svg(figure)


def _centres(count: int) -> list[tuple[float, float]]:
    if count == 1:
        return [(0.0, 0.0)]
    if count == 2:
        return [(-0.6, 0.0), (0.6, 0.0)]
    return [(0.62 * cos(turn), 0.62 * sin(turn)) for turn in (pi * 5 / 6, pi / 6, -pi / 2)]


def _name(axes: Axes, name: str, x: float, y: float, colour: str) -> None:
    """Outside of the circle, away from the middle."""
    below = y < -0.3
    axes.text(
        1.4 * x, y - 1.2 if below else y + 1.12, name, ha="center", va="top" if below else "bottom",
        fontsize=9.5, color=colour, fontweight="bold",
    )  # fmt: skip


def _middle(
    minds: Sequence[str], centres: Sequence[tuple[float, float]], inside: frozenset[str]
) -> tuple[float, float]:
    """Where a region's count stands: pushed away from the circles that it is not in."""
    if not inside:
        return 1.75, -1.9
    own = [centre for name, centre in zip(minds, centres, strict=True) if name in inside]
    x, y = (sum(values) / len(own) for values in zip(*own, strict=True))
    push = 1.75 if len(own) < len(minds) else 1.0
    return push * x, push * y
