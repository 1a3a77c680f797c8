"""Repetition as lines for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.fits.repetition import RepeatsRun
from hitonami.report.text import aligned

_HEAD = ["turns of people who stand", "turns", "games", "people go back", "by the mind", "fitted"]


def repeats_lines(run: RepeatsRun) -> Iterator[str]:
    """A row a group of turns."""
    first = run.figures[0]
    yield (
        f"{run.wish.game}: {first.games:,} of {run.games:,} games come back to a position; {first.turns:,} turns "
        "there, each quarter of the games by curves of the rest"
    )
    rows = [[each.group, f"{each.turns:,}", f"{each.games:,}", *map(_share, (each.people, each.mind, each.fitted))]
            for each in run.figures]  # fmt: skip
    yield from aligned([_HEAD, *rows])
    yield f"nats a turn better than the mind's own: {run.gain.value:+.3f} ({run.gain.low:+.3f} … {run.gain.high:+.3f})"


def _share(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%}–{found.high:.1%})"


def repeats_json(run: RepeatsRun) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    return {
        "game": run.wish.game,
        "games": run.games,
        "groups": [asdict(each) for each in run.figures],
        "gain": asdict(run.gain),
        "model": run.model.goes_back.as_data(),
    }
