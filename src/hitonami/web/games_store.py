"""Games on disk: one row a game, written before the browser hears of a change.

SQLite in WAL mode unless a URL of another database is given; nothing here is SQLite's own but the journal's mode. Moves
are kept as the game writes them (UCI, USI, GTP vertices), so that a row is readable without this program.
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, String, Text, create_engine, event, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from hitonami.core import Setup
from hitonami.errors import BadInput, WorkFailed

ID_PATTERN: Final = "^[a-z2-7]{12}$"
_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"


class _Base(DeclarativeBase):
    pass


class _GameRow(_Base):
    __tablename__ = "games"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    made_at: Mapped[float]
    changed_at: Mapped[float] = mapped_column(index=True)
    game: Mapped[str] = mapped_column(String(40))
    setup: Mapped[str] = mapped_column(Text)
    human_side: Mapped[int]
    style: Mapped[str] = mapped_column(String(40))
    rating: Mapped[float | None]
    pool: Mapped[str] = mapped_column(String(40))
    pace: Mapped[str] = mapped_column(String(10))
    moves: Mapped[str] = mapped_column(Text)
    score: Mapped[float | None]
    reason: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True)
class StoredGame:
    """A game as it is kept. `score` is 0..1 for player 0 once it is over, and None before."""

    id: str
    game: str
    setup: Setup
    human_side: int
    style: str
    rating: float | None
    pool: str
    pace: str
    moves: tuple[str, ...] = ()
    score: float | None = None
    reason: str = ""
    made_at: float = 0.0
    changed_at: float = 0.0


def new_id() -> str:
    """Sixty random bits: an id is also what keeps one visitor's game from another."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(12))


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


class GamesStore:
    """The table of games. Methods block: call them from a worker thread."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = _open_engine(url)
            _Base.metadata.create_all(self._engine)
        except (SQLAlchemyError, OSError, ImportError) as wrong:
            raise BadInput(f"the database of games cannot be opened: {_reason(wrong)}") from None

    def save(self, game: StoredGame) -> StoredGame:
        """Insert or replace a game; it is on disk when this returns."""
        now = time.time()
        game = replace(game, made_at=game.made_at or now, changed_at=now)
        self._work(lambda session: session.merge(_GameRow(**_columns(game))))
        return game

    def load(self, game_id: str) -> StoredGame | None:
        row = self._work(lambda session: session.get(_GameRow, game_id))
        return None if row is None else _stored(row)

    def recent(self, count: int) -> list[StoredGame]:
        """The games that were changed last, latest first."""
        query = select(_GameRow).order_by(_GameRow.changed_at.desc()).limit(count)
        return [_stored(row) for row in self._work(lambda session: session.scalars(query).all())]

    def close(self) -> None:
        self._engine.dispose()

    def _work(self, work: Callable[[Session], Any]) -> Any:
        try:
            with Session(self._engine, expire_on_commit=False) as session, session.begin():
                return work(session)
        except SQLAlchemyError as wrong:
            raise WorkFailed(f"the database of games failed: {_reason(wrong)}") from wrong


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


def _columns(game: StoredGame) -> dict[str, Any]:
    setup = {name: getattr(game.setup, name) for name in game.setup.__dataclass_fields__}
    plain = {name: getattr(game, name) for name in game.__dataclass_fields__}
    return plain | {"setup": json.dumps(setup), "moves": " ".join(game.moves)}


def _stored(row: _GameRow) -> StoredGame:
    plain = {name: getattr(row, name) for name in StoredGame.__dataclass_fields__}
    return StoredGame(**plain | {"setup": Setup(**json.loads(row.setup)), "moves": tuple(row.moves.split())})


def _reason(wrong: Exception) -> str:
    """The first line of the cause, without the statement that SQLAlchemy adds."""
    return str(getattr(wrong, "orig", None) or wrong).splitlines()[0]
