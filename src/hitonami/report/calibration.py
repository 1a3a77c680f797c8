"""A calibration as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.fits.calibration import Calibration
from hitonami.fits.calibration_run import BalanceRun, CalibrationRun
from hitonami.knobs import Curve
from hitonami.report.page import headed, made_by, page, paragraph, plots, section, table
from hitonami.report.result_plots import curve_over_rating, temperature_by_group
from hitonami.report.text import aligned, spanned, titled
from hitonami.report.winrate import result_lines, result_sections, results_json

_METHOD = (
    "T stands on a grid from 0.50 to 3.00 by 0.01 and has the least cross-entropy on the decided games of the group; "
    "intervals: 95%, 500 resamples of games. Above 1 the chances were too bold, below 1 too timid. A pool's curves are "
    "what a file of levels gets: temperature, lean (log-odds of the side to move) and draws, each left at its neutral "
    "value unless the games ask for more."
)
_KNOBS = ("temperature", "lean", "draws")


def lead_of(run: CalibrationRun) -> str:
    """What was fitted on what, in one line."""
    plan, every = run.drawn.plan, next(iter(run.fits.values())).groups[-1]
    asked = f"calibration of {', '.join(run.fits)}; one position of each game"
    return f"{plan.game}: {asked}, {every.n:,} decided games ({plan.told})"


def as_json(run: CalibrationRun) -> dict[str, Any]:
    """The documented JSON (docs/winrate.md)."""
    plan = run.drawn.plan
    return {
        **plan.asked,
        "method": "calibration",
        "minds": [_fit_json(name, run.minds[name], fit) for name, fit in run.fits.items()],
        "held_out": None if run.held_out is None else results_json(run.held_out),
    }


def _fit_json(name: str, origin: str, fit: Calibration) -> dict[str, Any]:
    return {
        "mind": name,
        "origin": origin,
        "groups": groups_json(fit),
        "pools": [
            vars(each) | {knob: [list(point) for point in getattr(each, knob).points] for knob in _KNOBS}
            for each in fit.pools
        ],
    }


def groups_json(fit: Calibration) -> list[dict[str, Any]]:
    """T of each group."""
    return [vars(each) | {"temperature": vars(each.temperature)} for each in fit.groups]


def as_lines(run: CalibrationRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    for name, fit in run.fits.items():
        yield from titled(name, _group_rows(fit))
        yield ""
        yield from aligned(_pool_rows(fit))
    if run.held_out is not None:
        yield ""
        yield "on games that the fit never saw"
        yield from result_lines(run.held_out)


def balance_json(run: BalanceRun) -> dict[str, Any]:
    """The lean of each pool, as `balance_lines` tells it."""
    pools = [vars(each) | {"lean": each.lean.points} for each in run.pools]
    return {"game": run.drawn.plan.game, "mind": run.origin, "decisions": run.drawn.positions, "pools": pools}


def balance_lines(run: BalanceRun) -> Iterator[str]:
    """The lean of each pool, and what the two sides' chances sum to."""
    yield f"{run.drawn.plan.game}: lean by balance, {run.drawn.positions:,} decisions ({run.origin})"
    for each in run.pools:
        sums = f"the sides sum to {each.before:.3f}, with the lean to {each.after:.3f}"
        yield f"pool {each.pool or 'unknown'}, {each.n:,} decisions: {sums}"
        yield "  " + "  ".join(f"{rating:g}: {value:.3f}" for rating, value in each.lean.points)


def _group_rows(fit: Calibration) -> list[list[str]]:
    rows = [
        [each.group, f"{each.n:,}", spanned(each.temperature, ".2f"), f"{each.plain:.4f}", f"{each.reached:.4f}"]
        for each in fit.groups
    ]
    return [["group", "n", "T", "cross-entropy at 1", "at T"], *rows]


def _pool_rows(fit: Calibration) -> list[list[str]]:
    rows = [["pool", "n", *_KNOBS, "three-way as given", "one T", "calibrated"]]
    for each in fit.pools:
        knobs = [_curve_text(getattr(each, knob)) for knob in _KNOBS]
        entropies = [f"{value:.4f}" for value in (each.plain, each.with_temperature, each.reached)]
        rows.append([each.pool or "(all)", f"{each.n:,}", *knobs, *entropies])
    return rows


def _curve_text(curve: Curve) -> str:
    """A constant, or the two ends."""
    ends = dict.fromkeys((curve.points[0], curve.points[-1]))
    if len(ends) == 1:
        return f"{curve.points[0][1]:.3f}"
    return " … ".join(f"{value:.3f} at {rating:g}" for rating, value in ends)


def as_page(run: CalibrationRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    sections = []
    for name, fit in run.fits.items():
        groups = [each for each in fit.groups if each.n >= 20]
        sections += [
            section(f"{name}: T by group", plots([temperature_by_group(name, groups)]), headed(_group_rows(fit))),
            section(f"{name}: what is written", headed(_pool_rows(fit)), _plots(fit)),
        ]
    held_out = [] if run.held_out is None else result_sections(run.held_out)
    origins = section("Minds", table(["name", "what it is"], [list(pair) for pair in run.minds.items()]))
    how = section("How it was fitted", paragraph(_METHOD))
    title = f"Calibration: {run.drawn.plan.game}"
    return page(title, lead_of(run), *sections, *held_out, origins, how, footer=made_by(command))


def _plots(fit: Calibration) -> str:
    """Only what depends on rating is drawn."""
    found = [
        curve_over_rating(f"{each.pool}: {knob}", getattr(each, knob), knob)
        for each in fit.pools
        for knob in _KNOBS
        if len(getattr(each, knob).points) > 1
    ]
    return plots(found) if found else ""
