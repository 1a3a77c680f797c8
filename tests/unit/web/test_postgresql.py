"""The same code on PostgreSQL: a real server of its own, where its programs are installed."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from hitonami.core import Setup
from hitonami.errors import BadInput, WorkFailed
from hitonami.web.database import Database, new_id, open_database
from hitonami.web.games_store import GamesStore, Stale, StoredGame
from hitonami.web.studies.store import Hidden, Specimen, StudiesStore, Study, Trial


@pytest.fixture(scope="module")
def url(need_program: Callable[[str], str]) -> Iterator[str]:
    """A database in a folder of its own, outside of pytest's, which only its owner may enter.

    The programs refuse to run as root, so root lends them a user.
    """
    programs = Path(need_program("postgres")).resolve().parent
    with TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as free:
        folder, port = Path(name), free.getsockname()[1]
        free.close()
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
            quiet |= {"user": "nobody", "cwd": "/"}
        data = folder / "data"
        subprocess.run([programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-N"], check=True, **quiet)
        command: list[str | Path] = [programs / "pg_ctl", "-D", data, "-w", "-t", "120"]
        options = f"-p {port} -h 127.0.0.1 -k {folder} -F"
        subprocess.run([*command, "-l", folder / "log", "-o", options, "start"], check=True, **quiet)
        try:
            yield f"postgresql+psycopg://tester@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*command, "-m", "fast", "stop"], check=True, **quiet)


def test_games_and_studies_are_kept(url: str) -> None:
    database = Database(url)
    games, studies = GamesStore(database), StudiesStore(database)
    game = StoredGame(new_id(), "go", Setup(size=9), 1, "random", 20.0, "ogs", "instant", ("E5",), clocks=(1.5,))
    saved = games.save(game)
    study = Study(new_id(), "k", "t", "chess", Setup(), "watch", (Hidden("a", "style"),), 1, 1, 4, "", True, "open")
    studies.add_study(study, [Specimen(new_id(), study.id, 0, "e2e4")])
    trial = Trial(new_id(), new_id(), study.id, 0, 0, 1, "e2e4")
    assert studies.add_visit(trial.visit, study.id, [trial])
    assert not studies.add_visit(trial.visit, study.id, [trial])
    database.close()
    again = Database(url)
    assert GamesStore(again).load(saved.id) == saved
    assert GamesStore(again).recent("", 5) == [saved]
    assert StudiesStore(again).studies("open") == [study]
    assert StudiesStore(again).count_specimens(study.id) == 1
    assert StudiesStore(again).visit_trials(trial.visit) == [trial]
    again.close()


def test_a_server_that_is_not_there_is_named() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(BadInput, match="database cannot be opened"):
        Database("postgresql+psycopg://nobody@127.0.0.1:1/none")


def test_a_whole_game_through_the_interface(url: str, serve: Callable[..., Any]) -> None:
    import httpx

    with serve(database=url) as base, httpx.Client(base_url=base, timeout=120) as client:
        state = client.post("/api/games", json={"game": "chess", "style": "random", "pace": "instant"}).json()
        assert client.post(f"/api/games/{state['id']}/moves", json={"move": "e4", "ply": 0}).status_code == 200
        assert client.post(f"/api/games/{state['id']}/answer").json()["ply"] == 2


def test_a_second_server_is_refused_and_rows_have_versions(url: str) -> None:
    first = open_database(url)
    with pytest.raises(BadInput, match="another server"):
        open_database(url)
    second = Database(url)
    store, other = GamesStore(first), GamesStore(second)
    begun = store.save(StoredGame(new_id(), "chess", Setup(), 0, "random", None, "", "instant"))
    store.save(replace(begun, moves=("e2e4",)))
    with pytest.raises(Stale):
        other.save(replace(begun, moves=("d2d4",)))
    second.close()
    first.close()
    open_database(url).close()


def test_failures_do_not_name_the_database(url: str) -> None:
    database = Database(url)

    def fail(session: Session) -> None:
        session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(WorkFailed, match="nothing was changed") as wrong:
        database.work(fail)
    assert "127.0.0.1" not in str(wrong.value)
    database.close()


def test_a_database_that_can_only_be_read_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="read-only"):
        Database(f"{url}?options=-c%20default_transaction_read_only%3Don")
