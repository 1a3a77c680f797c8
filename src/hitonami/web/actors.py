"""One actor a game: changes happen one after the other, are on disk before they are told, and survive a restart.

The opponent thinks in a task of its own, so that resigning and taking back need not wait for it: they cancel the
thought. A thought is carried out only on the position that it was about. Nothing lives here that the store does not
know; an actor can be dropped at any time between two requests.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.agent import Agent, Decision, level_style
from hitonami.core import Effort, Player, Position, Query, lineage, open_game
from hitonami.errors import BadInput, HitonamiError
from hitonami.games.go import GoPosition
from hitonami.records import Record
from hitonami.terminal.table import Outcome, Table
from hitonami.web.clocks import Watch, read_control
from hitonami.web.endings import EARLIEST_DRAW_PLY, count_with, guess_dead, offers_draw, outcome_on_time
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.move_log import MoveLog
from hitonami.web.opponents import level_style_of
from hitonami.web.thinking import Thinkers

LONGEST_WAIT_SECONDS: Final = 6.0


class OutOfStep(HitonamiError):
    """The browser speaks of another position than the server's: it has to look again."""


class Actor:
    """The owner of one game."""

    def __init__(self, stored: StoredGame, store: GamesStore, thinkers: Thinkers) -> None:
        self.stored = stored
        self.style = thinkers.roster.style(stored.game, stored.style)
        self.judge = level_style_of(stored.game) or self.style
        """Who speaks for players of the level; where nobody can, the opponent speaks for itself."""
        self.log = MoveLog()
        self._store = store
        self._level_mind = thinkers.mind(self.judge.mind)
        self._lock = asyncio.Lock()
        self._thought: asyncio.Task[None] | None = None
        self.table = _open_table(stored, Agent(thinkers.mind(self.style.mind), style=level_style(self.style.mind)))
        self.log.names(self.table.position)  # all at once here, in a thread of its own; later one by one
        control = read_control(stored.time_control)
        first_to_move = lineage(self.table.position)[0].to_move
        self.watch = None if control is None else Watch(control, first_to_move, stored.clocks)

    @property
    def idle(self) -> bool:
        return self._thought is None and not self._lock.locked()

    @property
    def claim(self) -> str | None:
        """What the rules give the person now."""
        table = self.table
        if table.outcome is not None or not table.humans_turn:
            return None
        claims = table.position.game.claims(table.position)
        return claims.win or claims.draw

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
        return replace(record, time_control=self.stored.time_control, clocks=tuple(self.watch.left))

    async def look_at_clock(self) -> None:
        """End the game where the flag of the side to move has fallen."""
        if self.watch is None or self.table.outcome is not None or not self.watch.fallen:
            return
        async with self._lock:
            if self.table.outcome is None and self.watch.fallen:
                self._stop_thinking()
                await self._change(self._lose_on_time)

    async def set_pace(self, pace: str) -> None:
        async with self._lock:
            self.stored = await asyncio.to_thread(self._store.save, replace(self.stored, pace=pace))

    async def mark_dead(self, dead: list[str]) -> None:
        """Count a finished game of Go anew, with these stones dead. Raises BadInput for any other game."""
        async with self._lock:
            position = self.table.position
            if not isinstance(position, GoPosition) or position.ending is None:
                raise BadInput("only a game of Go that two passes have ended is counted")
            outcome = await asyncio.to_thread(count_with, position, dead)
            self.stored = replace(self.stored, dead=tuple(dead))
            await self._change(lambda: setattr(self.table, "outcome", outcome))

    async def play(self, text: str, ply: int) -> None:
        """The person's move. Raises OutOfStep where it was meant for another position."""
        async with self._lock:
            if ply != self.table.position.ply or not self.table.humans_turn:
                raise OutOfStep("this move is for another position; the board shows the present one")
            if self.watch is not None and self.watch.fallen:
                await self._change(self._lose_on_time)
            else:
                await self._change(lambda: self.table.play_text(text))

    async def answer(self) -> None:
        """Wait until the opponent has moved; at once where it is not its turn."""
        if self.table.outcome is not None or self.table.humans_turn:
            return
        if self._thought is None:
            self._thought = asyncio.create_task(self._think())
            self._thought.add_done_callback(self._forget)
        try:
            await asyncio.shield(self._thought)
        except asyncio.CancelledError:
            if self._thought is not None and not self._thought.cancelled():
                raise  # the browser went away; the thought goes on

    async def undo(self) -> None:
        self._stop_thinking()
        async with self._lock:
            await self._change(self.table.undo)

    async def resign(self) -> None:
        self._stop_thinking()
        async with self._lock:
            if self.table.outcome is None:
                await self._change(self.table.resign)

    async def ask_for_draw(self) -> bool:
        """Claim what the rules give, a win first, or offer a draw. False where the opponent declines."""
        async with self._lock:
            if self.table.outcome is not None or not self.table.humans_turn:
                raise OutOfStep("a draw can be offered on your own turn")
            await self._change(self._draw_or_claim)
            return self.table.outcome is not None

    async def hint(self, rating: float | None, count: int) -> tuple[Position, list[tuple[int, float]]]:
        """The position asked about, and its likeliest moves at a level."""
        position = self._running_position()
        player = Player(self.stored.rating if rating is None else rating, self.stored.pool, kind="human")
        query = Query(position, player, player)
        [opinion] = await asyncio.to_thread(self._level_mind, [query], self.table.effort)
        order = (-opinion.log_probs).argsort(kind="stable")[:count]
        return position, [(int(position.legal[at]), float(np.exp(opinion.log_probs[at]))) for at in order]

    async def chances(self) -> tuple[float, float, float] | None:
        """Win, draw and loss of player 0 between players of the opponent's level; None where the mind has no view."""
        position = self._running_position()
        player = Player(self.stored.rating, self.stored.pool, kind="human")
        [opinion] = await asyncio.to_thread(self._level_mind, [Query(position, player, player)], self.table.effort)
        if opinion.wdl is None:
            return None
        win, draw, loss = opinion.wdl.tolist()
        return (win, draw, loss) if position.to_move == 0 else (loss, draw, win)

    def _draw_or_claim(self) -> None:
        table = self.table
        claims = table.position.game.claims(table.position)
        if claims.win is not None:
            table.declare_win()
        elif self.offered:
            table.outcome = Outcome(0.5, "agreement")
        elif claims.draw is not None or table.position.ply >= EARLIEST_DRAW_PLY:
            table.claim_or_offer_draw()

    def _lose_on_time(self) -> None:
        self.table.outcome = outcome_on_time(self.table.position)

    def _running_position(self) -> Position:
        if self.table.outcome is not None:
            raise BadInput(f"the game is over: {self.table.outcome.reason}")
        return self.table.position

    async def _think(self) -> None:
        position = self.table.position
        begin = asyncio.get_running_loop().time()
        self.table.clock = None if self.watch is None else self.watch.clock()
        decision = await asyncio.to_thread(self.table.consider)
        if self.stored.pace == "human":
            spent = asyncio.get_running_loop().time() - begin
            longest = LONGEST_WAIT_SECONDS if self.watch is None else decision.think_seconds
            await asyncio.sleep(max(0.0, min(decision.think_seconds, longest) - spent))
        async with self._lock:
            if self.table.position is position and self.table.outcome is None:
                await self._change(lambda: self._carry_out(decision))

    def _carry_out(self, decision: Decision) -> None:
        if self.watch is not None and self.watch.fallen:
            self._lose_on_time()
            return
        self.table.carry_out(decision)
        position = self.table.position
        if self.table.outcome is None and offers_draw(position, decision.opinion, self.stored.offer_ply):
            self.stored = replace(self.stored, offer_ply=position.ply)

    def _forget(self, thought: asyncio.Task[None]) -> None:
        if self._thought is thought:
            self._thought = None
        if not thought.cancelled():
            thought.exception()  # whoever waits hears of it; nobody may be waiting

    def _stop_thinking(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    async def _change(self, change: Callable[[], object]) -> None:
        """Change the table, and the store with it; a change that cannot be stored did not happen."""
        await asyncio.shield(asyncio.to_thread(self._change_now, change))

    def _change_now(self, change: Callable[[], object]) -> None:
        position, outcome, stored = self.table.position, self.table.outcome, self.stored
        change()
        left = None if self.watch is None else list(self.watch.left)
        if self.watch is not None:
            self.watch.note(self.table.position.ply)
        if self.table.position is not position:
            self._count()
        try:
            self.stored = self._store.save(self.as_stored())
        except HitonamiError:
            self.table.position, self.table.outcome, self.stored = position, outcome, stored
            if self.watch is not None and left is not None:
                self.watch.left = left
            raise

    def _count(self) -> None:
        """After two passes in Go: what is dead is kept, so that the visitor can correct it."""
        position = self.table.position
        dead = guess_dead(position)
        self.stored = replace(self.stored, dead=dead)
        if isinstance(position, GoPosition) and position.ending is not None:
            self.table.outcome = count_with(position, dead)

    def as_stored(self) -> StoredGame:
        clocks = () if self.watch is None else tuple(self.watch.left)
        outcome = self.table.outcome
        score, reason = (outcome.score, outcome.reason) if outcome else (None, "")
        moves = tuple(self.log.texts(self.table.position))
        return replace(self.stored, clocks=clocks, moves=moves, score=score, reason=reason)


def _open_table(stored: StoredGame, agent: Agent) -> Table:
    rules = open_game(stored.game)
    position = rules.start(stored.setup)
    for text in stored.moves:
        position = position.play(rules.parse(position, text))
    level = Player(stored.rating, stored.pool, kind="human")
    human, bot = replace(level, name="You"), replace(level, name=f"hitonami {stored.style}", kind="bot")
    outcome = None if stored.score is None else Outcome(stored.score, stored.reason)
    table = Table(position, agent, stored.human_side, human, bot, Effort(rng=np.random.default_rng()))
    table.outcome = outcome or table.outcome
    return table


def expected_score(chances: tuple[float, float, float] | None) -> float | None:
    """Of player 0."""
    return None if chances is None else dist.expected_score(np.array(chances, dtype=np.float32))
