"""A game between a person and an agent: whose turn it is, what may be taken back, how it ended.

No input and no output: `talk.py` puts words to it.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np

from hitonami.agent import Agent, ClaimDraw, Decision, DeclareWin, Play, Resign
from hitonami.core import Clock, CountingGame, Effort, Player, Position, Query, lineage
from hitonami.errors import BadInput
from hitonami.records import Record


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `score` is 0..1 for player 0."""

    score: float
    reason: str


@dataclass
class Table:
    """The state of one game. Player `human_side` is the person."""

    position: Position
    agent: Agent
    human_side: int
    human: Player
    bot: Player
    effort: Effort
    outcome: Outcome | None = None
    clock: Clock | None = None
    """As the side to move sees it, where the game is timed; whoever keeps the time sets it."""

    def __post_init__(self) -> None:
        self._look_for_end()

    @property
    def humans_turn(self) -> bool:
        return self.position.to_move == self.human_side

    def play(self, move: int) -> None:
        """A legal move by whoever is to move."""
        self._refuse_when_over()
        self.position = self.position.play(move)
        self._look_for_end()

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
        loses = float(self.human_side == 0)
        match decision.action:
            case Play(move):
                self.play(move)
            case Resign():
                self.outcome = Outcome(loses, "resignation")
            case ClaimDraw(reason):
                self.outcome = Outcome(0.5, reason)
            case DeclareWin(reason):
                self.outcome = Outcome(1.0 - loses, reason)

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
        self.position, self.outcome = here, None

    def resign(self) -> None:
        self.outcome = Outcome(float(self.human_side == 1), "resignation")

    def claim_or_offer_draw(self) -> bool:
        """Claim a draw where the rules give one, else offer it. False where the agent declines."""
        claim = self.position.game.claims(self.position).draw
        if claim is not None:
            self.outcome = Outcome(0.5, claim)
        elif self.agent.accepts_draw(self._query(self.bot, self.human), self.effort):
            self.outcome = Outcome(0.5, "agreement")
        return self.outcome is not None

    def declare_win(self) -> None:
        claim = self.position.game.claims(self.position).win
        if claim is None:
            raise BadInput("the rules give no win to declare here")
        self.outcome = Outcome(float(self.human_side == 0), claim)

    def record(self) -> Record:
        """The game so far."""
        start, moves = lineage(self.position)
        players = (self.human, self.bot) if self.human_side == 0 else (self.bot, self.human)
        score, reason = (self.outcome.score, self.outcome.reason) if self.outcome else (None, "")
        return Record(start.game.name, start.setup, tuple(moves), players, score, reason, date=date.today().isoformat())

    def _query(self, player: Player, opponent: Player) -> Query:
        return Query(self.position, player, opponent, self.clock)

    def _previous_turn(self) -> Position | None:
        here: Position | None = self.position if self.outcome and self.position.ending is None else self.position.before
        while here is not None and here.to_move != self.human_side:
            here = here.before
        return here

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise BadInput("the game is over; `undo` takes the last move back")

    def _look_for_end(self) -> None:
        position = self.position
        if position.ending is None or position.score is None:
            return
        self.outcome = Outcome(position.score, position.ending)
        if isinstance(position.game, CountingGame):
            counted = position.game.count(position, position.game.guess_dead(position, self.effort.rng))
            self.outcome = Outcome(counted.score, f"{position.ending}, {counted} with dead stones as we see them")
