"""An agent's sense of time: people's own where that was fitted for the game, else a share of the clock."""

from dataclasses import dataclass

import numpy as np

from hitonami import dist
from hitonami.core import Clock, Opinion, Query
from hitonami.manners import Manners, manners_of
from hitonami.manners.pace import think_seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a person would think: as people of the level do where that was fitted for the game.

    Elsewhere a share of the clock, more where the choice is hard, with human spread: never more than a fifth of what is
    left, and an only move is answered at once.
    """

    untimed_seconds: float = 4.0
    expected_moves: int = 40
    forced_seconds: float = 0.8
    manners: Manners | None = None
    """None for what comes with the package."""

    def think_seconds(self, query: Query, opinion: Opinion, move: int, mood: float) -> float:
        """Seconds for this move. More than what is left on the clock where people's flags fall, and only there.

        `mood` is drawn from the standard normal distribution: how slow a person is this time.
        """
        manners = manners_of(query.position.game.name) if self.manners is None else self.manners
        if manners.think_time is not None:
            return think_seconds(manners.think_time, query, opinion, move, mood)
        noise = float(np.exp(0.5 * mood))
        allowance, limit = self._allowance(query.clock)
        if len(opinion.log_probs) == 1:
            return min(self.forced_seconds * noise, limit)
        doubt = dist.entropy(opinion.log_probs) / np.log(4)  # 1 where four moves are equally likely
        if opinion.effort is not None:  # a mind that knows how hard it had to think
            doubt = 1.5 * opinion.effort
        return min(allowance * (0.25 + 0.75 * doubt) * noise, limit)

    def _allowance(self, clock: Clock | None) -> tuple[float, float]:
        """Seconds for an average move, and the most that may be spent."""
        if clock is None:
            return self.untimed_seconds, 10 * self.untimed_seconds
        moves = min(clock.moves_to_go or self.expected_moves, self.expected_moves)
        renewed = clock.increment_seconds + clock.byoyomi_seconds
        left = max(clock.remaining_seconds, 0.0)
        return left / max(moves, 1) + 0.8 * renewed, left / 5 + 0.8 * clock.byoyomi_seconds
