"""The one database of a server: SQLite in WAL mode unless a URL of another is given.

Nothing here is SQLite's own but the journal's mode. A table that an earlier version made gets the columns that it lacks
when it is opened; nothing is ever dropped.
"""

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, Table, create_engine, event, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.schema import CreateColumn

from hitonami.errors import BadInput, WorkFailed

ID_PATTERN: Final = "^[a-z2-7]{12}$"
VISITOR_LETTERS: Final = 24
VISITOR_PATTERN: Final = "^[a-z2-7]{24}$"
_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"


class Rows(DeclarativeBase):
    """What every table derives from."""


def new_id(letters: int = 12) -> str:
    """Five random bits a letter, sixty in all: an id is also what keeps one visitor's game from another."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(letters))


def default_url() -> str:
    """A SQLite file in the user's folder of data; HITONAMI_DATABASE names another file or database."""
    if given := os.environ.get("HITONAMI_DATABASE"):
        return given if "://" in given else f"sqlite:///{Path(given).expanduser()}"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'hitonami' / 'games.sqlite3'}"


class Database:
    """An open database. Methods block: call them from a worker thread."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = _open_engine(url)
            Rows.metadata.create_all(self._engine)
            self._add_missing_columns()
        except (SQLAlchemyError, OSError, ImportError) as wrong:
            raise BadInput(f"the database cannot be opened: {_reason(wrong)}") from None

    def work(self, work: Callable[[Session], Any]) -> Any:
        """Do something in one transaction; it is on disk when this returns. Raises WorkFailed."""
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                return work(session)
        except SQLAlchemyError as wrong:
            raise WorkFailed(f"the database failed: {_reason(wrong)}") from wrong

    def close(self) -> None:
        self._engine.dispose()

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
    path = url.partition(":///")[2]
    if path:
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
