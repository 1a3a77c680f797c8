"""The outcome of an experiment as text and as Markdown. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Final

from hitonami.outcomes import Beside, Claim, Figure, Grid, Outcome, StepFound, Unit
from hitonami.report.text import aligned, titled

_NOTHING: Final = 1e-12
"""What is left of a sum that should be zero."""
UNRUN: Final = "Not run at its full size yet: the rows say what was published, and what of ours is to stand beside it."
QUICK: Final = (
    "Quick size, on sample games that agents of this package played: it shows that the machinery works, no more."
)


def value_text(value: float, unit: Unit) -> str:
    """A number as its unit is written."""
    match unit:
        case "share":
            return f"{100 * value:.1f}%"
        case "points":
            return f"{100 * value:+.1f}"
        case "nats more":
            return f"{value:+.3f}"
        case "more":
            return f"{value:+.4f}"
        case "nats":
            return f"{value:.3f}"
        case _:
            return f"{value:,.0f}" if abs(value) >= 100 else f"{value if abs(value) > _NOTHING else 0.0:.3g}"


def figure_text(found: Figure) -> str:
    """With its interval where there is one."""
    value = value_text(found.value, found.unit)
    if found.low is None or found.high is None:
        return value
    return f"{value} ({value_text(found.low, found.unit)} … {value_text(found.high, found.unit)})"


def step_tables(step: StepFound) -> list[tuple[str, list[list[str]]]]:
    """The step's tables: a title, "" for the only one, and rows."""
    parts = list(dict.fromkeys(figure.part for figure in step.figures))
    return [(part, _rows_of([each for each in step.figures if each.part == part])) for part in parts]


def _rows_of(figures: Sequence[Figure]) -> list[list[str]]:
    """A head, then a row for each group, or for each group and each whose figures they are; a figure a column."""
    names = list(dict.fromkeys(figure.name for figure in figures))
    places = list(dict.fromkeys((figure.group, figure.series) for figure in figures))
    several = len({series for _, series in places}) > 1
    order = list(dict.fromkeys(group for group, _ in places))
    places.sort(key=lambda place: order.index(place[0]))
    held = {(figure.group, figure.series, figure.name): figure for figure in figures}
    rows = [["group", "n", *(["who"] if several else []), *names]]
    for group, series in places:
        own = [held.get((group, series, name)) for name in names]
        n = max(each.n for each in own if each is not None)
        cells = ["" if each is None else figure_text(each) for each in own]
        rows.append([group, f"{n:,}", *([series] if several else []), *cells])
    return rows


def grid_rows(grid: Grid) -> list[list[str]]:
    """A head of who moved, then a row for each level told; the best of each column is marked."""
    best = [min(range(len(grid.labels)), key=lambda told: grid.values[told][true]) for true in range(len(grid.labels))]
    rows = [["told", *grid.labels]]
    for told, label in enumerate(grid.labels):
        cells = [f"{value:.3f}" + (" *" if best[true] == told else "") for true, value in enumerate(grid.values[told])]
        rows.append([label, *cells])
    return rows


def has_beside(outcome: Outcome) -> bool:
    """Games of agents are not set beside figures about people."""
    return bool(outcome.beside) and outcome.size == "full"


def beside_rows(outcome: Outcome) -> list[list[str]]:
    """A head, then a row for each published figure."""
    rows = [["published", "value", "ours", "value", "n", "same quantity?", "agreement"]]
    for each in outcome.beside:
        row = [f"{claim_text(each.claim)} ({each.source})", _published_text(each)]
        if each.our_claim is None:
            rows.append([*row, f"not run: {each.not_run}", "", "", "", ""])
            continue
        row += [claim_text(each.our_claim)]
        row += ["not in this run", ""] if each.ours is None else [figure_text(each.ours), f"{each.ours.n:,}"]
        rows.append([*row, f"other: {each.differs}" if each.differs else "same", each.agreement or "none claimed"])
    return rows


def claim_text(claim: Claim) -> str:
    """Whose mind, whose moves, which quantity."""
    return f"{claim.mind}; {claim.people}: {claim.quantity}"


def _published_text(each: Beside) -> str:
    ends = [each.published, *([] if each.to is None else [each.to])]
    return " … ".join(value_text(end, each.unit) for end in ends)


def unit_notes(outcome: Outcome) -> str:
    """How to read the figures."""
    units = {figure.unit for step in outcome.steps for figure in step.figures}
    ranged = any(figure.low is not None for step in outcome.steps for figure in step.figures)
    words = ["Brackets: 95% intervals by resampling games."] if ranged else ["No intervals: n stands beside each."]
    if "points" in units:
        words.append("Differences of shares are in points.")
    if "nats more" in units:
        words.append("Nats with a sign are differences of cross-entropy: below 0 is better.")
    return " ".join(words)


