"""A fitted ranker as a table for the terminal, as JSON and as a page. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami import __version__
from hitonami.fits.foresight import ForesightRun
from hitonami.report.fits import aligned, held_out_rows, paired_json
from hitonami.report.page import page, section, table


def as_json(run: ForesightRun) -> dict[str, Any]:
    """The documented JSON (docs/foresight.md)."""
    plan = run.drawn.plan
    return {
        "game": plan.game,
        "method": "foresight",
        "mind": run.mind,
        "filter": plan.filter_text,
        "split": plan.split,
        "seed": plan.seed,
        "pools": [{"pool": pool, "n": number} for pool, number in run.counts.items()],
        "ratings": list(run.ranker.ratings),
        "columns": list(run.ranker.columns),
        "weights": sum(int(each.size) for each in run.ranker.weights.values()),
        "held_out": [] if run.held_out is None else [paired_json(each) for each in run.held_out.pairs[0].groups],
    }


def as_lines(run: ForesightRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield ""
    yield from aligned(_rows(run))
    if run.held_out is not None:
        yield ""
        yield "held out: with foresight minus without (accuracy in points, cross-entropy in nats)"
        yield from aligned(held_out_rows(run.held_out))


def lead_of(run: ForesightRun) -> str:
    plan, total = run.drawn.plan, sum(run.counts.values())
    return f"{plan.game}: foresight over {run.mind}; {total:,} decisions ({plan.split} split, seed {plan.seed})"


def _rows(run: ForesightRun) -> list[list[str]]:
    low, high = run.ranker.ratings
    rows = [[pool or "none named", f"{number:,}", f"{low:g} to {high:g}"] for pool, number in run.counts.items()]
    return [["pool", "n", "ratings of all"], *rows]


def as_page(run: ForesightRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    rows = _rows(run)
    held_out = held_out_rows(run.held_out) if run.held_out else [[]]
    sections = [
        section("What it learned from", table(rows[0], rows[1:])),
        section("Held out", table(held_out[0], held_out[1:])) if run.held_out else "",
    ]
    footer = f"hitonami {__version__}" + (f" · hitonami {command}" if command else "")
    return page(f"Fit: {run.drawn.plan.game} foresight", lead_of(run), *sections, footer=footer)
