"""Likeness as tables for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hitonami.evaluate.drawing import Drawn
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.likeness import Coherence, DistanceOf, Likeness
from hitonami.evaluate.population import PopulationMatch
from hitonami.report.evaluation import percent_text
from hitonami.report.fits import aligned


@dataclass(frozen=True)
class LikenessReport:
    """Everything that one run found."""

    drawn: Drawn
    minds: Sequence[Likeness]
    population: Sequence[PopulationMatch]
    """Empty where no position was met by enough people."""


def as_json(report: LikenessReport) -> dict[str, Any]:
    """The documented JSON (docs/winrate.md)."""
    plan = report.drawn.plan
    return {
        "game": plan.game,
        "filter_rules": plan.rules.text,
        "split": plan.split,
        "seed": plan.seed,
        "decisions": report.drawn.positions,
        "minds": [
            {
                "mind": each.mind,
                "move_bins": [vars(held) for held in each.bins],
                "move_calibration_error": each.calibration_error,
                "distances": [
                    {"group": held.group, "n": held.n, "people": vars(held.people), "mind": vars(held.mind)}
                    for held in each.distances
                ],
                "coherence": None if each.coherence is None else _coherence_json(each.coherence),
            }
            for each in report.minds
        ],
        "population": [vars(each) for each in report.population],
    }


def _coherence_json(found: Coherence) -> dict[str, Any]:
    return {name: vars(value) if isinstance(value, Interval) else value for name, value in vars(found).items()}


def as_lines(report: LikenessReport) -> Iterator[str]:
    """Tables for a terminal."""
    plan = report.drawn.plan
    yield f"{plan.game}: {report.drawn.positions:,} decisions (filter {plan.filter_text or 'none'}, seed {plan.seed})"
    for each in report.minds:
        yield ""
        yield f"{each.mind}: probabilities of moves, off by {each.calibration_error:.4f} a decision"
        yield from aligned([["given", "moves", "mean given", "played"], *map(_bin_row, each.bins)])
        if each.distances:
            yield ""
            yield f"{each.mind}: distance to the last move"
            yield from aligned([["group", "n", "people", "mind"], *map(_distance_row, each.distances)])
        if each.coherence is not None:
            yield ""
            yield from _coherence_lines(each.mind, each.coherence)
    if report.population:
        yield ""
        yield "population match: the share of people who chose the mind's move, where many met the same position"
        yield from aligned([_POPULATION_HEAD, *map(_population_row, report.population)])


_POPULATION_HEAD = ["mind", "people", "group", "positions", "favourite", "drawn", "another person", "most popular"]


def _bin_row(each: Any) -> list[str]:
    return [f"{each.low:g}–{each.high:g}", f"{each.n:,}", f"{each.probability:.4f}", f"{each.played:.4f}"]


def _distance_row(each: DistanceOf) -> list[str]:
    return [each.group, f"{each.n:,}", *(f"{x.value:.2f} ({x.low:.2f}–{x.high:.2f})" for x in (each.people, each.mind))]


def _coherence_lines(mind: str, found: Coherence) -> Iterator[str]:
    told = ", ".join(f"{level:g}" for level in found.levels)
    yield f"{mind}: over the levels {told}, {found.n:,} positions"
    yield f"  the same favourite at all levels         {percent_text(found.same)}"
    yield f"  no favourite comes back                  {percent_text(found.no_return)}"
    yield f"  the top level's favourite never falls    {percent_text(found.rising)}"
    step = found.step
    yield f"  change from level to level               {step.value:.3f} ({step.low:.3f}–{step.high:.3f}) of the mass"


def _population_row(each: PopulationMatch) -> list[str]:
    shares = each.favourite, each.drawn, each.another_person, each.most_popular
    counts = [f"{each.people:,}", each.group, f"{each.positions:,}"]
    return [each.mind, *counts, *(f"{100 * share:.1f}%" for share in shares)]
