"""Games on disk."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from hitonami.core import Setup
from hitonami.errors import BadInput, WorkFailed
from hitonami.web.database import Database, new_id, open_database
from hitonami.web.games_store import GamesStore, Stale, StoredGame


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
    for column in ("time_control", "clocks", "dead", "offer_ply", "visitor", "version"):
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


def test_writers_take_turns_and_none_meets_another(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'games.sqlite3'}")

    def save_many(_: int) -> None:
        for _ in range(10):
            # nobody waits for a lock of the file: whoever meets one fails
            database.work(lambda session: session.execute(text("PRAGMA busy_timeout = 0")))
            GamesStore(database).save(_game())

    with ThreadPoolExecutor(4) as writers:
        list(writers.map(save_many, range(4)))
    assert GamesStore(database).count("") == 40
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


def test_a_game_that_was_changed_elsewhere_is_not_overwritten(tmp_path: Path) -> None:
    first, second = (GamesStore(Database(f"sqlite:///{tmp_path / 'games.sqlite3'}")) for _ in range(2))
    begun = first.save(_game())
    mine = first.load(begun.id)
    assert mine is not None
    played = second.save(replace(begun, moves=("E5",)))
    with pytest.raises(Stale):
        first.save(replace(mine, moves=("A1",)))
    assert first.load(begun.id) == played
    assert first.save(replace(played, moves=("E5", "A1"))).version == 3


def test_a_second_server_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    first = open_database(url)
    with pytest.raises(BadInput, match="another server"):
        open_database(url)
    first.close()
    open_database(url).close()


@pytest.mark.parametrize(
    ("column", "value"),
    [("setup", "{"), ("setup", '{"colour": 1}'), ("clocks", "1 x"), ("game", "draughts"), ("human_side", 7)],
)
def test_one_damaged_row_does_not_break_the_list(tmp_path: Path, column: str, value: object) -> None:
    path = tmp_path / "games.sqlite3"
    database = Database(f"sqlite:///{path}")
    store = GamesStore(database)
    damaged, whole = store.save(_game()), store.save(_game())
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, damaged.id))
    connection.close()
    assert store.recent("", 9) == [whole]
    with pytest.raises(WorkFailed, match=f"{damaged.id} is (damaged|one of 'draughts')"):
        store.load(damaged.id)
    database.close()


def test_a_database_that_can_only_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Database(f"sqlite:///{path}").close()
    with pytest.raises(BadInput, match="readonly"):
        Database(f"sqlite:///file:{path}?mode=ro&uri=true")
    path.write_bytes(b"this is no database, whatever its name says" * 99)
    with pytest.raises(BadInput, match="not a database"):
        Database(f"sqlite:///{path}")
