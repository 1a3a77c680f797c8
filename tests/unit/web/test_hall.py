"""What a server keeps in memory: games in use, a few that are over, and nothing of the others. By counting objects."""

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from hitonami.games.chess import ChessPosition
from hitonami.web import hall
from hitonami.web.actors import Actor
from hitonami.web.schemas import GameState

ENDED = 3


def alive(kind: type[Any]) -> int:
    gc.collect()
    return sum(issubclass(type(each), kind) for each in gc.get_objects())  # asks no object for its __class__


async def play(client: httpx.AsyncClient, moves: int, **fields: Any) -> dict[str, Any]:
    """A game of so many moves of the visitor, each with its answer."""
    body = {"game": "chess", "style": "random", "pace": "instant"} | fields
    state = (await client.post("/api/games", json=body)).raise_for_status().json()
    for _ in range(moves):
        move = {"move": state["board"]["legal"][0], "ply": state["ply"]}
        (await client.post(f"/api/games/{state['id']}/moves", json=move)).raise_for_status()
        state = (await client.post(f"/api/games/{state['id']}/answer")).raise_for_status().json()
    return dict(state)


async def resign(client: httpx.AsyncClient, state: dict[str, Any]) -> dict[str, Any]:
    told = (await client.post(f"/api/games/{state['id']}/resign")).raise_for_status().json()
    return dict(told)


def without_clock(state: dict[str, Any]) -> dict[str, Any]:
    return GameState.model_validate(state).model_dump(exclude={"clock"})


def test_games_that_are_over_are_let_go(
    open_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "_MOST_ENDED", ENDED)

    async def look(style: str, games: int) -> None:
        async with open_page(f"sqlite:///{tmp_path / style}") as (client, _):
            before = alive(ChessPosition), alive(Actor)
            states = [await resign(client, await play(client, 2, style=style)) for _ in range(games)]
            after = alive(ChessPosition), alive(Actor)
            assert after[1] - before[1] <= ENDED + 1  # the last one, which came after the others
            assert after[0] - before[0] <= 5 * (ENDED + 2)  # the start, and a few that caches share
            told = (await client.get(f"/api/games/{states[0]['id']}")).raise_for_status().json()
            assert told == states[0] | {"count": told["count"]}

    asyncio.run(look("random", 12))
    asyncio.run(look("human", 10))


def test_games_that_nobody_ends_are_bounded_by_their_positions(
    open_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "_MOST_POSITIONS", 40)

    async def look() -> None:
        async with open_page(f"sqlite:///{tmp_path / 'games'}") as (client, app):
            before = alive(ChessPosition)
            timed = await play(client, 3, time_control="600+5")
            states = [await play(client, 4) for _ in range(10)]
            assert alive(ChessPosition) - before <= 40 + 9
            assert await app.state.hall.find(timed["id"]) is not None
            for state in states:  # each goes on where it was
                told = (await client.get(f"/api/games/{state['id']}")).raise_for_status().json()
                assert without_clock(told) == without_clock(state)

    asyncio.run(look())


def test_who_leaves_first(open_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "_MOST_ACTORS", 3)

    async def look() -> None:
        async with open_page(f"sqlite:///{tmp_path / 'games'}") as (client, app):
            timed = await play(client, 1, time_control="600+5")
            first = await play(client, 1)
            over = await resign(client, await play(client, 1))
            await play(client, 1)
            assert over["id"] not in app.state.hall._actors
            assert first["id"] in app.state.hall._actors
            await play(client, 1)
            assert first["id"] not in app.state.hall._actors
            assert timed["id"] in app.state.hall._actors

    asyncio.run(look())
