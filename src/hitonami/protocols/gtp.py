"""GTP 2: Go in any Go program. https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html

Commands are answered in the order in which they came, one at a time, on the session's worker. What
cannot be done is answered `? reason` and changes nothing. After two passes `genmove` passes: a mind is
not asked about a finished game. `final_score` counts with a guess of the dead stones, which
`final_status_list dead` tells; seki is not told apart from life. An analysis goes on until the next line
comes, whatever that line holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from hitonami.errors import BadInput, BadMove, BadSetup
from hitonami.protocols._commanded import Commanded, Obeying
from hitonami.protocols._dialogue import Among
from hitonami.protocols._gtp_analysis import Dialect, Stream, Wish, first_moves, read_wish
from hitonami.protocols._gtp_clock import read_kgs_time_settings, read_time_settings
from hitonami.protocols._gtp_words import (
    Command,
    Refused,
    read_command,
    read_float,
    read_number,
    read_side,
    read_vertex,
)
from hitonami.protocols._options import read_integer
from hitonami.protocols._session import describe_error

if TYPE_CHECKING:
    from hitonami.core import Mind, Query
    from hitonami.protocols._goban import Goban

_MAX_SGF_BYTES = 16 << 20
_ANALYSES: dict[str, Dialect] = {"lz-analyze": "lz", "kata-analyze": "kata"}
_ANALYSED_MOVES: dict[str, Dialect] = {"lz-genmove_analyze": "lz", "kata-genmove_analyze": "kata"}


class Gtp(Commanded):
    """A GTP session."""

    game = "go"
    default_rating = 20  # 10 kyu: Go's pools count in ranks (ranks.py); 1500 would be beyond every player
    _watched: Event | None = None
    """Ends the analysis that was asked for last."""

    @cached_property
    def _commands(self) -> dict[str, Obeying]:
        return {
            "protocol_version": lambda _: "2",
            **self._common,
            "boardsize": self._set_size,
            "clear_board": lambda _: self._goban.clear(),
            "komi": lambda words: self._goban.change(komi=read_float(words, 0)),
            "kgs-rules": self._set_rules,
            "play": self._play,
            "genmove": self._generate,
            "reg_genmove": lambda words: self._choose(read_side(words)),
            "undo": self._undo,
            "fixed_handicap": lambda words: self._handicap(words, self._goban.give),
            "place_free_handicap": lambda words: self._handicap(words, self._goban.give_at_most),
            "set_free_handicap": self._take_handicap,
            "time_settings": lambda words: self._keep_time(read_time_settings(words)),
            "kgs-time_settings": lambda words: self._keep_time(read_kgs_time_settings(words)),
            "time_left": lambda words: self._keep_time(self._clock.told(words)),
            "final_score": lambda _: str(self._any_rules.count(self._goban.position, self._dead())),
            "final_status_list": self._list_status,
            "loadsgf": self._load_sgf,
            "printsgf": lambda _: self._rules.write(self._goban.position),
            "showboard": lambda _: "\n".join(["", *self._goban.show()]),
            **dict.fromkeys([*_ANALYSES, *_ANALYSED_MOVES], _answered_as_it_comes),
            **self._own,
        }

    @cached_property
    def _goban(self) -> Goban:
        self._worker.loading = True
        try:
            from hitonami.protocols._goban import Goban

            return Goban(self._rules)
        finally:
            self._worker.loading = False

    @property
    def _any_rules(self) -> Any:
        """The rules with what only Go has: counting and a guess of dead stones."""
        return self._rules

    def _handle(self, line: str) -> None:
        if self._watched is not None:
            self._watched.set()
        command = read_command(line)
        if command is not None and command.name in _ANALYSES | _ANALYSED_MOVES:
            self._watched = Event()
            self._worker.submit(partial(self._obey_aloud, command, self._watched))
        else:
            super()._handle(line)

    def _stop_thinking(self) -> None:
        super()._stop_thinking()
        if self._watched is not None:
            self._watched.set()

    def _obey_aloud(self, command: Command, stop: Event) -> None:
        """Answer an analysis, line by line. Runs on the worker."""
        begun = False
        try:
            wish = read_wish((_ANALYSES | _ANALYSED_MOVES)[command.name], command.words)
            stream = Stream(self.emit, command.number, wish)
            try:
                self._analyse(stream, stop) if command.name in _ANALYSES else self._generate_aloud(stream)
            finally:
                begun = stream.begun
        except Exception as wrong:  # the controller waits for its answer whatever went wrong
            if not begun:
                self.emit(f"?{command.number} {describe_error(wrong)}")
        self.emit("")

    def _analyse(self, stream: Stream, stop: Event) -> None:
        """What a mind without search has to say is said once; one that searches goes on until `stop`."""
        query = self._ask_about_turn()
        if stream.wish.side is not None:
            query = self._ask_about(stream.wish.side)
        mind = self._narrowed(query, stream.wish)
        effort = self._effort(stop, inf)
        [opinion] = mind([query], replace(effort, report=partial(stream.hear, query)))
        stream.tell(mind, query, opinion, effort)
        stop.wait()

    def _generate_aloud(self, stream: Stream) -> None:
        side = self._goban.position.to_move if stream.wish.side is None else stream.wish.side
        stream.say(f"play {self._move(side, stream)}")

    def _narrowed(self, query: Query, wish: Wish) -> Mind:
        """The mind, asked about the moves that the wish leaves."""
        mind, moves = self._load(), first_moves(query, wish)
        return mind if moves is None else Among(mind, moves)

    def _set_size(self, words: list[str]) -> None:
        size = read_number(words, 0)
        try:
            self._goban.clear(size)
        except BadSetup:
            raise Refused("unacceptable size") from None

    def _set_rules(self, words: list[str]) -> None:
        if not words:
            raise Refused("syntax error")
        self._goban.change(rules=words[0].replace("_", "-"))

    def _play(self, words: list[str]) -> None:
        side, vertex = read_side(words), read_vertex(words, 1)
        try:
            self._goban.play(side, vertex)
        except BadMove:
            raise Refused("illegal move") from None

    def _undo(self, _: list[str]) -> None:
        if not self._goban.undo():
            raise Refused("cannot undo")

    def _generate(self, words: list[str]) -> str:
        return self._move(read_side(words))

    def _move(self, side: int, stream: Stream | None = None) -> str:
        answer = self._choose(side, stream)
        if answer != "resign":
            self._goban.play(side, answer)
        return answer

    def _choose(self, side: int, stream: Stream | None = None) -> str:
        """The move that is drawn; a stream is told the opinion behind it."""
        from hitonami.agent import Patience

        if not len(self._goban.position.legal):
            return "pass"
        begin = monotonic()
        query = self._ask_about(side)
        mind = self._load() if stream is None else self._narrowed(query, stream.wish)
        effort = self._effort(self._closing, self._clock.budget_seconds(side))
        may_resign = self._options.flag("Resign") and not isinstance(mind, Among)
        decision = self._decide(mind, query, effort, Patience() if may_resign else None)
        if stream is not None:
            stream.tell(mind, query, decision.opinion, effort)
        if self._options.text("Pace") == "human":
            self._closing.wait(max(decision.think_seconds - (monotonic() - begin), 0.0))
        return self._spell(query, decision.action, decision.opinion, effort)

    def _ask_about_turn(self) -> Query:
        if not len(self._goban.position.legal):
            raise Refused("the game is over")
        return self._ask_about(self._goban.position.to_move)

    def _ask_about(self, side: int) -> Query:
        return self._query(self._goban.turn_to(side), self._clock.view(side))

    def _handicap(self, words: list[str], give: Callable[[int], list[str]]) -> str:
        stones = read_number(words, 0)
        if not self._goban.is_empty:
            raise Refused("board not empty")
        if stones < 2:
            raise Refused("invalid number of stones")
        try:
            return " ".join(give(stones))
        except BadSetup:
            raise Refused("invalid number of stones") from None

    def _take_handicap(self, words: list[str]) -> None:
        if not self._goban.is_empty:
            raise Refused("board not empty")
        if len(words) < 2:
            raise Refused("bad vertex list")
        try:
            self._goban.give_at(words)
        except BadInput:
            raise Refused("bad vertex list") from None

    def _dead(self) -> tuple[int, ...]:
        """The stones that look dead. Always the same guess for the same board, so that all answers agree."""
        from hitonami.play.endings import guess_dead

        return guess_dead(self._goban.position)

    def _list_status(self, words: list[str]) -> str:
        if words not in (["alive"], ["dead"], ["seki"]):
            raise Refused("syntax error")
        if words == ["seki"]:
            return ""
        dead = set(self._goban.name_points(self._dead()))
        stones = [*self._goban.stones(0), *self._goban.stones(1)]
        return " ".join(stone for stone in stones if (stone in dead) == (words == ["dead"]))

    def _load_sgf(self, words: list[str]) -> None:
        from hitonami.records import Rejected
        from hitonami.records.sgf import read_text

        if not words:
            raise Refused("syntax error")
        before = read_integer(words[-1]) if len(words) > 1 else None
        name = " ".join(words if before is None else words[:-1])
        try:
            with Path(name).open("rb") as file:
                record = read_text(file.read(_MAX_SGF_BYTES))
        except (OSError, ValueError):
            raise Refused("cannot load file") from None
        if isinstance(record, Rejected):
            raise Refused(f"cannot load file: {record.reason}")
        self._goban.take(record.setup, record.moves if before is None else record.moves[: max(before - 1, 0)])


def _answered_as_it_comes(_: list[str]) -> str:
    raise Refused("an analysis is answered line by line")
