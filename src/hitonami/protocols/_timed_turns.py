"""What a side's last moves took, from the clocks that it was asked with: how long people think depends on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hitonami.core import Clock, Position


class TimedTurns:
    """The turns that were asked about last."""

    def __init__(self) -> None:
        self._turns: list[tuple[Position, Clock, tuple[float, ...]]] = []

    def remember(self, position: Position, clock: Clock | None) -> Clock | None:
        """The clock with what the last moves took, where the side's turn before this one was asked about too."""
        from dataclasses import replace
        from itertools import islice

        from hitonami.core import walk_back
        from hitonami.manners.pace import usual_of

        if clock is None:
            return None
        own = (here for here in walk_back(position) if here.to_move == position.to_move)
        before = next(islice(own, 1, None), None)
        seen = [turn for turn in self._turns if turn[0].ply < position.ply]
        spent: tuple[float, ...] = ()
        for turn, held, earlier in seen:
            if before is not None and turn.key == before.key:
                clock = clock.since(held)
                spent = earlier if clock.spent_seconds is None else (*earlier, clock.spent_seconds)
                clock = replace(clock, usual_seconds=usual_of(spent))
        self._turns = [*seen[-1:], (position, clock, spent)]
        return clock
