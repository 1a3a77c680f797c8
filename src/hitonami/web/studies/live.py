"""A game that a visitor plays against a hidden opponent.

Like an actor of the page, with less to say: no hints, no chances, no resigning of the opponent, no claims. The opponent
draws its moves from its mind; when the answer comes is the study's common pace, not the opponent's.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hitonami.agent import Agent
from hitonami.core import Effort, Player, Position, Query
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.web.refusals import OutOfStep
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.preparing import write_moves
from hitonami.web.studies.store import Hidden, Trial

FAILED = "this game cannot go on; please go on to the next one"


class LiveTrial:
    """One running game. `save` puts a changed trial on disk, and blocks."""

    def __init__(
        self, trial: Trial, position: Position, hidden: Hidden, agent: Agent, save: Callable[[Trial], Trial]
    ) -> None:
        self.trial = trial
        self.position = position
        self._player = Player(hidden.rating, hidden.pool, kind="human")
        self._agent = agent
        self._save = save
        self._lock = asyncio.Lock()
        self._reply: asyncio.Task[None] | None = None
        self._rng = np.random.default_rng()

    @property
    def visitors_turn(self) -> bool:
        return bool(len(self.position.legal)) and self.position.to_move != self.trial.side

    async def play(self, text: str, ply: int) -> None:
        """The visitor's move. Raises OutOfStep, BadMove."""
        async with self._lock:
            if ply != self.position.ply or not self.visitors_turn or self.trial.state != "shown":
                raise OutOfStep("this move is for another position; the board shows the present one")
            await self._move(self.position.game.parse(self.position, text))

    async def wait_reply(self, pace: CommonPace) -> None:
        """Wait for the opponent's move; at once where it is not its turn. Raises WorkFailed with one text for all."""
        if self.visitors_turn or not len(self.position.legal) or self.trial.state != "shown":
            return
        if self._reply is None:
            self._reply = asyncio.create_task(self._answer(pace))
            self._reply.add_done_callback(self._forget)
        await asyncio.shield(self._reply)

    def _forget(self, reply: asyncio.Task[None]) -> None:
        self._reply = None
        if not reply.cancelled():
            reply.exception()  # whoever waits hears of it

    async def _answer(self, pace: CommonPace) -> None:
        position = self.position
        try:
            move = await pace.hold_back(asyncio.to_thread(self._think, position), self._rng)
        except HitonamiError:
            self.trial = await asyncio.to_thread(self._save, replace(self.trial, state="void"))
            raise WorkFailed(FAILED) from None
        async with self._lock:
            if self.position is position and self.trial.state == "shown":
                await self._move(move)

    def _think(self, position: Position) -> int:
        query = Query(position, self._player, self._player)
        [opinion] = self._agent.mind([query], Effort(rng=self._rng))
        return self._agent.draw_move(query, opinion, self._rng)

    async def _move(self, move: int) -> None:
        after = self.position.play(move)
        self.trial = await asyncio.to_thread(self._save, replace(self.trial, moves=write_moves(after)))
        self.position = after
