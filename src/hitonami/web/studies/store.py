"""Studies, the games that were prepared for them, visits and answers, on disk."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypeVar

from sqlalchemy import ForeignKey, String, Text, Update, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from hitonami.core import Setup
from hitonami.web.database import Database, Rows

Status = Literal["preparing", "open", "closed", "failed"]


class _StudyRow(Rows):
    __tablename__ = "studies"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    made_at: Mapped[float]
    status: Mapped[str] = mapped_column(String(10))
    note: Mapped[str] = mapped_column(Text, server_default="")
    plan: Mapped[str] = mapped_column(Text)


class _SpecimenRow(Rows):
    __tablename__ = "study_games"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id"), index=True)
    opponent: Mapped[int]
    moves: Mapped[str] = mapped_column(Text)


class _VisitRow(Rows):
    __tablename__ = "study_visits"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id"), index=True)
    consented_at: Mapped[float]


class _TrialRow(Rows):
    __tablename__ = "study_trials"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    visit: Mapped[str] = mapped_column(ForeignKey("study_visits.id"), index=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id"), index=True)
    number: Mapped[int]
    opponent: Mapped[int]
    side: Mapped[int]
    moves: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(10))
    begun_at: Mapped[float]
    answered_at: Mapped[float]
    answer: Mapped[str] = mapped_column(Text)
    ready_at: Mapped[float] = mapped_column(server_default="0")
    partner: Mapped[str] = mapped_column(String(12), server_default="")
    stamps: Mapped[str] = mapped_column(Text, server_default="")


@dataclass(frozen=True)
class Hidden:
    """One opponent of a study: a style of the page at a level, people's games that were given, or another visitor."""

    label: str
    kind: Literal["style", "records", "person"]
    style: str = ""
    rating: float | None = None
    pool: str = ""


@dataclass(frozen=True)
class Study:
    """What was set up. `key` opens the results."""

    id: str
    key: str
    title: str
    game: str
    setup: Setup
    mode: Literal["watch", "play"]
    opponents: tuple[Hidden, ...]
    games_per_visitor: int
    games_per_opponent: int
    plies: int
    consent: str
    reveal: bool
    status: Status = "preparing"
    note: str = ""
    made_at: float = field(default_factory=time.time)

    @property
    def live(self) -> bool:
        """Whether visitors may meet each other."""
        return any(hidden.kind == "person" for hidden in self.opponents)


@dataclass(frozen=True)
class Specimen:
    """A game to watch."""

    id: str
    study: str
    opponent: int
    moves: str


@dataclass(frozen=True)
class Trial:
    """One game of one visit. `side` is the hidden opponent's; `answer` is JSON once it is given.

    Where visitors meet each other, `ready_at` is when an opponent was found (0: not yet) and `partner` the other's
    trial, which has the same moves. `stamps` are the times of the moves.
    """

    id: str
    visit: str
    study: str
    number: int
    opponent: int
    side: int
    moves: str = ""
    state: Literal["waiting", "shown", "answered", "void"] = "waiting"
    begun_at: float = 0.0
    answered_at: float = 0.0
    answer: str = ""
    ready_at: float = 0.0
    partner: str = ""
    stamps: str = ""

    def think_seconds(self) -> list[float]:
        """How long each move took, both sides', the first one since there was an opponent."""
        moments = [self.ready_at or self.begun_at, *map(float, self.stamps.split())]
        return [round(after - before, 2) for before, after in pairwise(moments)]


K = TypeVar("K", Specimen, Trial)


