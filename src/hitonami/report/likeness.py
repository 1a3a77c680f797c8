"""Likeness as tables for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from hitonami.evaluate.likeness import Coherence, DistanceOf
from hitonami.evaluate.population import PopulationMatch
from hitonami.judging.blunders import BAD, Blunders
from hitonami.judging.likeness import JudgedLikeness, LikenessRun
from hitonami.report import losses
from hitonami.report.evaluation import matrix_json, matrix_lines
from hitonami.report.text import aligned, nats_text, percent_text, points_text, spanned, titled


def as_json(report: LikenessRun) -> dict[str, Any]:
    """The documented JSON (docs/likeness.md)."""
    plan = report.drawn.plan
    return {
        **plan.asked,
        "decisions": report.drawn.positions,
        "minds": [
            {
                "mind": each.mind,
                "move_bins": [vars(held) for held in each.bins],
                "move_calibration_error": each.calibration_error,
                "distances": [asdict(held) for held in each.distances],
                "coherence": None if each.coherence is None else asdict(each.coherence),
            }
            for each in report.minds
        ],
        "population": [vars(each) for each in report.population],
        "level_matrices": [matrix_json(each) for each in report.matrices],
        "judged": None if report.judged is None else _judged_json(report.judged),
    }


def _judged_json(found: JudgedLikeness) -> dict[str, Any]:
    blunders = found.blunders
    return {
        "losses": losses.as_json(found.losses),
        "points": {name: [[round(x, 4), round(y, 4)] for x, y in held] for name, held in found.points.items()},
        "blunders": {"bad": BAD} | blunders_json(blunders),
    }


def blunders_json(blunders: Blunders) -> dict[str, Any]:
    """Who finds the person's move, and the regions of the Venn diagram."""
    return {
        "n": blunders.n,
        "n_bad": blunders.n_bad,
        "minds": [asdict(each) for each in blunders.finders],
        "regions": [vars(each) | {"minds": list(each.minds)} for each in blunders.regions],
    }


def as_lines(report: LikenessRun) -> Iterator[str]:
    """Tables for a terminal."""
    plan = report.drawn.plan
    yield f"{plan.game}: {report.drawn.positions:,} decisions (filter {plan.filter_text or 'none'}, seed {plan.seed})"
    for each in report.minds:
        error = f"off by {each.calibration_error:.4f} a decision"
        bins = [["given", "moves", "mean given", "played"], *map(_bin_row, each.bins)]
        yield from titled(f"{each.mind}: probabilities of moves, {error}", bins)
        if each.distances:
            yield from titled(f"{each.mind}: distance to the last move", distance_rows(each.distances))
        if each.coherence is not None:
            yield ""
            yield from _coherence_lines(each.mind, each.coherence)
    if report.population:
        told = "population match: the share of people who chose the mind's move, where many met the same position"
        yield from titled(told, population_rows(report.population))
    for matrix in report.matrices:
        yield ""
        yield from matrix_lines(matrix)
    if report.judged is not None:
        yield ""
        yield from losses.as_lines(report.judged.losses)
        told = f"whose likeliest move is the person's, and who loses {BAD:g} or more against the best of them"
        yield from titled(told, finder_rows(report.judged.blunders))
        yield ""
        yield from aligned(region_rows(report.judged.blunders))


def finder_rows(found: Blunders) -> list[list[str]]:
    """A head, then a row for each mind."""
    first = found.finders[0].mind
    rows = [["mind", "matches", "bad", f"points over {first}", f"of them where {first} is bad"]]
    for each in found.finders:
        gains = "", ""
        if each.mind != first:
            gains = points_text(each.gain), points_text(each.gain_where_bad)
        rows.append([each.mind, percent_text(each.matched), percent_text(each.bad), *gains])
    return rows


def region_rows(found: Blunders) -> list[list[str]]:
    """A head, then a row for each set of minds that match the person, and nobody else does."""
    rows = [["who matches", "positions", f"where {found.finders[0].mind} is bad"]]
    rows += [[" + ".join(each.minds) or "nobody", f"{each.n:,}", f"{each.n_bad:,}"] for each in found.regions]
    return [*rows, ["all", f"{found.n:,}", f"{found.n_bad:,}"]]


def _bin_row(each: Any) -> list[str]:
    return [f"{each.low:g}–{each.high:g}", f"{each.n:,}", f"{each.probability:.4f}", f"{each.played:.4f}"]


def distance_rows(found: Sequence[DistanceOf]) -> list[list[str]]:
    """A head, then a row for each group."""
    rows = [["group", "n", "people", "mind"]]
    for each in found:
        rows.append([each.group, f"{each.n:,}", spanned(each.people, ".2f"), spanned(each.mind, ".2f")])
    return rows


def coherence_words(found: Coherence) -> list[tuple[str, str]]:
    """What each figure says, and the figure."""
    return [
        ("the same favourite at all levels", percent_text(found.same)),
        ("no favourite comes back", percent_text(found.no_return)),
        ("the top level's favourite never falls", percent_text(found.rising)),
        ("change from level to level", f"{nats_text(found.step)} of the mass"),
    ]


def levels_text(found: Coherence) -> str:
    told = ", ".join(f"{level:g}" for level in found.levels)
    return f"over the levels {told}, {found.n:,} positions"


def _coherence_lines(mind: str, found: Coherence) -> Iterator[str]:
    yield f"{mind}: {levels_text(found)}"
    for words, value in coherence_words(found):
        yield f"  {words:<39}  {value}"


def population_rows(found: Sequence[PopulationMatch]) -> list[list[str]]:
    """A head, then a row for each mind and group."""
    rows = [["mind", "people", "group", "positions", "favourite", "drawn", "another person", "most popular"]]
    for each in found:
        shares = each.favourite, each.drawn, each.another_person, each.most_popular
        counts = [f"{each.people:,}", each.group, f"{each.positions:,}"]
        rows.append([each.mind, *counts, *(f"{100 * share:.1f}%" for share in shares)])
    return rows
