"""Games and their clocks as a state machine: whatever is done, what is served, stored and replayed agrees.

The model is small and independent: a list of moves with the time left after each, and how the game ended. The clock on
the wall is the machine's, so that time passes as it says.
"""

import asyncio
from collections.abc import Coroutine
from tempfile import TemporaryDirectory
from typing import Any

import chess
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hitonami.core import Setup
from hitonami.errors import BadInput
from hitonami.web.actors import Actor
from hitonami.web.api.games import _state
from hitonami.web.crew import Crew
from hitonami.web.database import Database, new_id
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.refusals import OutOfStep
from hitonami.web.thinking import Thinkers

MAIN, INCREMENT = 60.0, 2.0


class Games(RuleBasedStateMachine):
    """One game of chess against the random mover."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.crew, self.thinkers = Crew(), Thinkers()
        self.folder = TemporaryDirectory()
        self.database = Database(f"sqlite:///{self.folder.name}/games.sqlite3")
        self.store = GamesStore(self.database)
        self.wall = 0.0

    @initialize(side=st.integers(0, 1), timed=st.booleans())
    def begin(self, side: int, timed: bool) -> None:
        control = f"{MAIN:.0f}+{INCREMENT:.0f}" if timed else ""
        game = StoredGame(
            new_id(), "chess", Setup(), side, "random", 1500.0, "lichess", "instant", time_control=control
        )
        self.side, self.timed = side, timed
        self.board = chess.Board()
        self.left: list[float] = []
        self.turn_began = 0.0
        self.ended = ""
        self._wake(self.store.save(game))

    def _wake(self, stored: StoredGame) -> None:
        self.actor = Actor(stored, self.store, self.thinkers, self.crew, lambda: self.wall)

    def _do(self, work: Coroutine[Any, Any, Any]) -> str:
        """ "" where it was done, else how it was refused."""
        try:
            self.runner.run(_await(work))
        except (BadInput, OutOfStep) as wrong:
            return type(wrong).__name__
        return ""

    def _remaining(self, side: int) -> float:
        own = [left for ply, left in enumerate(self.left) if ply % 2 == side]
        return own[-1] if own else MAIN

    @property
    def spent(self) -> float:
        return self.wall - self.turn_began if self.timed and len(self.left) >= 2 else 0.0

    @property
    def fallen(self) -> bool:
        return self.timed and self.spent > self._remaining(len(self.left) % 2)

    @property
    def my_turn(self) -> bool:
        return len(self.board.move_stack) % 2 == self.side

    def _note_move(self, move: chess.Move) -> None:
        after = self._remaining(len(self.left) % 2) - self.spent
        self.left.append(round(max(0.0, after) + INCREMENT, 1))
        self.turn_began = self.wall
        self.board.push(move)
        if self.board.is_game_over():
            self.ended = "board"

    @rule(seconds=st.sampled_from([0.5, 3.0, 20.0, 45.0]))
    def wait(self, seconds: float) -> None:
        self.wall += seconds

    @rule(pick=st.integers(0, 200))
    def play(self, pick: int) -> None:
        legal = sorted(move.uci() for move in self.board.legal_moves) or ["e2e4"]
        text, ply = legal[pick % len(legal)], len(self.board.move_stack)
        told = self._do(self.actor.play(text, ply))
        if not self.my_turn:
            assert told == "OutOfStep"
        elif self.ended:
            assert told == "BadInput"
        elif self.fallen:
            assert told == ""
            self.ended = "time"
        else:
            assert told == ""
            self._note_move(chess.Move.from_uci(text))

    @rule(text=st.sampled_from(["e2e5", "a1a1", "", "Ke9", "e7e8q"]), off=st.integers(-1, 1))
    def play_nonsense(self, text: str, off: int) -> None:
        told = self._do(self.actor.play(text, len(self.board.move_stack) + off))
        if told == "":
            assert self.fallen
            self.ended = "time"

    @rule()
    def answer(self) -> None:
        waits, fell = not self.ended and not self.my_turn, self.fallen
        assert self._do(self.actor.answer()) == ""
        if waits and fell:
            self.ended = "time"
        elif waits and len(self.actor.stored.moves) > len(self.board.move_stack):
            self._note_move(chess.Move.from_uci(self.actor.stored.moves[-1]))
        elif waits:
            assert self.actor.stored.reason  # it has claimed a draw or resigned
            self.ended = "given up"

    @rule()
    def take_back(self) -> None:
        told = self._do(self.actor.undo())
        if told:
            assert len([ply for ply in range(len(self.left)) if ply % 2 == self.side]) == 0
            return
        moves = len(self.board.move_stack)
        if not self.ended or self.ended == "board":
            moves -= 1
        while moves % 2 != self.side:
            moves -= 1
        if moves != len(self.board.move_stack):
            self.turn_began = self.wall
        while len(self.board.move_stack) > moves:
            self.board.pop()
        del self.left[moves:]
        self.ended = ""

    @rule()
    def resign(self) -> None:
        assert self._do(self.actor.resign()) == ""
        self.ended = self.ended or "given up"

    @rule()
    def ask_for_draw(self) -> None:
        open_to_it = self.my_turn and not self.ended
        told = self._do(self.actor.ask_for_draw())
        assert (told == "") == open_to_it
        if self.actor.table.outcome is not None and not self.ended:
            self.ended = "agreed"

    @rule()
    def change_pace(self) -> None:
        """To a person's and back, so that answers need not be waited for."""
        assert self._do(self.actor.set_pace("human")) == ""
        assert self._do(self.actor.set_pace("instant")) == ""

    @rule()
    def look(self) -> None:
        if self.fallen and not self.ended:
            self.ended = "time"
        assert self._do(self.actor.look()) == ""

    @rule()
    def restart(self) -> None:
        """Another server goes on with what is stored; the time of a turn begins anew."""
        stored = self.store.load(self.actor.stored.id)
        assert stored is not None
        self._wake(stored)
        self.turn_began = self.wall

    @rule()
    @precondition(lambda self: not self.ended)
    def change_elsewhere(self) -> None:
        """A second server resigns; here the next change is refused once, and then everybody sees the same."""
        stored = self.store.load(self.actor.stored.id)
        assert stored is not None
        other = Actor(stored, self.store, self.thinkers, self.crew, lambda: self.wall)
        assert self._do(other.resign()) == ""
        assert self._do(self.actor.set_pace("human")) == "OutOfStep"
        assert self.actor.stored == other.stored
        assert self._do(self.actor.set_pace("instant")) == ""
        self.ended, self.turn_began = "given up", self.wall

    @invariant()
    def served_stored_and_replayed_agree(self) -> None:
        if not hasattr(self, "actor"):
            return
        moves = tuple(move.uci() for move in self.board.move_stack)
        shown, stored = _state(self.actor), self.store.load(self.actor.stored.id)
        assert stored == self.actor.stored == self.actor.as_stored()
        assert stored is not None
        assert stored.moves == moves
        assert shown.ply == len(moves)
        assert shown.board.text.split()[0] == self.board.board_fen()
        assert (shown.outcome is not None) == bool(self.ended)
        assert shown.your_turn == (self.my_turn and not self.ended)
        assert list(stored.clocks) == (self.left if self.timed else [])
        if self.timed and shown.clock is not None:
            mover = len(self.left) % 2
            times = [self._remaining(0), self._remaining(1)]
            times[mover] = max(0.0, times[mover] - self.spent)
            assert [round(each, 6) for each in shown.clock.seconds] == [round(each, 6) for each in times]

    def teardown(self) -> None:
        self.thinkers.close()
        self.crew.close()
        self.database.close()
        self.runner.close()
        self.folder.cleanup()


async def _await(work: Coroutine[Any, Any, Any]) -> None:
    await work


TestGames = Games.TestCase
TestGames.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
