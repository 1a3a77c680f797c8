"""Games that visitors play against hidden opponents.

Less than an actor of the page: no hints, no chances, no resigning of the opponent, no claims. The opponent draws its
moves from its mind; when the answer comes is the study's common pace, not the opponent's. A game is what the store
holds, looked up for every request: nothing here can differ from it, and a move or an answer that the store no longer
takes (judged meanwhile, moved meanwhile) did not happen. Only replies under way live here, one a game.
"""

import asyncio

import numpy as np

from hitonami.core import Effort, Player, Position, Query, open_game
from hitonami.errors import BadInput, HitonamiError, WorkFailed
from hitonami.play import table
from hitonami.web.refusals import OutOfStep
from hitonami.web.studies.meeting import Meeting, is_alone
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.preparing import open_agent, write_moves
from hitonami.web.studies.store import StudiesStore, Study, Trial
from hitonami.web.thinking import Thinkers

FAILED = "this game cannot go on; please go on to the next one"
_ELSEWHERE = "this move is for another position; the board shows the present one"


class LiveTrials:
    """All games of a server that are being played in studies."""

    def __init__(self, store: StudiesStore, thinkers: Thinkers, pace: CommonPace) -> None:
        self._store = store
        self._thinkers = thinkers
        self._pace = pace
        self._replies: dict[str, asyncio.Task[None]] = {}
        self._meeting = Meeting(store, pace)
        self._rng = np.random.default_rng()

    async def close(self) -> None:
        """Leave off. Who asks again after a restart gets a reply."""
        replies = list(self._replies.values())
        for reply in replies:
            reply.cancel()
        await asyncio.gather(*replies, return_exceptions=True)

    async def play(self, study: Study, trial: Trial, text: str, ply: int) -> None:
        """The visitor's move. Raises OutOfStep, BadMove."""
        position = await asyncio.to_thread(_replay_played, study, trial)
        if ply != position.ply or not is_visitors_turn(position, trial) or is_alone(study, trial):
            raise OutOfStep(_ELSEWHERE)
        after = position.play(position.game.parse(position, text))
        if not await asyncio.to_thread(self._store.add_move, trial, write_moves(after)):
            raise OutOfStep(_ELSEWHERE)
        self._meeting.tell(trial.partner)

    async def wait_reply(self, study: Study, trial: Trial) -> None:
        """Wait for the opponent's move; at once where it is not its turn. Raises WorkFailed with one text for all."""
        position = await asyncio.to_thread(_replay_played, study, trial)
        if is_alone(study, trial):
            await self._meeting.meet(study, trial)
            return
        if trial.state != "shown" or not len(position.legal) or is_visitors_turn(position, trial):
            return
        if trial.partner:
            await self._meeting.await_partner(study, trial, position.ply)
            return
        if trial.id not in self._replies:
            reply = self._replies[trial.id] = asyncio.create_task(self._reply(study, trial, position))
            reply.add_done_callback(lambda done: self._forget(trial.id, done))
        try:
            await asyncio.shield(self._replies[trial.id])
        except asyncio.CancelledError:
            if trial.id in self._replies:
                raise  # the browser went away; the reply goes on
            raise WorkFailed("the server is ending; please try again") from None

    def has_left(self, trial: Trial) -> bool:
        """Whether the other visitor plays no more. Blocks."""
        return self._meeting.has_left(trial)

    def _forget(self, trial_id: str, reply: asyncio.Task[None]) -> None:
        del self._replies[trial_id]
        if not reply.cancelled():
            reply.exception()  # whoever waits hears of it

    async def _reply(self, study: Study, trial: Trial, position: Position) -> None:
        try:
            move = await self._pace.hold_back(asyncio.to_thread(self._think, study, trial, position), self._rng)
        except HitonamiError:
            await asyncio.to_thread(self._store.void_trial, trial.id)
            raise WorkFailed(FAILED) from None
        await asyncio.to_thread(self._store.add_move, trial, write_moves(position.play(move)))

    def _think(self, study: Study, trial: Trial, position: Position) -> int:
        hidden = study.opponents[trial.opponent]
        agent = open_agent(hidden, study.game, self._thinkers, trial.visit)
        player = Player(hidden.rating, hidden.pool, kind="human")
        rng = np.random.default_rng()  # threads share no generator
        query = Query(position, player, player)
        [opinion] = agent.think([query], Effort(rng=rng))
        return agent.draw_move(query, opinion, rng)


def is_visitors_turn(position: Position, trial: Trial) -> bool:
    return trial.state == "shown" and bool(len(position.legal)) and position.to_move != trial.side


def replay(study: Study, moves: str) -> Position:
    """The position of a study's game after these moves."""
    return table.replay(open_game(study.game), study.setup, moves.split())


def _replay_played(study: Study, trial: Trial) -> Position:
    if study.mode != "play":
        raise BadInput("this game is to be watched")
    return replay(study, trial.moves)
