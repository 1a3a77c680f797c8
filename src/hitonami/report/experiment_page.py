"""An experiment as one self-contained page: figures, plots, and what was published. Computes nothing."""

import json
from collections.abc import Iterator, Sequence
from html import escape

from hitonami.evaluate.intervals import Interval
from hitonami.report.experiment import (
    ALL,
    QUICK,
    Beside,
    Figure,
    Outcome,
    StepFound,
    beside_rows,
    step_rows,
    unit_notes,
)
from hitonami.report.interval_plots import differences, over_groups
from hitonami.report.page import page, section, table

_PLOTTED_GROUPS = 2
"""A plot over fewer groups says less than its table."""
_ONE_PLOT = 4
"""Series that one plot can hold apart."""
_LABELS = {"share": "share", "points": "points", "nats": "nats", "nats more": "nats, below 0 is better", "number": ""}


def as_page(outcome: Outcome) -> str:
    """The whole document."""
    lead = QUICK if outcome.size == "quick" else unit_notes(outcome)
    rows = beside_rows(outcome)
    differs = "".join(f"<li>{escape(each)}</li>" for each in outcome.differs)
    return page(
        outcome.title,
        lead,
        f"<p>{escape(outcome.about)}</p>",
        section("Beside what was published", _scrolled(table(rows[0], rows[1:])), _beside_plot(outcome.beside))
        if outcome.beside
        else "",
        section("What differs from the published setting", f"<ul>{differs}</ul>") if differs else "",
        *(_step_section(step) for step in outcome.steps),
        section("Inputs", *(_inputs(step) for step in outcome.steps)),
        footer=f"hitonami {outcome.version} · hitonami experiment {outcome.name}"
        + (" --quick" if outcome.size == "quick" else " --data ROOT"),
    )


def _scrolled(block: str) -> str:
    """A wide table moves within itself, not the page."""
    return f'<div style="overflow-x: auto">{block}</div>'


def _beside_plot(beside: Sequence[Beside]) -> str:
    """Ours less the published figure, where both are shares or differences of shares."""
    rows = []
    for each in beside:
        ours = each.ours
        if ours is None or ours.low is None or ours.high is None or each.unit not in ("share", "points"):
            continue
        apart = Interval(ours.value - each.published, ours.low - each.published, ours.high - each.published)
        rows.append((each.what, apart, apart.low > 0 or apart.high < 0))
    if len(rows) < _PLOTTED_GROUPS:
        return ""
    return _wide(
        differences("Ours less the published figure", rows, "points (the interval is ours alone)", percent=True)
    )


def _step_section(step: StepFound) -> str:
    rows = step_rows(step)
    return section(step.title, *map(_wide, _plots(step)), _scrolled(table(rows[0], rows[1:])))


def _wide(picture: str) -> str:
    return f'<div class="plots" style="grid-template-columns: 1fr; margin: 0 0 1rem"><figure>{picture}</figure></div>'


def _plots(step: StepFound) -> Iterator[str]:
    """One plot for each figure that several groups have."""
    for name, unit in dict.fromkeys((figure.name, figure.unit) for figure in step.figures):
        held = [each for each in step.figures if each.name == name and each.unit == unit and each.group != ALL]
        groups = list(dict.fromkeys(each.group for each in held))
        if len(groups) < _PLOTTED_GROUPS or all(each.low is None for each in held):
            continue
        series = list(dict.fromkeys(each.series for each in held))
        for begin in range(0, len(series), _ONE_PLOT):
            part = [(each or name, _values(held, each, groups)) for each in series[begin : begin + _ONE_PLOT]]
            is_share = unit in ("share", "points")
            yield over_groups(name[:1].upper() + name[1:], groups, part, _LABELS[unit], percent=is_share)


def _values(held: Sequence[Figure], series: str, groups: Sequence[str]) -> list[Interval | None]:
    own = {each.group: each for each in held if each.series == series}
    return [None if group not in own else _interval(own[group]) for group in groups]


def _interval(each: Figure) -> Interval:
    low, high = each.low, each.high
    return Interval(each.value, each.value if low is None else low, each.value if high is None else high)


def _inputs(step: StepFound) -> str:
    told = json.dumps(step.inputs, indent=1, ensure_ascii=False)
    summary = f"<summary>{escape(step.title)} · key {step.key[:16]}</summary>"
    return f'<details>{summary}<pre style="overflow-x: auto">{escape(told)}</pre></details>'
