"""Wins at once as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.judging.mates import MateRun


def as_lines(run: MateRun) -> Iterator[str]:
    """One line for each pool and band of ratings."""
    names = list(run.groups[0].found)
    yield f"{'pool':>12}  {'rating':>9}  {'n':>6}  {'games':>6}  " + "  ".join(f"{name:>22}" for name in names)
    for group in run.groups:
        shares = "  ".join(f"{_share(group.found[name]):>22}" for name in names)
        band = f"{group.low}–{group.low + run.wish.band - 1}"
        yield f"{group.pool or '–':>12}  {band:>9}  {group.n:>6,}  {group.games:>6,}  {shares}"


def _share(found: Interval) -> str:
    return f"{100 * found.value:.1f}% ({100 * found.low:.1f}–{100 * found.high:.1f})"


def as_json(run: MateRun) -> dict[str, Any]:
    """The documented JSON (docs/foresight.md)."""
    return {
        "game": run.wish.game,
        "filter": run.wish.filter_text,
        "split": run.wish.split,
        "groups": [
            {
                "pool": group.pool,
                "rating": [group.low, group.low + run.wish.band],
                "n": group.n,
                "games": group.games,
                "found": {
                    name: {"value": share.value, "low": share.low, "high": share.high}
                    for name, share in group.found.items()
                },
            }
            for group in run.groups
        ],
    }
