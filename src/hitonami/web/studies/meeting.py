"""Visitors who meet each other, in studies that have people among their opponents.

Who is to meet a person waits until another visitor of the study waits, too. Who waits for too long gets a program. Who
is to meet a program waits for a while that is drawn, so that waiting tells nothing. Who waits holds a request: nobody
is paired with a browser that has gone, but for the seconds of one request. A visitor whose partner says nothing for
long is alone again: the game is judged as far as it goes, or is left out.
"""

import asyncio
import random
import time
from typing import Final

from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.store import StudiesStore, Study, Trial

_HOLD_SECONDS: Final = 20.0
"""A request's longest wait; the page asks again."""
_PATIENCE: Final = 15.0
"""As many medians of the common pace as somebody waits for a person."""
_SILENCE: Final = 80.0
"""As many medians without a move, and the other has gone."""
_WAITS: Final = (1.0, 6.0)
"""As many medians as somebody waits for a program."""


def is_alone(study: Study, trial: Trial) -> bool:
    """Whether a trial still waits for its opponent."""
    return study.live and trial.state == "shown" and not trial.ready_at


class Meeting:
    """All who wait on a server, for an opponent or for its move. Lives on one loop."""

    def __init__(self, store: StudiesStore, pace: CommonPace) -> None:
        self._store = store
        self._median = pace.median_seconds
        self._lobby: dict[str, dict[str, Trial]] = {}
        self._news: dict[str, asyncio.Event] = {}
        self._chance = random.Random()

    def tell(self, trial_id: str) -> None:
        """Something has happened in a trial."""
        if event := self._news.pop(trial_id, None):
            event.set()

    async def _hear(self, trial_id: str, seconds: float) -> None:
        event = self._news.setdefault(trial_id, asyncio.Event())
        try:
            await asyncio.wait_for(event.wait(), min(seconds, _HOLD_SECONDS))
        except TimeoutError:
            self._news.pop(trial_id, None)

    async def meet(self, study: Study, trial: Trial) -> None:
        """Wait for an opponent, no longer than a request may take."""
        waited = time.time() - trial.begun_at
        if study.opponents[trial.opponent].kind != "person":
            drawn = random.Random(trial.id).uniform(*_WAITS) * self._median
            await asyncio.sleep(min(max(drawn - waited, 0.0), _HOLD_SECONDS))
            if drawn - waited <= _HOLD_SECONDS:
                await asyncio.to_thread(self._store.make_ready, trial, trial.opponent)
            return
        lobby = self._lobby.setdefault(study.id, {})
        other = next((each for each in lobby.values() if each.visit != trial.visit), None)
        if other is not None:
            del lobby[other.id]
            await asyncio.to_thread(self._store.pair, other, trial)
            self.tell(other.id)
            return
        lobby[trial.id] = trial
        try:
            await self._hear(trial.id, self._median * _PATIENCE - waited)
        finally:
            still = lobby.pop(trial.id, None)
        if still is not None and time.time() - trial.begun_at >= self._median * _PATIENCE:
            programs = [at for at, hidden in enumerate(study.opponents) if hidden.kind == "style"]
            await asyncio.to_thread(self._store.make_ready, trial, self._chance.choice(programs))

    async def await_partner(self, study: Study, trial: Trial, ply: int) -> None:
        """Wait for the other visitor's move. Who has gone is left out, and so is a game too short to be judged."""
        if await asyncio.to_thread(self.has_left, trial):
            if ply < study.plies:
                await asyncio.to_thread(self._store.void_trial, trial.id)
            return
        await self._hear(trial.id, _HOLD_SECONDS)
        moments = [trial.ready_at, *map(float, trial.stamps.split())]
        now = await asyncio.to_thread(self._store.load_trial, trial.id)
        if now is not None and now.moves == trial.moves and time.time() - moments[-1] > self._median * _SILENCE:
            await asyncio.to_thread(self._store.void_trial, trial.partner)

    def has_left(self, trial: Trial) -> bool:
        """Whether there was a partner who plays no more. Blocks."""
        partner = self._store.load_trial(trial.partner) if trial.partner else None
        return partner is not None and partner.state != "shown"
