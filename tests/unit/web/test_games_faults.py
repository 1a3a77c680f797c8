"""Games whose store fails at any write: what was told is on disk, and the next start finds it and goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Setup
from hitonami.errors import BadInput, WorkFailed
from hitonami.web.actors import Actor
from hitonami.web.crew import Crew
from hitonami.web.database import Database, new_id, open_database
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.hall import Hall
from hitonami.web.thinking import Thinkers

NEW = StoredGame("", "chess", Setup(), 0, "random", 1500.0, "lichess", "instant", time_control="300+3")


async def _play(actor: Actor) -> None:
    position = actor.table.position
    if actor.table.humans_turn:
        await actor.play(position.game.format(position, int(position.legal[0])), position.ply)


STEPS: list[Callable[[Actor], Awaitable[object]]] = [
    _play,
    Actor.answer,
    _play,
    Actor.answer,
    Actor.undo,
    _play,
    Actor.answer,
    lambda actor: actor.set_pace("human"),  # last: where the next write failed, answers would take a person's time
    lambda actor: actor.set_pace("instant"),
    Actor.resign,
]


async def _live(database: Database, game_id: str) -> StoredGame | None:
    """A visitor who does all that can be done, and goes on after each failure. What was told last; None for nothing."""
    crew, thinkers = Crew(), Thinkers()
    hall = Hall(GamesStore(database), thinkers, crew)
    told: StoredGame | None = None
    try:
        actor = await hall.begin(StoredGame(**vars(NEW) | {"id": game_id}))
        told = actor.stored
        for step in STEPS:
            try:
                await step(actor)
            except (WorkFailed, BadInput):
                await actor.look()  # what a reload of the page does
            told = actor.stored
            assert actor.as_stored() == told
    except WorkFailed:
        pass  # it could not be begun
    finally:
        await hall.close()
        thinkers.close()
        crew.close()
    return told


def _check_next_start(url: str, game_id: str, told: StoredGame | None) -> None:
    """What was told is there, and the game goes on."""

    async def go_on(database: Database) -> None:
        crew, thinkers = Crew(), Thinkers()
        hall = Hall(GamesStore(database), thinkers, crew)
        actor = await hall.find(game_id)
        assert (None if actor is None else actor.as_stored()) == told
        if actor is not None:
            await actor.undo() if actor.table.outcome is not None else await actor.resign()
            assert actor.stored.version == actor.as_stored().version > (told or actor.stored).version
        await hall.close()
        thinkers.close()
        crew.close()

    database = open_database(url)
    asyncio.run(go_on(database))
    database.close()


def _try(url: str, fault: AbstractContextManager[Any]) -> StoredGame | None:
    game_id = new_id()
    database = open_database(url)
    try:
        with fault:
            told = asyncio.run(_live(database, game_id))
    finally:
        database.close()
    _check_next_start(url, game_id, told)
    return told


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "for good"])
def test_nothing_told_is_lost_whichever_write_fails(tmp_path: Path, writes: Any, lasting: bool) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    before = writes.count
    whole = _try(url, nullcontext())
    assert whole is not None
    assert whole.reason == "resignation"
    count = writes.count - before - 2  # those of the next start are its own
    assert count >= 2 * len(STEPS)
    for nth in range(1, count + 1):
        told = _try(url, writes.fail(nth, lasting=lasting))
        assert told is None or told.version <= whole.version


def test_nothing_told_is_lost_on_a_full_disk(tmp_path: Path, writes: Any) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    found = set()
    for pages in range(4):
        with writes.room(pages):
            game_ids = [new_id() for _ in range(12)]
            database = open_database(url)
            told = [asyncio.run(_live(database, game_id)) for game_id in game_ids]
            database.close()
        for game_id, each in zip(game_ids, told, strict=True):
            _check_next_start(url, game_id, each)
            found.add(each is None or each.reason != "resignation")
    assert True in found  # some found no room
