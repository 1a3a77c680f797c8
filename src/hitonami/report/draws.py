"""Draws by agreement as lines for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.fits.draws_run import DrawsRun
from hitonami.report.manners import curves_of
from hitonami.report.page import made_by, page, plots, section, table
from hitonami.report.text import aligned

_HEAD = ["level", "agreed drawn by people", "by the model"]


def draws_lines(run: DrawsRun) -> Iterator[str]:
    """What was learned from, how many agreed turns are found, and games agreed drawn by level."""
    found, learned, tested = run.figures, run.learned, run.tested
    yield (
        f"{run.wish.game}: draws by agreement, learned from {len(learned.agreed):,} turns "
        f"({int(learned.agreed.sum()):,} agreed) of {learned.known:,} games ({learned.agreed_games:,} agreed drawn), "
        f"measured on {found.turns:,} turns ({found.agreed:,} agreed) of {tested.known:,} unseen games"
    )
    yield (
        f"agreed turns found at one false alarm in a hundred turns: fitted {_percent(found.tpr)}, even and drawish "
        f"{_percent(found.rule_tpr)}, difference {_percent(found.gain)}"
    )
    yield from aligned([_HEAD, *_rows(run)])


def _rows(run: DrawsRun) -> list[list[str]]:
    return [[name, _percent(people), f"{model:.1%}"] for name, people, model in run.figures.levels]


def _percent(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%}–{found.high:.1%})"


def draws_json(run: DrawsRun) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    levels = [{"group": name, "people": asdict(people), "model": model} for name, people, model in run.figures.levels]
    figures = asdict(run.figures) | {"levels": levels}
    sizes = {"learned": len(run.learned.agreed), "agreed": int(run.learned.agreed.sum())}
    return {"game": run.wish.game, **sizes, "figures": figures, "model": run.model.agrees.as_data()}


def draws_page(run: DrawsRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    lead, found, *_ = draws_lines(run)
    return page(
        f"Draws by agreement: {run.wish.game}", lead,
        section("Games agreed drawn, by level", table(_HEAD, _rows(run)), f"<p>{escape(found)}</p>"),
        section("What makes people agree", plots(curves_of(run.model.agrees))),
        footer=made_by(command),
    )  # fmt: skip
