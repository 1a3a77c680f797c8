"""Games on disk: one row a game, written before the browser hears of a change.

Moves are kept as the game writes them (UCI, USI, GTP vertices), so that a row is readable without this program. A row
has a version, and is replaced only by who has seen the latest one: of two who change a game at once, one is refused.
"""

import json
import logging
import time
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from sqlalchemy import String, Table, Text, bindparam, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from hitonami.core import Setup
from hitonami.customs import games_offered
from hitonami.errors import WorkFailed, quote
from hitonami.play.endings import Outcome
from hitonami.web.database import Database, Rows

_LOG: Final = logging.getLogger("hitonami.web")


class _GameRow(Rows):
    __tablename__ = "games"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    made_at: Mapped[float]
    changed_at: Mapped[float] = mapped_column(index=True)
    game: Mapped[str] = mapped_column(String(40))
    setup: Mapped[str] = mapped_column(Text)
    human_side: Mapped[int]
    style: Mapped[str] = mapped_column(String(50))
    rating: Mapped[float | None]
    pool: Mapped[str] = mapped_column(String(40))
    pace: Mapped[str] = mapped_column(String(10))
    moves: Mapped[str] = mapped_column(Text)
    score: Mapped[float | None]
    reason: Mapped[str] = mapped_column(Text)
    time_control: Mapped[str] = mapped_column(String(40), server_default="")
    clocks: Mapped[str] = mapped_column(Text, server_default="")
    dead: Mapped[str] = mapped_column(Text, server_default="")
    offer_ply: Mapped[int] = mapped_column(server_default="-1")
    visitor: Mapped[str] = mapped_column(String(24), server_default="")
    version: Mapped[int] = mapped_column(server_default="1")


_TABLE: Final = cast("Table", _GameRow.__table__)
_UPDATE: Final = _TABLE.update().where(_TABLE.c.id == bindparam("sought"), _TABLE.c.version == bindparam("seen"))


class Stale(WorkFailed):
    """Somebody else has changed this game since it was read: it has to be read again."""


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
    time_control: str = ""
    clocks: tuple[float, ...] = ()
    """Seconds left to the mover after each move, where there is a clock."""
    dead: tuple[str, ...] = ()
    """Go: a stone of each chain that is taken to be dead."""
    offer_ply: int = -1
    """After how many moves the opponent has offered a draw last."""
    visitor: str = ""
    """Whose browser began it, by a random id; "" on a server of this machine's own."""
    made_at: float = 0.0
    changed_at: float = 0.0
    version: int = 0
    """How often it was saved; 0 for a game that is not in the store yet."""

    @property
    def outcome(self) -> Outcome | None:
        return None if self.score is None else Outcome(self.score, self.reason)


class GamesStore:
    """The table of games. Methods block: call them from a worker thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, game: StoredGame) -> StoredGame:
        """Insert a new game, or replace the version that it was made from; it is on disk when this returns.

        Raises Stale where the store holds another version.
        """
        now = time.time()
        fresh = replace(game, made_at=game.made_at or now, changed_at=now, version=game.version + 1)
        self._database.work(lambda session: _put(session, _columns(fresh), game.version))
        return fresh

    def load(self, game_id: str) -> StoredGame | None:
        """Raises WorkFailed where the row is damaged."""
        row = self._database.work(lambda session: session.get(_GameRow, game_id))
        return None if row is None else _stored(row)

    def recent(self, visitor: str, count: int) -> list[StoredGame]:
        """A visitor's games that were changed last, latest first. Damaged rows are left out, and logged."""
        query = select(_GameRow).where(_GameRow.visitor == visitor).order_by(_GameRow.changed_at.desc()).limit(count)
        found = []
        for row in self._database.work(lambda session: session.scalars(query).all()):
            try:
                found.append(_stored(row))
            except WorkFailed as wrong:
                _LOG.warning("%s", wrong)
        return found

    def count(self, visitor: str) -> int:
        """How many games a visitor has here."""
        query = select(func.count()).select_from(_GameRow).where(_GameRow.visitor == visitor)
        count: int = self._database.work(lambda session: session.scalar(query))
        return count


def _put(session: Session, columns: dict[str, Any], seen: int) -> None:
    connection = session.connection()
    if seen == 0:
        connection.execute(_TABLE.insert(), columns)
    elif connection.execute(_UPDATE, columns | {"sought": columns["id"], "seen": seen}).rowcount == 0:
        raise Stale("this game has been changed elsewhere; look at it again")


def _columns(game: StoredGame) -> dict[str, Any]:
    setup = {name: getattr(game.setup, name) for name in game.setup.__dataclass_fields__}
    plain = {name: getattr(game, name) for name in game.__dataclass_fields__}
    joined = {name: " ".join(map(str, getattr(game, name))) for name in ("moves", "clocks", "dead")}
    return plain | joined | {"setup": json.dumps(setup)}


def _stored(row: _GameRow) -> StoredGame:
    try:
        plain = {name: getattr(row, name) for name in StoredGame.__dataclass_fields__}
        split = {"moves": tuple(row.moves.split()), "dead": tuple(row.dead.split()), "clocks": _numbers(row.clocks)}
        times = {"made_at": float(row.made_at), "changed_at": float(row.changed_at)}
        game = StoredGame(**plain | split | times | {"setup": Setup(**json.loads(row.setup))})
        if game.human_side not in (0, 1):
            raise ValueError
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise WorkFailed(f"the game {row.id} is damaged in the database") from None
    if game.game not in games_offered():
        raise WorkFailed(f"the game {row.id} is one of {quote(game.game)}, whose rules are not here")
    return game


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split())
