"""USI: shogi in any shogi GUI. http://shogidokoro.starfree.jp/usi.html

`bestmove resign` says that the agent gives up, or that it is mated; `bestmove win` that it declares an
entering king. Where there is no position or no opinion the answer is `bestmove none`: a resignation is
never made up. `go mate` is answered `checkmate notimplemented`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from hitonami.protocols._dialogue import Dialogue
from hitonami.protocols._options import Option

if TYPE_CHECKING:
    from hitonami.agent import Decision, Patience
    from hitonami.core import Effort, Mind, Position, Query


class Usi(Dialogue):
    """A USI session."""

    game = "shogi"
    handshake = "usi"
    position_word = "sfen"
    move_shape: ClassVar[re.Pattern[str]] = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
    no_move = "none"
    first_clock = "b"
    ponder_option = "USI_Ponder"

    def _own_options(self, rating: int) -> Sequence[Option]:
        low, high = self.rating_range
        return (
            Option("USI_Ponder", "check", False),
            Option("USI_Hash", "spin", 16, low=1, high=1048576),
            Option(self.rating_option, "spin", rating, low=low, high=high),
            Option("Resign", "check", True),
            Option("MultiPV", "spin", 1, low=1, high=500),
        )

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return super()._commands() | {"gameover": lambda _: self._stop_thinking()}

    def _go(self, words: list[str]) -> None:
        if words[:1] == ["mate"]:
            self._stop_thinking()
            self._worker.submit(lambda: self.emit("checkmate notimplemented"))  # behind the stopped bestmove
            return
        super()._go(words)

    def _patience(self) -> Patience | None:
        from hitonami.agent import Patience

        return Patience() if self._options.flag("Resign") else None

    def _answer_finished(self, position: Position) -> str:
        """The rules have decided: a side that has lost says so, as GUIs expect of a mated engine."""
        lost = position.score is not None and position.score == float(position.to_move)
        return "resign" if lost else self.no_move

    def _spell(self, mind: Mind, query: Query, decision: Decision, effort: Effort) -> str:
        from hitonami.agent import DeclareWin, Resign

        match decision.action:
            case Resign():
                return "resign"
            case DeclareWin():
                return "win"
            case _:
                return super()._spell(mind, query, decision, effort)
