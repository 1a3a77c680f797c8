"""What people reckon of a board before they give up or offer a draw: the methods of games that can tell it."""

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class MaterialGame(Protocol):
    """A game whose people count what each side has: pieces by their worth, stones, discs."""

    def balance(self, position: Any) -> float:
        """What player 0 has more than player 1, in pawns or stones."""


@runtime_checkable
class PerilGame(Protocol):
    """A game whose people see it coming when they are beaten by force."""

    def peril(self, position: Any) -> float:
        """How near the side to move is to its end: 0 none to be seen, 1 threatened, 4 beaten whatever it does."""


@runtime_checkable
class LeadGame(Protocol):
    """A game of points in which people reckon, long before the end, who will have more."""

    def lead(self, position: Any) -> float:
        """Points by which player 0 is ahead, were the board shared out as it looks."""
