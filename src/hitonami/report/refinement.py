"""Game Refinement as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hitonami.errors import BadData
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.refinement import COMFORT, FIGURES, Refinement, RefinementRun
from hitonami.report.interval_plots import COLOURS, over_groups
from hitonami.report.page import made_by, page, paragraph, scrolled, section, table, wide
from hitonami.report.plots import ACCENT, GRID, INK, draw_axes, to_svg
from hitonami.report.text import aligned, spanned

METHOD = (
    "B is the mean number of legal moves over all turns, D the mean number of plies; GR = √B / D, v = B / 2D, "
    "a = B / D², N = 1 / v, j = 3B / D³. Each of vt, at²/2 and jt³/6 comes to B/2 at D, so those curves meet there; "
    "the speeds v, at and jt²/2 cross at D/2, D/√3 and 2D/3. 95% intervals from 2,000 resamples of games."
)


def as_lines(report: RefinementRun) -> Iterator[str]:
    """A row a group, the theory's own figures below."""
    yield f"{report.game}, {report.source}"
    rows = [["group", "games", *FIGURES], *(_row(each) for each in report.groups)]
    if report.game in report.published:
        b, d, gr = report.published[report.game]
        rows.append(["published", "", f"{b:g}", f"{d:g}", f"{gr:.3f}", f"{b / 2 / d:.3f}", "", "", ""])
    yield from aligned(rows)
    last = report.groups[-1]
    yield "speeds cross at plies " + ", ".join(f"{ply:.0f} ({name})" for name, ply in last.crossings.items())
    yield "endings: " + ", ".join(f"{name} {share:.0%}" for name, share in last.endings.items())
    yield from report.complaints


def _row(each: Refinement) -> list[str]:
    return [each.group, f"{each.games:,}", *(_text(each.figures[name]) for name in FIGURES)]


def _text(found: Interval) -> str:
    digits = 1 if abs(found.value) >= 10 else 3 if abs(found.value) >= 0.01 else 5
    if abs(found.value) < 1e-3:
        return spanned(found, ".2g")
    return spanned(found, f".{digits}f")


def as_json(report: RefinementRun) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    b, d, gr = report.published.get(report.game, (None, None, None))
    last = report.groups[-1]
    return {
        "game": report.game,
        "source": report.source,
        "games": last.games,
        **{"jerk" if name == "j" else name: asdict(last.figures[name]) for name in FIGURES},
        "published": {"B": b, "D": d, "GR": gr} if b is not None else None,
        "groups": [asdict(each) for each in report.groups],
    }


@dataclass(frozen=True)
class Other:
    """Another game that was counted before: its name, B and D."""

    name: str
    b: Interval
    d: Interval


def read_other(path: Path) -> Other:
    """The last group of a run's JSON, which is all of its games where there are several. Raises BadData."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        figures = held["groups"][-1]["figures"]
        return Other(str(held["game"]), *(Interval(**figures[name]) for name in ("B", "D")))
    except OSError as wrong:
        raise BadData(f"{path}: {wrong.strerror}") from None
    except (ValueError, KeyError, IndexError, TypeError):
        raise BadData(f"{path}: not what `hitonami refine --json` writes") from None


def as_page(report: RefinementRun, command: str = "", others: Sequence[Other] = ()) -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    rows = [_row(each) for each in report.groups]
    names = [each.group for each in report.groups]
    gr = over_groups("GR by group", names, [("GR", [each.figures["GR"] for each in report.groups])], "√B / D")
    endings = [
        [each.group, *(f"{each.endings.get(name, 0):.0%}" for name in _endings(report))] for each in report.groups
    ]
    return page(
        f"Game Refinement: {report.game}",
        f"{report.source}; {sum(each.games for each in report.groups[-1:]):,} games",
        section("Among other games", wide(among_games(report, others))),
        section("By group", wide(gr) if len(names) > 1 else "", scrolled(table(["group", "games", *FIGURES], rows))),
        section("The course of a game", wide(speeds(report.groups[-1]))),
        section("How games ended", scrolled(table(["group", *_endings(report)], endings))),
        section("How it was counted", paragraph(METHOD)),
        footer=made_by(command),
    )


def _endings(report: RefinementRun) -> list[str]:
    return list(report.groups[-1].endings)


def among_games(report: RefinementRun, others: Sequence[Other] = ()) -> str:
    """B against D, the zone of comfort between two curves, the published games as diamonds, others as squares."""
    figure, axes = draw_axes("Branching and length", "D, plies of a game", "B, legal moves", wide=9.6, high=4.6)
    shown = [each.figures["D"].high for each in report.groups] + [each.d.high for each in others]
    longest = 1.25 * max(shown + [d for _, d, _ in report.published.values()])
    xs = np.linspace(5.0, longest, 200)
    low, high = ((gr * xs) ** 2 for gr in COMFORT)
    axes.fill_between(xs, low, high, color=GRID, alpha=0.7, label=f"GR {COMFORT[0]:g}–{COMFORT[1]:g}")
    for name, (b, d, _) in report.published.items():
        axes.plot([d], [b], "D", color=INK, markersize=6)
        axes.annotate(f"{name} (published)", (d, b), textcoords="offset points", xytext=(8, -4), fontsize=9, color=INK)
    for other in others:
        axes.errorbar([other.d.value], [other.b.value], xerr=_bars(other.d), yerr=_bars(other.b), fmt="s", markersize=5,
                      color=ACCENT, capsize=2)  # fmt: skip
        place = (other.d.value, other.b.value)
        axes.annotate(other.name, place, textcoords="offset points", xytext=(7, 5), fontsize=9, color=ACCENT)
    for at, each in enumerate(report.groups):
        b_of, d_of = each.figures["B"], each.figures["D"]
        axes.errorbar([d_of.value], [b_of.value], xerr=_bars(d_of), yerr=_bars(b_of), fmt="o", markersize=5,
                      color=COLOURS[at % len(COLOURS)], capsize=2, label=each.group)  # fmt: skip
    heights = [each.figures["B"].high for each in report.groups] + [each.b.high for each in others]
    tallest = max(heights + [b for b, _, _ in report.published.values()])
    axes.set_ylim(0, 1.15 * tallest)
    axes.set_xlim(0, longest)
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, ncols=2, loc="upper left")
    return to_svg(figure)


def _bars(found: Interval) -> list[list[float]]:
    return [[max(found.value - found.low, 0.0)], [max(found.high - found.value, 0.0)]]


def speeds(each: Refinement) -> str:
    """v, at and jt²/2 over a game, their crossings marked."""
    figure, axes = draw_axes(f"Speeds: {each.group}", "ply", "progress a ply", wide=9.6, high=3.4)
    v, a, j = (each.figures[name].value for name in ("v", "a", "j"))
    ts = np.linspace(0.0, each.figures["D"].value, 120)
    for name, ys, colour in (
        ("v", np.full_like(ts, v), INK),
        ("at", a * ts, ACCENT),
        ("jt²/2", j * ts**2 / 2, COLOURS[1]),
    ):
        axes.plot(ts, ys, color=colour, linewidth=1.8, label=name)
    for name, ply in each.crossings.items():
        height = v if name.startswith("v") else a * ply
        axes.plot([ply], [height], "o", color=INK, markersize=4.5)
        axes.annotate(f"{ply:.0f}", (ply, height), textcoords="offset points", xytext=(5, -12), fontsize=9, color=INK)
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    return to_svg(figure)
