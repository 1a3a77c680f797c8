"""The experimenter's desk: sets studies up, deals out games, takes answers.

Each visitor gets every opponent as often as any other, up to one, in a random order, on a random side.
"""

import asyncio
import base64
import hmac
import json
import random
import secrets
from dataclasses import replace
from threading import Event
from typing import Any, Final

from hitonami.errors import BadInput, HitonamiError, WorkFailed
from hitonami.evaluate.turing import Answer, Seeming, summarise
from hitonami.web.database import new_id
from hitonami.web.refusals import OutOfStep, TooMany
from hitonami.web.studies.live import LiveTrials, replay
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.preparing import open_agent, play_games
from hitonami.web.studies.store import Hidden, Specimen, StudiesStore, Study, Trial
from hitonami.web.thinking import Thinkers

_MOST_PREPARING: Final = 4
_AGAIN_SECONDS: Final = 10.0
_NOT_OPEN: Final = "this study is not open now"


class Desk:
    """All studies of a server."""

    def __init__(self, store: StudiesStore, thinkers: Thinkers, pace: CommonPace) -> None:
        self.store = store
        self.live = LiveTrials(store, thinkers, pace)
        self.roster = thinkers.roster
        self._thinkers = thinkers
        self._tasks: set[asyncio.Task[None]] = set()
        self._stops: dict[str, Event] = {}
        """One for each study that is being prepared, or is about to be."""
        self._one_at_a_time = asyncio.Semaphore(1)

    async def open_again(self) -> None:
        """Go on with what a restart has interrupted."""
        for study in await asyncio.to_thread(self.store.studies, "preparing"):
            self._prepare_later(study, self._stops.setdefault(study.id, Event()))

    async def close(self) -> None:
        for stop in self._stops.values():
            stop.set()
        await self.live.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def set_up(self, study: Study, people: dict[int, list[str]]) -> Study:
        """Keep a study and prepare its games; `people` are the games of opponents that are records.

        Raises TooMany where too many are being prepared.
        """
        games = [Specimen(new_id(), study.id, opponent, moves) for opponent, found in people.items() for moves in found]
        if study.mode == "play":
            return await asyncio.to_thread(self.store.add_study, replace(study, status="open"), games)
        if len(self._stops) >= _MOST_PREPARING:
            raise TooMany("many-studies", "other studies are being prepared; please try again later")
        stop = self._stops[study.id] = Event()  # before anything waits: others count it
        try:
            await asyncio.to_thread(self.store.add_study, study, games)
        except HitonamiError:
            del self._stops[study.id]
            raise
        self._prepare_later(study, stop)
        return study

    def _prepare_later(self, study: Study, stop: Event) -> None:
        task = asyncio.create_task(self._prepare_in_turn(study, stop))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _prepare_in_turn(self, study: Study, stop: Event) -> None:
        """A store that fails is asked again: the study was acknowledged."""
        try:
            while not stop.is_set():
                async with self._one_at_a_time:
                    try:
                        await asyncio.to_thread(self._prepare, study, stop)
                        return
                    except HitonamiError:
                        pass
                await asyncio.to_thread(stop.wait, _AGAIN_SECONDS)
        finally:
            self._stops.pop(study.id, None)

    def _prepare(self, study: Study, stop: Event) -> None:
        """Play what is missing, and open the study. Raises where the store fails, and can be called again."""
        there = {specimen.opponent for specimen in self.store.specimens(study.id)}
        for opponent, hidden in enumerate(study.opponents):
            if opponent in there:
                continue
            try:
                if hidden.kind != "style":
                    raise WorkFailed(f"the games of {hidden.label} are missing")
                agent = open_agent(hidden, study.game, self._thinkers, study.id, background=True)
                games = list(play_games(study, hidden, agent, stop))
            except HitonamiError as wrong:
                if not stop.is_set():  # else it is closed, or the next start of the server goes on
                    self.store.fail_study(study.id, str(wrong))
                return
            if not self.store.add_prepared(study.id, [Specimen(new_id(), study.id, opponent, each) for each in games]):
                return
        self.store.open_study(study.id)

    async def find(self, study_id: str) -> Study | None:
        return await asyncio.to_thread(self.store.load_study, study_id)

    async def close_study(self, study: Study) -> Study:
        """Take no more visitors, and prepare nothing more."""
        await asyncio.to_thread(self.store.close_study, study.id)
        if study.id in self._stops:
            self._stops[study.id].set()
        return await self.find(study.id) or study

    async def visit(self, study: Study, visitor: str) -> str:
        """A visitor has consented: deal the games. Returns the visit's id.

        A visitor is one judge of a study: coming again leads back to the first visit, before and after the last
        answer. Raises OutOfStep where the study takes no visitors.
        """
        visit_id = visit_of(study, visitor)
        if await asyncio.to_thread(self.store.visit_trials, visit_id):
            return visit_id
        if study.status != "open":  # games that are not there yet cannot be dealt, even if it opens this moment
            raise OutOfStep(_NOT_OPEN)
        trials = await asyncio.to_thread(self._deal, study, visit_id)
        if await asyncio.to_thread(self.store.add_visit, visit_id, study.id, trials):
            return visit_id
        if await asyncio.to_thread(self.store.visit_trials, visit_id):  # two clicks at once
            return visit_id
        raise OutOfStep(_NOT_OPEN)

    def _deal(self, study: Study, visit_id: str) -> list[Trial]:
        chance = random.Random(secrets.randbits(64))
        games: dict[int, list[str]] = {}
        for specimen in self.store.specimens(study.id):
            games.setdefault(specimen.opponent, []).append(specimen.moves)
        for found in games.values():
            chance.shuffle(found)
        order = _balanced(len(study.opponents), study.games_per_visitor, chance)
        dealt = []
        for number, opponent in enumerate(order):
            shown = games[opponent].pop() if games.get(opponent) else ""
            if study.mode == "watch" and not shown:
                continue  # the visitor has seen all games of this opponent
            dealt.append(Trial(new_id(), visit_id, study.id, number, opponent, chance.randrange(2), shown))
        return dealt

    async def current(self, visit_id: str) -> tuple[Study, list[Trial], Trial | None] | None:
        """A visit: its study, all its trials, and the one to be shown now; None where there is no such visit."""
        trials = await asyncio.to_thread(self.store.visit_trials, visit_id)
        if not trials:
            return None
        study = await self.find(trials[0].study)
        assert study is not None
        waiting = next((trial for trial in trials if trial.state in ("waiting", "shown")), None)
        if waiting is not None and waiting.state == "waiting":
            await asyncio.to_thread(self.store.show_trial, waiting.id)
        return study, trials, waiting

    async def open_trial(self, trial_id: str) -> tuple[Study, Trial] | None:
        """A trial that its visitor has come to; None for any other."""
        trial = await asyncio.to_thread(self.store.load_trial, trial_id)
        if trial is None or trial.state == "waiting":
            return None
        study = await self.find(trial.study)
        return None if study is None else (study, trial)

    async def judge(self, study: Study, trial: Trial, answer: dict[str, Any]) -> None:
        """Take an answer. Raises OutOfStep where there is one already."""
        _answer("", "", answer)  # refuses what the statistics would refuse
        position = await asyncio.to_thread(replay, study, trial.moves)
        if position.ply < study.plies and len(position.legal):
            raise OutOfStep(f"a game is judged from move {study.plies} on")
        if not await asyncio.to_thread(self.store.answer_trial, trial.id, json.dumps(answer)):
            raise OutOfStep("this game has its answer")

    def results(self, study: Study) -> tuple[list[Seeming], int]:
        """What the answers say, and how many visits there were. Blocks."""
        trials = self.store.study_trials(study.id)
        answers = [
            _answer(study.opponents[trial.opponent].label, trial.visit, json.loads(trial.answer))
            for trial in trials
            if trial.state == "answered"
        ]
        humans = frozenset(hidden.label for hidden in study.opponents if hidden.kind != "style")
        return summarise(answers, humans), len({trial.visit for trial in trials})


