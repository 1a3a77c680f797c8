"""What Fairy-Stockfish has to be told of a game that it plays."""

from typing import Any, NamedTuple, Protocol, runtime_checkable


class FairyRules(NamedTuple):
    """A game as Fairy-Stockfish knows it: by the name of a variant, which a description defines where there is one."""

    variant: str
    description: str = ""


@runtime_checkable
class FairyKnown(Protocol):
    """A game that Fairy-Stockfish plays: its rules, positions (FEN) and moves in that program's words."""

    def fairy_rules(self, position: Any) -> FairyRules: ...
    def fairy_fen(self, position: Any) -> str: ...
    def fairy_move(self, position: Any, move: int) -> str: ...
    def read_fairy_move(self, position: Any, text: str) -> int:
        """The inverse of `fairy_move`. Raises BadMove."""
