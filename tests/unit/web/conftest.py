"""A real server on a free port with a database of its own, and a client that speaks to it; writes that fail."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from hitonami.web.app import Settings, create_app
from hitonami.web.server import configure, listen


@contextmanager
def _serve(settings: Settings) -> Iterator[str]:
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configure(create_app(settings)))
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


@pytest.fixture(scope="session")
def open_page() -> Callable[..., Any]:
    """open_page(url): the application in this process, without a socket, as an asynchronous context manager.

    Gives a client and the application; hidden opponents answer at once. Opening a database again is a new start.
    """
    known: dict[str, Any] = {}

    @asynccontextmanager
    async def start(url: str) -> AsyncIterator[tuple[httpx.AsyncClient, Any]]:
        app = known[url] = known.get(url) or create_app(Settings(database=url, study_seconds=0.0))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client,
        ):
            yield client, app

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


class Writes:
    """The writes of every database of this process, counted: statements that change rows, and the commits after them.

    `fail(n)` lets the n-th from then on fail before it happens, as a bad disk does; `fail(n, lasting=True)` all later
    ones too, as a full one. `room(pages)` is a disk that is really full: SQLite itself refuses to grow a file.
    """

    def __init__(self) -> None:
        self.count = 0
        self._fatal = 0
        self._lasting = False
        self._reason = ""

    @contextmanager
    def fail(self, nth: int, reason: str = "disk I/O error", *, lasting: bool = False) -> Iterator[None]:
        self._fatal, self._lasting, self._reason = self.count + nth, lasting, reason
        try:
            yield
        finally:
            self._fatal = 0

    @contextmanager
    def room(self, pages: int) -> Iterator[None]:
        """Databases that are opened here may grow by so many pages."""

        def limit(connection: sqlite3.Connection, _: Any) -> None:
            [size] = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count={size + pages}")

        event.listen(Engine, "connect", limit)
        try:
            yield
        finally:
            event.remove(Engine, "connect", limit)

    def note_statement(self, connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if statement.split(maxsplit=1)[0].upper() in ("INSERT", "UPDATE", "DELETE"):
            connection.info["wrote"] = True
            self._note(statement)

    def note_commit(self, connection: Any) -> None:
        if connection.info.pop("wrote", False):
            self._note("COMMIT")

    def forget(self, connection: Any) -> None:
        connection.info.pop("wrote", None)

    def _note(self, statement: str) -> None:
        self.count += 1
        if self._fatal and (self.count == self._fatal or (self._lasting and self.count > self._fatal)):
            raise OperationalError(statement, {}, sqlite3.OperationalError(self._reason))


@pytest.fixture
def writes() -> Iterator[Writes]:
    """writes.count; with writes.fail(3): …"""
    counted = Writes()
    heard: dict[str, Callable[..., None]] = {
        "before_cursor_execute": counted.note_statement,
        "commit": counted.note_commit,
        "rollback": counted.forget,
    }
    for name, listener in heard.items():
        event.listen(Engine, name, listener)
    try:
        yield counted
    finally:
        for name, listener in heard.items():
            event.remove(Engine, name, listener)
