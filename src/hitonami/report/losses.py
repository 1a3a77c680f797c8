"""Losses by a judge as tables for the terminal, as JSON, and as a page. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from hitonami.evaluate.selection import Selected
from hitonami.judging.losses import BLUNDERS, FAR, Losses, LossFigures, LossRow
from hitonami.report.interval_plots import over_groups
from hitonami.report.page import all_sections, made_by, page, paragraph, plots, section
from hitonami.report.text import Table, all_titled, spanned

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
    yield from all_titled(_tables(found))


def _tables(found: Losses) -> list[Table]:
    return [("by group", loss_rows(found.groups)), ("by phase", loss_rows(found.phases))]


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
    return page(f"Losses: {plan.game}", lead, *loss_sections(found), how_measured(), footer=made_by(command))


def loss_plot(found: Losses, title: str, label: str) -> str:
    """The losses of people and agents over the groups."""
    groups = [row for row in found.groups if row.name != "all"] or list(found.groups)
    series = [("people", [row.people.loss for row in groups])]
    series += [(name, [row.agents[name].loss for row in groups]) for name in groups[0].agents]
    return over_groups(title, [row.name for row in groups], series, label)


def loss_sections(found: Losses) -> list[str]:
    plot = section("Loss a move", plots([loss_plot(found, "loss a move", "loss")]))
    return [plot, *all_sections(_tables(found))]


def how_measured() -> str:
    return section("How it was measured", paragraph(_METHOD))
