"""Win rates as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.run import WinRateRun
from hitonami.evaluate.selection import Selected
from hitonami.evaluate.winrate import ResultFigures, ResultPair, ResultsOf, WinRates
from hitonami.report.evaluation import short_names
from hitonami.report.interval_plots import over_groups
from hitonami.report.page import headed, made_by, page, paragraph, plots, section, table, wide
from hitonami.report.result_plots import reliability_diagram
from hitonami.report.text import percent_text, points_text, signed, spanned, titled

METHOD = (
    "One position of each game, drawn at random. V is the expected score of the side to move (win + draw / 2). "
    "Accuracy: V above 1/2 against the result, drawn games left out. Cross-entropy in nats, of the expected score "
    "and of win, draw and loss. ECE: ten bins of V; “by chance” is the mean ECE that these very chances would "
    "have if they were right, at this number of games, and “p” how often they would have at least the ECE "
    "measured. Spread: standard deviation of V; a constant 1/2 has no spread, an ECE near 0 and a cross-entropy "
    "of 0.693. Intervals: 95%, 2,000 resamples of games."
)
_HEAD = ["group", "n", "drawn", "result accuracy", "cross-entropy", "three-way", "Brier", "ECE", "by chance", "excess"]
_HEAD += ["p", "spread", "mean V", "mean score"]


def lead_of(drawn: Selected, found: WinRates) -> str:
    """What was measured on, in one line."""
    return f"{drawn.plan.game}: one position of each of {found.minds[0].all.n:,} games ({drawn.plan.told})"


def as_json(report: WinRateRun) -> dict[str, Any]:
    """The documented JSON (docs/winrate.md)."""
    return report.drawn.plan.asked | results_json(report.found)


def results_json(found: WinRates) -> dict[str, Any]:
    """The figures alone."""
    return {
        "minds": [
            {
                "mind": each.mind,
                "groups": [_figures_json(figures) for figures in each.groups],
                "phases": [_figures_json(figures) for figures in each.phases],
                "bins": [vars(held) for held in each.bins],
            }
            for each in found.minds
        ],
        "paired": [
            {
                "a": pair.a,
                "b": pair.b,
                "groups": [
                    {"group": name} | {figure: _known(held) for figure, held in figures.items()}
                    for name, figures in pair.groups
                ],
            }
            for pair in found.pairs
        ],
    }


def _figures_json(figures: ResultFigures) -> dict[str, Any]:
    told = {name: _known(value) if isinstance(value, Interval) else value for name, value in vars(figures).items()}
    return told | {"ece_excess": figures.ece_excess}


def _known(found: Interval) -> dict[str, float | None]:
    """JSON has no number for an accuracy where every game was drawn."""
    return {name: None if value != value else value for name, value in vars(found).items()}  # noqa: PLR0124


def as_lines(report: WinRateRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(report.drawn, report.found)
    yield from result_lines(report.found)


def result_lines(found: WinRates) -> Iterator[str]:
    """The figures alone."""
    for each in found.minds:
        yield from titled(each.mind, _rows([*each.groups[:-1], *each.phases, each.all], found.has_draws))
    if found.pairs:
        yield from titled("paired differences, a − b (accuracy in points)", _pair_rows(found.pairs))


def _pair_rows(pairs: Sequence[ResultPair]) -> list[list[str]]:
    rows = [["a − b", "n", "result accuracy", "cross-entropy", "three-way", "Brier", "ECE"]]
    for pair in pairs:
        _, figures = pair.groups[-1]
        rest = [signed(figures[name], "+.4f") for name in ("cross_entropy", "three_way", "brier", "ece")]
        rows.append([f"{pair.a} − {pair.b}", "", points_text(figures["accuracy"]), *rest])
    return rows


def _rows(figures: Sequence[ResultFigures], has_draws: bool) -> list[list[str]]:
    rows = [_HEAD, *(_row(each) for each in figures)]
    left_out = set() if has_draws else {"drawn", "three-way"}
    kept = [at for at, name in enumerate(_HEAD) if name not in left_out]
    return [[row[at] for at in kept] for row in rows]


def _row(each: ResultFigures) -> list[str]:
    return [
        each.group,
        f"{each.n:,}",
        f"{100 * each.drawn:.0f}%",
        percent_text(each.accuracy),
        spanned(each.cross_entropy, ".4f"),
        f"{each.three_way.value:.4f}",
        f"{each.brier.value:.4f}",
        spanned(each.ece, ".4f"),
        f"{each.ece_expected:.4f}",
        f"{each.ece_excess:+.4f}",
        f"{each.ece_p:.2f}",
        f"{each.spread:.3f}",
        f"{each.mean:.3f}",
        f"{each.mean_score:.3f}",
    ]


def as_page(report: WinRateRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    names = short_names([mind.mind for mind in report.found.minds])
    return page(
        f"Win rates: {report.drawn.plan.game}",
        lead_of(report.drawn, report.found),
        *result_sections(_renamed(report.found, names)),
        section("Minds", table(["name here", "as given"], [[short, full] for full, short in names.items()])),
        footer=made_by(command),
    )


def result_sections(found: WinRates) -> list[str]:
    """Figures, diagrams and how they were made."""
    every = _rows([replace(each.all, group=each.mind) for each in found.minds], found.has_draws)
    return [
        section("All games together", table(["mind", *every[0][1:]], every[1:])),
        section("Reliability", plots([reliability_diagram(each.mind, each.bins, each.all) for each in found.minds])),
        section("By group", *_group_plots(found.minds)) if len(found.minds[0].groups) > 2 else "",
        section("Paired differences, all games", headed(_pair_rows(found.pairs))) if found.pairs else "",
        section("All figures", *(_block(each, found.has_draws) for each in found.minds)),
        section("How it was measured", paragraph(METHOD)),
    ]


def _renamed(found: WinRates, names: dict[str, str]) -> WinRates:
    return replace(
        found,
        minds=tuple(replace(each, mind=names[each.mind]) for each in found.minds),
        pairs=tuple(replace(each, a=names[each.a], b=names[each.b]) for each in found.pairs),
    )


def _group_plots(minds: Sequence[ResultsOf]) -> Iterator[str]:
    groups = [each.group for each in minds[0].groups[:-1]]
    for title, name, label in (
        ("Cross-entropy of the expected score", "cross_entropy", "nats (less is better)"),
        ("Result accuracy", "accuracy", "decided games called right"),
    ):
        series = [(mind.mind, [getattr(each, name) for each in mind.groups[:-1]]) for mind in minds]
        yield wide(over_groups(title, groups, series, label, percent=name == "accuracy"))


def _block(each: ResultsOf, has_draws: bool) -> str:
    return f"<h3>{escape(each.mind)}</h3>" + headed(_rows([*each.groups[:-1], *each.phases, each.all], has_draws))
