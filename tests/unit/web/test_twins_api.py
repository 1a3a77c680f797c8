"""Twins on the page: whose they are, what is sent, the row in which they are made, and what is left of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from hitonami.core import Effort, Player, Query, open_game
from hitonami.errors import HitonamiError
from hitonami.twins.store import sent_folder, twins_store, work_folder, write_twin
from hitonami.twins.twin import Memory, Twin
from hitonami.web.app import Settings, create_app
from hitonami.web.thinking import Thinkers
from hitonami.web.twins import store_of
from hitonami.web.twins.drafts import MOST_BYTES
from hitonami.web.twins.making import Order, Said

TOKEN = "a-token-of-sixteen"
PGN = "".join(
    f'[White "Hana"]\n[Black "Other {at}"]\n[Date "2026.01.{at + 1:02d}"]\n\n1. e4 e5 2. Nf3 {reply} *\n\n'
    for at, reply in enumerate(("Nc6", "d6", "Nf6", "f6", "a6", "h6", "Qe7", "Bd6", "c6", "b6", "g6"))
)


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HITONAMI_TWINS", str(tmp_path / "twins"))


class Maker:
    """Stands in for the process that learns. `go` lets it end."""

    def __init__(self) -> None:
        self.orders: list[str] = []
        self.outcome = "done"
        self.waits = True

    def __call__(self, order: Order, stopped: Callable[[], bool], hear: Callable[[Said], None]) -> str:
        self.orders.append(order.name)
        assert all(Path(file).is_file() for file in order.files)
        hear(Said("decisions", 3, 10))
        work_folder(order.name, order.store).mkdir(exist_ok=True)
        while self.waits and not stopped():
            pass
        if stopped():
            return "stopped"
        if self.outcome == "done":
            write_twin(_twin(order.name), order.store)
            work_folder(order.name, order.store).rmdir()
        return self.outcome


def _twin(name: str) -> Twin:
    made = {"mind": "uniform", "games": 11, "decisions": 22, "points": [1.0, 0.5, 1.5]}
    return Twin(name, "chess", Player(1500.0, "lichess"), None, {"position": Memory({}, 5.0)}, made)


@asynccontextmanager
async def _page(tmp_path: Path, maker: Maker, token: str | None = TOKEN) -> AsyncIterator[Callable[[], Any]]:
    """Gives visitors: each call is another browser."""
    app = create_app(Settings(database=f"sqlite:///{tmp_path / 'games.sqlite3'}", token=token))
    async with app.router.lifespan_context(app):
        app.state.twins._make = maker
        opened: list[httpx.AsyncClient] = []

        def visit() -> httpx.AsyncClient:
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://localhost", headers=headers, timeout=120
            )
            opened.append(client)
            return client

        yield visit
        for client in opened:
            await client.aclose()


async def _send(client: httpx.AsyncClient, content: bytes = PGN.encode()) -> str:
    draft: str = (await client.post("/api/twins/drafts")).json()["id"]
    answer = await client.post(f"/api/twins/drafts/{draft}/pieces?name=a.pgn&offset=0", content=content)
    assert answer.json() == {"held": len(content)}
    return draft


async def _make(client: httpx.AsyncClient, called: str, **fields: Any) -> httpx.Response:
    wanted = {"draft": await _send(client), "name": called, "player": "Hana", "consent": True}
    return await client.post("/api/twins", json=wanted | fields)


async def _until(look: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(3000):
        if await look():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to that")


async def _states(client: httpx.AsyncClient) -> dict[str, str]:
    return {each["name"]: each["state"] for each in (await client.get("/api/twins")).json()}


def test_twins_belong_to_who_made_them(tmp_path: Path) -> None:
    async def scene() -> None:
        maker = Maker()
        maker.waits = False
        write_twin(_twin("owner"))  # of the machine's own user
        async with _page(tmp_path, maker) as visit:
            one, other, new = visit(), visit(), visit()
            assert (await _make(one, "hana")).status_code == 201
            await _until(lambda: _is(one, {"hana": "done"}))
            await _make(other, "hana")
            await _until(lambda: _is(other, {"hana": "done"}))
            assert (await new.get("/api/twins")).json() == []
            assert "twin:hana" in (await one.get("/api/info")).text
            assert "twin:owner" not in (await one.get("/api/info")).text
            assert "twin:" not in (await new.get("/api/info")).text
            for stranger in (new, other):
                for style in ("twin:owner", "twin:../owner", "twin:nobody"):
                    begun = await stranger.post("/api/games", json={"game": "chess", "style": style})
                    assert begun.status_code == 400, begun.text
            for stranger in (new, one):
                assert (await stranger.delete("/api/twins/owner")).status_code == 400
            assert (twins_store() / "owner.twin").is_file()
            assert (await one.delete("/api/twins/hana")).status_code == 204
            assert await _states(one) == {}
            assert await _states(other) == {"hana": "done"}
            kept = [path for path in (twins_store() / "visitors").rglob("*") if path.is_file()]
            assert len(kept) == 1

    asyncio.run(scene())


async def _is(client: httpx.AsyncClient, states: dict[str, str]) -> bool:
    return await _states(client) == states


def test_pieces_are_kept_once_and_within_bounds(tmp_path: Path) -> None:
    async def scene() -> None:
        async with _page(tmp_path, Maker()) as visit:
            one, other = visit(), visit()
            draft = await _send(one)
            place = f"/api/twins/drafts/{draft}/pieces?name=a.pgn&offset="
            again = await one.post(f"{place}0", content=PGN.encode())
            assert again.json() == {"held": len(PGN)}
            assert (await one.post(f"{place}{len(PGN) + 1}", content=b"x")).status_code == 409
            assert (await other.post(f"{place}0", content=b"x")).json()["code"] == "draft-gone"
            found = (await one.get(f"/api/twins/drafts/{draft}/people")).json()
            assert (found["game"], found["games"], found["likely"]) == ("chess", 11, "Hana")
            assert found["people"][0] == {"name": "Hana", "games": 11}
            half = bytes(MOST_BYTES // 8)
            told = [await one.post(f"{place}{len(PGN) + at * len(half)}", content=half) for at in range(8)]
            assert told[-1].json()["code"] == "too-large"
            for fields, code in (
                ({"consent": False}, "no-consent"),
                ({"name": ""}, "twin-name"),
                ({"name": "../up"}, "twin-name"),
                ({"player": " "}, "no-player"),
                ({"draft": "nothing"}, "draft-gone"),
            ):
                assert (await _make(one, "hana", **fields)).json()["code"] == code
            few = await _send(one, PGN[: PGN.index("[Date", 400)].encode())
            await one.get(f"/api/twins/drafts/{few}/people")
            wanted = {"draft": few, "name": "hana", "player": "hana", "consent": True}
            assert (await one.post("/api/twins", json=wanted)).json()["code"] == "few-games"
            assert not twins_store().exists()

    asyncio.run(scene())


def test_one_is_made_at_a_time_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    async def scene() -> None:
        maker = Maker()
        async with _page(tmp_path, maker) as visit:
            one, other = visit(), visit()
            await _make(one, "first")
            await _until(lambda: _is(one, {"first": "working"}))
            assert (await _make(one, "second")).json()["code"] == "twin-busy"
            await _make(other, "third")
            [waiting] = (await other.get("/api/twins")).json()
            assert (waiting["state"], waiting["ahead"]) == ("waiting", 1)
            assert (await one.post("/api/twins/first/stop")).json()[0]["state"] == "stopped"
            await _until(lambda: _is(other, {"third": "working"}))
            await one.post("/api/twins/first/resume")
            assert await _states(one) == {"first": "waiting"}
            assert (await other.delete("/api/twins/third")).status_code == 204  # while it is being made
            await _until(lambda: _is(one, {"first": "working"}))
            maker.waits = False
            await _until(lambda: _is(one, {"first": "done"}))
            assert maker.orders == ["first", "third", "first"]
            assert [path.name for path in (twins_store() / "visitors").rglob("*") if path.is_file()] == ["first.twin"]
            assert (await _make(one, "first")).json()["code"] == "twin-taken"

    asyncio.run(scene())


def test_a_twin_that_fails_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        maker = Maker()
        maker.waits, maker.outcome = False, "9 games of this person: a twin needs 10 at least"
        async with _page(tmp_path, maker) as visit:
            one = visit()
            await _make(one, "hana")
            await _until(lambda: _is(one, {"hana": "failed"}))
            assert (await one.get("/api/twins")).json()[0]["error"] == maker.outcome
            assert [path for path in twins_store().rglob("*") if path.is_file()] == []
            await one.delete("/api/twins/hana")
            assert await _states(one) == {}

    asyncio.run(scene())


def test_a_server_that_ends_goes_on_with_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with _page(tmp_path, Maker(), token=None) as visit:
            await _make(visit(), "hana")
            await _until(lambda: _is(visit(), {"hana": "working"}))
        assert sent_folder("hana", store_of("")).is_dir()
        maker = Maker()
        maker.waits = False
        async with _page(tmp_path, maker, token=None) as visit:
            await _until(lambda: _is(visit(), {"hana": "done"}))
        assert [path.name for path in twins_store().iterdir()] == ["hana.twin"]

    asyncio.run(scene())


def test_a_lane_knows_nothing_of_a_twin_that_was_forgotten(tmp_path: Path) -> None:
    from hitonami.twins.store import forget_twin

    write_twin(_twin("hana"))
    thinkers, query = Thinkers(), Query(open_game("chess").start())
    assert len(thinkers.mind("twin:hana")([query], Effort.seeded())) == 1
    forget_twin("hana")
    with pytest.raises(HitonamiError, match="no twin 'hana'"):
        thinkers.mind("twin:hana")([query], Effort.seeded())
    thinkers.close()
