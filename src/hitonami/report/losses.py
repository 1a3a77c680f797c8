"""Losses by a judge, and fits of a level, as tables for the terminal, as JSON, and as a page. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from hitonami.evaluate.selection import Selected
from hitonami.fits.level import FittedLevel, LevelCurve, LevelFit
from hitonami.fits.level_run import LevelRun
from hitonami.judging.losses import BLUNDERS, FAR, Losses, LossFigures, LossRow
from hitonami.report.interval_plots import over_groups
from hitonami.report.page import headed, made_by, page, paragraph, plots, section
from hitonami.report.text import aligned, spanned, titled

_METHOD = (
    "The loss of a move is the judge's expected score of the best move less that of the move. An agent's loss is the "
    "mean over all moves that it may draw. Intervals (95%) come from resampling games; differences are paired. "
    f"More, less: how often the agent loses over {FAR:g} more, or less, than the person in the same position."
)


def as_json(found: Losses) -> dict[str, Any]:
    """The documented JSON (docs/levels.md)."""
    return {
        "judge": found.judge,
        "nodes": found.nodes,
        "groups": [_row_json(row) for row in found.groups],
        "phases": [_row_json(row) for row in found.phases],
    }


def _row_json(row: LossRow) -> dict[str, Any]:
    agents = {name: _figures_json(each) for name, each in row.agents.items()}
    return {"group": row.name, "n": row.n, "games": row.games, "people": _figures_json(row.people), "agents": agents}


def _figures_json(found: LossFigures) -> dict[str, Any]:
    told: dict[str, Any] = {"loss": vars(found.loss)}
    told["blunders"] = {f"{limit:g}": vars(each) for limit, each in zip(BLUNDERS, found.blunders, strict=True)}
    if found.difference is not None:
        told |= {"difference": vars(found.difference), "squared": found.squared, "more": found.more, "less": found.less}
    return told


def as_lines(found: Losses) -> Iterator[str]:
    """Tables for a terminal."""
    yield f"loss a move, judged by {who(found.judge, found.nodes)}"
    yield from aligned(loss_rows(found.groups))
    yield from titled("by phase", loss_rows(found.phases))


def who(judge: str, nodes: int | None) -> str:
    """The judge and its limit."""
    return judge if nodes is None else f"{judge} at {nodes:,} nodes"


def loss_rows(rows: Sequence[LossRow]) -> list[list[str]]:
    """People, then each agent: loss, blunders, difference to people, squared, more and less."""
    blunders = "/".join(f">{limit:g}" for limit in BLUNDERS)
    head = ["group", "n", "who", "loss", blunders, "minus people", "squared", "more/less"]
    told = [head]
    for row in rows:
        told.append([row.name, f"{row.n:,}", "people", *_texts(row.people)])
        told += [["", "", name, *_texts(each)] for name, each in row.agents.items()]
    return told


def _texts(found: LossFigures) -> list[str]:
    shares = "/".join(f"{100 * each.value:.1f}%" for each in found.blunders)
    loss, apart = spanned(found.loss, ".4f"), found.difference
    if apart is None:
        return [loss, shares, "", "", ""]
    difference = f"{apart.value:+.4f} ({apart.low:+.4f} to {apart.high:+.4f})"
    more_less = f"{100 * (found.more or 0.0):.1f}%/{100 * (found.less or 0.0):.1f}%"
    return [loss, shares, difference, f"{found.squared or 0.0:.4f}", more_less]


def loss_page(drawn: Selected, found: Losses, command: str = "") -> str:
    """The whole document."""
    plan = drawn.plan
    lead = f"{plan.game}: {found.groups[-1].n:,} decisions, judged by {who(found.judge, found.nodes)}"
    return page(f"Losses: {plan.game}", lead, *_loss_sections(found), _how(), footer=made_by(command))


def _loss_sections(found: Losses) -> list[str]:
    groups = [row for row in found.groups if row.name != "all"] or list(found.groups)
    agents = list(groups[0].agents)
    series = [("people", [row.people.loss for row in groups])]
    series += [(name, [row.agents[name].loss for row in groups]) for name in agents]
    return [
        section("Loss a move", plots([over_groups("loss a move", [row.name for row in groups], series, "loss")])),
        section("By group", headed(loss_rows(found.groups))),
        section("By phase", headed(loss_rows(found.phases))),
    ]


def _how() -> str:
    return section("How it was measured", paragraph(_METHOD))


def fit_json(run: LevelRun) -> dict[str, Any]:
    """The documented JSON of a fit (docs/fitting.md)."""
    plan = run.drawn.plan
    return {
        "game": plan.game,
        "method": "level",
        "knob": "rho",
        "mind": run.mind,
        "judge": run.judge,
        "nodes": run.nodes,
        "filter": plan.filter_text,
        "by": plan.by,
        "split": plan.split,
        "seed": plan.seed,
        "groups": [_fit_json(each) for each in run.fitted.groups],
        "curves": [_curve_json(each) for each in run.fitted.curves],
        "held_out": None if run.held_out is None else as_json(run.held_out),
    }


def _fit_json(each: LevelFit) -> dict[str, Any]:
    means = {"people": each.people, "plain": each.plain, "likeliest": each.likeliest}
    return {"group": each.name, "n": each.n, "rho": vars(each.rho), "reached": each.reached, "loss": means}


def _curve_json(each: LevelCurve) -> dict[str, Any]:
    points = [list(point) for point in each.curve.points]
    return {"pool": each.pool, "n": each.n, "points": points, "fits": [_fit_json(point) for point in each.points]}


def fit_lines(run: LevelRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield _lead(run)
    yield ""
    yield from aligned(fit_rows(run.fitted.groups))
    for each in run.fitted.curves:
        yield from titled(f"curve, pool {each.pool or 'unknown'}, {each.n:,} rated decisions", fit_rows(each.points))
    if run.held_out is not None:
        yield ""
        yield "held out: people, and the agent with the curve"
        yield from as_lines(run.held_out)


def _lead(run: LevelRun) -> str:
    plan, judge = run.drawn.plan, who(run.judge, run.nodes)
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


def fit_page(run: LevelRun, command: str = "") -> str:
    """The whole document."""
    sections = [
        section("ρ by group", headed(fit_rows(run.fitted.groups))),
        section("ρ over rating", plots(list(_curve_plots(run.fitted)))) if run.fitted.curves else "",
        *([] if run.held_out is None else _loss_sections(run.held_out)),
        _how(),
    ]
    return page(f"Fit: {run.drawn.plan.game} level", _lead(run), *sections, footer=made_by(command))


def _curve_plots(fitted: FittedLevel) -> Iterator[str]:
    for each in fitted.curves:
        names = [f"{rating:.0f}" for rating, _ in each.curve.points]
        yield over_groups(f"pool {each.pool or 'unknown'}", names, [("ρ", [point.rho for point in each.points])], "ρ")
