"""Sessions of numbered commands, as GTP has them: each is answered `= …` or `? reason`, one at a time, in order.

What cannot be done changes nothing. Go's own commands are in `gtp.py`, those of any game in `plain.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hitonami import __version__
from hitonami.protocols._gtp_clock import GtpClock
from hitonami.protocols._gtp_words import Command, Refused, read_command, read_number
from hitonami.protocols._lines import Ranking
from hitonami.protocols._options import Option
from hitonami.protocols._session import NAME, Session, describe_error

if TYPE_CHECKING:
    from hitonami.agent import Action
    from hitonami.core import Effort, Opinion, Query

Obeying = Callable[[list[str]], "str | None"]
"""What a command does with its words, and what it answers."""


class Commanded(Session):
    """A session of commands by name."""

    _clock = GtpClock()

    @property
    @abstractmethod
    def _commands(self) -> Mapping[str, Obeying]: ...

    @abstractmethod
    def _ask_about_turn(self) -> Query:
        """The situation of the side to move. Raises Refused where the game is over."""

    @property
    def _common(self) -> dict[str, Obeying]:
        return {
            "name": lambda _: NAME,
            "version": lambda _: __version__,
            "known_command": lambda words: str(" ".join(words) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: None,
        }

    @property
    def _own(self) -> dict[str, Obeying]:
        return {
            "hitonami-predict": self._predict,
            "hitonami-options": lambda _: "\n".join(self._options.describe()),
            "hitonami-set": self._take_option,
        }

    def _own_options(self, rating: int) -> Sequence[Option]:
        low, high = self.rating_range
        return (
            Option(self.rating_option, "spin", rating, low=low, high=high),
            Option("Resign", "check", True),
        )

    def _handle(self, line: str) -> None:
        command = read_command(line)
        if command is None:
            return
        if command.name == "quit":
            self.finished = True
            self._stop_thinking()
        self._worker.submit(partial(self._obey, command))

    def _stop_thinking(self) -> None:
        self._closing.set()  # there is no command to stop a move: only the end of the session does

    def _complain(self, wrong: Exception) -> None:
        self.emit(f"? {describe_error(wrong)}", "")

    def _obey(self, command: Command) -> None:
        """Answer one command. Runs on the worker."""
        sign = "="
        try:
            if command.name not in self._commands:
                raise Refused("unknown command")
            said = self._commands[command.name](command.words) or ""
        except Exception as wrong:  # the controller waits for its answer whatever went wrong
            sign, said = "?", describe_error(wrong)
        first, *others = said.split("\n")
        self.emit(f"{sign}{command.number} {first}".rstrip(), *filter(None, others), "")

    def _spell(self, query: Query, action: Action, opinion: Opinion, effort: Effort) -> str:
        """The answer of a decision. GTP has no word for a claim: it is played on."""
        from hitonami import dist
        from hitonami.agent import Play, Resign

        if isinstance(action, Resign):
            return "resign"
        drawn = dist.sample(opinion.log_probs, effort.rng)
        move = action.move if isinstance(action, Play) else int(query.position.legal[drawn])
        return self._rules.format(query.position, move)

    def _predict(self, words: list[str]) -> str:
        """The likeliest moves of the side to move and their chances, one a line."""
        count = read_number(words, 0) if words else 5
        query = self._ask_about_turn()
        [opinion] = self._load()([query], self._effort(self._closing))
        told = Ranking.of(query, opinion).probabilities(count).split()
        return "\n".join(f"{move} {chance}" for move, chance in zip(told[::2], told[1::2], strict=True))

    def _take_option(self, words: list[str]) -> None:
        if not words:
            raise Refused("syntax error")
        self._set_option(words[0], " ".join(words[1:]))

    def _keep_time(self, clock: GtpClock) -> None:
        self._clock = clock
