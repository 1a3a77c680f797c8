"""One `go` of UCI or USI: what it asks for, what it may cost, and what ends it early.

Search depth is read and left aside: a mind has no plies to count. Nothing here thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from threading import Event
from typing import TYPE_CHECKING, Any

from hitonami.errors import quote
from hitonami.protocols._options import read_integer

if TYPE_CHECKING:
    from hitonami.core import Clock, Position

_NUMBERS = frozenset(
    ("wtime", "btime", "winc", "binc", "byoyomi", "movestogo", "movetime", "nodes", "depth", "mate", "perft")
)
_FLAGS = frozenset(("infinite", "ponder"))
_SHARE_OF_CLOCK = 30
"""A mind may search for a thirtieth of what is left, and most of what each move renews."""


@dataclass(frozen=True)
class Limits:
    """The arguments of a `go`. Times are in milliseconds, as they came."""

    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    """Words that mean nothing here, quoted for the person who reads the log."""

    @property
    def holds(self) -> bool:
        """True where the answer must wait for `stop` or `ponderhit`."""
        return self.infinite or self.ponder

    def clock(self, to_move: int, first: str) -> Clock | None:
        """Both clocks as the side to move sees them; `first` is the letter of player 0. None without an own time."""
        from hitonami.core import Clock

        own, other = (first, "wb".replace(first, ""))[:: 1 if to_move == 0 else -1]
        if f"{own}time" not in self.numbers and "byoyomi" not in self.numbers:
            return None
        moves = self.numbers.get("movestogo", 0)
        return Clock(
            self._seconds(f"{own}time"),
            self._seconds(f"{other}time"),
            self._seconds(f"{own}inc"),
            self._seconds(f"{other}inc"),
            self._seconds("byoyomi"),
            moves if moves > 0 else None,
        )

    def budget_seconds(self, clock: Clock | None) -> float | None:
        """How long a searching mind may take: until it is stopped under `infinite`; None leaves it to the mind."""
        if self.holds:
            return inf if self.infinite else None
        if "movetime" in self.numbers:
            return self._seconds("movetime")
        return None if clock is None else share_of_clock(clock)

    @property
    def simulations(self) -> int | None:
        nodes = self.numbers.get("nodes", 0)
        return nodes if nodes > 0 else None

    def _seconds(self, name: str) -> float:
        return max(self.numbers.get(name, 0), 0) / 1000  # GUIs send negative times after a flag has fallen


@dataclass(frozen=True)
class Thought:
    """A `go` under way. It answers exactly once: not before `release`, and soon after `stop`."""

    position: Position | None
    limits: Limits
    stop: Event = field(default_factory=Event)
    release: Event = field(default_factory=Event)
    done: Event = field(default_factory=Event)

    def end(self) -> None:
        self.stop.set()
        self.release.set()


def share_of_clock(clock: Clock) -> float:
    """Seconds that a mind may search for one move."""
    moves = min(clock.moves_to_go or _SHARE_OF_CLOCK, _SHARE_OF_CLOCK)
    share = clock.remaining_seconds / (moves + 1)
    return share + 0.7 * min(clock.increment_seconds, clock.remaining_seconds) + 0.7 * clock.byoyomi_seconds


def read_limits(words: Sequence[str]) -> Limits:
    """Read the words after `go`. Unreadable ones are listed as ignored: a `go` is always answered."""
    numbers: dict[str, int] = {}
    flags: dict[str, Any] = {}
    ignored: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word in _FLAGS:
            flags[word] = True
        elif word == "searchmoves":
            flags["search_moves"] = tuple(_take_moves(left))
        elif word in _NUMBERS and left and (number := read_integer(left[-1])) is not None:
            numbers[word] = number
            left.pop()
        else:
            ignored.append(quote(word))
    return Limits(numbers, **flags, ignored=tuple(ignored))


def _take_moves(left: list[str]) -> list[str]:
    moves = []
    while left and left[-1] not in _NUMBERS | _FLAGS:
        moves.append(left.pop())
    return moves
