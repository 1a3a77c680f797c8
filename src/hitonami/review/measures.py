"""Small measures of moves: where on the ladder one is the main choice, how a result is written. Pure functions."""

from collections.abc import Sequence

import numpy as np

from hitonami.core import LogProbs


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


def result_text(score: float | None, termination: str) -> str:
    points = {None: "", 1.0: "1–0", 0.0: "0–1", 0.5: "½–½"}.get(score, f"{score}")
    return f"{points} {termination}".strip()
