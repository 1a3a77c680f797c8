"""The experimenter's desk: sets studies up, deals out games, takes answers.

Each visitor gets every opponent as often as any other, up to one, in a random order, on a random side.
"""

import asyncio
import hmac
import json
import random
import secrets
import time
from dataclasses import replace
from threading import Event
from typing import Any, Final

from hitonami.core import Position, open_game
from hitonami.errors import BadInput, HitonamiError
from hitonami.evaluate.turing import Answer, Seeming, summarise
from hitonami.web.database import new_id
from hitonami.web.refusals import OutOfStep, TooMany
from hitonami.web.studies.live import LiveTrial
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.preparing import open_agent, play_games
from hitonami.web.studies.store import Hidden, Specimen, StudiesStore, Study, Trial
from hitonami.web.thinking import Thinkers

_MOST_LIVE: Final = 200
_MOST_PREPARING: Final = 4


class Desk:
    """All studies of a server."""

    def __init__(self, store: StudiesStore, thinkers: Thinkers, pace: CommonPace) -> None:
        self.store = store
        self.pace = pace
        self.roster = thinkers.roster
        self._thinkers = thinkers
        self._live: dict[str, LiveTrial] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Semaphore(1)
        self._stop = Event()

    async def open_again(self) -> None:
        """Go on with what a restart has interrupted."""
        for study in await asyncio.to_thread(self.store.studies, "preparing"):
            self._prepare_later(study)

    async def close(self) -> None:
        self._stop.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def set_up(self, study: Study, people: dict[int, list[str]]) -> Study:
        """Keep a study and prepare its games; `people` are the games of opponents that are records.

        Raises TooMany where too many are being prepared.
        """
        if len(self._tasks) >= _MOST_PREPARING:
            raise TooMany("other studies are being prepared; please try again later")
        games = [Specimen(new_id(), study.id, opponent, moves) for opponent, found in people.items() for moves in found]
        await asyncio.to_thread(self.store.save_study, study)
        await asyncio.to_thread(self.store.add_specimens, games)
        if study.mode == "watch":
            self._prepare_later(study)
            return study
        return await asyncio.to_thread(self.store.save_study, replace(study, status="open"))

    def _prepare_later(self, study: Study) -> None:
        task = asyncio.create_task(self._prepare_in_turn(study))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _prepare_in_turn(self, study: Study) -> None:
        async with self._one_at_a_time:
            if not self._stop.is_set():
                await asyncio.to_thread(self._prepare, study)

    def _prepare(self, study: Study) -> None:
        there = {specimen.opponent for specimen in self.store.specimens(study.id)}
        try:
            for opponent, hidden in enumerate(study.opponents):
                if hidden.kind == "style" and opponent not in there:
                    agent = open_agent(hidden, study.game, self._thinkers)
                    games = play_games(study, hidden, agent, self._stop)
                    made = [Specimen(new_id(), study.id, opponent, moves) for moves in games]
                    self.store.add_specimens(made)
        except HitonamiError as wrong:
            if self._stop.is_set():
                return  # the next start of the server goes on
            self.store.save_study(replace(study, status="failed", note=str(wrong)))
            return
        self.store.save_study(replace(study, status="open"))

    async def find(self, study_id: str) -> Study | None:
        return await asyncio.to_thread(self.store.load_study, study_id)

    async def close_study(self, study: Study) -> Study:
        return await asyncio.to_thread(self.store.save_study, replace(study, status="closed"))

    async def visit(self, study: Study) -> str:
        """A new visitor has consented: deal the games. Returns the visit's id."""
        if study.status != "open":
            raise OutOfStep("this study is not open now")
        visit_id = new_id()
        trials = await asyncio.to_thread(self._deal, study, visit_id)
        await asyncio.to_thread(self.store.add_visit, visit_id, study.id, trials)
        return visit_id

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
            waiting = replace(waiting, state="shown", begun_at=time.time())
            await asyncio.to_thread(self.store.save_trial, waiting)
        return study, trials, waiting

    async def open_trial(self, trial_id: str) -> tuple[Study, Trial] | None:
        """A trial that its visitor has come to; None for any other."""
        trial = await asyncio.to_thread(self.store.load_trial, trial_id)
        if trial is None or trial.state == "waiting":
            return None
        study = await self.find(trial.study)
        return None if study is None else (study, trial)

    def live(self, study: Study, trial: Trial) -> LiveTrial:
        """The running game of a study to be played."""
        if study.mode != "play":
            raise BadInput("this game is to be watched")
        if trial.id not in self._live:
            if len(self._live) >= _MOST_LIVE:
                del self._live[next(iter(self._live))]
            hidden = study.opponents[trial.opponent]
            agent = open_agent(hidden, study.game, self._thinkers)
            self._live[trial.id] = LiveTrial(trial, replay(study, trial.moves), hidden, agent, self.store.save_trial)
        return self._live[trial.id]

    async def judge(self, study: Study, trial: Trial, answer: dict[str, Any]) -> None:
        """Take an answer. Raises OutOfStep where there is one already."""
        trial = self._live[trial.id].trial if trial.id in self._live else trial
        if trial.state != "shown":
            raise OutOfStep("this game has its answer")
        position = await asyncio.to_thread(replay, study, trial.moves)
        if position.ply < study.plies and len(position.legal):
            raise OutOfStep(f"a game is judged from move {study.plies} on")
        _answer("", "", answer)  # refuses what the statistics would refuse
        answered = replace(trial, state="answered", answered_at=time.time(), answer=json.dumps(answer))
        await asyncio.to_thread(self.store.save_trial, answered)
        self._live.pop(trial.id, None)

    def results(self, study: Study) -> tuple[list[Seeming], int]:
        """What the answers say, and how many visits there were. Blocks."""
        trials = self.store.study_trials(study.id)
        answers = [
            _answer(study.opponents[trial.opponent].label, trial.visit, json.loads(trial.answer))
            for trial in trials
            if trial.state == "answered"
        ]
        humans = frozenset(hidden.label for hidden in study.opponents if hidden.kind == "records")
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


def replay(study: Study, moves: str) -> Position:
    """The position of a study's game after these moves."""
    position: Position = open_game(study.game).start(study.setup)
    for text in moves.split():
        position = position.play(position.game.parse(position, text))
    return position


def holds_key(study: Study, key: str) -> bool:
    return hmac.compare_digest(study.key.encode(), key.encode("utf-8", "surrogateescape"))


def name_opponents(opponents: list[Hidden]) -> tuple[Hidden, ...]:
    """Refuse two of one name: answers are counted by it."""
    labels = [hidden.label for hidden in opponents]
    if doubled := next((label for label in labels if labels.count(label) > 1), None):
        raise BadInput(f"two opponents are called {doubled!r}")
    return tuple(opponents)
