"""Every write of a study fails once, for each of them: what was acknowledged is there, and the next start is clean."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from hitonami.core import Setup
from hitonami.web.database import new_id
from hitonami.web.studies.live import replay
from hitonami.web.studies.store import Hidden, Study

PEOPLE = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n"
OPPONENTS = [{"label": "people", "records": PEOPLE}, {"label": "anything", "style": "random"}]


@dataclass
class Acknowledged:
    """What the server has said yes to."""

    studies: dict[str, str] = field(default_factory=dict)
    """Keys by id."""
    visits: list[str] = field(default_factory=list)
    moves: dict[str, int] = field(default_factory=dict)
    """How many moves a game had when they were told."""
    verdicts: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    refused: int = 0


class Session:
    """A day of a server: studies of both modes from the plan to the results. Refusals are noted, and it goes on."""

    def __init__(self, client: httpx.AsyncClient, said: Acknowledged) -> None:
        self.client = client
        self.said = said

    async def ask(self, method: str, path: str, **options: Any) -> Any:
        """The answer; None where the server has refused for want of a disk."""
        answer = await self.client.request(method, path, **options)
        if answer.status_code == 503:
            assert "database" in answer.json()["error"]
            self.said.refused += 1
            return None
        assert answer.is_success or answer.status_code == 409, answer.text
        if not answer.is_success:
            return None
        return {} if answer.status_code == 204 else answer.json()

    async def live(self) -> None:
        for mode in ("watch", "play"):
            own = OPPONENTS if mode == "watch" else OPPONENTS[1:]
            body = {"title": "A test", "game": "chess", "mode": mode, "plies": 2, "opponents": own}
            made = await self.ask("POST", "/api/studies", json=body | {"games_per_visitor": 2, "games_per_opponent": 1})
            if made is not None:
                self.said.studies[made["id"]] = made["key"]
                await self.take_part(made["id"], mode)
                closed = await self.ask(
                    "POST", f"/api/studies/{made['id']}/close", headers={"X-Study-Key": made["key"]}
                )
                if closed is not None:
                    self.said.closed.append(made["id"])

    async def take_part(self, study: str, mode: str) -> None:
        for _ in range(100):  # a store that fails leaves it waiting
            if (await self.ask("GET", f"/api/studies/{study}"))["status"] != "preparing":
                break
            await asyncio.sleep(0.005)
        visit = await self.ask("POST", f"/api/studies/{study}/visits", json={"agreed": True})
        if visit is None:
            return
        self.said.visits.append(visit["id"])
        for _ in range(2):
            seen = await self.ask("GET", f"/api/visits/{visit['id']}")
            if seen is not None and seen["trial"] is not None:
                await self.judge(seen["trial"], mode)

    async def judge(self, trial: str, mode: str) -> None:
        state = await self.ask("GET", f"/api/trials/{trial}")
        for _ in range(4 if mode == "play" else 0):
            if state is None or state["judgeable"]:
                break
            if state["your_turn"]:
                body = {"move": state["boards"][0]["legal"][0], "ply": state["ply"]}
                state = await self.ask("POST", f"/api/trials/{trial}/moves", json=body)
            else:
                state = await self.ask("POST", f"/api/trials/{trial}/answer")
            if state is not None:
                self.said.moves[trial] = state["ply"]
        if await self.ask("POST", f"/api/trials/{trial}/verdict", json={"called_human": True}) is not None:
            self.said.verdicts.append(trial)


async def _check(client: httpx.AsyncClient, app: Any, said: Acknowledged, known: set[str]) -> None:
    """After the next start, on a disk that works again. `known` are studies of earlier days."""
    store = app.state.desk.store
    for study, key in said.studies.items():
        while (found := store.load_study(study)).status == "preparing":
            await asyncio.sleep(0.005)
        assert found.status == ("closed" if study in said.closed else "open"), found.note
        if found.status == "open" and found.mode == "watch":
            assert {each.opponent for each in store.specimens(study)} == {0, 1}
        told = await client.get(f"/api/studies/{study}/results", headers={"X-Study-Key": key})
        answered = [each for each in store.study_trials(study) if each.state == "answered"]
        assert told.json()["answers"] == len(answered)
        for trial in store.study_trials(study):
            replay(found, trial.moves)
    assert all(store.load_trial(trial).state == "answered" for trial in said.verdicts)
    assert all(len(store.load_trial(trial).moves.split()) >= ply for trial, ply in said.moves.items())
    for visit in said.visits:
        assert (await client.get(f"/api/visits/{visit}")).status_code == 200
    listed = [study["id"] for study in (await client.get("/api/studies")).json()]
    assert set(listed) <= known | set(said.studies)  # what was refused is not there


class Days:
    """One database through many days, each with a write that fails, and its morning after."""

    def __init__(self, open_page: Callable[..., Any], url: str, writes: Any, lasting: bool) -> None:
        self.page: Callable[[], Any] = lambda: open_page(url)
        self.writes = writes
        self.lasting = lasting
        self.known: set[str] = set()

    async def live(self, nth: int, again: bool = False) -> tuple[int, int]:
        """A day in which the n-th write fails, and the next morning. Returns the writes and refusals of the day."""
        said = Acknowledged()
        reason = "database or disk is full" if self.lasting else "disk I/O error"
        async with self.page() as (client, _):
            before = self.writes.count
            with self.writes.fail(nth, reason, lasting=self.lasting):
                await Session(client, said).live()
            count = self.writes.count - before
        async with self.page() as (client, app):
            await _check(client, app, said, self.known)
            self.known |= set(said.studies)
            if again:
                after = Acknowledged()
                await Session(client, after).live()
                assert (after.refused, len(after.verdicts), len(after.closed)) == (0, 4, 2)
        return count, said.refused


@pytest.mark.parametrize("lasting", [False, True], ids=["a bad write", "a full disk"])
def test_the_nth_write_fails(open_page: Any, tmp_path: Path, writes: Any, lasting: bool) -> None:
    days = Days(open_page, f"sqlite:///{tmp_path / 'games.sqlite3'}", writes, lasting)

    async def run() -> None:
        total, refused = await days.live(10**6)
        assert refused == 0
        assert total > 25
        heard = 0
        for nth in range(1, total + 1):
            _, refused = await days.live(nth, again=nth % 5 == 0)
            heard += refused > 0
        assert heard > total / 2  # preparing fails where nobody waits for it

    asyncio.run(run())


def test_a_disk_that_is_really_full(open_page: Any, tmp_path: Path, writes: Any) -> None:
    """SQLite itself refuses to grow; with more room it goes on where it was."""
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"

    async def fill() -> Acknowledged:
        said = Acknowledged()
        async with open_page(url) as (client, _):
            for _ in range(40):
                await Session(client, said).live()
                if said.refused:
                    return said
        raise AssertionError("the disk never was full")

    async def look(said: Acknowledged) -> None:
        async with open_page(url) as (client, app):
            await _check(client, app, said, set())

    with writes.room(pages=24):
        said = asyncio.run(fill())
    assert said.studies
    asyncio.run(look(said))


def test_a_half_written_study_of_an_earlier_version_is_not_opened(open_page: Any, tmp_path: Path) -> None:
    """Its people's games were lost between two writes: bots alone would be another study."""

    async def run() -> None:
        url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
        opponents = (Hidden("people", "records"), Hidden("anything", "style", "random"))
        study = Study(new_id(), "k", "t", "chess", Setup(), "watch", opponents, 1, 1, 2, "", True)
        async with open_page(url) as (_, app):
            app.state.desk.store.add_study(study)
        async with open_page(url) as (_, app):
            while (found := app.state.desk.store.load_study(study.id)).status == "preparing":
                await asyncio.sleep(0.005)
            assert (found.status, found.note) == ("failed", "the games of people are missing")

    asyncio.run(run())
