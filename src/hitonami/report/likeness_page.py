"""Likeness as one self-contained page. Computes nothing."""

from collections.abc import Sequence
from html import escape

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.likeness import Likeness
from hitonami.evaluate.population import PopulationMatch
from hitonami.judging.blunders import BAD, Blunders
from hitonami.judging.likeness import JudgedLikeness, LikenessRun
from hitonami.judging.losses import FAR
from hitonami.report.evaluation_page import matrix_block
from hitonami.report.interval_plots import over_groups
from hitonami.report.likeness import (
    coherence_words,
    distance_rows,
    finder_rows,
    levels_text,
    population_rows,
    region_rows,
)
from hitonami.report.likeness_plots import move_calibration, scatter, venn
from hitonami.report.losses import loss_plot, loss_rows, who
from hitonami.report.page import headed, made_by, page, paragraph, plots, scrolled, section, table, wide

_METHOD = (
    "Intervals: 95%, from 2,000 resamples of games. Move probabilities: of all legal moves that were given about p, "
    "the share that was played. Population match: positions of the first 16 plies that at least 20 people of a group "
    "met. The loss of a move is the judge's expected score of the best move less that of the move; what an agent loses "
    "is the mean over all moves that it may draw, and what it loses more or less than the person counts from "
    f"{FAR:g}. A mind is bad where its likeliest move loses {BAD:g} or more against the best of the person's move and "
    "of the minds' likeliest."
)


def as_page(report: LikenessRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    plan = report.drawn.plan
    chosen = f"filter {plan.filter_text or 'none'}" + ("" if plan.split == "all" else f", {plan.split} split")
    lead = f"{plan.game}: {report.drawn.positions:,} decisions of people ({chosen})"
    judged = report.judged
    sections = [
        _probabilities(report.minds),
        section("Does a mind know levels?", *map(matrix_block, report.matrices)) if report.matrices else "",
        *([] if judged is None else [_losses(judged), _blunders(judged.blunders)]),
        _population(report.population),
        _coherence(report.minds),
        _distances(report.minds),
        section("Minds", table(["name here", "as given"], list(map(list, report.texts.items())))),
        section("How it was measured", paragraph(_METHOD)),
    ]
    return page(f"Likeness: {plan.game}", lead, *sections, footer=made_by(command))


def _probabilities(minds: Sequence[Likeness]) -> str:
    rows = [[each.mind, f"{each.calibration_error:.4f}"] for each in minds]
    picture = move_calibration("All legal moves", [(each.mind, each.bins) for each in minds])
    return section("Probabilities of moves", plots([picture]), table(["mind", "off by, a decision"], rows))


def _losses(judged: JudgedLikeness) -> str:
    found = judged.losses
    scatters = [
        scatter(f"{mind}: its likeliest move", points, "loss of the person's move", "of the mind's")
        for mind, points in judged.points.items()
    ]
    return section(
        "What moves give away",
        paragraph(f"Judged by {who(found.judge, found.nodes)}."),
        wide(loss_plot(found, "Loss a move", "expected score")),
        plots(scatters),
        scrolled(headed(loss_rows(found.groups))),
    )


def _blunders(found: Blunders) -> str:
    minds = [each.mind for each in found.finders]
    everywhere = {frozenset(each.minds): each.n for each in found.regions}
    where_bad = {frozenset(each.minds): each.n_bad for each in found.regions}
    pictures = [
        venn(f"All {found.n:,} positions", minds, everywhere),
        venn(f"The {found.n_bad:,} where {minds[0]} is bad", minds, where_bad),
    ]
    return section(
        "Who finds the person's move",
        plots([each for each in pictures if each]),
        scrolled(headed(finder_rows(found))),
        "<p></p>",
        headed(region_rows(found)),
    )


def _population(found: Sequence[PopulationMatch]) -> str:
    if not found:
        return ""
    groups = [each for each in dict.fromkeys(each.group for each in found) if each != "all"]
    picture = ""
    if len(groups) > 1:
        held = {(each.mind, each.group): each for each in found}
        minds = list(dict.fromkeys(each.mind for each in found))
        series = [(mind, [_plain(held[mind, group].favourite) for group in groups]) for mind in minds]
        for label, key in (("copying another person", "another_person"), ("the most popular move", "most_popular")):
            series.append((label, [_plain(getattr(held[minds[0], group], key)) for group in groups]))
        picture = wide(over_groups("Share of people who chose it", groups, series, "share", percent=True))
    return section("Population match", picture, scrolled(headed(population_rows(found))))


def _plain(value: float) -> Interval:
    return Interval(value, value, value)


def _coherence(minds: Sequence[Likeness]) -> str:
    known = [(each.mind, each.coherence) for each in minds if each.coherence is not None]
    if not known:
        return ""
    rows = [[mind, *(value for _, value in coherence_words(found))] for mind, found in known]
    head = ["mind", *(words for words, _ in coherence_words(known[0][1]))]
    told = paragraph(f"{levels_text(known[0][1]).capitalize()}.")
    return section("Coherence over levels", told, scrolled(table(head, rows)))


def _distances(minds: Sequence[Likeness]) -> str:
    blocks = []
    for each in minds:
        if each.distances:
            blocks += [f"<h3>{escape(each.mind)}</h3>", scrolled(headed(distance_rows(each.distances)))]
    return section("Distance to the last move", *blocks) if blocks else ""
