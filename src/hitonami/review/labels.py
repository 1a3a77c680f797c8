"""What a move is called, where the game turned, what phases come to: the rules of docs/review.md."""

from collections.abc import Sequence
from typing import Final

from hitonami.review.steps import Label, PhaseSummary, ReviewedMove

INACCURACY: Final = 0.05
MISTAKE: Final = 0.10
BLUNDER: Final = 0.20
"""Losses of expected score, by the judge."""
GOOD: Final = 0.02
TYPICAL: Final = 0.15
"""A mistake that at least so many of the level make is typical of it."""
RARE: Final = 0.05
HARD: Final = 0.10
USUAL: Final = 0.30
MOST_TURNS: Final = 5


def label_of(
    probability: float, loss: float | None, usual_loss: float | None = None, *, given: float | None = None
) -> Label:
    """The name of a move that people of the level play with `probability` and that costs `loss`.

    `usual_loss` is what the level's likeliest other move would have cost, `given` what the opponent's move before this
    one gave away; None where nobody judged.
    """
    if loss is None:
        return "unusual" if probability < RARE else "usual" if probability >= USUAL else ""
    if loss >= MISTAKE and given is not None and given >= MISTAKE:
        return "missed chance"
    if loss >= MISTAKE and probability >= TYPICAL:
        return "typical mistake"
    if loss >= BLUNDER:
        return "rare blunder" if probability < RARE else "blunder"
    if loss >= MISTAKE:
        return "mistake"
    if loss >= INACCURACY:
        return "inaccuracy"
    if loss <= GOOD and probability < HARD and usual_loss is not None and usual_loss >= INACCURACY:
        return "hard to find"
    return "unusual" if probability < RARE else "usual" if probability >= USUAL else ""


def cost_of(step: ReviewedMove) -> float:
    """What a move gave away: by the judge, else by how people fare before and after it."""
    if step.loss is not None:
        return step.loss
    if step.chance_before is None or step.chance_after is None:
        return 0.0
    return step.chance_before - step.chance_after


def find_turning_points(steps: Sequence[ReviewedMove]) -> tuple[int, ...]:
    """The plies of the costliest moves, at most a few, each at least a mistake."""
    costly = sorted((step for step in steps if cost_of(step) >= MISTAKE), key=lambda step: (-cost_of(step), step.ply))
    return tuple(sorted(step.ply for step in costly[:MOST_TURNS]))


def summarise(steps: Sequence[ReviewedMove], side: int) -> tuple[PhaseSummary, ...]:
    """One side by phase, and all of it."""
    own = [step for step in steps if step.side == side]
    phases = dict.fromkeys(step.phase for step in own)
    parts = [_summary(phase, [step for step in own if step.phase == phase]) for phase in phases]
    return (*parts, _summary("all", own))


def _summary(phase: str, steps: Sequence[ReviewedMove]) -> PhaseSummary:
    losses = [step.loss for step in steps if step.loss is not None]
    count = len(steps)
    return PhaseSummary(
        phase,
        count,
        sum(step.probability for step in steps) / count if count else None,
        sum(step.rank == 1 for step in steps) / count if count else None,
        sum(losses) / len(losses) if losses else None,
        sum(INACCURACY <= loss < MISTAKE for loss in losses),
        sum(MISTAKE <= loss < BLUNDER for loss in losses),
        sum(loss >= BLUNDER for loss in losses),
    )