def as_lines(outcome: Outcome) -> Iterator[str]:
    """Tables for a terminal."""
    yield f"{outcome.title} ({outcome.size})"
    for step in outcome.steps:
        yield ""
        yield step.title
        for part, rows in step_tables(step):
            yield from [part] if part else []
            yield from aligned(rows)
        for grid in step.grids:
            yield from titled(grid.title, grid_rows(grid))
    if has_beside(outcome):
        rows = [[row[0], row[4], row[1], row[2], row[3], row[6]] for row in beside_rows(outcome)]
        yield from titled("beside what was published", rows)


def as_markdown(outcome: Outcome) -> Iterator[str]:
    """The section of docs/results.md."""
    yield f"## {outcome.title}"
    yield ""
    yield outcome.about
    if outcome.size == "quick":
        yield ""
        yield f"**{QUICK}**"
    if not outcome.steps:
        yield ""
        yield f"**{UNRUN}**"
    if has_beside(outcome):
        yield ""
        yield from table_lines(beside_rows(outcome))
    for step in outcome.steps:
        yield ""
        yield f"**{step.title}** (`{step.kind}`, key `{step.key[:12]}`; {inputs_text(step)})"
        for part, rows in step_tables(step):
            yield ""
            yield from [f"{part}:", ""] if part else []
            yield from table_lines(rows)
        for grid in step.grids:
            yield ""
            yield f"{grid.title}. Columns: who moved. Rows: the level told. *: the best of its column."
            yield ""
            yield from table_lines(grid_rows(grid))
    if outcome.steps:
        yield ""
        yield unit_notes(outcome)
    if outcome.differs:
        yield ""
        yield "What differs from the published setting:"
        yield ""
        yield from (f"- {each}" for each in outcome.differs)
    yield ""
    size = " --quick" if outcome.size == "quick" else " --data ROOT"
    yield f"`hitonami experiment {outcome.name}{size}`, version {outcome.version}."


def inputs_text(step: StepFound) -> str:
    """The inputs in one line: options, then data and minds by the first digits of their hashes."""
    options = [f"{name} {value}" for name, value in step.inputs["options"].items() if value not in ("", None, [], {})]
    data = [f"{each['name']} `{each['sha256'][:8]}`" for each in step.inputs["data"]]
    minds = [f"{name} `{mark[:8]}`" for name, mark in step.inputs["minds"].items()]
    return "; ".join(part for part in (", ".join(options), ", ".join(data), ", ".join(minds)) if part)


def table_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table, its head first."""
    for at, row in enumerate(rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        if not at:
            yield "|" + "---|" * len(row)


def results_document(outcomes: Sequence[Outcome]) -> str:
    """The whole of docs/results.md, the experiments in the order of their names."""
    lines = [
        "# Results",
        "",
        "Made by `hitonami experiment results` from the outcomes in `docs/results/`: not edited by hand.",
        "[How experiments work](experiments.md). Sources: S0 the dissertation on human-like policies of groups and",
        "players (JAIST, 2026), S1 the paper on human-like Go moves (GPW, 2024), S4 the paper on a search fitted to a",
        "level (HAI, 2019); Maia and Maia-2 the plots of the papers of these names.",
        "",
        *_summary(outcomes),
    ]
    for outcome in sorted(outcomes, key=lambda each: each.name):
        lines += ["", *as_markdown(outcome)]
    return "\n".join(lines) + "\n"


def _summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """How many published figures stand here, and beside what."""
    held = [each for outcome in outcomes for each in outcome.beside]
    names = list(dict.fromkeys(sorted(each.source.split()[0] for each in held)))
    rows = [
        ["source", "figures", "same quantity: agrees", "does not", "unclear", "other quantity", "to be run", "not run"]
    ]
    for name in names:
        own = [each for each in held if each.source.split()[0] == name]
        run = [each for each in own if each.ours is not None]
        counts = [sum(each.agreement == word for each in run) for word in ("yes", "no", "unclear")]
        other, unrun = sum(bool(each.differs) for each in run), sum(bool(each.not_run) for each in own)
        rows.append([name, *map(str, (len(own), *counts, other, len(own) - len(run) - unrun, unrun))])
    yield "Published figures and what stands beside them ([how it is told](experiments.md#beside-what-was-published))."
    yield ""
    yield from table_lines(rows)
