"""Passes at the end of games as lines for the terminal and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.fits.passes import LOOKED_BACK, PassFigures
from hitonami.report.text import aligned

_HEAD = ["level", "games", "before people pass", "at the first pass", "at its answer", "plies later than people"]


def passes_lines(game: str, found: Sequence[PassFigures]) -> Iterator[str]:
    """A row a level: the agent's chance of a pass where people played on, passed, and passed in answer."""
    yield f"{game}: an agent's chance of a pass in the last {LOOKED_BACK} turns of games that two passes ended"
    rows = [[each.group, f"{each.games}", *map(_share, (each.before, each.first, each.answer)), _plies(each.later)]
            for each in found]  # fmt: skip
    yield from aligned([_HEAD, *rows])


def _share(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%}–{found.high:.1%})"


def _plies(found: Interval) -> str:
    return f"{found.value:+.1f} ({found.low:+.1f} … {found.high:+.1f})"


def passes_json(game: str, found: Sequence[PassFigures]) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    return {"game": game, "groups": [asdict(each) for each in found]}
