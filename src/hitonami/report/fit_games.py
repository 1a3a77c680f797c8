"""A dial set by games as tables for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.fits.games_run import GamesRun, plain_interval, plain_spacing
from hitonami.fits.response import Solved
from hitonami.fits.spacing import Spacing
from hitonami.report.text import aligned, spanned


def as_json(run: GamesRun) -> dict[str, Any]:
    """The documented JSON of a fit (docs/fitting.md)."""
    return {
        "game": run.wish.game,
        "method": "games",
        "mind": run.wish.mind,
        "pool": run.wish.pool,
        "anchor": run.wish.kept,
        "games": run.games,
        "seed": run.wish.seed,
        "levels": [
            {"rating": each.rating, "rho": plain_interval(each.rho, 4), "reached": each.reached}
            | {"elo_off": round(each.short, 1)}
            for each in run.solved
        ],
        "curve": [list(point) for point in run.curve.points],
        "held": list(run.held),
        "before": plain_spacing(run.before),
        "check": plain_spacing(run.check),
        "is_better": run.is_better,
    }


def as_lines(run: GamesRun) -> Iterator[str]:
    """Tables for a terminal."""
    wish = run.wish
    yield (
        f"{wish.game}: draw of {wish.mind} in the pool {wish.pool or 'unknown'} with which levels are as far apart by "
        f"games as their ratings say; fitted to {run.games:,} games, {wish.kept:g} keeps its own"
    )
    yield ""
    yield from aligned([["rating", "ρ (95%)", ""], *(_level_row(each) for each in run.solved)])
    yield from both_spacings(run.before, run.check)
    low, high = run.held
    if (low, high) != (wish.levels[0], wish.levels[-1]):
        yield ""
        yield f"the dial is held from {low:g} to {high:g}; the other levels cannot be reached by their draw alone"


def _level_row(each: Solved) -> list[str]:
    strong = "strong" if each.short > 0.0 else "weak"
    return [
        f"{each.rating:g}",
        spanned(each.rho, ".2f"),
        "" if each.reached else f"{abs(each.short):.0f} Elo too {strong}",
    ]


def both_spacings(before: Spacing, check: Spacing) -> Iterator[str]:
    """What levels were, and what they are in games that no fit saw."""
    for title, spacing in (("before", before), ("after, in games that no fit saw", check)):
        yield ""
        yield f"{title}: {told(spacing)}"
        yield from aligned(step_rows(spacing))


def told(spacing: Spacing) -> str:
    """The figures that a dial is judged by."""
    return (
        f"mean error {spacing.error:.0f} Elo (a perfect dial would show {spacing.by_chance:.0f} with as many games), "
        f"worst {spacing.worst:.0f}, slope {spanned(spacing.slope, '.2f')}, span {spanned(spacing.span, '.0f')}"
    )


def step_rows(spacing: Spacing) -> list[list[str]]:
    """One a pair of neighbours."""
    rows = [["step", "told", "by games (95%)", "games", "score", "stronger"]]
    for each in spacing.steps:
        between, elo = f"{each.low:g}–{each.high:g}", spanned(each.elo, ".0f")
        shares = [f"{100 * each.score:.0f}%", f"{100 * each.surely:.1f}%"]
        rows.append([between, f"{each.told:.0f}", elo, f"{each.games:,}", *shares])
    return rows
