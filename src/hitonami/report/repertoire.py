"""Openings of people and of minds side by side, as text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from hitonami.core import open_game
from hitonami.evaluate.repertoire import Compared, Depth, Line, Repertoires
from hitonami.report.text import aligned

_HEAD = ["plies", "divergence", "people", "entropy", "lines", "unseen"]


def as_lines(found: Repertoires) -> Iterator[str]:
    """For each mind and group a row a depth, then the commonest lines."""
    for mind, groups in found.minds.items():
        pools = len({each.repertoire.group.pool for each in groups})
        for each in groups:
            about = each.repertoire
            rating = "" if about.player.rating is None else f", played at {about.player.rating:g}"
            yield f"{mind}, {about.group.label(pools)}: {len(about.lines):,} games of people{rating}"
            yield from aligned([_HEAD, *map(_row, each.depths)])
            yield from (f"  {people:6.1%} {own:6.1%}  {line}" for line, people, own in _spelled(each))
    yield "divergence in bits: of the mind from half of the people's games, and of two such halves (95% of them below);"
    yield "entropy in bits, different lines, and games with a line that the other half lacks: the mind's / people's"


def _row(depth: Depth) -> list[str]:
    return [
        f"{depth.plies}",
        f"{depth.divergence:.3f}",
        f"{depth.among_people:.3f} ≤ {depth.among_people_high:.3f}",
        f"{depth.entropy:.2f} / {depth.entropy_people:.2f}",
        f"{depth.distinct:.0f} / {depth.distinct_people:.0f}",
        f"{depth.unseen:.1%} / {depth.unseen_people:.1%}",
    ]


def _spelled(compared: Compared) -> Iterator[tuple[str, float, float]]:
    for line, people, own in compared.commonest:
        yield " ".join(describe_line(compared, line)), people, own


def describe_line(compared: Compared, line: Sequence[int] | Line) -> list[str]:
    """The moves as people write them."""
    game = open_game(compared.repertoire.game)
    position = game.start(compared.repertoire.setup)
    words = []
    for move in line:
        words.append(game.describe(position, move))
        position = position.play(move)
    return words


def as_json(found: Repertoires) -> dict[str, Any]:
    """The documented JSON (docs/openings.md)."""
    return {
        "game": found.game,
        "split": found.split,
        "minds": [
            {"mind": mind, "groups": [_group_json(each) for each in groups]} for mind, groups in found.minds.items()
        ],
    }


def _group_json(each: Compared) -> dict[str, Any]:
    about = each.repertoire
    return {
        "pool": about.group.pool,
        "group": about.group.name,
        "games": len(about.lines),
        "rating": about.player.rating,
        "depths": [asdict(depth) for depth in each.depths],
        "commonest": [{"line": line, "people": people, "mind": own} for line, people, own in _spelled(each)],
    }
