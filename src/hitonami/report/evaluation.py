"""An evaluation as a table for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from hitonami.evaluate.level_matrix import Cell, LevelMatrix
from hitonami.evaluate.metrics import FLOOR, Difference, Figures, MindFigures, Pair, PairedGroup
from hitonami.evaluate.run import Evaluation
from hitonami.report.text import aligned, nats_text, percent_text, points_text, signed, titled

_SIGNIFICANT = 0.05
_SAYS_NOTHING = ("model", "model.onnx")  # what every trained network's folder and file are called


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """The documented JSON (docs/evaluation.md)."""
    drawn, plan = evaluation.drawn, evaluation.drawn.plan
    return {
        **plan.asked,
        "band": plan.band,
        "positions_per_group": plan.positions,
        "pool": plan.pool,
        "floor": FLOOR,
        "data": {
            "games": drawn.tally.games,
            "games_kept": drawn.games_kept,
            "rejected": dict(sorted(drawn.tally.rejected.items())),
            "left_out": dict(sorted(drawn.left_out.items())),
            "taken_for_the_pool": drawn.renamed,
            "broken": drawn.tally.broken,
        },
        "minds": [_mind_json(mind) for mind in evaluation.measured.minds],
        "paired": [_pair_json(pair) for pair in evaluation.measured.pairs],
        "level_matrices": [matrix_json(matrix) for matrix in evaluation.matrices],
        "failed": [{"mind": name, "error": str(wrong)} for name, wrong in evaluation.failed.items()],
    }


def _mind_json(mind: MindFigures) -> dict[str, Any]:
    return {
        "mind": mind.mind,
        "groups": [_figures_json(figures) for figures in mind.groups],
        "equal_weighted": {"accuracy": vars(mind.equal[0]), "cross_entropy": vars(mind.equal[1])},
        "calibration": [vars(each) for each in mind.calibration],
    }


def _figures_json(figures: Figures) -> dict[str, Any]:
    named = {name: vars(getattr(figures, name)) for name in ("accuracy", "cross_entropy", "likelihood")}
    counts = {"zero_probability": figures.zero_probability, "mean_rank": figures.mean_rank}
    return {"group": figures.group, "n": figures.n, "games": figures.games} | named | counts


def _pair_json(pair: Pair) -> dict[str, Any]:
    every = paired_json(pair.all)
    del every["group"]
    return (
        {"a": pair.a, "b": pair.b}
        | every
        | {
            "equal_weighted": {
                "accuracy_difference": vars(pair.equal[0]),
                "cross_entropy_difference": vars(pair.equal[1]),
            },
            "groups": [paired_json(group) for group in pair.groups],
        }
    )


def paired_json(group: PairedGroup) -> dict[str, Any]:
    """A paired difference of one group."""
    return {
        "group": group.group,
        "n": group.n,
        "games": group.games,
        "accuracy_difference": _difference(group.accuracy),
        "cross_entropy_difference": _difference(group.cross_entropy),
    }


def _difference(found: Difference) -> dict[str, Any]:
    corrected = {} if found.p_holm is None else {"p_holm": found.p_holm}
    return vars(found.interval) | {"p": found.p} | corrected


def matrix_json(matrix: LevelMatrix) -> dict[str, Any]:
    """The documented JSON of one matrix."""
    best, count = matrix.wins
    return {
        "mind": matrix.mind,
        "pool": matrix.pool,
        "conditioned": matrix.conditioned,
        "best_when_told_truth": {"groups": best, "of": count},
        "levels": [{"group": name, "rating": rating} for name, rating in matrix.levels],
        "cells": [_cell_json(cell) for cell in matrix.cells],
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    plain = {name: getattr(cell, name) for name in ("told", "true", "n", "accuracy", "cross_entropy")}
    return plain | {
        "accuracy_gain_of_truth": vars(cell.accuracy_gain),
        "cross_entropy_gain_of_truth": vars(cell.cross_entropy_gain),
    }


def as_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(evaluation)
    for mind in evaluation.measured.minds:
        yield from titled(mind.mind, figure_rows(mind))
    if evaluation.measured.pairs:
        yield ""
        yield from _pair_lines(evaluation.measured.pairs)
    for matrix in evaluation.matrices:
        yield ""
        yield from matrix_lines(matrix)


def lead_of(evaluation: Evaluation) -> str:
    """What was measured on, in one line."""
    drawn, plan = evaluation.drawn, evaluation.drawn.plan
    minds = evaluation.measured.minds
    n, games = (minds[0].groups[-1].n, minds[0].groups[-1].games) if minds else (0, 0)
    source = f"drawn from {drawn.games_kept:,} of {drawn.tally.games:,} games"
    return f"{plan.game}: {n:,} decisions of {games:,} games, {source} ({plan.told})"


def short_names(minds: Sequence[str]) -> dict[str, str]:
    """Paths by as many of their last parts as tell them apart; anything else as it is."""
    parts = {mind: PurePath(mind.removeprefix("neural:")).parts if _is_path(mind) else (mind,) for mind in minds}
    least = {mind: 1 + (own[-1] in _SAYS_NOTHING) for mind, own in parts.items()}
    for count in range(1, max(map(len, parts.values()), default=0) + 1):
        short = {mind: "/".join(own[-max(count, least[mind]) :]) for mind, own in parts.items()}
        if len(set(short.values())) == len(short):
            return short
    return {mind: mind for mind in minds}


def _is_path(mind: str) -> bool:
    return "/" in mind and " " not in mind


def figure_rows(mind: MindFigures) -> list[list[str]]:
    """A head, then a row for each group, and the mean of groups where there are several."""
    rows = [["group", "n", "games", "accuracy", "cross-entropy", "likelihood", f"under {FLOOR:g}"]]
    for each in mind.groups:
        shown = percent_text(each.accuracy), nats_text(each.cross_entropy), nats_text(each.likelihood)
        rows.append([each.group, f"{each.n:,}", f"{each.games:,}", *shown, f"{each.zero_probability:,}"])
    if len(mind.groups) > 1:
        rows.append(["mean of groups", "", "", percent_text(mind.equal[0]), nats_text(mind.equal[1]), "", ""])
    return rows


def _pair_lines(pairs: Sequence[Pair]) -> Iterator[str]:
    yield "paired differences, a − b (accuracy in points, cross-entropy in nats; * p < 0.05, over groups after Holm)"
    for pair in pairs:
        rows = [["group", "n", "accuracy", "cross-entropy"]]
        for each in pair.groups:
            accuracy = points_text(each.accuracy.interval) + _star(each.accuracy)
            nats = signed(each.cross_entropy.interval) + _star(each.cross_entropy)
            rows.append([each.group, f"{each.n:,}", accuracy, nats])
        if len(pair.groups) > 1:
            rows.append(["mean of groups", "", points_text(pair.equal[0]), signed(pair.equal[1])])
        yield from titled(f"{pair.a} − {pair.b}", rows)


def _star(difference: Difference) -> str:
    return " *" if is_significant(difference) else ""


def is_significant(difference: Difference) -> bool:
    p = difference.p if difference.p_holm is None else difference.p_holm
    return p < _SIGNIFICANT


def matrix_lines(matrix: LevelMatrix) -> Iterator[str]:
    """Cross-entropy by level told and true level."""
    names = [name for name, _ in matrix.levels]
    if not matrix.conditioned:
        yield f"{matrix.mind}: says the same whatever level it is told"
        return
    yield f"{matrix.mind}: cross-entropy by level told (rows) and true level (columns)"
    values = {(cell.told, cell.true): cell.cross_entropy for cell in matrix.cells}
    yield from aligned([["", *names], *([told, *(f"{values[told, true]:.3f}" for true in names)] for told in names)])
    best, count = matrix.wins
    yield f"  {best} of {count} groups are predicted best when told their own level"
