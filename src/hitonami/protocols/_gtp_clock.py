"""Time as GTP tells it: one time control for both sides, and what is left of it.

Canadian overtime is so many seconds for so many stones; Japanese byoyomi (KGS's extension) renews with
each move. Before the first `time_left` of a side its main time is taken to be untouched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hitonami.protocols._gtp_words import Refused, read_number, read_side
from hitonami.protocols._thinking import share_of_clock

if TYPE_CHECKING:
    from hitonami.core import Clock

Left = tuple[float, int]
"""Seconds left, and the stones that they are for: 0 for all the game's."""


@dataclass(frozen=True)
class GtpClock:
    """Both sides' time. Without limits until the controller sets some."""

    limited: bool = False
    main_seconds: float = 0.0
    overtime_seconds: float = 0.0
    overtime_stones: int = 0
    """Stones of one overtime; 0 for byoyomi that each move renews."""
    left: tuple[Left | None, Left | None] = (None, None)

    def view(self, side: int) -> Clock | None:
        """Both clocks as this side sees them, None without limits."""
        from hitonami.core import Clock

        if not self.limited:
            return None
        seconds, stones = self._left(side)
        renews = self.overtime_seconds if self.overtime_stones == 0 else 0.0
        return Clock(seconds, self._left(1 - side)[0], byoyomi_seconds=renews, moves_to_go=stones or None)

    def budget_seconds(self, side: int) -> float | None:
        """How long a searching mind may take for one move; None leaves it to the mind."""
        clock = self.view(side)
        return None if clock is None else share_of_clock(clock)

    def told(self, words: Sequence[str]) -> GtpClock:
        """The clock after `time_left`."""
        side = read_side(words)
        said = (float(read_number(words, 1)), read_number(words, 2))
        return replace(self, left=(said, self.left[1]) if side == 0 else (self.left[0], said))

    def _left(self, side: int) -> Left:
        known = self.left[side]
        if known is not None:
            return known
        if self.main_seconds == 0 and self.overtime_stones:
            return self.overtime_seconds, self.overtime_stones
        return self.main_seconds, 0


def read_time_settings(words: Sequence[str]) -> GtpClock:
    """`time_settings MAIN OVERTIME STONES`. Overtime for no stones at all is how GTP says "no limits"."""
    main, overtime, stones = (read_number(words, at) for at in range(3))
    return GtpClock(not (overtime > 0 and stones == 0), main, overtime, stones)


def read_kgs_time_settings(words: Sequence[str]) -> GtpClock:
    """`kgs-time_settings none | absolute MAIN | byoyomi MAIN TIME PERIODS | canadian MAIN TIME STONES`."""
    match words[:1]:
        case ["none"]:
            return GtpClock()
        case ["absolute"]:
            return GtpClock(True, read_number(words, 1))
        case ["byoyomi"]:
            read_number(words, 3)  # how many periods there are changes nothing for one move
            return GtpClock(True, read_number(words, 1), read_number(words, 2))
        case ["canadian"]:
            return GtpClock(True, read_number(words, 1), read_number(words, 2), read_number(words, 3))
        case _:
            raise Refused("syntax error")
