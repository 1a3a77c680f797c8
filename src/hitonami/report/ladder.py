"""The small-data ladder as a table and as one plot: accuracy over the number of games, alone and blended.

Computes nothing; a rung without figures is simply not there.
"""

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, PercentFormatter

from hitonami.evaluate.intervals import Interval
from hitonami.fits.one_weight import RungFigures
from hitonami.report.interval_plots import COLOURS
from hitonami.report.plots import GRID, INK, to_svg
from hitonami.report.text import points_text

_HEAD = (
    "| players | games | accuracy alone | nats alone | expert | α by accuracy | accuracy gained, points "
    "| α by likelihood | accuracy gained, points | nats gained |"
)


def as_lines(rows: Sequence[RungFigures]) -> Iterator[str]:
    """A Markdown table, in the order of players, experts and sizes; then what the experts reach alone."""
    yield _HEAD
    yield "|" + "---|" * (_HEAD.count("|") - 1)
    for row in sorted(rows, key=lambda row: (row.base, row.expert, row.games)):
        first, accurate, likely = row.found.first, row.found.by_accuracy, row.found.by_likelihood
        cells = [
            row.base,
            f"{row.games:,}",
            _share(first.accuracy),
            f"{first.cross_entropy.value:.3f}",
            row.expert,
            _weight(accurate.weight),
            points_text(accurate.accuracy_gain.interval),
            _weight(likely.weight),
            points_text(likely.accuracy_gain.interval),
            _nats(likely.cross_entropy_gain.interval),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    experts = {(row.base, row.expert): row.found.second for row in rows}
    for (base, expert), alone in sorted(experts.items()):
        yield (
            f"- {expert} alone on {base}: {_share(alone.accuracy)}, {alone.cross_entropy.value:.3f} nats "
            f"({alone.n:,} moves of {alone.games:,} games)"
        )


def _share(each: Interval) -> str:
    return f"{each.value:.1%} ({each.low:.1%} … {each.high:.1%})"


def _weight(each: Interval) -> str:
    return f"{each.value:.2f} ({each.low:.2f} … {each.high:.2f})"


def _nats(each: Interval) -> str:
    """What the blend gains: less cross-entropy is more."""
    return f"{-each.value:+.3f} ({-each.high:+.3f} … {-each.low:+.3f})"


def as_svg(rows: Sequence[RungFigures]) -> str:
    """One panel for each kind of players; the weights of the blends are those by likelihood."""
    bases = sorted({row.base for row in rows})
    figure = Figure(figsize=(3.6 * len(bases) + 0.6, 3.8), layout="constrained")
    panels = figure.subplots(1, len(bases), sharey=True, squeeze=False)[0]
    for axes, base in zip(panels, bases, strict=True):
        _panel(axes, base, [row for row in rows if row.base == base])
    panels[0].set_ylabel("accuracy on unseen games", color=INK)
    panels[0].legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="best")
    return to_svg(figure)


def _panel(axes: Axes, base: str, rows: Sequence[RungFigures]) -> None:
    axes.set_title(base, loc="left", color=INK, fontsize=11, fontweight="bold")
    alone = {row.games: row.found.first.accuracy for row in rows}
    _line(axes, "network alone", alone, COLOURS[0])
    for at, expert in enumerate(sorted({row.expert for row in rows}), start=1):
        own = [row for row in rows if row.expert == expert]
        blended = {row.games: row.found.by_likelihood.figures.accuracy for row in own}
        _line(axes, f"blended with {expert}", blended, COLOURS[at % len(COLOURS)], shift=1 + 0.05 * at)
        level = own[0].found.second.accuracy.value
        axes.axhline(level, color=COLOURS[at % len(COLOURS)], linewidth=0.9, linestyle=(0, (4, 4)))
    axes.set_xscale("log")
    axes.set_xticks(sorted(alone), [f"{games:,}" for games in sorted(alone)])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("training games", color=INK)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)


def _line(axes: Axes, label: str, points: dict[int, Interval], colour: str, shift: float = 1.0) -> None:
    """Points with intervals, moved a little to the right so that they do not hide each other."""
    games = sorted(points)
    values = [points[each].value for each in games]
    spread = [
        [points[each].value - points[each].low for each in games],
        [points[each].high - points[each].value for each in games],
    ]
    places = [each * shift for each in games]
    axes.plot(places, values, color=colour, linewidth=1.1, alpha=0.5)
    axes.errorbar(places, values, yerr=spread, fmt="o", markersize=4.5, color=colour, capsize=2.5, label=label)
