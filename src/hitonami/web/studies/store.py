"""Studies, the games that were prepared for them, visits and answers, on disk."""

import json
import time
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeVar

from sqlalchemy import ForeignKey, String, Text, func, select
from sqlalchemy.orm import Mapped, mapped_column

from hitonami.core import Setup
from hitonami.web.database import Database, Rows

Status = Literal["preparing", "open", "closed", "failed"]


class _StudyRow(Rows):
    __tablename__ = "studies"
    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    made_at: Mapped[float]
    status: Mapped[str] = mapped_column(String(10))
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


@dataclass(frozen=True)
class Hidden:
    """One opponent of a study: a style of the page at a level, or people's games that the experimenter gave."""

    label: str
    kind: Literal["style", "records"]
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


@dataclass(frozen=True)
class Specimen:
    """A game to watch."""

    id: str
    study: str
    opponent: int
    moves: str


@dataclass(frozen=True)
class Trial:
    """One game of one visit. `side` is the hidden opponent's; `answer` is JSON once it is given."""

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


K = TypeVar("K", Specimen, Trial)


class StudiesStore:
    """Methods block: call them from a worker thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_study(self, study: Study) -> Study:
        plan = json.dumps(asdict(study), ensure_ascii=False)
        row = _StudyRow(id=study.id, made_at=study.made_at, status=study.status, plan=plan)
        self._database.work(lambda session: session.merge(row))
        return study

    def load_study(self, study_id: str) -> Study | None:
        row = self._database.work(lambda session: session.get(_StudyRow, study_id))
        return None if row is None else _read_study(row.plan)

    def studies(self, *statuses: Status) -> list[Study]:
        """Latest first."""
        query = select(_StudyRow).where(_StudyRow.status.in_(statuses)).order_by(_StudyRow.made_at.desc()).limit(200)
        return [_read_study(row.plan) for row in self._database.work(lambda session: session.scalars(query).all())]

    def add_specimens(self, specimens: list[Specimen]) -> None:
        self._database.work(lambda session: session.add_all([_SpecimenRow(**vars(each)) for each in specimens]))

    def specimens(self, study_id: str) -> list[Specimen]:
        query = select(_SpecimenRow).where(_SpecimenRow.study == study_id)
        rows = self._database.work(lambda session: session.scalars(query).all())
        return [_plain(row, Specimen) for row in rows]

    def count_specimens(self, study_id: str) -> int:
        query = select(func.count()).select_from(_SpecimenRow).where(_SpecimenRow.study == study_id)
        count: int = self._database.work(lambda session: session.scalar(query))
        return count

    def add_visit(self, visit_id: str, study_id: str, trials: list[Trial]) -> None:
        def work(session: Any) -> None:
            session.add(_VisitRow(id=visit_id, study=study_id, consented_at=time.time()))
            session.flush()  # PostgreSQL checks that the visit is there before its trials
            session.add_all([_TrialRow(**vars(trial)) for trial in trials])

        self._database.work(work)

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

    def save_trial(self, trial: Trial) -> Trial:
        self._database.work(lambda session: session.merge(_TrialRow(**vars(trial))))
        return trial


def _plain(row: Any, kind: type[K]) -> K:
    return kind(**{name: getattr(row, name) for name in kind.__dataclass_fields__})


def _read_study(plan: str) -> Study:
    held = json.loads(plan)
    opponents = tuple(Hidden(**each) for each in held.pop("opponents"))
    study = Study(**held | {"opponents": opponents})
    return replace(study, setup=Setup(**held["setup"]))
