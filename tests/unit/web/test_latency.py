"""One visitor does not delay the others: against the same server when it was quiet, and by who is asked when."""

import asyncio
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.minds.uniform import Uniform
from hitonami.specs import Room
from hitonami.web.thinking import Thinkers

SLOW = Path(__file__).with_name("slow_engine.py")
ENGINE_SECONDS = 8.0


def _opponent(seconds: float) -> str:
    return f"chess:Slow=uci:{shlex.join([sys.executable, '-I', '-S', str(SLOW), str(seconds)])}"


async def _first_move(client: httpx.AsyncClient, style: str) -> float:
    """How long a new visitor waits: for a game, a move and its answer."""
    begin = time.perf_counter()
    body = {"game": "chess", "style": style, "pace": "instant"}
    state = (await client.post("/api/games", json=body)).raise_for_status().json()
    path = f"/api/games/{state['id']}"
    (await client.post(f"{path}/moves", json={"move": "a2a3", "ply": 0})).raise_for_status()
    answered = (await client.post(f"{path}/answer")).raise_for_status().json()
    assert answered["ply"] == 2
    return time.perf_counter() - begin


def test_games_that_wait_for_a_slow_engine_delay_nobody_else(serve: Callable[..., Any]) -> None:
    async def measure(base: str) -> tuple[float, float, bool]:
        async with httpx.AsyncClient(base_url=base, timeout=120) as client:
            await _first_move(client, "random")
            quiet = min([await _first_move(client, "random") for _ in range(3)])
            waiting = [asyncio.create_task(_first_move(client, "Slow")) for _ in range(12)]
            await asyncio.wait(waiting, timeout=ENGINE_SECONDS / 4)  # all of them ask; the engine is at the first
            beside = min([await _first_move(client, "random") for _ in range(3)])
            still = not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()
            return quiet, beside, still

    with serve(opponents=(_opponent(ENGINE_SECONDS),)) as base:
        quiet, beside, still = asyncio.run(measure(base))
    assert still  # the engine was thinking all the while
    assert beside < 5 * quiet


class Gate:
    """A mind that notes who asks, and answers once it is let."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.open, self.asked = Event(), Event()

    def __call__(self, queries: list[Query], effort: Effort) -> list[Opinion]:
        self.order.append("+".join(str(query.player.name) for query in queries))
        self.asked.set()
        assert self.open.wait(60)
        return Uniform()(queries, effort)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    gate = Gate()
    monkeypatch.setattr(Room, "open", lambda room, spec: gate)
    return gate


def _query(name: str) -> Query:
    return Query(open_game("chess").start(), Player(name=name))


def _ask_all(thinkers: Thinkers, spec: str, gate: Gate, asked: list[tuple[str, bool]]) -> list[str]:
    """In which order these are asked, once they all wait behind a first one."""
    first = thinkers.ask(spec, [_query("first")], "first")
    assert gate.asked.wait(60)
    jobs = [thinkers.ask(spec, [_query(name)], name[0], background=behind) for name, behind in asked]
    gate.open.set()
    for job in [first, *jobs]:
        job.answer.result(60)
    thinkers.close()
    return gate.order[1:]


def test_askers_of_an_engine_have_turns(gate: Gate) -> None:
    asked = [("a1", False), ("a2", False), ("a3", False), ("b1", False), ("c1", False)]
    assert _ask_all(Thinkers(), "uci:x", gate, asked) == ["a1", "b1", "c1", "a2", "a3"]


def test_networks_are_asked_in_batches_and_the_background_last(gate: Gate) -> None:
    asked = [*[(f"z{at}", True) for at in range(9)], ("a1", False), ("b1", False)]
    behind = ["+".join(f"z{at}" for at in range(8)), "z8"]
    assert _ask_all(Thinkers(), "human", gate, asked) == ["a1+b1", *behind]


def test_the_background_is_not_forgotten(gate: Gate) -> None:
    asked = [("z1", True), *[(f"a{at}", False) for at in range(20)]]
    order = _ask_all(Thinkers(), "uci:x", gate, asked)
    assert 0 < order.index("z1") < 20


def test_who_stops_waiting_takes_the_question_back(gate: Gate) -> None:
    async def ask(thinkers: Thinkers) -> None:
        first = asyncio.create_task(thinkers.opinions("uci:x", [_query("first")], "a"))
        second = asyncio.create_task(thinkers.opinions("uci:x", [_query("second")], "b"))
        await asyncio.to_thread(gate.asked.wait, 60)
        second.cancel()
        await asyncio.wait([second])
        gate.open.set()
        await first

    thinkers = Thinkers()
    asyncio.run(ask(thinkers))
    thinkers.close()
    assert gate.order == ["first"]
