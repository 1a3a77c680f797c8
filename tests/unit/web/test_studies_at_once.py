"""Two requests at once about one study or one game of it: every order in which their steps can happen, none by luck.

A step is a transaction of the store, or a thought of the opponent. The requests go through the whole interface; where
one would leave the event loop for a step, it is held until the schedule lets it go. All schedules are gone through,
depth first, as a model checker does without memory.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from hitonami.core import Setup
from hitonami.web.database import VISITOR_LETTERS, new_id
from hitonami.web.refusals import OutOfStep
from hitonami.web.studies.desk import visit_of
from hitonami.web.studies.live import LiveTrials, replay
from hitonami.web.studies.store import Hidden, Specimen, StudiesStore, Study, Trial

_ROUNDS = 60
"""Turns of the event loop after which every request stands at a step: more than any of them takes."""
_REQUEST: ContextVar[str] = ContextVar("request")
Run = Callable[[], Awaitable[httpx.Response]]


@dataclass
class Schedule:
    """One order: choices at the points where several can go on, the given ones first, then always the first."""

    given: list[int]
    taken: list[tuple[int, int]] = field(default_factory=list)
    """What was chosen, of how many."""
    held: dict[str, asyncio.Future[None]] = field(default_factory=dict)

    async def step(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """In place of asyncio.to_thread."""
        owner = getattr(work, "__self__", None)
        if isinstance(owner, StudiesStore | LiveTrials) and _REQUEST.get(""):
            name = f"{_REQUEST.get()} {work.__name__}"
            assert name not in self.held
            self.held[name] = asyncio.get_running_loop().create_future()
            await self.held[name]
        return work(*arguments)

    async def run(self, requests: dict[str, Run]) -> dict[str, httpx.Response]:
        tasks = {name: asyncio.create_task(_named(name, request)) for name, request in requests.items()}
        while True:
            for _ in range(_ROUNDS):
                await asyncio.sleep(0)
            if not self.held:
                break
            self.held.pop(sorted(self.held)[self._choose(len(self.held))]).set_result(None)
        return {name: await asyncio.wait_for(task, 20) for name, task in tasks.items()}

    def _choose(self, options: int) -> int:
        at = len(self.taken)
        self.taken.append((self.given[at] if at < len(self.given) else 0, options))
        return self.taken[-1][0]

    def next(self) -> list[int] | None:
        """The choices that begin the following order; None after the last."""
        taken = list(self.taken)
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        return [choice for choice, _ in taken[:-1]] + [taken[-1][0] + 1] if taken else None


async def _named(name: str, request: Run) -> httpx.Response:
    _REQUEST.set(name)
    return await request()


@dataclass
class Scene:
    """A study, and a game of it, made anew for each order."""

    client: httpx.AsyncClient
    store: StudiesStore
    study: Study
    trial: Trial
    visitor: str

    def requests(self) -> dict[str, Run]:
        post, at = self.client.post, f"/api/trials/{self.trial.id}"
        said = {"called_human": True, "likeness": 11}
        key = {"X-Study-Key": self.study.key}
        return {
            "move": lambda: post(f"{at}/moves", json={"move": "d2d4", "ply": 2}),
            "answer": lambda: post(f"{at}/answer"),
            "verdict": lambda: post(f"{at}/verdict", json=said),
            "close": lambda: post(f"/api/studies/{self.study.id}/close", headers=key),
            "look": lambda: self.client.get(f"/api/visits/{self.trial.visit}"),
            "visit": lambda: post(f"/api/studies/{self.study.id}/visits", json={"agreed": True}),
        }


def _scene(client: httpx.AsyncClient, app: Any, moves: str, state: Any = "shown") -> Scene:
    visitor = new_id(VISITOR_LETTERS)
    opponents = (Hidden("somebody", "style", "random"),)
    study = Study(new_id(), new_id(24), "A test", "chess", Setup(), "play", opponents, 1, 1, 1, "", True, "open")
    store: StudiesStore = app.state.desk.store
    store.add_study(study)
    trial = Trial(new_id(), new_id(), study.id, 0, 0, 1, moves, state)
    store.add_visit(trial.visit, study.id, [trial])
    client.cookies.set("hitonami_visitor", visitor)
    return Scene(client, store, study, trial, visitor)


async def _every_order(
    page: Any,
    patch: pytest.MonkeyPatch,
    moves: str,
    names: tuple[str, str],
    check: Callable[[Scene, dict[str, httpx.Response]], None],
) -> int:
    """How many orders there are; each was checked."""
    count = 0
    async with page as (client, app):
        following: list[int] | None = []
        while following is not None:
            scene, schedule = _scene(client, app, moves), Schedule(following)
            kinds = scene.requests()
            with patch.context() as held:
                held.setattr(asyncio, "to_thread", schedule.step)
                told = await schedule.run({f"{at} {name}": kinds[name] for at, name in enumerate(names)})
            check(scene, told)
            count += 1
            following = schedule.next()
    return count


def _check_trial(scene: Scene, told: dict[str, httpx.Response]) -> None:
    before, after = scene.trial, scene.store.load_trial(scene.trial.id)
    assert after is not None
    position = replay(scene.study, after.moves)
    assert after.moves.startswith(before.moves)
    codes = {name: answer.status_code for name, answer in told.items()}
    taken = [name for name in codes if name.endswith("verdict") and codes[name] == 204]
    assert set(codes.values()) <= {200, 204, 409}, codes
    if any(name.endswith("verdict") for name in codes):
        assert len(taken) == 1
        assert (after.state, "11" in after.answer) == ("answered", True)
    else:
        assert (after.state, after.answer) == ("shown", "")
    played = [codes[name] for name in codes if name.endswith("move")]
    assert played.count(200) == (after.moves.split()[2:3] == ["d2d4"])
    assert position.ply <= 4
    for name, answer in told.items():
        if answer.status_code == 200 and "ply" in answer.json():
            assert answer.json()["ply"] <= position.ply, name
    if any(name.endswith("close") for name in codes):
        study = scene.store.load_study(scene.study.id)
        assert study is not None
        assert study.status == "closed"


REQUESTS = ("move", "answer", "verdict", "close", "look")


@pytest.mark.parametrize("moves", ["e2e4", "e2e4 e7e5"], ids=["opponent's turn", "visitor's turn"])
@pytest.mark.parametrize("names", [*combinations_with_replacement(REQUESTS, 2)], ids=" and ".join)
def test_two_requests_about_a_game(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str], moves: str
) -> None:
    page = open_page(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    assert asyncio.run(_every_order(page, monkeypatch, moves, names, _check_trial)) > 1


def _check_visits(scene: Scene, told: dict[str, httpx.Response]) -> None:
    visit = visit_of(scene.study, scene.visitor)
    made = [answer.json()["id"] for answer in told.values() if answer.status_code == 201]
    assert set(made) <= {visit}
    assert len(scene.store.visit_trials(visit)) == bool(made)
    study = scene.store.load_study(scene.study.id)
    assert study is not None
    if any(name.endswith("close") for name in told):
        assert study.status == "closed"
    else:
        assert len(made) == 2


@pytest.mark.parametrize("names", [("visit", "visit"), ("visit", "close")], ids=" and ".join)
def test_a_visitor_and_another_request(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]
) -> None:
    page = open_page(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    assert asyncio.run(_every_order(page, monkeypatch, "", names, _check_visits)) > 1


@pytest.mark.parametrize("step", ["specimens", "add_prepared", "open_study"])
def test_a_study_is_closed_before_a_step_of_its_preparation(open_page: Any, tmp_path: Path, step: str) -> None:
    """By another server, say: only the store is shared."""

    async def run() -> None:
        async with open_page(f"sqlite:///{tmp_path / 'games.sqlite3'}") as (_, app):
            desk = app.state.desk
            opponents = (Hidden("people", "records"), Hidden("somebody", "style", "random"))
            study = Study(new_id(), "k", "t", "chess", Setup(), "watch", opponents, 1, 1, 2, "", True)
            desk.store.add_study(study, [Specimen(new_id(), study.id, 0, "e2e4 e7e5")])
            real = getattr(desk.store, step)

            def close_first(*arguments: Any) -> Any:
                desk.store.close_study(study.id)
                return real(*arguments)

            setattr(desk.store, step, close_first)
            desk._prepare(study, Event())
            assert desk.store.load_study(study.id).status == "closed"
            assert desk.store.count_specimens(study.id) == (2 if step == "open_study" else 1)

    asyncio.run(run())


def test_a_visitor_who_comes_while_a_study_opens_is_dealt_its_games_or_none(open_page: Any, tmp_path: Path) -> None:
    """The study was looked up before its games were there; it is open when the visit is kept."""

    async def run() -> None:
        async with open_page(f"sqlite:///{tmp_path / 'games.sqlite3'}") as (_, app):
            desk = app.state.desk
            opponents = (Hidden("somebody", "style", "random"),)
            seen = Study(new_id(), "k", "t", "chess", Setup(), "watch", opponents, 1, 1, 2, "", True)
            desk.store.add_study(seen)
            real = desk.store.specimens
            desk.store.specimens = lambda study: (real(study), desk.store.open_study(study))[0]
            with pytest.raises(OutOfStep):
                await desk.visit(seen, "somebody")
            assert desk.results(desk.store.load_study(seen.id)) == ([], 0)

    asyncio.run(run())
