"""An experiment as one self-contained page: figures, plots, and what was published. Computes nothing."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from hitonami.evaluate.intervals import Interval
from hitonami.outcomes import ALL, Beside, Figure, Outcome, StepFound
from hitonami.report.experiment import QUICK, beside_rows, claim_text, has_beside, step_tables, unit_notes
from hitonami.report.interval_plots import PUBLISHED, differences, heat_map, over_groups
from hitonami.report.likeness_plots import scatter
from hitonami.report.page import capital, headed, page, plots, scrolled, section, table, wide

_PLOTTED_GROUPS = 2
"""A plot over fewer groups says less than its table."""
_LEAST_PLOTTED = 10
"""Games or moves of a group: the interval of fewer would flatten all others, where there are others."""
_ONE_PLOT = 6
"""Series that one plot can hold apart."""
_LABELS = {
    "share": "share",
    "points": "points",
    "nats": "nats",
    "nats more": "nats, below 0 is better",
    "more": "difference",
    "number": "",
}


def as_page(outcome: Outcome) -> str:
    """The whole document."""
    lead = QUICK if outcome.size == "quick" else unit_notes(outcome)
    differs = "".join(f"<li>{_prose(each)}</li>" for each in outcome.differs)
    return page(
        outcome.title,
        lead,
        f"<p>{_prose(outcome.about)}</p>",
        section("Beside what was published", headed(beside_rows(outcome)), _beside_plot(outcome.beside))
        if has_beside(outcome)
        else "",
        section("What differs from the published setting", f"<ul>{differs}</ul>") if differs else "",
        *(_step_section(step, outcome) for step in outcome.steps),
        section("Inputs", *(_inputs(step) for step in outcome.steps)),
        footer=f"hitonami {outcome.version} · hitonami experiment {outcome.name}"
        + (" --quick" if outcome.size == "quick" else " --data ROOT"),
    )


def _prose(text: str) -> str:
    """Words in backticks are code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _beside_plot(beside: Sequence[Beside]) -> str:
    """Ours less the published figure, where both are the same share or difference of shares."""
    rows = []
    for each in beside:
        ours = each.ours
        if ours is None or ours.low is None or ours.high is None or each.unit not in ("share", "points"):
            continue
        if each.differs or each.to is not None:
            continue
        apart = Interval(ours.value - each.published, ours.low - each.published, ours.high - each.published)
        rows.append((claim_text(each.claim), apart, apart.low > 0 or apart.high < 0))
    if len(rows) < _PLOTTED_GROUPS:
        return ""
    return wide(
        differences(
            "Ours less the published figure", rows, "points (the interval is ours alone)", percent=True, wide=9.6
        )
    )


def _step_section(step: StepFound, outcome: Outcome) -> str:
    beside = outcome.beside if has_beside(outcome) else ()
    pictures = [
        heat_map(each.title, each.labels, np.array(each.values), ".3f", high_is_good=False) for each in step.grids
    ]
    pictures += [scatter(each.title, each.points, each.x_label, each.y_label) for each in step.clouds]
    return section(
        step.title,
        *map(wide, _plots(step, beside)),
        f'<div style="margin: 0 0 1rem">{plots(pictures)}</div>' if pictures else "",
        *(
            (f"<h3>{escape(part)}</h3>" if part else "") + scrolled(table(rows[0], rows[1:]))
            for part, rows in step_tables(step)
        ),
    )


def _plots(step: StepFound, beside: Sequence[Beside]) -> Iterator[str]:
    """One plot for each figure that several groups have, with what was published for them."""
    for name, unit in dict.fromkeys((figure.name, figure.unit) for figure in step.figures):
        named = [each for each in step.figures if each.name == name and each.unit == unit and each.group != ALL]
        few = {each.group for each in named if each.n < _LEAST_PLOTTED}
        large = [each for each in named if each.group not in few]
        held = large if len({each.group for each in large}) >= _PLOTTED_GROUPS else named
        groups = list(dict.fromkeys(each.group for each in held))
        series = list(dict.fromkeys(each.series for each in held))
        plain = all(each.low is None for each in held)
        if len(groups) < _PLOTTED_GROUPS or (
            plain and (len(series) == 1 or {each.value for each in held} <= {0.0, 1.0})
        ):
            continue
        title = capital(name) + (f": {series[0]}" if len(series) == 1 and series[0] else "")
        for begin in range(0, len(series), _ONE_PLOT):
            part = [(each or name, _values(held, each, groups)) for each in series[begin : begin + _ONE_PLOT]]
            part += _published(beside, step.name, {each.column for each in held}, groups)
            percent = unit in ("share", "points")
            yield over_groups(title, groups, part, _LABELS[unit], percent=percent)


def _published(
    beside: Sequence[Beside], step: str, columns: set[str], groups: Sequence[str]
) -> list[tuple[str, list[Interval | None]]]:
    """A series of its own, a point at each group whose very quantity was published; the first of several."""
    points: dict[str, float] = {}
    for each in beside:
        if each.step == step and not each.differs and each.ours is not None and each.ours.column in columns:
            points.setdefault(each.ours.group, each.published)
    if not points.keys() & set(groups):
        return []
    at = [points.get(group) for group in groups]
    return [(PUBLISHED, [None if value is None else Interval(value, value, value) for value in at])]


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
