"""A real server on a free port with a database of its own, and a client that speaks to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn

from hitonami.web.app import Settings, create_app
from hitonami.web.server import listen


@contextmanager
def _serve(settings: Settings) -> Iterator[str]:
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="error"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = f"sqlite:///{tmp_path_factory.mktemp('web') / 'games.sqlite3'}"
    with _serve(Settings(database=database)) as base:
        yield base


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=120) as opened:
        yield opened


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """serve(token="…"): another server with a database of its own, as a context manager that gives its address."""

    def start(**fields: Any) -> Any:
        own = {"database": f"sqlite:///{tmp_path_factory.mktemp('other') / 'other.sqlite3'}"}
        return _serve(Settings(**own | fields))

    return start


@pytest.fixture
def begin(client: httpx.Client) -> Callable[..., dict[str, Any]]:
    """begin("go", size=9): a game against the random mover, which answers at once."""

    def start(game: str, **fields: Any) -> dict[str, Any]:
        answer = client.post("/api/games", json={"game": game, "style": "random", "pace": "instant"} | fields)
        assert answer.status_code == 201, answer.text
        state: dict[str, Any] = answer.json()
        return state

    return start
