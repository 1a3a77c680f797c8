"""What UCI and USI share: positions, `go`, `stop`, `ponderhit`, options, and exactly one `bestmove` a `go`.

After a `position` that cannot be read the session has no position, whatever it had before, until a good
one comes: an engine that plays on from a stale position plays another game than its GUI shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from hitonami import __version__
from hitonami.errors import BadMove, BadPosition, NoOpinion, quote
from hitonami.protocols._lines import Ranking, info_lines, results_after, told_results
from hitonami.protocols._options import split_setting
from hitonami.protocols._session import AUTHOR, NAME, Session, describe_error, one_line
from hitonami.protocols._thinking import Limits, Thought, read_limits

if TYPE_CHECKING:
    from hitonami.agent import Decision, Patience
    from hitonami.core import Effort, Mind, Opinion, Position, Query


class Dialogue(Session):
    """A session in which the GUI owns the position and asks for moves. Subclasses fill in the dialect."""

    handshake: ClassVar[str]
    position_word: ClassVar[str]
    move_shape: ClassVar[re.Pattern[str]]
    no_move: ClassVar[str]
    """What `bestmove` says where there is no position or no opinion."""
    first_clock: ClassVar[str]
    """The letter of player 0 in the names of clocks."""
    ponder_option: ClassVar[str]

    _thought: Thought | None = None
    _position: Position | None = None
    _untouched = True
    """True until the first `position`: before it, the standard start is meant."""

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            self.handshake: self._introduce,
            f"{self.handshake}newgame": self._new_game,
            "isready": self._is_ready,
            "setoption": self._take_option,
            "position": self._take_position,
            "go": self._go,
            "stop": lambda _: self._stop_thinking(),
            "ponderhit": self._ponder_hit,
            "quit": self._quit,
        }

    def _handle(self, line: str) -> None:
        commands = self._commands()
        words = line.split()
        for at, word in enumerate(words):  # both protocols: skip unknown words and try the rest
            if word in commands:
                commands[word](words[at + 1 :])
                return
        if words:
            self.emit(f"info string unknown command {one_line(quote(line.strip()))}")

    def _complain(self, wrong: Exception) -> None:
        self.emit(f"info string error {describe_error(wrong)}")

    def _introduce(self, _: list[str]) -> None:
        self.emit(
            f"id name {NAME} {__version__}", f"id author {AUTHOR}", *self._options.declare(), f"{self.handshake}ok"
        )

    def _quit(self, _: list[str]) -> None:
        self.finished = True
        self._stop_thinking()

    def _new_game(self, _: list[str]) -> None:
        """Forget the game. A position that could not be read stays unread: this command names no other."""
        self._stop_thinking()
        if self._position is not None:
            self._position, self._untouched = None, True

    def _take_option(self, words: list[str]) -> None:
        self._set_option(*split_setting(words))

    def _is_ready(self, _: list[str]) -> None:
        """`readyok`, at once while thinking, else when the mind is open. A mind that fails says so at `go` again."""
        if self._thought is not None and not self._thought.done.is_set():
            self.emit("readyok")
            return
        self._worker.submit(self._warm_up)

    def _warm_up(self) -> None:
        try:
            self._load()
            if doubt := self._doubt():
                self.emit(f"info string {doubt}")
        except Exception as wrong:
            self._complain(wrong)
        self.emit("readyok")

    def _take_position(self, words: list[str]) -> None:
        self._stop_thinking()
        self._position, self._untouched = None, False
        at = words.index("moves") if "moves" in words else len(words)
        position = self._start_from(words[:at])
        for text in words[at + 1 :]:
            if not self.move_shape.fullmatch(text):
                raise BadMove(f"not a move: {quote(text)}")
            position = position.play(self._rules.parse(position, text))
        self._position = position

    def _start_from(self, words: Sequence[str]) -> Position:
        if list(words) == ["startpos"]:
            return self._read_start("")
        if len(words) > 1 and words[0] == self.position_word:
            return self._read_start(" ".join(words[1:]))
        raise BadPosition(f"expected startpos or {self.position_word}, got {quote(' '.join(words))}")

    def _read_start(self, text: str) -> Position:
        start: Position = self._rules.read(text or "startpos")
        return start

    def _stop_thinking(self) -> None:
        if self._thought is not None:
            self._thought.end()

    def _ponder_hit(self, _: list[str]) -> None:
        if self._thought is not None and self._thought.limits.ponder:
            self._thought.release.set()

    def _go(self, words: list[str]) -> None:
        self._stop_thinking()
        limits = read_limits(words)
        if limits.ignored:
            self.emit(f"info string ignored in go: {one_line(', '.join(limits.ignored))}")
        thought = Thought(self._read_start("") if self._untouched else self._position, limits)
        if not limits.holds:
            thought.release.set()
        self._thought = thought
        self._worker.submit(partial(self._think, thought))

    def _think(self, thought: Thought) -> None:
        """Answer one `go`. Runs on the worker."""
        answer = self.no_move
        if self._closing.is_set():
            thought.end()
        try:
            answer = self._answer(thought)
        except Exception as wrong:  # the GUI waits for its bestmove whatever went wrong
            self._complain(wrong)
        thought.release.wait()
        self.emit(f"bestmove {answer}")
        thought.done.set()

    def _answer(self, thought: Thought) -> str:
        position = thought.position
        if position is None:
            raise BadPosition("no position: the last one could not be read")
        if not len(position.legal):
            return self._answer_finished(position)
        begin = monotonic()
        limits = thought.limits
        clock = limits.clock(position.to_move, self.first_clock)
        query = self._query(position, clock)
        mind: Mind = self._load()
        effort = self._effort(thought.stop, limits.budget_seconds(clock), limits.simulations)
        if limits.search_moves:
            decision = self._decide(Among(mind, self._read_search_moves(position, limits)), query, effort, None)
        else:
            heard = replace(effort, report=partial(self._report, query))
            decision = self._decide(mind, query, heard, self._patience())
        self._inform(mind, query, effort, decision.opinion)
        thought.release.wait()
        self._keep_pace(thought, decision.think_seconds - (monotonic() - begin))
        return self._spell(mind, query, decision, effort)

    def _read_search_moves(self, position: Position, limits: Limits) -> frozenset[int]:
        moves = set()
        for text in limits.search_moves:
            try:
                moves.add(self._rules.parse(position, text))
            except BadMove as wrong:
                self._complain(wrong)
        if not moves:
            raise BadMove("none of the searchmoves is legal here")
        return frozenset(moves)

    def _inform(self, mind: Mind, query: Query, effort: Effort, opinion: Opinion) -> None:
        ranking = Ranking.of(query, opinion)
        results = results_after(mind, ranking, effort, self._options.number("MultiPV"))
        self.emit(*info_lines(ranking, results, self._shows_wdl()))

    def _report(self, query: Query, opinion: Opinion) -> None:
        """A word from a mind that is still searching. It must not be asked anything from here."""
        ranking = Ranking.of(query, opinion)
        self.emit(*info_lines(ranking, told_results(ranking, self._options.number("MultiPV")), self._shows_wdl()))

    def _keep_pace(self, thought: Thought, seconds: float) -> None:
        if self._options.text("Pace") == "human" and seconds > 0:
            most = thought.limits.numbers.get("movetime")
            thought.stop.wait(seconds if most is None else min(seconds, most / 1000))

    def _patience(self) -> Patience | None:
        return None

    def _shows_wdl(self) -> bool:
        return False

    def _answer_finished(self, position: Position) -> str:
        """What `bestmove` says where the game is over by force."""
        return self.no_move

    def _spell(self, mind: Mind, query: Query, decision: Decision, effort: Effort) -> str:
        """The answer of a decision. What the protocol cannot say is played on."""
        from hitonami import dist
        from hitonami.agent import Play

        if isinstance(decision.action, Play):
            move = decision.action.move
        else:
            move = int(query.position.legal[dist.sample(decision.opinion.log_probs, effort.rng)])
        lines = (line.moves for line in decision.opinion.lines if len(line.moves) > 1)
        told = next((moves[1] for moves in lines if moves[0] == move), None)
        return self._rules.format(query.position, move) + self._expected_reply(mind, query.after(move), effort, told)

    def _expected_reply(self, mind: Mind, query: Query, effort: Effort, told: int | None) -> str:
        """` ponder MOVE` where the GUI wants to ponder and there is a reply to expect. A search has told it already."""
        from hitonami import dist

        if not self._options.flag(self.ponder_option) or not len(query.position.legal):
            return ""
        if told is not None and told in query.position.legal:
            return f" ponder {self._rules.format(query.position, told)}"
        if effort.stopped:
            return ""
        [opinion] = mind([query], effort)
        likeliest = int(query.position.legal[dist.best(opinion.log_probs)])
        return f" ponder {self._rules.format(query.position, likeliest)}"


@dataclass(frozen=True)
class Among:
    """A mind that is asked about some moves of one position only: the rest is excluded, what is left scaled up."""

    mind: Mind
    moves: frozenset[int]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        import numpy as np

        from hitonami import dist

        narrowed = []
        for query, opinion in zip(queries, self.mind(queries, effort), strict=True):
            asked = np.isin(query.position.legal, list(self.moves))
            try:
                narrowed.append(replace(opinion, log_probs=dist.normalise(np.where(asked, opinion.log_probs, -np.inf))))
            except NoOpinion:
                raise NoOpinion("the mind excludes every one of the searchmoves") from None
        return narrowed
