"""What became of won positions, people's games beside minds', as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hitonami.judging.run import Endings
from hitonami.report.text import aligned, signed

_ENDINGS = ("mate", "given up", "drawn")


def as_lines(found: Endings) -> Iterator[str]:
    """A row for each group and each of those who went on."""
    pools = len({group.pool for group in found.groups})
    yield f"{found.game}, positions that the judge ({found.judge}) gives at least {found.won:.1%}"
    rows = [["group", "n", "who", "score", "plies", *_ENDINGS, "moves taken back"]]
    for group, parts in found.groups.items():
        for who, each in parts.items():
            known = [f"{each.endings[kind]:.0%}" for kind in _ENDINGS]
            figures = signed(each.score, ".1%"), f"{each.plies:.0f}", *known, signed(each.undone, ".1%")
            rows.append([group.label(pools), f"{each.n:,}", who, *figures])
    yield from aligned(rows)
    yield "score of the side that was winning; median of plies to the end; 95% intervals over positions"


def as_json(found: Endings) -> dict[str, Any]:
    """The documented JSON (docs/openings.md)."""
    return {
        "game": found.game,
        "split": found.split,
        "judge": found.judge,
        "won": found.won,
        "groups": [
            {"pool": group.pool, "group": group.name, "courses": {who: asdict(each) for who, each in parts.items()}}
            for group, parts in found.groups.items()
        ],
    }
