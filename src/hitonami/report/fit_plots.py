"""Plots of fits: accuracy and cross-entropy against a knob's value, and a knob over rating. SVG text."""

from matplotlib.ticker import PercentFormatter

from hitonami.fits.knobs import CurveFit, Fitted, GroupFit
from hitonami.report.plots import ACCENT, INK, SECOND, draw_axes, mark_interval, to_svg


def accuracy_over_knob(fitted: Fitted, group: GroupFit) -> str:
    """Accuracy with its interval for every value, and cross-entropy on an axis of its own; both bests are marked."""
    knob = fitted.knob
    figure, axes = draw_axes(f"{group.group} (n = {group.n:,})", f"{knob.method} {knob.name}", "accuracy", high=3.4)
    axes.plot(knob.grid, [each.value for each in group.accuracy], color=ACCENT, linewidth=1.8)
    low, high = [each.low for each in group.accuracy], [each.high for each in group.accuracy]
    axes.fill_between(knob.grid, low, high, color=ACCENT, alpha=0.15, linewidth=0)
    axes.axvline(group.by_accuracy.value, color=ACCENT, linewidth=1, linestyle=":")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    beside = axes.twinx()
    beside.plot(knob.grid, group.cross_entropy, color=SECOND, linewidth=1.4)
    beside.axvline(group.by_likelihood.value, color=SECOND, linewidth=1, linestyle=":")
    beside.set_ylabel("cross-entropy, nats", color=SECOND)
    beside.spines[["top", "left"]].set_visible(False)
    beside.tick_params(colors=INK, labelsize=9)
    if knob.link == "log":
        axes.set_xscale("log")
    return to_svg(figure)


def knob_over_rating(fitted: Fitted, curve: CurveFit) -> str:
    """The curve of a pool, and the best value of each group with its interval."""
    knob = fitted.knob
    figure, axes = draw_axes(f"pool {curve.pool or 'unknown'}", "rating", f"{knob.method} {knob.name}", high=3.4)
    xs, ys = zip(*curve.curve.points, strict=True)
    axes.plot(xs, ys, color=INK, linewidth=1.6)
    for each in fitted.groups[:-1]:
        best = each.by_accuracy if fitted.aim == "accuracy" else each.by_likelihood
        if each.rating is not None and each.pool == curve.pool:
            mark_interval(axes, each.rating, best)
    return to_svg(figure)
