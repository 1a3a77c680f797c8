"""A fit of a level as tables for the terminal, as JSON, and as a page. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from hitonami.fits.level import FittedLevel, LevelCurve, LevelFit
from hitonami.fits.level_run import LevelRun
from hitonami.report import losses
from hitonami.report.interval_plots import over_groups
from hitonami.report.page import all_sections, made_by, page, plots, section
from hitonami.report.text import Table, all_titled, spanned


def as_json(run: LevelRun) -> dict[str, Any]:
    """The documented JSON of a fit (docs/fitting.md)."""
    plan = run.drawn.plan
    return {
        **plan.asked,
        "method": "level",
        "knob": "rho",
        "mind": run.mind,
        "judge": run.judge,
        "nodes": run.nodes,
        "groups": [_fit_json(each) for each in run.fitted.groups],
        "curves": [_curve_json(each) for each in run.fitted.curves],
        "held_out": None if run.held_out is None else losses.as_json(run.held_out),
    }


def _fit_json(each: LevelFit) -> dict[str, Any]:
    means = {"people": each.people, "plain": each.plain, "likeliest": each.likeliest}
    return {"group": each.name, "n": each.n, "rho": vars(each.rho), "reached": each.reached, "loss": means}


def _curve_json(each: LevelCurve) -> dict[str, Any]:
    points = [list(point) for point in each.curve.points]
    return {"pool": each.pool, "n": each.n, "points": points, "fits": [_fit_json(point) for point in each.points]}


def as_lines(run: LevelRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield from all_titled(_tables(run))
    if run.held_out is not None:
        yield ""
        yield "held out: people, and the agent with the curve"
        yield from losses.as_lines(run.held_out)


def _tables(run: LevelRun) -> Iterator[Table]:
    yield "ρ by group", fit_rows(run.fitted.groups)
    for each in run.fitted.curves:
        yield f"curve, pool {each.pool or 'unknown'}, {each.n:,} rated decisions", fit_rows(each.points)


def lead_of(run: LevelRun) -> str:
    plan, judge = run.drawn.plan, losses.who(run.judge, run.nodes)
    return (
        f"{plan.game}: exponent with which {run.mind} loses as much a move as people; {run.fitted.groups[-1].n:,} "
        f"decisions ({plan.told}), judged by {judge}"
    )


def fit_rows(fits: Sequence[LevelFit]) -> list[list[str]]:
    """ρ with its interval, and the losses around it."""
    head = ["group", "n", "ρ", "people lose", "plain draw", "likeliest"]
    return [head, *([each.name, f"{each.n:,}", _rho(each), *_three(each)] for each in fits)]


def _rho(each: LevelFit) -> str:
    return spanned(each.rho, ".2f") + ("" if each.reached else ", not reached")


def _three(each: LevelFit) -> list[str]:
    return [f"{value:.4f}" for value in (each.people, each.plain, each.likeliest)]


def as_page(run: LevelRun, command: str = "") -> str:
    """The whole document."""
    sections = [
        *all_sections(_tables(run)),
        section("ρ over rating", plots(list(_curve_plots(run.fitted)))) if run.fitted.curves else "",
        *([] if run.held_out is None else losses.loss_sections(run.held_out)),
        losses.how_measured(),
    ]
    return page(f"Fit: {run.drawn.plan.game} level", lead_of(run), *sections, footer=made_by(command))


def _curve_plots(fitted: FittedLevel) -> Iterator[str]:
    for each in fitted.curves:
        names = [f"{rating:.0f}" for rating, _ in each.curve.points]
        yield over_groups(f"pool {each.pool or 'unknown'}", names, [("ρ", [point.rho for point in each.points])], "ρ")
