"""An evaluation as a table for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from hitonami.evaluate.level_matrix import Cell, LevelMatrix
from hitonami.evaluate.metrics import FLOOR, Difference, Figures, MindFigures, Pair, PairedGroup
from hitonami.evaluate.run import Evaluation
from hitonami.report.text import nats_text, percent_text, points_text, signed

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
    every = _paired_json(pair.all)
    del every["group"]
    return (
        {"a": pair.a, "b": pair.b}
        | every
        | {
            "equal_weighted": {
                "accuracy_difference": vars(pair.equal[0]),
                "cross_entropy_difference": vars(pair.equal[1]),
            },
            "groups": [_paired_json(group) for group in pair.groups],
        }
    )


def _paired_json(group: PairedGroup) -> dict[str, Any]:
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
        yield ""
        yield from _mind_lines(mind)
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


def _mind_lines(mind: MindFigures) -> Iterator[str]:
    left = max([5, *(len(each.group) for each in mind.groups)])
    yield mind.mind
    yield f"  {'group':<{left}}{'n':>8}{'games':>8}   {'accuracy':<20}   {'cross-entropy':<21}   likelihood"
    for each in mind.groups:
        accuracy, cross_entropy = percent_text(each.accuracy), nats_text(each.cross_entropy)
        yield (
            f"  {each.group:<{left}}{each.n:>8,}{each.games:>8,}   {accuracy:<20}   {cross_entropy:<21}   "
            f"{each.likelihood.value:.3f}"
        )
    if len(mind.groups) > 1:
        accuracy, cross_entropy = (show(each) for show, each in zip((percent_text, nats_text), mind.equal, strict=True))
        yield f"  {'mean of groups':<{left + 16}}   {accuracy:<20}   {cross_entropy:<21}"
    if zero := mind.groups[-1].zero_probability:
        yield f"  {zero:,} moves were given a probability under {FLOOR:g}; they count as {FLOOR:g}"


def _pair_lines(pairs: Sequence[Pair]) -> Iterator[str]:
    yield "paired differences, a − b (accuracy in points, cross-entropy in nats; * p < 0.05, over groups after Holm)"
    for pair in pairs:
        yield f"  {pair.a} − {pair.b}"
        left = max(14, *(len(each.group) for each in pair.groups))
        for each in pair.groups:
            yield (
                f"    {each.group:<{left}}   {points_text(each.accuracy.interval):<24}{_star(each.accuracy):<3}"
                f"{signed(each.cross_entropy.interval):<27}{_star(each.cross_entropy)}"
            )
        if len(pair.groups) > 1:
            yield f"    {'mean of groups':<{left}}   {points_text(pair.equal[0]):<27}{signed(pair.equal[1])}"


def _star(difference: Difference) -> str:
    return "*" if is_significant(difference) else ""


def is_significant(difference: Difference) -> bool:
    p = difference.p if difference.p_holm is None else difference.p_holm
    return p < _SIGNIFICANT


def matrix_lines(matrix: LevelMatrix) -> Iterator[str]:
    """Cross-entropy of every level told."""
    names = [name for name, _ in matrix.levels]
    width = max(8, *(len(name) + 2 for name in names))
    if not matrix.conditioned:
        yield f"{matrix.mind}: says the same whatever level it is told"
        return
    yield f"{matrix.mind}: cross-entropy by level told (rows) and true level (columns)"
    yield f"  {'':<{width}}" + "".join(f"{name:>{width}}" for name in names)
    values = {(cell.told, cell.true): cell.cross_entropy for cell in matrix.cells}
    for told in names:
        yield f"  {told:<{width}}" + "".join(f"{values[told, true]:>{width}.3f}" for true in names)
    best, count = matrix.wins
    yield f"  {best} of {count} groups are predicted best when told their own level"
