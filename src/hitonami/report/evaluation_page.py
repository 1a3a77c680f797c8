"""An evaluation as one self-contained page. Computes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.level_matrix import LevelMatrix
from hitonami.evaluate.metrics import MindFigures, Pair
from hitonami.evaluate.run import Evaluation
from hitonami.report.evaluation import figure_rows, is_significant, lead_of, short_names
from hitonami.report.interval_plots import calibration, differences, heat_map, over_groups
from hitonami.report.page import headed, made_by, page, paragraph, plots, section, table, wide
from hitonami.report.text import nats_text, percent_text, points_text, signed

_METHOD = (
    "Accuracy: share of moves where the mind's likeliest move was played (equally likely ones share the point). "
    "Cross-entropy: mean −log p of the move played, in nats; likelihood = exp(−cross-entropy). Intervals: 95%, from "
    "2,000 resamples of games. Differences are paired on the same moves; filled dots have p < 0.05 (games' signs "
    "flipped; groups corrected by Holm)."
)


def as_page(evaluation: Evaluation, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    names = short_names([*(mind.mind for mind in evaluation.measured.minds), *evaluation.failed])
    evaluation = _renamed(evaluation, names)
    minds = evaluation.measured.minds
    sections = [
        section("All groups together", _summary(minds), _failures(evaluation)),
        section("By group", *map(wide, _group_plots(minds))) if len(minds[0].groups) > 1 else "",
        section("Paired differences", *map(_pair_block, evaluation.measured.pairs))
        if evaluation.measured.pairs
        else "",
        section("Does a mind know levels?", *map(matrix_block, evaluation.matrices)) if evaluation.matrices else "",
        section(
            "Calibration of the likeliest move",
            plots([calibration("All groups", [(mind.mind, mind.calibration) for mind in minds])]),
        ),
        section("All figures", *(f"<h3>{escape(mind.mind)}</h3>" + headed(figure_rows(mind)) for mind in minds)),
        section("Minds", table(["name here", "as given"], [[short, full] for full, short in names.items()])),
        section("Data", _data_table(evaluation)),
        section("How it was measured", paragraph(_METHOD)),
    ]
    return page(f"Evaluation: {evaluation.drawn.plan.game}", lead_of(evaluation), *sections, footer=made_by(command))


def _renamed(evaluation: Evaluation, names: Mapping[str, str]) -> Evaluation:
    measured = evaluation.measured
    return replace(
        evaluation,
        measured=replace(
            measured,
            minds=tuple(replace(mind, mind=names[mind.mind]) for mind in measured.minds),
            pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in measured.pairs),
        ),
        matrices=[replace(matrix, mind=names[matrix.mind]) for matrix in evaluation.matrices],
        failed={names[mind]: wrong for mind, wrong in evaluation.failed.items()},
    )


def _summary(minds: Sequence[MindFigures]) -> str:
    head = ["mind", "moves", "games", "accuracy", "cross-entropy", "likelihood", "mean rank"]
    rows: list[list[object]] = []
    for mind in minds:
        last = mind.groups[-1]
        shown = percent_text(last.accuracy), nats_text(last.cross_entropy), nats_text(last.likelihood)
        rows.append([mind.mind, last.n, last.games, *shown, last.mean_rank])
    return table(head, rows)


def _failures(evaluation: Evaluation) -> str:
    if not evaluation.failed:
        return ""
    rows = [[mind, str(wrong)] for mind, wrong in evaluation.failed.items()]
    return paragraph("Minds that failed, and are not among the figures:") + table(["mind", "reason"], rows)


def _group_plots(minds: Sequence[MindFigures]) -> list[str]:
    groups = [each.group for each in minds[0].groups[:-1]]

    def series(name: str) -> list[tuple[str, list[Interval | None]]]:
        return [(mind.mind, [getattr(each, name) for each in mind.groups[:-1]]) for mind in minds]

    return [
        over_groups("Accuracy", groups, series("accuracy"), "share of moves matched", percent=True),
        over_groups("Cross-entropy", groups, series("cross_entropy"), "nats a move (less is better)"),
    ]


def _pair_block(pair: Pair) -> str:
    a, b = pair.a, pair.b
    accuracy = [(each.group, each.accuracy.interval, is_significant(each.accuracy)) for each in pair.groups]
    nats = [(each.group, each.cross_entropy.interval, is_significant(each.cross_entropy)) for each in pair.groups]
    if len(pair.groups) > 2:
        accuracy.append(("mean of groups", pair.equal[0], _excludes_zero(pair.equal[0])))
        nats.append(("mean of groups", pair.equal[1], _excludes_zero(pair.equal[1])))
    told = (
        f"{a} minus {b}: accuracy {points_text(pair.all.accuracy.interval)} points, cross-entropy "
        f"{signed(pair.all.cross_entropy.interval)} nats."
    )
    return paragraph(told) + plots(
        [
            differences(f"{a} − {b}: accuracy", accuracy, "points (right: the first is better)", percent=True),
            differences(f"{a} − {b}: cross-entropy", nats, "nats (left: the first is better)"),
        ]
    )


def _excludes_zero(interval: Interval) -> bool:
    return interval.low > 0 or interval.high < 0


def matrix_block(matrix: LevelMatrix) -> str:
    """What one mind knows of levels, with its heat maps."""
    names = [name for name, _ in matrix.levels]
    place = {name: at for at, name in enumerate(names)}
    nats, share = np.full((2, len(names), len(names)), np.nan)
    helped = 0
    for cell in matrix.cells:
        nats[place[cell.told], place[cell.true]] = cell.cross_entropy
        share[place[cell.told], place[cell.true]] = 100 * cell.accuracy
        helped += cell.told != cell.true and cell.cross_entropy_gain.low > 0
    best, count = matrix.wins
    mind = matrix.mind
    if not matrix.conditioned:
        return paragraph(f"{mind} says the same whatever level it is told.")
    told = (
        f"{mind}: {best} of {count} groups are predicted best when told their own level; of the "
        f"{count * (count - 1)} comparisons with a wrong level, {helped} are won beyond the 95% interval. "
        "Colours compare within a column; the best of each is framed."
    )
    return paragraph(told) + plots(
        [
            heat_map(f"{mind}: cross-entropy, nats", names, nats, ".3f", high_is_good=False),
            heat_map(f"{mind}: accuracy, %", names, share, ".1f", high_is_good=True),
        ]
    )


def _data_table(evaluation: Evaluation) -> str:
    drawn, plan = evaluation.drawn, evaluation.drawn.plan
    rows: list[list[object]] = [["games read", drawn.tally.games], ["games with a move to ask about", drawn.games_kept]]
    rows += [[f"left out by the rule {rule}", count] for rule, count in drawn.left_out.most_common()]
    rows += [[f"could not be used: {reason}", count] for reason, count in drawn.tally.rejected.most_common()]
    broken = "".join(paragraph(each) for each in drawn.tally.broken)
    return table(["games", "count"], rows) + paragraph(f"Filter: {plan.rules.text or 'none'}.") + broken
