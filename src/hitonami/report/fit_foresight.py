"""A fitted ranker as a table for the terminal, as JSON and as a page. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.fits.foresight import ForesightRun
from hitonami.report.fits import held_out_json, held_out_tables
from hitonami.report.page import all_sections, made_by, page
from hitonami.report.text import Table, all_titled


def as_json(run: ForesightRun) -> dict[str, Any]:
    """The documented JSON (docs/foresight.md)."""
    plan = run.drawn.plan
    return {
        **plan.asked,
        "method": "foresight",
        "mind": run.mind,
        "pools": [{"pool": pool, "n": number} for pool, number in run.counts.items()],
        "ratings": list(run.ranker.ratings),
        "columns": list(run.ranker.columns),
        "weights": sum(int(each.size) for each in run.ranker.weights.values()),
        "held_out": held_out_json(run.held_out),
    }


def as_lines(run: ForesightRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield from all_titled(_tables(run))


def _tables(run: ForesightRun) -> Iterator[Table]:
    yield "what it learned from", _rows(run)
    yield from held_out_tables("with foresight minus without", run.held_out)


def lead_of(run: ForesightRun) -> str:
    plan, total = run.drawn.plan, sum(run.counts.values())
    return f"{plan.game}: foresight over {run.mind}; {total:,} decisions ({plan.split} split, seed {plan.seed})"


def _rows(run: ForesightRun) -> list[list[str]]:
    low, high = run.ranker.ratings
    rows = [[pool or "none named", f"{number:,}", f"{low:g} to {high:g}"] for pool, number in run.counts.items()]
    return [["pool", "n", "ratings of all"], *rows]


def as_page(run: ForesightRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    title = f"Fit: {run.drawn.plan.game} foresight"
    return page(title, lead_of(run), *all_sections(_tables(run)), footer=made_by(command))
