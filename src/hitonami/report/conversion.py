"""What became of won positions, people's games beside minds', as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from hitonami.judging.run import Endings
from hitonami.report.text import signed


def as_lines(found: Endings) -> Iterator[str]:
    """A row for each group and each of those who went on."""
    pools = len({group.pool for group in found.groups})
    yield f"{found.game}, positions that the judge ({found.judge}) gives at least {found.won:.1%}"
    yield (
        f"{'group':>16} {'who':<24} {'n':>4} {'score':>22} {'plies':>6} {'mate':>6} {'given up':>8} {'drawn':>6}"
        f" {'moves taken back':>22}"
    )
    for group, parts in found.groups.items():
        for who, each in parts.items():
            known = [f"{each.endings[kind]:{width}.0%}" for kind, width in (("mate", 6), ("given up", 8), ("drawn", 6))]
            yield (
                f"{group.label(pools):>16} {who:<24} {each.n:>4} {signed(each.score, '.1%'):>22} {each.plies:>6.0f}"
                f" {' '.join(known)} {signed(each.undone, '.1%'):>22}"
            )
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
