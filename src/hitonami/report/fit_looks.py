"""How far levels look ahead as tables for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.fits.games_run import plain_interval, plain_spacing
from hitonami.fits.looks_run import LooksRun
from hitonami.report.fit_games import both_spacings
from hitonami.report.text import aligned, spanned


def as_json(run: LooksRun) -> dict[str, Any]:
    """The documented JSON of a fit (docs/fitting.md)."""
    return {
        "game": run.wish.game,
        "method": "looks",
        "mind": run.wish.mind,
        "pool": run.wish.pool,
        "games": run.games,
        "seed": run.wish.seed,
        "tried": list(run.tried),
        "levels": [
            {"rating": each.rating, "looks": plain_interval(each.looks), "reached": each.reached} for each in run.found
        ],
        "curve": [list(point) for point in run.curve.points],
        "held": list(run.held),
        "before": plain_spacing(run.before),
        "check": plain_spacing(run.check),
        "is_better": run.is_better,
    }


def as_lines(run: LooksRun) -> Iterator[str]:
    """Tables for a terminal."""
    wish = run.wish
    yield (
        f"{wish.game}: positions that levels of {wish.mind} in the pool {wish.pool or 'unknown'} look at before a "
        f"move, so that they are as far apart by games as their ratings say; fitted to {run.games:,} games"
    )
    yield ""
    rows = [
        [f"{each.rating:g}", spanned(each.looks, ".0f"), "" if each.reached else "not reached"] for each in run.found
    ]
    yield from aligned([["rating", "looks (95%)", ""], *rows])
    yield from both_spacings(run.before, run.check)
    low, high = run.held
    if high != wish.levels[-1]:
        yield ""
        yield f"the dial is held from {low:g} to {high:g}"
