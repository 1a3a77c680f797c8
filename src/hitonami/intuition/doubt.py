"""Doubt: which moves are worth a look, by how much the chances of moves say.

The best move is taken out again and again until the rest says nothing: until it is near uniform,
|rest| / 2^H(rest) ≤ 1 + FLATNESS / ε, or has next to no chance left. What was taken is doubtful. Where all moves are
near uniform from the start, |all| / 2^H(all) ≤ 1 + ε, all are. So a larger ε always doubts more: the first test lets
more pass when ε grows, the second one less. (With one threshold for both, as published, a larger ε would at once
search all moves sooner and take fewer out.)
"""

from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

FLATNESS: Final = 0.05
"""At ε = 0.1 a rest is flat at a ratio of 1.5, at ε = 1 at 1.05."""
NEGLECTED: Final = 0.1
"""Of ε: the chance that may be left out though the rest is not flat."""


@kernel
def take_out(ranked: Any, epsilon: float) -> int:
    """How many of the chances, the largest first, are doubtful."""
    count = len(ranked)
    mass, inner = 0.0, 0.0  # of the rest: Σ p and Σ p ln p
    for chance in ranked:
        mass += chance
        inner += chance * log(chance) if chance > 0 else 0.0
    spread = exp(log(mass) - inner / mass)
    if count / spread <= 1 + epsilon:
        return count
    for taken in range(1, count):
        chance = ranked[taken - 1]
        mass -= chance
        inner -= chance * log(chance) if chance > 0 else 0.0
        if mass <= NEGLECTED * min(epsilon, 1.0):
            return taken
        spread = exp(log(mass) - inner / mass)
        if (count - taken) / spread <= 1 + FLATNESS / epsilon:
            return taken
    return count


@kernel
def rank_doubtful(log_probs: Any, epsilon: float) -> Any:
    """[doubtful] places of the moves worth a look, the likeliest first."""
    order = np.argsort(-log_probs, kind="mergesort")
    if len(order) == 1 or epsilon <= 0:
        return order[:1]
    return order[: take_out(np.exp(log_probs[order]), epsilon)]


def doubtful(log_probs: NDArray[Any], epsilon: float) -> NDArray[np.int64]:
    """Places of the moves worth a look, the likeliest first."""
    places: NDArray[np.int64] = rank_doubtful(log_probs.astype(np.float64), epsilon)
    return places


def perplexity(log_probs: NDArray[Any]) -> float:
    """As between how many equal moves the choice is, once the chances sum to 1."""
    chances = np.exp(log_probs.astype(np.float64))
    chances /= chances.sum()
    kept = chances[chances > 0]
    return float(np.exp(-(kept * np.log(kept)).sum()))