def _answer(opponent: str, judge: str, given: dict[str, Any]) -> Answer:
    return Answer(opponent, judge, given["called_human"], given["likeness"], given["scales"])


def _balanced(opponents: int, games: int, chance: random.Random) -> list[int]:
    """Rounds of all opponents, each in its own order; the last round may be cut."""
    order: list[int] = []
    while len(order) < games:
        round_of_all = list(range(opponents))
        chance.shuffle(round_of_all)
        order += round_of_all
    return order[:games]


def visit_of(study: Study, visitor: str) -> str:
    """The id of a visitor's one visit. Nobody can tell the visitor from it, nor the visit without the visitor's id."""
    told = hmac.digest(visitor.encode(), study.id.encode(), "sha256")
    return base64.b32encode(told).decode("ascii").lower()[:12]


def holds_key(study: Study, key: str) -> bool:
    return hmac.compare_digest(study.key.encode(), key.encode("utf-8", "surrogateescape"))


def name_opponents(opponents: list[Hidden]) -> tuple[Hidden, ...]:
    """Refuse two of one name: answers are counted by it."""
    labels = [hidden.label for hidden in opponents]
    if doubled := next((label for label in labels if labels.count(label) > 1), None):
        raise BadInput(f"two opponents are called {doubled!r}")
    return tuple(opponents)
