"""Lessons: learning that is kept in a file, goes on where it was interrupted, and tells how far it is."""

from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from hitonami.core import Setup
from hitonami.errors import BadInput
from hitonami.intuition.knowledge import Knowledge, begin, read, write
from hitonami.intuition.learning import Learner, Plan, learn
from hitonami.progress import Watching


@dataclass(frozen=True)
class Lessons:
    """What is to be learned, and for how long: so many games in all, or so many minutes of this run."""

    game: str
    setup: Setup = field(default_factory=Setup)
    plan: Plan = field(default_factory=Plan)
    games: int = 2000
    minutes: float | None = None
    seed: int = 0


def take_lessons(lessons: Lessons, out: Path, watching: Watching, *, resume: bool = False) -> Knowledge:
    """Learn and keep it in `out`, also when interrupted. Raises BadInput for a file that is there, or is another's."""
    knowledge = _begin(lessons, out, resume)
    learner = Learner(knowledge, lessons.setup, lessons.plan, lessons.seed)
    seconds = inf if lessons.minutes is None else 60 * lessons.minutes
    with watching(lessons.games, "games") as meter:
        learn(learner, lessons.games, seconds, meter.show, lambda: write(knowledge, out))
    return knowledge


def _begin(lessons: Lessons, out: Path, resume: bool) -> Knowledge:
    if not out.exists():
        if resume:
            raise BadInput(f"{out}: there is nothing to go on with; leave --resume away to begin")
        return begin(lessons.game, lessons.setup, along=lessons.plan.along)
    if not resume:
        raise BadInput(f"{out} is there already: --resume goes on with it, another --out begins anew")
    known = read(out)
    if known.game != lessons.game:
        raise BadInput(f"{out}: learned in {known.game}, not in {lessons.game}")
    if lessons.plan.along not in (0, known.along):
        raise BadInput(f"{out} was begun with {known.along} plies along and goes on so: leave --along away")
    return known
