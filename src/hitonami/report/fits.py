"""A fit as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from hitonami.evaluate.metrics import Figures, Measured, PairedGroup
from hitonami.fits.distance import Aimed, Distances
from hitonami.fits.knobs import CurveFit, Fitted, GroupFit
from hitonami.fits.restrict import Tail
from hitonami.fits.run import FitRun
from hitonami.report.evaluation import paired_json, short_names
from hitonami.report.fit_plots import accuracy_over_knob, knob_over_rating
from hitonami.report.page import all_sections, made_by, page, paragraph, plots, section, table
from hitonami.report.text import Table, all_titled, nats_text, percent_text, points_text, signed, spanned

_METHOD = (
    "Best values stand on a grid; intervals (95%) are those of the best value over 2,000 resamples of games. The curve "
    "has two parameters and is fitted to all rated decisions of its pool at once, each with its own rating; beyond the "
    "5th and the 95th percentile of ratings it is constant. Gains are over the first mind as it is, on the same moves."
)


def as_json(run: FitRun) -> dict[str, Any]:
    """The documented JSON (docs/fitting.md)."""
    plan, fitted = run.drawn.plan, run.fitted
    return {
        **plan.asked,
        "method": fitted.knob.method,
        "knob": fitted.knob.name,
        "aim": fitted.aim,
        "minds": list(run.minds.values()),
        "grid": fitted.knob.grid.tolist(),
        "groups": [_group_json(each) for each in fitted.groups],
        "curves": [_curve_json(each) for each in fitted.curves],
        "other_means": {name: [_group_json(each) for each in other.groups] for name, other in run.others.items()},
        "held_out": held_out_json(run.held_out),
        "held_out_own": {name: [_own_json(*each) for each in _with_minds(own)] for name, own in run.own.items()},
        "aimed": [asdict(each) for each in run.aimed],
        "distances": [asdict(each) for each in run.distances],
        "tails": [asdict(each) for each in run.tails],
    }


def _group_json(each: GroupFit) -> dict[str, Any]:
    return {
        "group": each.group,
        "rating": each.rating,
        "n": each.n,
        "games": each.games,
        "by_likelihood": vars(each.by_likelihood),
        "by_accuracy": vars(each.by_accuracy),
        "first_mind": {"accuracy": each.plain_accuracy, "cross_entropy": each.plain_cross_entropy},
        "gain": {"accuracy": vars(each.gain[0]), "nats": vars(each.gain[1])},
        "costs": [vars(cost) for cost in each.costs],
        "accuracy": [vars(value) for value in each.accuracy],
        "cross_entropy": each.cross_entropy.tolist(),
    }


def _curve_json(each: CurveFit) -> dict[str, Any]:
    points = [list(point) for point in each.curve.points]
    return {
        "pool": each.pool,
        "points": points,
        "n": each.n,
        "reached": each.reached,
        "constant": {"value": each.best_constant, "reached": each.constant},
    }


def _own_json(each: PairedGroup, fitted: Figures, first: Figures) -> dict[str, Any]:
    """A paired difference beside what it is the difference of."""
    return paired_json(each) | {"accuracy": vars(fitted.accuracy), "first_accuracy": vars(first.accuracy)}


def _with_minds(measured: Measured) -> Iterator[tuple[PairedGroup, Figures, Figures]]:
    fitted, first = (mind.groups for mind in measured.minds)
    return zip(measured.pairs[0].groups, fitted, first, strict=True)


def as_lines(run: FitRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield from all_titled(_tables(run))
    for each in run.fitted.curves:
        yield ""
        yield from _curve_lines(each, run.fitted)


def _tables(run: FitRun) -> Iterator[Table]:
    yield "by group", _group_rows(run.fitted)
    for name, other in run.others.items():
        yield f"{name} mean", _group_rows(other)
    yield from held_out_tables("with the curve minus the first mind", run.held_out)
    for mean, own in run.own.items():
        told = "each group by its own best value" + (f" ({mean} mean)" if mean else "")
        yield from held_out_tables(f"{told} minus the first mind", own)
    if run.aimed:
        yield "m whose mean distance to the last move is nearest to people's", _aimed_rows(run.aimed)
    if run.distances:
        yield "distance to the last move, by the curve", _distance_rows(run.distances)
    if run.tails:
        yield "share of moves below a probability: played by people, expected by the mind", _tail_rows(run.tails)


def lead_of(run: FitRun) -> str:
    """What was fitted on what, in one line."""
    plan, every = run.drawn.plan, run.fitted.groups[-1]
    return f"{plan.game}: {run.title}; {every.n:,} decisions of {every.games:,} games ({plan.told})"


def _group_rows(fitted: Fitted) -> list[list[str]]:
    around = f"cost ∓{fitted.knob.around:g}"
    head = ["group", "n", "games", "by likelihood", "by accuracy", "first mind", "gain, points", "gain, nats", around]
    return [head, *(_group_row(each) for each in fitted.groups)]


def _group_row(each: GroupFit) -> list[str]:
    costs = "  ".join(f"{cost.value:.3g}: {100 * cost.accuracy:.1f} pt {cost.nats:.4f}" for cost in each.costs)
    values = spanned(each.by_likelihood, ".3g"), spanned(each.by_accuracy, ".3g")
    plain = f"{100 * each.plain_accuracy:.1f}% {each.plain_cross_entropy:.3f}"
    gains = points_text(each.gain[0]), signed(each.gain[1])
    return [each.group, f"{each.n:,}", f"{each.games:,}", *values, plain, *gains, costs]


def _curve_lines(each: CurveFit, fitted: Fitted) -> Iterator[str]:
    yield f"curve, pool {each.pool or 'unknown'}, {each.n:,} rated decisions, by {fitted.aim}"
    yield "  " + "  ".join(f"{rating:g}: {value:.3f}" for rating, value in each.curve.points)
    yield f"  worth {each.reached - each.constant:+.5f} a move over {each.best_constant:g} for all"


def held_out_tables(what: str, measured: Measured | None) -> Iterator[Table]:
    """One where something was held out; `what` was compared."""
    if measured is not None:
        yield f"held out: {what} (accuracy in points, cross-entropy in nats)", held_out_rows(measured)


def held_out_json(measured: Measured | None) -> list[dict[str, Any]]:
    return [] if measured is None else [paired_json(each) for each in measured.pairs[0].groups]


def held_out_rows(measured: Measured) -> list[list[str]]:
    """The first of two minds against the second, with a head."""
    told = zip(measured.pairs[0].groups, measured.minds[1].groups, strict=True)
    rows = [[each.group, *paired_row(each, plain)] for each, plain in told]
    return [["group", "n", "first mind", "cross-entropy", "accuracy", "cross-entropy"], *rows]


def paired_row(each: PairedGroup, beside: Figures) -> list[str]:
    """How many, what one of the two minds reaches, and the difference."""
    own = percent_text(beside.accuracy), nats_text(beside.cross_entropy)
    return [f"{each.n:,}", *own, points_text(each.accuracy.interval), signed(each.cross_entropy.interval)]


def _aimed_rows(found: Sequence[Aimed]) -> list[list[str]]:
    return [["group", "n", "m"], *([each.group, f"{each.n:,}", spanned(each.m, ".3g")] for each in found)]


def _distance_rows(found: Sequence[Distances]) -> list[list[str]]:
    rows = [
        [each.group, f"{each.n:,}", *(spanned(x, ".2f") for x in (each.human, each.plain, each.corrected))]
        for each in found
    ]
    return [["group", "n", "people", "first mind", "corrected"], *rows]


def _tail_rows(found: Sequence[Tail]) -> list[list[str]]:
    rows = [
        [each.group, f"{each.n:,}", f"{each.below:.1%}", percent_text(each.people), percent_text(each.mind)]
        for each in found
    ]
    return [["group", "n", "below", "people", "mind"], *rows]


def as_page(run: FitRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    fitted, minds = run.fitted, short_names(list(run.minds))
    sections = [
        *all_sections(_tables(run)),
        section("Accuracy against the knob", plots([accuracy_over_knob(fitted, each) for each in fitted.groups])),
        section("Over rating", plots([knob_over_rating(fitted, each) for each in fitted.curves]))
        if fitted.curves
        else "",
        section("Minds", table(["name", "what it is"], [[minds[name], what] for name, what in run.minds.items()])),
        section("How it was fitted", paragraph(_METHOD)),
    ]
    return page(f"Fit: {run.drawn.plan.game} {fitted.knob.method}", lead_of(run), *sections, footer=made_by(command))