class StudiesStore:
    """Methods block: call them from a worker thread.

    A change says in its own statement what it found before (this state, these moves), and is not made where that is no
    longer so: of two at once, one happens and the other hears False. The first statement of each change takes the lock
    of what it is about, in SQLite as in PostgreSQL.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_study(self, study: Study, games: Sequence[Specimen] = ()) -> Study:
        """A new study and the games that it begins with: both or neither."""
        plan = json.dumps(asdict(study), ensure_ascii=False)

        def work(session: Session) -> None:
            session.add(_StudyRow(id=study.id, made_at=study.made_at, status=study.status, note=study.note, plan=plan))
            session.flush()  # PostgreSQL checks that the study is there before its games
            session.add_all([_SpecimenRow(**vars(each)) for each in games])

        self._database.work(work)
        return study

    def load_study(self, study_id: str) -> Study | None:
        row = self._database.work(lambda session: session.get(_StudyRow, study_id))
        return None if row is None else _read_study(row)

    def studies(self, *statuses: Status) -> list[Study]:
        """Latest first."""
        query = select(_StudyRow).where(_StudyRow.status.in_(statuses)).order_by(_StudyRow.made_at.desc()).limit(200)
        return [_read_study(row) for row in self._database.work(lambda session: session.scalars(query).all())]

    def open_study(self, study_id: str) -> bool:
        """Its games are prepared: let visitors in. Not where it was closed meanwhile."""
        return self._turn(study_id, ("preparing",), "open")

    def fail_study(self, study_id: str, note: str) -> bool:
        return self._turn(study_id, ("preparing",), "failed", note)

    def close_study(self, study_id: str) -> bool:
        return self._turn(study_id, ("preparing", "open"), "closed")

    def _turn(self, study_id: str, before: Sequence[Status], after: Status, note: str = "") -> bool:
        change = update(_StudyRow).where(_StudyRow.id == study_id, _StudyRow.status.in_(before))
        return self._change(change.values(status=after, note=note))

    def add_prepared(self, study_id: str, games: Sequence[Specimen]) -> bool:
        """Keep games of a study while it is being prepared."""

        def work(session: Session) -> bool:
            held = _hold(session, study_id, "preparing")
            if held:
                session.add_all([_SpecimenRow(**vars(each)) for each in games])
            return held

        return bool(self._database.work(work))

    def specimens(self, study_id: str) -> list[Specimen]:
        query = select(_SpecimenRow).where(_SpecimenRow.study == study_id)
        rows = self._database.work(lambda session: session.scalars(query).all())
        return [_plain(row, Specimen) for row in rows]

    def count_specimens(self, study_id: str) -> int:
        query = select(func.count()).select_from(_SpecimenRow).where(_SpecimenRow.study == study_id)
        count: int = self._database.work(lambda session: session.scalar(query))
        return count

    def add_visit(self, visit_id: str, study_id: str, trials: Sequence[Trial]) -> bool:
        """A visitor's games; not where the study takes no visitors now, nor a second time."""

        def work(session: Session) -> bool:
            if not _hold(session, study_id, "open") or session.get(_VisitRow, visit_id) is not None:
                return False
            session.add(_VisitRow(id=visit_id, study=study_id, consented_at=time.time()))
            session.flush()  # PostgreSQL checks that the visit is there before its trials
            session.add_all([_TrialRow(**vars(trial)) for trial in trials])
            return True

        return bool(self._database.work(work))

    def visit_trials(self, visit_id: str) -> list[Trial]:
        """In the order in which they are shown; none where there is no such visit."""
        query = select(_TrialRow).where(_TrialRow.visit == visit_id).order_by(_TrialRow.number)
        return [_plain(row, Trial) for row in self._database.work(lambda session: session.scalars(query).all())]

    def study_trials(self, study_id: str) -> list[Trial]:
        query = select(_TrialRow).where(_TrialRow.study == study_id).order_by(_TrialRow.visit, _TrialRow.number)
        return [_plain(row, Trial) for row in self._database.work(lambda session: session.scalars(query).all())]

    def load_trial(self, trial_id: str) -> Trial | None:
        row = self._database.work(lambda session: session.get(_TrialRow, trial_id))
        return None if row is None else _plain(row, Trial)

    def show_trial(self, trial_id: str) -> bool:
        """The visitor has come to it."""
        return self._change(_trial(trial_id, "waiting").values(state="shown", begun_at=time.time()))

    def add_move(self, trial: Trial, moves: str) -> bool:
        """One more move in a trial as the caller has seen it, and in its partner's."""
        stamps = f"{trial.stamps} {time.time():.2f}".strip()

        def work(session: Session) -> bool:
            changes = [
                _trial(each, "shown").where(_TrialRow.moves == trial.moves).values(moves=moves, stamps=stamps)
                for each in (trial.id, trial.partner)
                if each
            ]
            done = bool(session.connection().execute(changes[0]).rowcount)
            for change in changes[1:] if done else ():
                session.connection().execute(change)
            return done

        return bool(self._database.work(work))

    def make_ready(self, trial: Trial, opponent: int) -> bool:
        """An opponent was found for a trial that waited for one: a program."""
        change = _trial(trial.id, "shown").where(_TrialRow.ready_at == 0)
        return self._change(change.values(opponent=opponent, ready_at=time.time()))

    def pair(self, first: Trial, second: Trial) -> bool:
        """Two visitors who wait play each other: both or neither."""
        now = time.time()

        def work(session: Session) -> bool:
            for one, other, side in ((first, second, first.side), (second, first, 1 - first.side)):
                change = _trial(one.id, "shown").where(_TrialRow.ready_at == 0)
                values = {"partner": other.id, "side": side, "ready_at": now}
                if not session.connection().execute(change.values(**values)).rowcount:
                    session.rollback()
                    return False
            return True

        return bool(self._database.work(work))

    def answer_trial(self, trial_id: str, answer: str) -> bool:
        """The visitor's answer, about the moves that are there. It is the only one, and nothing changes after it."""
        change = _trial(trial_id, "shown")
        return self._change(change.values(state="answered", answered_at=time.time(), answer=answer))

    def void_trial(self, trial_id: str) -> bool:
        """The game cannot go on. Not where it was judged before."""
        return self._change(_trial(trial_id, "shown").values(state="void"))

    def _change(self, change: Update) -> bool:
        return bool(self._database.work(lambda session: session.connection().execute(change).rowcount))


def _trial(trial_id: str, state: str) -> Update:
    return update(_TrialRow).where(_TrialRow.id == trial_id, _TrialRow.state == state)


def _hold(session: Session, study_id: str, status: Status) -> bool:
    """Whether the study is so, and stays so until the transaction ends: an update that changes nothing locks it."""
    same = update(_StudyRow).where(_StudyRow.id == study_id, _StudyRow.status == status).values(status=status)
    return bool(session.connection().execute(same).rowcount)


def _plain(row: Any, kind: type[K]) -> K:
    return kind(**{name: getattr(row, name) for name in kind.__dataclass_fields__})


def _read_study(row: _StudyRow) -> Study:
    """What was planned, and how it stands. Earlier versions kept a note in the plan alone."""
    held = json.loads(row.plan)
    stands = {"status": row.status, "note": row.note or held["note"], "setup": Setup(**held["setup"])}
    return Study(**held | stands | {"opponents": tuple(Hidden(**each) for each in held["opponents"])})
