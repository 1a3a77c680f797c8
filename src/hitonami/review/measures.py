"""Small measures of moves: where on the ladder one is the main choice, whom chances lean to. Pure functions."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from hitonami.core import Diagram, LogProbs

Squares = tuple[tuple[int, int], ...]


def margin_of(log_probs: LogProbs, place: int) -> float:
    """How much likelier the move is than the likeliest other one, in nats."""
    others = np.delete(log_probs, place)
    return float(log_probs[place] - others.max()) if len(others) else 1.0


def main_span(ratings: Sequence[float], margins: Sequence[float]) -> tuple[float | None, float | None]:
    """(lowest, highest) rating at which a move is the likeliest, straight between the ratings asked at."""
    held = [at for at, margin in enumerate(margins) if margin >= 0]
    if not held:
        return None, None
    return _crossing(ratings, margins, held[0], -1), _crossing(ratings, margins, held[-1], 1)


def _crossing(ratings: Sequence[float], margins: Sequence[float], inside: int, step: int) -> float:
    outside = inside + step
    if not 0 <= outside < len(ratings):
        return float(ratings[inside])
    share = margins[inside] / (margins[inside] - margins[outside])
    return float(ratings[inside] + share * (ratings[outside] - ratings[inside]))


def squares_of_last(diagram: Diagram) -> Squares:
    """The squares of the last move, the one it left first."""
    return tuple(sorted(diagram.marked, key=lambda at: diagram.rows[at[0]][at[1]].side is not None))


def result_text(score: float | None, termination: str) -> str:
    points = {None: "", 1.0: "1–0", 0.0: "0–1", 0.5: "½–½"}.get(score, f"{score}")
    return f"{points} {termination}".strip()


def lean_of(chances: Sequence[float | None]) -> float:
    """How far chances lean away from whoever they are told for, in log-odds.

    `chances` are those of one player and then of the other, in turn. Were they fair, two neighbours would be p and
    1 − p but for the odd bad move; the median does not hear of those. A network that learned from games that one side
    usually won (Go's, from people against programs) leans by more than a move is worth.
    """
    odds = [None if chance is None else _log_odds(chance) for chance in chances]
    sums = [-(one + other) / 2 for one, other in pairwise(odds) if one is not None and other is not None]
    return float(np.median(sums)) if sums else 0.0


def straighten(chance: float | None, lean: float) -> float | None:
    """The chance without the lean; certain ones stay certain."""
    if chance is None or not 0.0 < chance < 1.0:
        return chance
    return 1.0 / (1.0 + math.exp(-_log_odds(chance) - lean))


def _log_odds(chance: float) -> float:
    held = min(max(chance, 1e-4), 1.0 - 1e-4)
    return math.log(held / (1.0 - held))
