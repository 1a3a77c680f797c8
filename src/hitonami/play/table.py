"""A game under way, and one between a person and an agent: whose turn it is, what may be taken back, how it ended.

No input and no output: the terminal and the page put words to it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np

from hitonami.agent import Agent, ClaimDraw, Decision, DeclareWin, Play, Resign
from hitonami.core import Clock, Effort, Game, Player, Position, Query, Setup, lineage, turns_of
from hitonami.errors import BadInput
from hitonami.play.endings import (
    RESIGNATION,
    Outcome,
    guess_dead,
    outcome_by_claim,
    outcome_by_force,
    outcome_on_time,
    won_by,
)
from hitonami.records import Record, told_movers


def replay(rules: Game[Any], setup: Setup, moves: Iterable[str]) -> Position:
    """The position of a game after moves as programs write them. Raises BadInput."""
    position: Position = rules.start(setup)
    for text in moves:
        position = position.play(rules.parse(position, text))
    return position


@dataclass
class Bout:
    """A game under way. Who is to move is what the position says: turns need not alternate."""

    position: Position
    outcome: Outcome | None = field(default=None, kw_only=True)
    dead: tuple[int, ...] = field(default=(), kw_only=True)
    """What the count took for dead, once a counting game is over."""

    def play(self, move: int) -> None:
        """A legal move by whoever is to move."""
        self._refuse_when_over()
        self.position = self.position.play(move)
        self.look_for_end()

    def look_for_end(self) -> None:
        """On the board; a finished one is counted with what looks dead."""
        self.dead = guess_dead(self.position) if self.position.ending is not None else ()
        self.outcome = outcome_by_force(self.position, self.dead)

    def count_with(self, dead: Collection[int]) -> None:
        """Count a finished board anew. Raises BadInput for a point without a stone."""
        self.outcome = outcome_by_force(self.position, dead)
        self.dead = tuple(dead)

    def claim(self) -> bool:
        """End the game by what the side to move may claim. False where that is nothing."""
        self._refuse_when_over()
        self.outcome = outcome_by_claim(self.position)
        return self.outcome is not None

    def give_up(self, side: int, reason: str = RESIGNATION) -> None:
        self.outcome = won_by(1 - side, reason)

    def lose_on_time(self) -> None:
        """The flag of the side to move has fallen."""
        self.outcome = outcome_on_time(self.position)

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise BadInput("the game is over; `undo` takes the last move back")


@dataclass
class Table(Bout):
    """A person and an agent. Player `human_side` is the person."""

    agent: Agent
    human_side: int
    human: Player
    bot: Player
    effort: Effort
    clock: Clock | None = None
    """As the side to move sees it, where the game is timed; whoever keeps the time sets it."""

    def __post_init__(self) -> None:
        if self.outcome is None:
            self.look_for_end()

    @property
    def humans_turn(self) -> bool:
        return self.position.to_move == self.human_side

    def play_text(self, text: str) -> None:
        """A move as the person typed it."""
        self._refuse_when_over()
        self.play(self.position.game.parse(self.position, text))

    def answer(self) -> Decision:
        """Let the agent decide, and carry it out."""
        decision = self.consider()
        self.carry_out(decision)
        return decision

    def consider(self) -> Decision:
        """What the agent would do now; nothing changes."""
        self._refuse_when_over()
        return self.agent.decide(self._query(self.bot, self.human), self.effort)

    def carry_out(self, decision: Decision) -> None:
        """Make the agent's decision about this position come true."""
        match decision.action:
            case Play(move):
                self.play(move)
            case Resign():
                self.give_up(1 - self.human_side, decision.action.reason)
            case ClaimDraw(reason):
                self.outcome = Outcome(0.5, reason)
            case DeclareWin(reason):
                self.outcome = won_by(1 - self.human_side, reason)

    def hint(self, count: int = 5) -> list[tuple[int, float]]:
        """What the agent's mind gives the person's level here: moves with their chances, likeliest first."""
        opinion = self.agent.mind([self._query(self.human, self.bot)], self.effort)[0]
        order = (-opinion.log_probs).argsort(kind="stable")[:count]
        return [(int(self.position.legal[at]), float(np.exp(opinion.log_probs[at]))) for at in order]

    @property
    def undoable(self) -> bool:
        """Whether the person had a turn before this one."""
        return self._previous_turn() is not None

    def undo(self) -> None:
        """Take back to the person's previous turn."""
        here = self._previous_turn()
        if here is None:
            raise BadInput("there is nothing to take back")
        self.position, self.outcome, self.dead = here, None, ()

    def resign(self) -> None:
        self.give_up(self.human_side)

    def ask_for_draw(self) -> bool:
        """Claim what the rules give, a win first, else offer a draw. False where the agent declines."""
        if not self.claim() and self.agent_accepts_draw():
            self.agree_on_draw()
        return self.outcome is not None

    def agent_accepts_draw(self) -> bool:
        """Whether the agent takes a draw that the person, who is to move, offers."""
        return self.agent.accepts_draw(self._query(self.human, self.bot), self.effort)

    def agree_on_draw(self) -> None:
        self.outcome = Outcome(0.5, "agreement")

    def declare_win(self) -> None:
        claim = self.position.game.claims(self.position).win
        if claim is None:
            raise BadInput("the rules give no win to declare here")
        self.outcome = won_by(self.position.to_move, claim)

    def record(self) -> Record:
        """The game so far."""
        start, moves = lineage(self.position)
        movers = told_movers(turns_of(self.position)[:-1])
        players = (self.human, self.bot) if self.human_side == 0 else (self.bot, self.human)
        score, reason = (self.outcome.score, self.outcome.reason) if self.outcome else (None, "")
        ended = RESIGNATION if reason.startswith(RESIGNATION) else reason  # why it was is not for records
        today = date.today().isoformat()
        return Record(start.game.name, start.setup, tuple(moves), players, score, ended, date=today, movers=movers)

    def _query(self, player: Player, opponent: Player) -> Query:
        return Query(self.position, player, opponent, self.clock)

    def _previous_turn(self) -> Position | None:
        here: Position | None = self.position if self.outcome and self.position.ending is None else self.position.before
        while here is not None and here.to_move != self.human_side:
            here = here.before
        return here
