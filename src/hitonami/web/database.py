"""The one database of a server: SQLite in WAL mode unless a URL of another is given.

Nothing here is SQLite's own but the journal's mode and its lock. A table that an earlier version made gets the columns
that it lacks when it is opened; nothing is ever dropped. A server holds its database while it runs: a second one is
refused, since each would show its visitors an old state of what the other changes.
"""

import logging
import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.schema import CreateColumn

from hitonami import disk
from hitonami.errors import BadInput, WorkFailed

ID_PATTERN: Final = "^[a-z2-7]{12}$"
VISITOR_LETTERS: Final = 24
VISITOR_PATTERN: Final = "^[a-z2-7]{24}$"
_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_POSTGRESQL_LOCK: Final = 0x6869746F6E616D69
"""The number of our lock in a PostgreSQL database: the letters of the program's name."""
_TAKEN: Final = "another server uses this database; stop it first, or name another with HITONAMI_DATABASE"
_LOG: Final = logging.getLogger("hitonami.web")


class Rows(DeclarativeBase):
    """What every table derives from."""


def new_id(letters: int = 12) -> str:
    """Five random bits a letter, sixty in all: an id is also what keeps one visitor's game from another."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(letters))


def default_url() -> str:
    """A SQLite file in the user's folder of data; HITONAMI_DATABASE names another file or database."""
    if given := os.environ.get("HITONAMI_DATABASE"):
        return given if "://" in given else f"sqlite:///{Path(given).expanduser()}"
    return f"sqlite:///{disk.user_folder() / 'games.sqlite3'}"


def open_database(url: str = "") -> "Database":
    """A server's own database, the user's where no URL is given. Raises BadInput where it cannot be used."""
    database = Database(url or default_url())
    try:
        database.hold()
    except BadInput:
        database.close()
        raise
    return database


class Database:
    """An open database. Methods block: call them from a worker thread."""

    def __init__(self, url: str) -> None:
        self._holding: sqlite3.Connection | Connection | None = None
        try:
            self._engine = _open_engine(url)
        except (SQLAlchemyError, OSError, ImportError) as wrong:
            raise BadInput(f"the database cannot be opened: {_reason(wrong)}") from None
        self._turn = Lock() if self._engine.dialect.name == "sqlite" else nullcontext()
        """SQLite has one writer, and whoever meets another sleeps up to a tenth of a second before it looks again."""
        try:
            Rows.metadata.create_all(self._engine)
            self._add_missing_columns()
            self._try_write()
        except (SQLAlchemyError, OSError) as wrong:
            self._engine.dispose()
            raise BadInput(f"the database cannot be opened: {_reason(wrong)}") from None

    def hold(self) -> None:
        """Keep other servers out until this is closed, or the process ends. Raises BadInput where one is there.

        In SQLite by the exclusive lock of an empty file beside the database, in PostgreSQL by an advisory lock; other
        databases have only the versions of their rows.
        """
        dialect, path = self._engine.dialect.name, self._engine.url.database
        try:
            if dialect == "sqlite" and path and path != ":memory:":
                self._holding = holding = sqlite3.connect(f"{path}-server", timeout=0, isolation_level=None)
                holding.execute("BEGIN EXCLUSIVE")
            elif dialect == "postgresql":
                self._holding = connection = self._engine.connect()
                if not connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _POSTGRESQL_LOCK}):
                    raise BadInput(_TAKEN)
                connection.commit()
        except sqlite3.OperationalError as wrong:
            taken = "locked" in str(wrong)
            raise BadInput(_TAKEN if taken else f"the database cannot be locked: {wrong}") from None
        except SQLAlchemyError as wrong:
            raise BadInput(f"the database cannot be opened: {_reason(wrong)}") from None

    def work(self, work: Callable[[Session], Any]) -> Any:
        """Do something in one transaction; it is on disk when this returns. Raises WorkFailed.

        The message is for visitors: what other databases than SQLite say names their address, so that goes to the log.
        """
        try:
            with self._turn, Session(self._engine, expire_on_commit=False) as session, session.begin():
                return work(session)
        except SQLAlchemyError as wrong:
            if self._engine.dialect.name == "sqlite":
                raise WorkFailed(f"the database failed: {_reason(wrong)}") from wrong
            _LOG.error("the database failed: %s", _reason(wrong))
            raise WorkFailed("the database failed; nothing was changed") from wrong

    def close(self) -> None:
        if self._holding is not None:
            with suppress(SQLAlchemyError):  # the server of the database may have gone before
                self._holding.close()
        self._engine.dispose()

    def _try_write(self) -> None:
        """Refuse at the start what could be read only: the first move would be lost."""
        table = Rows.metadata.sorted_tables[0]
        with self._engine.begin() as connection:
            connection.execute(table.delete().where(text("1 = 0")))

    def _add_missing_columns(self) -> None:
        there = inspect(self._engine)
        with self._engine.begin() as connection:
            for table in Rows.metadata.sorted_tables:
                known = {column["name"] for column in there.get_columns(table.name)}
                for text in _missing(table, known, self._engine):
                    connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {text}")


def _missing(table: Table, known: set[str], engine: Engine) -> list[str]:
    absent = [column for column in table.columns if column.name not in known]
    return [str(CreateColumn(column).compile(dialect=engine.dialect)) for column in absent]


def _open_engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    path = make_url(url).database
    if path and not path.startswith(("file:", ":")):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.close()

    return engine


def _reason(wrong: Exception) -> str:
    """The first line of the cause, without the statement that SQLAlchemy adds."""
    return str(getattr(wrong, "orig", None) or wrong).splitlines()[0]
