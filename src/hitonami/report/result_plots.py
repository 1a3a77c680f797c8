"""Plots of win rates: reliability diagrams with their histograms, calibration curves over rating. SVG text."""

from collections.abc import Sequence

from matplotlib.ticker import PercentFormatter

from hitonami.evaluate.winrate import ResultBin, ResultFigures
from hitonami.fits.calibration import GroupTemperature
from hitonami.knobs import Curve
from hitonami.report.plots import ACCENT, GRID, INK, SECOND, draw_axes, mark_interval, to_svg


def reliability_diagram(title: str, bins: Sequence[ResultBin], every: ResultFigures) -> str:
    """Mean score against mean V in ten bins, the diagonal for perfect chances, and below how often each V is given."""
    figure, axes = draw_axes(f"{title} (n = {every.n:,})", "", "mean score", wide=5.2, high=5.4)
    axes.remove()
    axes, beneath = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    axes.set_title(f"{title} (n = {every.n:,})", loc="left", color=INK, fontsize=11, fontweight="bold")
    axes.plot([0, 1], [0, 1], color=INK, linewidth=0.9, linestyle=(0, (4, 4)))
    for each in bins:
        axes.plot([each.expected] * 2, [each.expected, each.score], color=SECOND, linewidth=1.4, alpha=0.7)
    axes.plot([each.expected for each in bins], [each.score for each in bins], "o-", color=ACCENT, markersize=5, lw=1.2)
    told = (
        f"ECE {every.ece.value:.3f}, by chance {every.ece_expected:.3f}\ncross-entropy {every.cross_entropy.value:.3f}"
    )
    axes.text(0.03, 0.95, told, transform=axes.transAxes, va="top", fontsize=9, color=INK)
    axes.set_ylabel("mean score", color=INK)
    beneath.bar([each.low for each in bins], [each.n / every.n for each in bins], width=0.1, align="edge",
                color=ACCENT, edgecolor="white", linewidth=0.6)  # fmt: skip
    beneath.set_xlabel("V, the expected score of the side to move", color=INK)
    beneath.set_ylabel("share", color=INK)
    for each_axes in (axes, beneath):
        each_axes.spines[["top", "right"]].set_visible(False)
        each_axes.grid(axis="y", color=GRID, linewidth=0.8)
        each_axes.set_axisbelow(True)
        each_axes.tick_params(colors=INK, labelsize=9)
        each_axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    return to_svg(figure)


def temperature_by_group(title: str, groups: Sequence[GroupTemperature]) -> str:
    """The T of each group with its interval, around 1."""
    figure, axes = draw_axes(title, "", "temperature T", wide=max(6.4, 0.55 * len(groups) + 1.6), high=3.4)
    for at, each in enumerate(groups):
        mark_interval(axes, at, each.temperature)
    axes.axhline(1.0, color=INK, linewidth=1, linestyle=":")
    axes.set_xticks(range(len(groups)), [each.group for each in groups], rotation=40, ha="right")
    return to_svg(figure)


def curve_over_rating(title: str, curve: Curve, y_label: str) -> str:
    """A fitted curve; one point is a constant."""
    figure, axes = draw_axes(title, "rating", y_label, high=2.8)
    xs, ys = zip(*curve.points, strict=True)
    if len(xs) == 1:
        axes.axhline(ys[0], color=ACCENT, linewidth=1.8)
        axes.set_xticks([])
    else:
        axes.plot(xs, ys, color=ACCENT, linewidth=1.8)
    return to_svg(figure)
