"""Studies as a machine: requests in any order, alone and two at once, with restarts in between.

After every step, what the interface serves, what the store holds and what the moves replay to must be one, and must be
what the answers of the server have promised so far.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from hitonami.web.move_log import move_names
from hitonami.web.studies.live import replay

PEOPLE = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n"
PLIES = 2


@dataclass
class Promised:
    """What the server has said of one game."""

    study: str
    mode: str
    moves: list[str] = field(default_factory=list)
    verdict: dict[str, Any] | None = None


class Studies(RuleBasedStateMachine):
    """One browser for each visit; the server may end and start between any two steps."""

    open_page: Callable[..., Any]

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        self.studies: dict[str, dict[str, Any]] = {}
        self.visits: dict[str, str] = {}
        self.trials: dict[str, Promised] = {}
        self.start()

    def start(self) -> None:
        self.page = self.open_page(f"sqlite:///{Path(self.folder.name) / 'games.sqlite3'}")
        self.client, self.app = self.loop.run_until_complete(self.page.__aenter__())

    def stop(self) -> None:
        self.loop.run_until_complete(self.page.__aexit__(None, None, None))

    def teardown(self) -> None:
        self.stop()
        self.loop.close()
        self.folder.cleanup()

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        answer: httpx.Response = self.loop.run_until_complete(self.client.request(method, path, **options))
        return answer

    @rule(mode=st.sampled_from(["watch", "play"]), games=st.integers(1, 3))
    def set_up(self, mode: str, games: int) -> None:
        opponents = [{"label": "anything", "style": "random"}]
        if mode == "watch":
            opponents.append({"label": "people", "records": PEOPLE})
        body = {"title": "A test", "game": "chess", "mode": mode, "plies": PLIES, "opponents": opponents}
        answer = self.ask("POST", "/api/studies", json=body | {"games_per_visitor": games, "games_per_opponent": 2})
        assert answer.status_code in (201, 429)  # four are prepared at once
        if answer.status_code == 201:
            self.studies[answer.json()["id"]] = {"key": answer.json()["key"], "mode": mode, "closed": False}

    @precondition(lambda self: self.studies)
    @rule(data=st.data())
    def wait_until_prepared(self, data: st.DataObject) -> None:
        study = data.draw(st.sampled_from(list(self.studies)))
        while self.ask("GET", f"/api/studies/{study}").json()["status"] == "preparing":
            self.loop.run_until_complete(asyncio.sleep(0.005))

    @precondition(lambda self: self.studies)
    @rule(data=st.data(), twice=st.booleans())
    def visit(self, data: st.DataObject, twice: bool) -> None:
        study = data.draw(st.sampled_from(list(self.studies)))
        self.client.cookies.clear()
        before = self.ask("GET", f"/api/studies/{study}").json()["status"]
        answer = self.ask("POST", f"/api/studies/{study}/visits", json={"agreed": True})
        if answer.status_code == 409:
            assert before != "open"
            return
        assert answer.status_code == 201
        self.visits[answer.json()["id"]] = study
        if twice:
            again = self.ask("POST", f"/api/studies/{study}/visits", json={"agreed": True})
            assert again.json() == answer.json()

    @precondition(lambda self: self.visits)
    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        visit = data.draw(st.sampled_from(list(self.visits)))
        seen = self.ask("GET", f"/api/visits/{visit}").json()
        if seen["trial"] is None:
            assert seen["done"] == seen["total"] == len(seen["revealed"])
        elif seen["trial"] not in self.trials:
            study = self.visits[visit]
            served = self.ask("GET", f"/api/trials/{seen['trial']}").json()
            self.trials[seen["trial"]] = Promised(study, self.studies[study]["mode"], served["moves"])

    @precondition(lambda self: any(each.mode == "play" for each in self.trials.values()))
    @rule(data=st.data(), at=st.integers(0, 50), verdict_too=st.booleans())
    def play(self, data: st.DataObject, at: int, verdict_too: bool) -> None:
        trial = data.draw(st.sampled_from([key for key, each in self.trials.items() if each.mode == "play"]))
        promised, path = self.trials[trial], f"/api/trials/{trial}"
        state = self.ask("GET", path).json()
        if not state["your_turn"]:
            work = self.client.post(f"{path}/answer")
        else:
            legal = state["boards"][0]["legal"]
            work = self.client.post(f"{path}/moves", json={"move": legal[at % len(legal)], "ply": state["ply"]})
        told, judged = self.loop.run_until_complete(self._beside(work, trial if verdict_too else None))
        self._take_verdict(trial, judged)
        assert told.status_code in (200, 409)
        if told.status_code == 200:
            assert told.json()["moves"][: len(promised.moves)] == promised.moves
            promised.moves = told.json()["moves"]

    async def _beside(self, work: Any, trial: str | None) -> tuple[httpx.Response, httpx.Response | None]:
        if trial is None:
            return await work, None
        said = {"called_human": False, "likeness": 33}
        told, judged = await asyncio.gather(work, self.client.post(f"/api/trials/{trial}/verdict", json=said))
        return told, judged

    @precondition(lambda self: self.trials)
    @rule(data=st.data(), likeness=st.one_of(st.none(), st.integers(0, 100)), times=st.integers(1, 3))
    def judge(self, data: st.DataObject, likeness: int | None, times: int) -> None:
        trial = data.draw(st.sampled_from(list(self.trials)))

        async def all_at_once() -> list[httpx.Response]:
            said = {"called_human": True, "likeness": likeness}
            return await asyncio.gather(
                *(self.client.post(f"/api/trials/{trial}/verdict", json=said) for _ in range(times))
            )

        answers = self.loop.run_until_complete(all_at_once())
        assert sum(answer.status_code == 204 for answer in answers) <= 1
        for answer in answers:
            self._take_verdict(trial, answer)

    def _take_verdict(self, trial: str, answer: httpx.Response | None) -> None:
        if answer is None:
            return
        assert answer.status_code in (204, 409)
        if answer.status_code == 204:
            assert self.trials[trial].verdict is None
            self.trials[trial].verdict = json.loads(answer.request.content)

    @precondition(lambda self: self.studies)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        study = data.draw(st.sampled_from(list(self.studies)))
        key = {"X-Study-Key": self.studies[study]["key"]}
        assert self.ask("POST", f"/api/studies/{study}/close", headers=key).json()["status"] == "closed"
        self.studies[study]["closed"] = True

    @rule()
    def restart(self) -> None:
        self.stop()
        self.start()

    @invariant()
    def games_are_as_promised(self) -> None:
        store = self.app.state.desk.store
        for trial, promised in self.trials.items():
            stored, study = store.load_trial(trial), store.load_study(promised.study)
            served = self.ask("GET", f"/api/trials/{trial}").json()
            position = replay(study, stored.moves)
            assert served["moves"] == move_names(position)
            assert served["moves"][: len(promised.moves)] == promised.moves
            assert served["ply"] == position.ply == len(stored.moves.split())
            assert served["done"] == (stored.state == "answered") == (promised.verdict is not None)
            if promised.verdict is not None:
                assert {key: json.loads(stored.answer)[key] for key in promised.verdict} == promised.verdict

    @invariant()
    def studies_are_as_promised(self) -> None:
        for study, about in self.studies.items():
            told = self.ask("GET", f"/api/studies/{study}/results", headers={"X-Study-Key": about["key"]}).json()
            verdicts = [each for each in self.trials.values() if each.study == study and each.verdict is not None]
            assert told["answers"] == len(verdicts)
            assert told["visits"] == sum(each == study for each in self.visits.values())
            assert (told["study"]["status"] == "closed") == about["closed"]
            if told["study"]["status"] == "open" and about["mode"] == "watch":
                assert told["prepared"] == 4  # two of each: never the bots alone


def test_studies_keep_what_they_promise(open_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Studies, "open_page", staticmethod(open_page), raising=False)
    run_state_machine_as_test(Studies, settings=settings(max_examples=10, stateful_step_count=30))
