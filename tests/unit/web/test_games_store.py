"""Games on disk."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from hitonami.core import Setup
from hitonami.errors import BadInput
from hitonami.web.database import Database, new_id
from hitonami.web.games_store import GamesStore, StoredGame


def _game(**fields: object) -> StoredGame:
    plain = StoredGame(new_id(), "go", Setup(size=9, komi=6.5), 1, "random", 20.0, "ogs", "instant")
    return replace(plain, **fields)  # type: ignore[arg-type]


def test_what_is_saved_is_there_for_the_next_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'deep' / 'games.sqlite3'}"
    first = Database(url)
    fields = {"moves": ("E5", "pass"), "clocks": (299.5, 301.0), "dead": ("E5",), "time_control": "300+3"}
    saved = GamesStore(first).save(_game(score=0.5, reason="two passes", offer_ply=60, **fields))
    first.close()
    second = Database(url)
    assert GamesStore(second).load(saved.id) == saved
    assert GamesStore(second).load(new_id()) is None
    second.close()


def test_a_database_of_an_earlier_version_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    first = Database(f"sqlite:///{path}")
    saved = GamesStore(first).save(_game(moves=("E5",)))
    first.close()
    connection = sqlite3.connect(path)
    for column in ("time_control", "clocks", "dead", "offer_ply", "visitor"):
        connection.execute(f"ALTER TABLE games DROP COLUMN {column}")
    connection.close()
    second = Database(f"sqlite:///{path}")
    assert GamesStore(second).load(saved.id) == saved
    second.close()


def test_saving_again_replaces_and_moves_to_the_front(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    store = GamesStore(database)
    one, other = store.save(_game()), store.save(_game())
    store.save(replace(one, moves=("A1",)))
    store.save(_game(visitor="a" * 24))
    assert [game.id for game in store.recent("", 5)] == [one.id, other.id]
    assert store.recent("", 1)[0].made_at == one.made_at
    database.close()


def test_the_journal_is_written_ahead(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Database(f"sqlite:///{path}").close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.parametrize("url", ["nonsense", "nosuchdatabase://x/y", "sqlite:////proc/no/such/place.db"])
def test_a_database_that_cannot_be_is_named(url: str) -> None:
    with pytest.raises(BadInput, match="the database cannot"):
        Database(url)
