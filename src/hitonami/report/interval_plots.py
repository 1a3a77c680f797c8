"""Plots of figures with their intervals: series over groups, differences, calibration, heat maps. SVG text."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import Bin
from hitonami.report.plots import GRID, INK, draw_axes, to_svg

COLOURS: Final = ("#3f6fb5", "#c8793a", "#4b9a6a", "#a5538f", "#7a7a36", "#5b5fae", "#b04a4a", "#3b8f99")
_LOW_TO_HIGH: Final = LinearSegmentedColormap.from_list("hitonami", ["#f4f1ea", "#8fb1d9", "#2f5d9e"])
_WIDE_FOR: Final = 8
PUBLISHED: Final = "published"
"""A series of single points: no line leads from one to the next."""
Series = tuple[str, Sequence[Interval | None]]


def _width(groups: int) -> float:
    return max(9.6, 0.6 * groups + 1.6)


def over_groups(
    title: str, groups: Sequence[str], series: Sequence[Series], y_label: str, *, percent: bool = False
) -> str:
    """A point with its interval for each group and series, slightly apart; a line leads the eye along a scale."""
    scales = _scales(groups)
    figure, axes = draw_axes(title, "", y_label, wide=_width(len(groups)), high=3.6)
    for at, (name, values) in enumerate(series):
        shift = (at - (len(series) - 1) / 2) * min(0.16, 0.7 / len(series))
        known = [(x + shift, each) for x, each in enumerate(values) if each is not None]
        xs = [x for x, _ in known]
        ys = [each.value for _, each in known]
        bars = [[each.value - each.low for _, each in known], [each.high - each.value for _, each in known]]
        colour = COLOURS[at % len(COLOURS)]
        for scale in dict.fromkeys(scales) if name != PUBLISHED else ():
            own = [(x + shift, each.value) for x, each in enumerate(values) if each is not None and scales[x] == scale]
            axes.plot([x for x, _ in own], [y for _, y in own], color=colour, linewidth=1.1, alpha=0.45)
        axes.errorbar(
            xs,
            ys,
            yerr=np.maximum(bars, 0),
            fmt="D" if name == PUBLISHED else "o",
            markersize=4.5,
            color=INK if name == PUBLISHED else colour,
            elinewidth=1.5,
            capsize=2.5,
            label=name.lstrip("_"),
        )  # fmt: skip  (a name that begins with _ would be left out of the legend)
    held = [each for _, values in series for each in values if each is not None]
    if any(each.low < 0 for each in held) and any(each.high > 0 for each in held):
        axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xticks(range(len(groups)), groups, rotation=40 if _crowded(groups) else 0, ha=_align(groups))
    axes.margins(x=0.03)
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))  # as many decimals as the ticks need
    if len(series) > 1:
        axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, ncols=min(len(series), 3), loc="best")
    return to_svg(figure)


def _scales(groups: Sequence[str]) -> list[str]:
    """Which groups lie on one scale: those of a pool, where several are named; pairs of players on none."""
    if any(" – " in each for each in groups):
        return list(groups)
    pools = [each.split(" ")[0] for each in groups]
    return pools if all(" " in each for each in groups) else [""] * len(groups)


def _crowded(groups: Sequence[str]) -> bool:
    return max(map(len, groups)) > 6 or len(groups) > 2 * _WIDE_FOR


def _align(groups: Sequence[str]) -> str:
    return "right" if _crowded(groups) else "center"


def differences(
    title: str, rows: Sequence[tuple[str, Interval, bool]], x_label: str, *, percent: bool = False, wide: float = 6.4
) -> str:
    """One line a group around zero; those that chance does not explain are filled. The first row is on top."""
    figure, axes = draw_axes(title, x_label, "", wide=wide, high=max(1.7, 0.8 + 0.27 * len(rows)))
    scale = 100.0 if percent else 1.0
    for at, (_, each, certain) in enumerate(reversed(rows)):
        axes.plot([scale * each.low, scale * each.high], [at, at], color=COLOURS[0], linewidth=2, alpha=0.8)
        face = COLOURS[0] if certain else "white"
        axes.plot(scale * each.value, at, "o", markersize=6, markerfacecolor=face, markeredgecolor=COLOURS[0])
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in reversed(rows)])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    return to_svg(figure)


def calibration(title: str, series: Sequence[tuple[str, Sequence[Bin]]]) -> str:
    """How often the likeliest move was played against the chance that it was given; the area of a dot is its count."""
    figure, axes = draw_axes(title, "probability given to the likeliest move", "share played", wide=5.2, high=4.6)
    axes.plot([0, 1], [0, 1], color=INK, linewidth=0.9, linestyle=(0, (4, 4)))
    most = max((each.n for _, bins in series for each in bins), default=1)
    for at, (name, bins) in enumerate(series):
        colour = COLOURS[at % len(COLOURS)]
        xs, ys = [each.probability for each in bins], [each.accuracy for each in bins]
        axes.plot(xs, ys, color=colour, linewidth=1.1, alpha=0.5)
        axes.plot([], [], "o", markersize=5, color=colour, label=name)  # a dot of its own size in the legend
        axes.scatter(xs, ys, s=[12 + 130 * each.n / most for each in bins], color=colour, alpha=0.8, lw=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="upper left")
    return to_svg(figure)


def heat_map(title: str, labels: Sequence[str], values: NDArray[np.float64], show: str, *, high_is_good: bool) -> str:
    """values [told, true], coloured within each column, the best of a column framed: columns are what compares."""
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shade = np.nan_to_num((values - low) / (high - low))
    shade = shade if high_is_good else np.where(high > low, 1 - shade, 0.0)
    side = max(4.4, 0.58 * len(labels) + 1.6)
    figure, axes = draw_axes(title, "who moved", "level told", wide=side, high=side * 0.86)
    axes.grid(visible=False)
    axes.imshow(shade, cmap=_LOW_TO_HIGH, vmin=0, vmax=1, aspect="auto")
    best = np.nanargmax(shade, axis=0)
    for told, true in np.ndindex(values.shape):
        dark = shade[told, true] > 0.6
        text = format(values[told, true], show)
        weight = "bold" if told == true else "normal"
        colour = "white" if dark else INK
        axes.text(true, told, text, ha="center", va="center", fontsize=8, color=colour, fontweight=weight)
    for true, told in enumerate(best):
        if high[true] > low[true]:
            axes.add_patch(_frame(true, int(told)))
    axes.set_xticks(range(len(labels)), labels, rotation=40 if _crowded(labels) else 0, ha=_align(labels))
    axes.set_yticks(range(len(labels)), labels)
    axes.spines[:].set_visible(False)

    return to_svg(figure)


def _frame(column: int, row: int) -> Rectangle:
    return Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=COLOURS[1], linewidth=2)
