"""The two clocks of a game: what each side has left, and when a flag has fallen.

Times are kept as what was left to the mover after each move, as records keep them, so that taking back gives the time
back too. Each side's first move is free, and a clock stands while the server is down: nobody loses to a restart. A turn
begins when the number of moves changes, and by nothing else.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic

from hitonami.core import Clock
from hitonami.errors import BadInput, quote
from hitonami.manners.pace import usual_of

_TEXT = re.compile(r"([0-9]{1,6})\+([0-9]{1,4})(/1)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Main time, and what comes on top: an increment after each move, or byoyomi that each move renews."""

    main_seconds: int
    increment_seconds: int = 0
    byoyomi_seconds: int = 0

    def __str__(self) -> str:
        """As records write it: 300+3, or 600+30/1 with byoyomi."""
        renewed = f"{self.byoyomi_seconds}/1" if self.byoyomi_seconds else str(self.increment_seconds)
        return f"{self.main_seconds}+{renewed}"


def read_control(text: str) -> TimeControl | None:
    """The inverse of `str`; None for "". Raises BadInput."""
    if not text:
        return None
    found = _TEXT.fullmatch(text)
    if found is None:
        raise BadInput(f"no time control: {quote(text)}; seconds as in 300+3, or 600+30/1 with byoyomi")
    main, more = int(found[1]), int(found[2])
    if main + more == 0:
        raise BadInput("a clock needs some time")
    return TimeControl(main, 0, more) if found[3] else TimeControl(main, more)


class Watch:
    """Both clocks through one turn, which begins now where no other moment is given."""

    def __init__(
        self,
        control: TimeControl,
        turns: tuple[int, ...],
        left: tuple[float, ...] = (),
        now: Callable[[], float] = monotonic,
        began: float | None = None,
    ) -> None:
        self.control = control
        self.left = left
        """Seconds left to the mover after each move."""
        self._turns = turns
        """As `turns_of` tells them: one more than there are moves."""
        self._now = now
        self._began = now() if began is None else began

    @property
    def running(self) -> bool:
        """Whether the turn is timed: the first move of each side is free."""
        return self._turns[-1] in self._turns[:-1]

    def remaining(self, side: int) -> float:
        """What the side had at the end of its latest move."""
        own = [left for mover, left in zip(self._turns, self.left, strict=False) if mover == side]
        return own[-1] if own else float(self.control.main_seconds)

    def spent(self, moment: float | None = None) -> float:
        """Seconds of the present turn, up to now or a moment; none where it is free."""
        if not self.running:
            return 0.0
        return (self._now() if moment is None else moment) - self._began

    def fallen(self, moment: float | None = None) -> bool:
        """Whether the side to move has used all that it had, by now or a moment."""
        mover = self._turns[-1]
        return self.spent(moment) > self.remaining(mover) + self.control.byoyomi_seconds

    def shown(self) -> tuple[float, float]:
        """What a display shows now. In byoyomi that is what is left of the period."""
        mover = self._turns[-1]
        times = [self.remaining(0), self.remaining(1)]
        after = times[mover] - self.spent()
        times[mover] = max(0.0, after if after >= 0 else after + self.control.byoyomi_seconds)
        return times[0], times[1]

    def clock(self) -> Clock:
        """As the side to move sees it."""
        mover = self._turns[-1]
        control = self.control
        own, other = self._spent(mover), self._spent(1 - mover)
        return Clock(
            self.remaining(mover),
            self.remaining(1 - mover),
            control.increment_seconds,
            control.increment_seconds,
            control.byoyomi_seconds,
            spent_seconds=own[-1] if own else None,
            opponent_spent_seconds=other[-1] if other else None,
            usual_seconds=usual_of(own),
        )

    def _spent(self, side: int) -> list[float]:
        """What the side's moves took, without its first, which is free, and those in byoyomi, which are not kept."""
        own = [left for mover, left in zip(self._turns, self.left, strict=False) if mover == side]
        gone = self.control.byoyomi_seconds > 0
        timed = [(before, after) for before, after in pairwise(own) if after or not gone]
        return [max(before + self.control.increment_seconds - after, 0.0) for before, after in timed]

    def noted(self, turns: tuple[int, ...], moment: float) -> "Watch":
        """The clocks once the turns are these: one move stamped at that moment, or back to where they were then."""
        ply = len(turns) - 1
        if ply == len(self.left):
            return self
        left = self.left
        if ply > len(left):
            after = max(0.0, self.remaining(self._turns[-1]) - self.spent(moment))
            left = (*left, round(after + self.control.increment_seconds, 1))
        return Watch(self.control, turns, left[:ply], self._now, moment)
