"""When people go back to where the game has been: the chance that a repetition goes on.

A mind that sees a position anew does not know that both sides have made these moves before. People who have begun to
repeat mostly go on. One sum of curves a game (`additive`) is added to the log-odds that the mind gives to the moves
that lead back, and the agent's chances are shared out by it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import LogProbs, Opinion, Position, walk_back
from hitonami.manners.additive import Additive, Features, Floats, log_odds, to_chance


@dataclass(frozen=True)
class WaysBack:
    """A position that has been there before, and its moves to others that have."""

    times: int
    """How often it has been there, this time included."""
    moves: NDArray[np.bool_]
    """[legal moves] those that lead back, one at least and not all."""


@dataclass(frozen=True)
class Repeats:
    """The sum of one game."""

    goes_back: Additive

    def chance(self, features: Features) -> Floats:
        """[n] that a person goes back once more."""
        return to_chance(features["mind"] + self.goes_back.score(features))

    def share_out(self, ways: WaysBack, known: LogProbs, drawn: LogProbs, hope: float) -> LogProbs:
        """The chances to draw by, with moves that lead back together as likely as people's.

        `known` are the mind's own chances, by which the sum was fitted, `drawn` what the agent would draw by.
        """
        one = {"mass": mass_back(ways, known), "hope": hope, "times": float(ways.times)}
        chance = float(self.chance(repeat_features({name: np.array([x]) for name, x in one.items()})).item())
        parts = [_only(drawn, known, ways.moves), _only(drawn, known, ~ways.moves)]
        return dist.mix(parts, [chance, 1.0 - chance], exponent=1.0)


def ways_back(position: Position) -> WaysBack | None:
    """None where the position is new, or where no move or every move leads back. One that loses by the rules (a
    perpetual check in shogi) is no way back.
    """
    keys = [here.key for here in walk_back(position)]
    times = keys.count(position.key)
    if times < 2:
        return None
    been, loss = set(keys), float(position.to_move)
    after = (position.follow(int(move)) for move in position.legal)
    moves = np.array([here.key in been and here.score != loss for here in after], dtype=np.bool_)
    return WaysBack(times, moves) if moves.any() and not moves.all() else None


def go_round(
    fitted: Repeats | None, position: Position, opinion: Opinion, draws: Callable[[], LogProbs]
) -> LogProbs | None:
    """The chances to draw by where the position was there before and people's ways are known; None elsewhere.

    `draws` says what the agent would draw by.
    """
    if fitted is None or opinion.wdl is None or (ways := ways_back(position)) is None:
        return None
    return fitted.share_out(ways, opinion.log_probs, draws(), dist.expected_score(opinion.wdl))


def mass_back(ways: WaysBack, log_probs: LogProbs) -> float:
    """What chance a mind gives to the moves that lead back."""
    return float(np.exp(log_probs[ways.moves].astype(np.float64)).sum())


def repeat_features(columns: Features) -> Features:
    """From what is known of turns to what counts: log-odds of going back by the mind and of the result, and how often
    the position has been there.
    """
    return {"mind": log_odds(columns["mass"]), "hope": log_odds(columns["hope"]), "times": columns["times"]}


def _only(drawn: LogProbs, known: LogProbs, kept: NDArray[np.bool_]) -> LogProbs:
    """As the agent would share it among these; as the mind would, or equally, where the agent thinks of none."""
    for chances in (drawn, known, np.zeros(len(kept), dtype=np.float32)):
        held = np.where(kept, chances, -np.inf)
        if not np.isneginf(held).all():
            return dist.normalise(held)
    raise AssertionError("there is a move of either kind")
