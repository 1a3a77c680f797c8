"""Figures of the small-data ladder: one weight for all decisions, as a table and as one plot.

For players of one kind, where a curve over rating has nothing to follow. The weight is chosen twice, by accuracy (as
S0 does it) and by likelihood, on one sheet; both are judged on another, paired against the first mind as it is. A rung
without figures is simply not there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, PercentFormatter

from hitonami.errors import BadInput
from hitonami.evaluate.decisions import DecisionTable
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import Difference, Figures, measure
from hitonami.fits.blend import blend_knob
from hitonami.fits.knobs import fit_knob
from hitonami.fits.sheet import Sheet, answers_at
from hitonami.report.interval_plots import COLOURS
from hitonami.report.plots import GRID, INK, to_svg
from hitonami.report.text import points_text

_FIRST, _SECOND, _ACCURATE, _LIKELY = "first mind", "second mind", "by accuracy", "by likelihood"


@dataclass(frozen=True)
class Choice:
    """A weight of the first mind, with its interval where it was fitted, and what it does where it was not."""

    weight: Interval
    figures: Figures
    accuracy_gain: Difference
    cross_entropy_gain: Difference
    """blend − first mind: below 0 the blend predicts better."""


@dataclass(frozen=True)
class OneWeight:
    """Two minds alone, and their blends, on the decisions of the judgement."""

    fitted_on: int
    first: Figures
    second: Figures
    by_accuracy: Choice
    by_likelihood: Choice


@dataclass(frozen=True)
class RungFigures:
    """One network of the small-data ladder with one expert."""

    base: str
    games: int
    expert: str
    found: OneWeight


def fit_one_weight(fit_on: Sheet, judge_on: Sheet, *, exponent: float = 0.0, seed: int = 0) -> OneWeight:
    """Both sheets hold the same two minds, in the same order. Raises BadInput for any other number."""
    minds = len(fit_on.log_probs), len(judge_on.log_probs)
    if minds != (2, 2):
        raise BadInput(f"one weight is for two minds on both sheets, got {minds[0]} and {minds[1]}")
    knob = blend_knob(exponent)
    best = fit_knob(fit_on, knob, seed=seed).groups[-1]
    weights = {_ACCURATE: best.by_accuracy.value, _LIKELY: best.by_likelihood.value, _FIRST: 1.0, _SECOND: 0.0}
    answers = {
        name: answers_at(judge_on, knob.family, np.full(judge_on.count, value)) for name, value in weights.items()
    }
    measured = measure(DecisionTable(judge_on.facts, answers), seed=seed)
    figures = {each.mind: each.groups[-1] for each in measured.minds}
    gains = {pair.a: pair.all for pair in measured.pairs if pair.b == _FIRST}

    def choice(name: str, weight: Interval) -> Choice:
        return Choice(weight, figures[name], gains[name].accuracy, gains[name].cross_entropy)

    return OneWeight(
        fit_on.count,
        figures[_FIRST],
        figures[_SECOND],
        choice(_ACCURATE, best.by_accuracy),
        choice(_LIKELY, best.by_likelihood),
    )


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
