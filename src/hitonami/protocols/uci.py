"""UCI: chess and Chess960 in any chess GUI. https://www.wbec-ridderkerk.nl/html/UCIProtocol.html

UCI has no word for resigning or claiming a draw, so this session plays on. It answers `bestmove 0000`
where it has no position, where the game is over, and where its mind fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from hitonami.protocols._dialogue import Dialogue
from hitonami.protocols._options import Option, read_integer

if TYPE_CHECKING:
    from hitonami.core import Position


class Uci(Dialogue):
    """A UCI session."""

    game = "chess"
    handshake = "uci"
    position_word = "fen"
    move_shape: ClassVar[re.Pattern[str]] = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
    no_move = "0000"
    first_clock = "w"
    ponder_option = "Ponder"
    rating_option = "UCI_Elo"
    rating_range = (400, 2900)

    def _own_options(self, rating: int) -> Sequence[Option]:
        low, high = self.rating_range
        return (
            Option("UCI_LimitStrength", "check", True),
            Option("UCI_Elo", "spin", rating, low=low, high=high),
            Option("UCI_ShowWDL", "check", False),
            Option("UCI_Chess960", "check", False),
            Option("UCI_Opponent", "string", ""),
            Option("Ponder", "check", False),
            Option("MultiPV", "spin", 1, low=1, high=500),
        )

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        nothing: dict[str, Callable[[list[str]], None]] = {"debug": lambda _: None, "register": lambda _: None}
        return super()._commands() | nothing

    def _set_option(self, name: str, text: str) -> None:
        super()._set_option(name, text)
        if name.lower() == "uci_opponent":
            self._meet_opponent(self._options.text("UCI_Opponent").split())

    def _meet_opponent(self, words: list[str]) -> None:
        """`TITLE RATING computer|human NAME`, as GUIs announce who plays; `none` where they do not know."""
        from hitonami.core import Player

        rating = read_integer(words[1]) if len(words) > 1 else None
        self._opponent = None if rating is None else Player(float(rating), self._pool)

    def _rating(self) -> float:
        """Without a limit on strength: the strongest that can be asked for."""
        limited = self._options.flag("UCI_LimitStrength")
        return float(self._options.number("UCI_Elo") if limited else self.rating_range[1])

    def _read_start(self, text: str) -> Position:
        from hitonami.core import Setup

        if not self._options.flag("UCI_Chess960"):
            return super()._read_start(text)
        start: Position = self._rules.start(Setup(start=text, variant="chess960"))
        return start

    def _shows_wdl(self) -> bool:
        return self._options.flag("UCI_ShowWDL")
