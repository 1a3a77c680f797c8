"""One actor a game: changes happen one after the other, are on disk before they are told, and survive a restart.

The opponent thinks in a task of its own, so that resigning and taking back need not wait for it: they cancel the
thought. A thought is carried out only on the position that it was about. Nothing lives here that the store does not
know; an actor can be dropped at any time between two requests.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Player, Position, Query, lineage, open_game
from hitonami.errors import BadInput, HitonamiError
from hitonami.terminal.table import Outcome, Table
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.opponents import level_style_of, style_of
from hitonami.web.thinking import Thinkers

LONGEST_WAIT_SECONDS: Final = 6.0
_MOST_ACTORS: Final = 500


class OutOfStep(HitonamiError):
    """The browser speaks of another position than the server's: it has to look again."""


class Actor:
    """The owner of one game."""

    def __init__(self, stored: StoredGame, store: GamesStore, thinkers: Thinkers) -> None:
        self.stored = stored
        self.style = style_of(stored.game, stored.style)
        self.judge = level_style_of(stored.game) or self.style
        """Who speaks for players of the level; where nobody can, the opponent speaks for itself."""
        self._store = store
        self._level_mind = thinkers.mind(self.judge.mind)
        self._lock = asyncio.Lock()
        self._thought: asyncio.Task[None] | None = None
        self.table = _open_table(stored, Agent(thinkers.mind(self.style.mind)))

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

    async def play(self, text: str, ply: int) -> None:
        """The person's move. Raises OutOfStep where it was meant for another position."""
        async with self._lock:
            if ply != self.table.position.ply or not self.table.humans_turn:
                raise OutOfStep("this move is for another position; the board shows the present one")
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
            if self.table.position.game.claims(self.table.position).win is not None:
                await self._change(self.table.declare_win)
            else:
                await self._change(self.table.claim_or_offer_draw)
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

    def _running_position(self) -> Position:
        if self.table.outcome is not None:
            raise BadInput(f"the game is over: {self.table.outcome.reason}")
        return self.table.position

    async def _think(self) -> None:
        position = self.table.position
        begin = asyncio.get_running_loop().time()
        decision = await asyncio.to_thread(self.table.consider)
        if self.stored.pace == "human":
            spent = asyncio.get_running_loop().time() - begin
            await asyncio.sleep(max(0.0, min(decision.think_seconds, LONGEST_WAIT_SECONDS) - spent))
        async with self._lock:
            if self.table.position is position and self.table.outcome is None:
                await self._change(lambda: self.table.carry_out(decision))

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
        position, outcome = self.table.position, self.table.outcome
        change()
        try:
            self.stored = self._store.save(_as_stored(self.stored, self.table))
        except HitonamiError:
            self.table.position, self.table.outcome = position, outcome
            raise


class Hall:
    """All games of a server: actors for those in use, the store for the rest."""

    def __init__(self, store: GamesStore, thinkers: Thinkers) -> None:
        self.store = store
        self.thinkers = thinkers
        self._actors: OrderedDict[str, Actor] = OrderedDict()

    async def begin(self, stored: StoredGame) -> Actor:
        actor = await asyncio.to_thread(Actor, stored, self.store, self.thinkers)
        actor.stored = await asyncio.to_thread(self.store.save, _as_stored(stored, actor.table))
        return self._seat(actor)

    async def find(self, game_id: str) -> Actor | None:
        """The actor of a game, woken from the store where it sleeps; None where there is no such game."""
        if game_id in self._actors:
            self._actors.move_to_end(game_id)
            return self._actors[game_id]
        stored = await asyncio.to_thread(self.store.load, game_id)
        if stored is None:
            return None
        actor = await asyncio.to_thread(Actor, stored, self.store, self.thinkers)
        return self._seat(actor)

    def _seat(self, actor: Actor) -> Actor:
        """Of two that were woken at the same time, the first one stays."""
        seated = self._actors.setdefault(actor.stored.id, actor)
        if len(self._actors) > _MOST_ACTORS:
            for game_id, each in list(self._actors.items())[:-1]:
                if each.idle:
                    del self._actors[game_id]
                    break
        return seated


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


def _as_stored(stored: StoredGame, table: Table) -> StoredGame:
    here, moves = lineage(table.position)
    texts = []
    for move in moves:
        texts.append(here.game.format(here, move))
        here = here.follow(move)
    score, reason = (table.outcome.score, table.outcome.reason) if table.outcome else (None, "")
    return replace(stored, moves=tuple(texts), score=score, reason=reason)


def expected_score(chances: tuple[float, float, float] | None) -> float | None:
    """Of player 0."""
    return None if chances is None else dist.expected_score(np.array(chances, dtype=np.float32))
