"""The instrument that lets writes fail: what it counts, and that a failed transaction leaves nothing."""

from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Setup
from hitonami.errors import WorkFailed
from hitonami.web.database import Database, new_id
from hitonami.web.games_store import GamesStore, StoredGame


def _game() -> StoredGame:
    return StoredGame(new_id(), "chess", Setup(), 0, "random", None, "", "instant")


def test_every_write_can_fail_and_leaves_nothing(tmp_path: Path, writes: Any) -> None:
    store = GamesStore(Database(f"sqlite:///{tmp_path / 'games.sqlite3'}"))
    before = writes.count
    store.save(_game())
    assert writes.count - before == 2  # an insert, a commit
    assert len(store.recent("", 9)) == 1
    assert writes.count - before == 2
    for nth in (1, 2):
        with writes.fail(nth), pytest.raises(WorkFailed, match="disk I/O error"):
            store.save(_game())
        assert len(store.recent("", 9)) == 1
    store.save(_game())
    assert len(store.recent("", 9)) == 2


def test_a_full_disk_lasts(tmp_path: Path, writes: Any) -> None:
    store = GamesStore(Database(f"sqlite:///{tmp_path / 'games.sqlite3'}"))
    with writes.fail(2, "database or disk is full", lasting=True):
        for _ in range(3):
            with pytest.raises(WorkFailed, match="full"):
                store.save(_game())
    store.save(_game())


def test_sqlite_itself_finds_no_room(tmp_path: Path, writes: Any) -> None:
    with writes.room(pages=20):
        store = GamesStore(Database(f"sqlite:///{tmp_path / 'games.sqlite3'}"))
        kept = []
        with pytest.raises(WorkFailed, match="full"):  # noqa: PT012
            for _ in range(1000):
                kept.append(store.save(_game()).id)
        assert kept
        assert sorted(game.id for game in store.recent("", 1000)) == sorted(kept)
