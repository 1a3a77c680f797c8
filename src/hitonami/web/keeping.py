"""A game in memory and in the store, changed in both or in neither.

A change is made on a draft that nobody sees, stored, and only then becomes the game. It is carried to its end whoever
stops waiting for it: cancelling in the middle would leave memory and disk different.
"""

import asyncio
import copy
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from hitonami.abilities import CountingGame
from hitonami.agent import Agent
from hitonami.core import Effort, Player, open_game, turns_of
from hitonami.errors import WorkFailed
from hitonami.play.clocks import Watch, read_control
from hitonami.play.table import Table, replay
from hitonami.web.crew import Crew
from hitonami.web.games_store import GamesStore, Stale, StoredGame
from hitonami.web.move_log import MoveLog
from hitonami.web.refusals import OutOfStep

T = TypeVar("T")


@dataclass
class Draft:
    """A game while it is being changed."""

    table: Table
    stored: StoredGame
    fallen: bool = False
    """Whether the flag of the side to move had fallen when the change began."""


class KeptGame:
    """A stored game, its table and its clocks. It is made in a thread; its coroutines all run in one loop."""

    def __init__(
        self, stored: StoredGame, agent: Agent, store: GamesStore, crew: Crew, now: Callable[[], float] = monotonic
    ) -> None:
        self.log = MoveLog()
        self._agent = agent
        self._store = store
        self._crew = crew
        self._now = now
        self._lock = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()
        self.doubtful = False
        """Whether the store may hold more than this: a write failed, and nobody knows how far it went."""
        self.stored, self.table, self.watch = self._wake(stored)

    def _wake(self, stored: StoredGame) -> tuple[StoredGame, Table, Watch | None]:
        """A stored game, replayed. Blocks."""
        table = _open_table(stored, self._agent)
        self.log.names(table.position)  # all at once here, in a thread of its own; later one by one
        control = read_control(stored.time_control)
        watch = None if control is None else Watch(control, turns_of(table.position), stored.clocks, self._now)
        return stored, table, watch

    @property
    def idle(self) -> bool:
        return not self._running

    async def finish(self) -> None:
        """End what has begun."""
        if self._running:
            await asyncio.wait(self._running)

    def _keep(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that goes on to its end."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._let_go)
        return task

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits hears of it; nobody may be waiting

    async def _alone(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this after all that was asked before, with the game as the store has it, and to the end."""

        async def do() -> None:
            async with self._lock:
                try:
                    if self.doubtful:
                        await self._read_again()
                    await work
                finally:
                    work.close()

        await asyncio.shield(self._keep(do()))

    async def _change(self, change: Callable[[Draft], object]) -> None:
        """Change the game and the store; a change that cannot be stored did not happen. The lock is held.

        Raises OutOfStep where another server has changed the game: then that is what is shown from now on.
        """
        made = await self._crew.do("moves", self._make, change)
        if made is None:
            return
        table, stored, watch = made
        try:
            saved = await self._crew.do("store", self._store.save, stored)
        except Stale as wrong:
            self.doubtful = True
            await self._read_again()
            raise OutOfStep(str(wrong)) from None
        except Exception:
            self.doubtful = True
            raise
        self.table, self.stored, self.watch = table, saved, watch

    def _make(self, change: Callable[[Draft], object]) -> tuple[Table, StoredGame, Watch | None] | None:
        """The changed game; None where nothing has changed."""
        moment = self._now()  # one for the flag and the stamp: a move that was in time is stamped so
        fallen = self.watch is not None and self.table.outcome is None and self.watch.fallen(moment)
        draft = Draft(copy.copy(self.table), self.stored, fallen)
        change(draft)
        position = draft.table.position
        if position is not self.table.position:
            draft.stored = replace(draft.stored, dead=name_dead(draft.table))  # for the visitor to correct
        watch = None if self.watch is None else self.watch.noted(turns_of(position), moment)
        stored = self._as_stored(draft, watch)
        return None if stored == self.stored else (draft.table, stored, watch)

    async def _read_again(self) -> None:
        """The game as the store has it. The clock of a turn that goes on goes on too."""
        stored = await self._crew.do("store", self._store.load, self.stored.id)
        if stored is None:
            raise WorkFailed("this game is no longer in the database")
        if stored.version != self.stored.version:
            self.stored, self.table, self.watch = await self._crew.do("reading", self._wake, stored)
        self.doubtful = False

    def as_stored(self) -> StoredGame:
        return self._as_stored(Draft(self.table, self.stored), self.watch)

    def _as_stored(self, draft: Draft, watch: Watch | None) -> StoredGame:
        outcome = draft.table.outcome
        return replace(
            draft.stored,
            clocks=() if watch is None else watch.left,
            moves=tuple(self.log.texts(draft.table.position)),
            score=None if outcome is None else outcome.score,
            reason="" if outcome is None else outcome.reason,
        )


def name_dead(table: Table) -> tuple[str, ...]:
    """What the count took for dead, as programs name points; nothing in games that are not counted."""
    position = table.position
    if not isinstance(position.game, CountingGame):
        return ()
    return tuple(position.game.name_point(position, point) for point in table.dead)


def _open_table(stored: StoredGame, agent: Agent) -> Table:
    position = replay(open_game(stored.game), stored.setup, stored.moves)
    level = Player(stored.rating, stored.pool, kind="human")
    human, bot = replace(level, name="You"), replace(level, name=f"hitonami {stored.style}", kind="bot")
    return Table(
        position, agent, stored.human_side, human, bot, Effort(rng=np.random.default_rng()), outcome=stored.outcome
    )
