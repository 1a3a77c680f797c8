"""Weights of three or more minds as a table for the terminal, as JSON and as a page. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.fits.run import WeightsRun
from hitonami.report.fits import held_out_json, held_out_tables
from hitonami.report.page import all_sections, made_by, page, section, table
from hitonami.report.text import Table, all_titled


def as_json(run: WeightsRun) -> dict[str, Any]:
    """The documented JSON (docs/fitting.md)."""
    plan = run.drawn.plan
    groups = [
        {
            "group": each.name,
            "n": each.n,
            "weights": list(each.weights),
            "accuracy": each.accuracy,
            "cross_entropy": each.cross_entropy,
            "first_mind": {"accuracy": each.plain_accuracy, "cross_entropy": each.plain_cross_entropy},
        }
        for each in run.groups
    ]
    return {
        **plan.asked,
        "method": "blend",
        "knob": "weights",
        "minds": list(run.minds.values()),
        "groups": groups,
        "held_out": held_out_json(run.held_out),
    }


def as_lines(run: WeightsRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield from all_titled(_tables(run))


def _tables(run: WeightsRun) -> Iterator[Table]:
    yield "by group", _rows(run)
    yield from held_out_tables("with each group's weights minus the first mind", run.held_out)


def lead_of(run: WeightsRun) -> str:
    plan = run.drawn.plan
    return f"{plan.game}: {run.title}; {run.groups[-1].n:,} decisions ({plan.split} split, seed {plan.seed})"


def _rows(run: WeightsRun) -> list[list[str]]:
    rows = [
        [
            each.name,
            f"{each.n:,}",
            " ".join(f"{weight:.2f}" for weight in each.weights),
            f"{100 * each.plain_accuracy:.1f}% {each.plain_cross_entropy:.3f}",
            f"{100 * each.accuracy:.1f}% {each.cross_entropy:.3f}",
        ]
        for each in run.groups
    ]
    return [["group", "n", "weights", "first mind", "blend"], *rows]


def as_page(run: WeightsRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    minds = section("Minds", table(["name", "what it is"], [list(each) for each in run.minds.items()]))
    title = f"Fit: {run.drawn.plan.game} blend"
    return page(title, lead_of(run), *all_sections(_tables(run)), minds, footer=made_by(command))
