"""One actor a game: changes happen one after the other, are on disk before they are told, and survive a restart.

The opponent thinks in a task of its own, so that resigning and taking back need not wait for it: they drop the thought,
which has changed nothing. A thought is carried out only on the position that it was about. Nothing lives here that the
store does not know; an actor can be dropped at any time between two requests.
"""

import asyncio
import copy
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.abilities import CountingGame
from hitonami.agent import Decision
from hitonami.core import Clock, Mind, Player, Position, Query
from hitonami.errors import BadInput
from hitonami.play.clocks import Watch
from hitonami.play.endings import may_offer, outcome_by_claim
from hitonami.play.table import Table
from hitonami.records import Record
from hitonami.web.consulting import Counsel
from hitonami.web.crew import Crew
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.keeping import Draft, KeptGame
from hitonami.web.opponents import judge_for
from hitonami.web.refusals import OutOfStep
from hitonami.web.thinking import Thinkers

LONGEST_WAIT_SECONDS: Final = 6.0


class Actor(KeptGame):
    """The owner of one game."""

    def __init__(
        self,
        stored: StoredGame,
        store: GamesStore,
        thinkers: Thinkers,
        crew: Crew,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.style = thinkers.roster.style(stored.game, stored.style, stored.visitor)
        asker = stored.visitor or stored.id
        agent = thinkers.agent(self.style.mind, stored.game, asker)
        super().__init__(stored, agent, store, crew, now)
        self.judge = judge_for(self.table.position) or self.style
        """Who speaks for players of the level; where nobody can, the opponent speaks for itself."""
        self._opponent = Counsel(thinkers, crew, self.style.mind, asker)
        self._level = Counsel(thinkers, crew, self.judge.mind, asker)
        self._thought: asyncio.Task[None] | None = None
        self._deciding: asyncio.Task[Decision] | None = None

    async def finish(self) -> None:
        """Think no more, and end what has begun."""
        self._drop_thought()
        await super().finish()

    @property
    def timed(self) -> bool:
        """Whether a clock is running."""
        return self.watch is not None and not self.over

    @property
    def over(self) -> bool:
        return self.table.outcome is not None

    @property
    def positions(self) -> int:
        """How many are kept here: the game's present one and all before it."""
        return self.table.position.ply + 1

    @property
    def claim(self) -> str | None:
        """What the rules give the person now."""
        table = self.table
        if table.outcome is not None or not table.humans_turn:
            return None
        claim = outcome_by_claim(table.position)
        return None if claim is None else claim.reason

    @property
    def offered(self) -> bool:
        """Whether the opponent has just offered a draw."""
        running = self.table.outcome is None and self.table.humans_turn
        return running and self.stored.offer_ply == self.table.position.ply

    def record(self) -> Record:
        """The game for a file. Nobody knows the visitor's own level: the one that was chosen is the opponent's."""
        record = self.table.record()
        you, bot = replace(self.table.human, rating=None), self.table.bot
        record = replace(record, players=(you, bot) if self.table.human_side == 0 else (bot, you))
        if self.watch is None:
            return record
        return replace(record, time_control=self.stored.time_control, clocks=self.watch.left)

    async def look(self) -> None:
        """End the game where the flag of the side to move has fallen; read it again where a write has failed."""
        if self.doubtful or (self.watch is not None and self.table.outcome is None and self.watch.fallen()):
            await self._alone(self._change(lambda draft: None if not draft.fallen else draft.table.lose_on_time()))

    async def set_pace(self, pace: str) -> None:
        await self._alone(self._change(lambda draft: setattr(draft, "stored", replace(draft.stored, pace=pace))))

    async def mark_dead(self, dead: list[str]) -> None:
        """Count a finished game of Go anew, with these stones dead. Raises BadInput for any other game."""

        def count(draft: Draft) -> None:
            position = draft.table.position
            if not isinstance(position.game, CountingGame) or position.ending is None:
                raise BadInput("only a game of Go that two passes have ended is counted")
            draft.table.count_with([position.game.read_point(position, each) for each in dead])
            draft.stored = replace(draft.stored, dead=tuple(dead))

        await self._alone(self._change(count))

    async def play(self, text: str, ply: int) -> None:
        """The person's move. Raises OutOfStep where it was meant for another position."""
        await self._alone(self._play(text, ply))

    async def _play(self, text: str, ply: int) -> None:
        if ply != self.table.position.ply or not self.table.humans_turn:
            raise OutOfStep("this move is for another position; the board shows the present one")
        await self._change(lambda draft: draft.table.lose_on_time() if draft.fallen else draft.table.play_text(text))

    async def answer(self) -> None:
        """Wait until the opponent has moved; at once where it is not its turn."""
        while self.table.outcome is None and not self.table.humans_turn:
            if self._thought is None:
                self._thought = self._keep(self._think())
                self._thought.add_done_callback(self._forget)
            thought = self._thought
            await asyncio.wait([thought])  # it goes on where the browser goes away
            thought.result()

    async def undo(self) -> None:
        await self._alone(self._change(lambda draft: draft.table.undo()))

    async def resign(self) -> None:
        await self._alone(self._change(lambda draft: None if draft.table.outcome else draft.table.resign()))

    async def ask_for_draw(self) -> bool:
        """Claim what the rules give, a win first, or offer a draw. False where the opponent declines."""
        table = self.table
        self._refuse_draw(table)
        sure = self.offered or self.claim is not None
        if not sure and not await self._opponent.decide(lambda mind: _with(table, mind).agent_accepts_draw()):
            return False
        await self._alone(self._draw(table.position))
        return True

    def _refuse_draw(self, table: Table) -> None:
        if table.outcome is not None or not table.humans_turn:
            raise OutOfStep("a draw can be offered on your own turn")

    async def _draw(self, position: Position) -> None:
        """It was agreed or claimed about this position."""
        self._refuse_draw(self.table)
        if self.table.position is not position:
            raise OutOfStep("the draw was about another position; the board shows the present one")
        await self._change(_end_drawn)

    async def hint(self, rating: float | None, count: int) -> tuple[Position, list[tuple[int, float]]]:
        """The position asked about, and its likeliest moves at a level."""
        position = self._running_position()
        player = Player(self.stored.rating if rating is None else rating, self.stored.pool, kind="human")
        opinion = await self._level.opinion(Query(position, player, player))
        order = (-opinion.log_probs).argsort(kind="stable")[:count]
        return position, [(int(position.legal[at]), float(np.exp(opinion.log_probs[at]))) for at in order]

    async def chances(self) -> tuple[float, float, float] | None:
        """Win, draw and loss of player 0 between players of the opponent's level; None where the mind has no view."""
        position = self._running_position()
        player = Player(self.stored.rating, self.stored.pool, kind="human")
        opinion = await self._level.opinion(Query(position, player, player))
        if opinion.wdl is None:
            return None
        win, draw, loss = opinion.wdl.tolist()
        return (win, draw, loss) if position.to_move == 0 else (loss, draw, win)

    def _running_position(self) -> Position:
        if self.table.outcome is not None:
            raise BadInput(f"the game is over: {self.table.outcome.reason}")
        return self.table.position

    async def _think(self) -> None:
        table = self.table
        self._deciding = asyncio.create_task(self._decide(table, self.watch))
        await asyncio.wait([self._deciding])
        if self._deciding.cancelled():
            return
        decision = self._deciding.result()
        async with self._lock:
            if self.table.position is table.position and self.table.outcome is None:
                await self._change(lambda draft: _carry_out(draft, decision))

    async def _decide(self, table: Table, watch: Watch | None) -> Decision:
        """What the opponent does, at its pace. It may be cancelled: it changes nothing."""
        begin = asyncio.get_running_loop().time()
        clock = None if watch is None else watch.clock()
        decision = await self._opponent.decide(lambda mind: _with(table, mind, clock).consider())
        if self.stored.pace == "human":
            spent = asyncio.get_running_loop().time() - begin
            longest = LONGEST_WAIT_SECONDS if watch is None else decision.think_seconds
            await self._crew.rest(max(0.0, min(decision.think_seconds, longest) - spent))
        return decision

    async def _change(self, change: Callable[[Draft], object]) -> None:
        position = self.table.position
        try:
            await super()._change(change)
        finally:
            if self.table.position is not position or self.table.outcome is not None:
                self._drop_thought()

    def _forget(self, thought: asyncio.Task[None]) -> None:
        if self._thought is thought:
            self._thought = self._deciding = None

    def _drop_thought(self) -> None:
        if self._deciding is not None:
            self._deciding.cancel()


def _with(table: Table, mind: Mind, clock: Clock | None = None) -> Table:
    """The same table with an agent of another mind; what happens at it stays there."""
    other = copy.copy(table)
    other.agent, other.clock = replace(table.agent, mind=mind), clock
    return other


def _carry_out(draft: Draft, decision: Decision) -> None:
    if draft.fallen:
        draft.table.lose_on_time()
        return
    draft.table.carry_out(decision)
    position = draft.table.position
    if draft.table.outcome is None and decision.offers_draw and may_offer(position, draft.stored.offer_ply):
        draft.stored = replace(draft.stored, offer_ply=position.ply)


def _end_drawn(draft: Draft) -> None:
    """What the rules give, a win first; else the draw was agreed."""
    if draft.fallen:
        draft.table.lose_on_time()
        return
    if not draft.table.claim():
        draft.table.agree_on_draw()


def expected_score(chances: tuple[float, float, float] | None) -> float | None:
    """Of player 0."""
    return None if chances is None else dist.expected_score(np.array(chances, dtype=np.float32))
