"""What was learned of a game, as lines and as JSON. Computes nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hitonami.intuition.knowledge import Knowledge
from hitonami.intuition.patterns import write_pattern

_SHOWN = 8


def as_lines(knowledge: Knowledge, out: Path) -> Iterator[str]:
    """How much was played, and the patterns that weigh most."""
    known, patterns = knowledge.experience, knowledge.moves.known.patterns
    yield (
        f"{knowledge.game}: {known.games:,} games, {known.positions:,} moves, {known.seconds:,.0f} s; "
        f"{len(patterns)} patterns of moves, {len(knowledge.board.known.patterns)} of the board"
    )
    if len(knowledge.frame.turns) > 1:
        yield f"turns that the game does not tell apart: {', '.join(knowledge.frame.turns)}"
    weights = knowledge.moves.weights[:, 0]
    for at in np.argsort(-np.abs(weights), kind="stable")[:_SHOWN].tolist():
        if weights[at]:
            yield f"  {weights[at]:+6.2f}  {write_pattern(patterns[at])}"
    yield f"wrote {out}: --mind intuition:{out} and --mind dual:{out}"


def as_json(knowledge: Knowledge, out: Path) -> dict[str, Any]:
    return {
        "game": knowledge.game,
        "file": str(out),
        **vars(knowledge.experience),
        "turns": list(knowledge.frame.turns),
        "patterns": len(knowledge.moves.known.patterns),
        "board_patterns": len(knowledge.board.known.patterns),
    }
