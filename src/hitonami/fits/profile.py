"""Everything that makes a level, fitted over one base: a profile, step by step.

Foresight on games to train from, all else on validation games. Each step reads what the ones before it wrote, and what
it found is kept at once: the ranker of moves, the weight of the look ahead in the blend, the calibration of chances,
the weight of openings, how estimated ratings are read, and last, because it draws from all of these, the draw of the
levels. A step that has nothing to go by (a game without sights, without counts of openings, without a judge; a pool
with too few games) is named and left out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hitonami import levels
from hitonami.bases import open_base, origin_of_base
from hitonami.customs import customs_of
from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadInput, HitonamiError
from hitonami.evaluate.selection import Selection
from hitonami.fits.calibration_run import RESULT_FILTER, CalibrationWish, run_calibration
from hitonami.fits.foresight import ForesightWish, run_foresight
from hitonami.fits.level_run import LevelWish, run_level
from hitonami.fits.opening_counts import fit_weight
from hitonami.fits.run import Wish, run_fit
from hitonami.fits.store import update_knobs
from hitonami.judging.run import JudgeWish
from hitonami.knobs import Curve
from hitonami.levels.opening_counts import opening_counts
from hitonami.levels.profiles import profile_of, profiles_in
from hitonami.levels.rankers import ranker_file
from hitonami.minds.opening import METHOD as OPENING
from hitonami.progress import Watching
from hitonami.sights import sights_of
from hitonami.specs import Room, mind_spec
from hitonami.strength.estimate import FILE as STRENGTH
from hitonami.strength.rating_of import Wanted, find_people
from hitonami.strength.run import Collecting

STEPS: Final = ("foresight", "blend", "calibration", "openings", "rate", "level")
_WIDE: Final = 400.0
"""Band of ratings of steps that cost a search for each decision."""


@dataclass(frozen=True)
class ProfileWish:
    """What is asked for. `steps` are some of STEPS, in their order."""

    base: str
    folder: Path
    """Of profiles: this one's is made in it."""
    judge: JudgeWish
    default_pool: str = ""
    steps: tuple[str, ...] = STEPS


@dataclass(frozen=True)
class Done:
    """What became of one step."""

    step: str
    told: str
    failed: bool = False


def run_profile(plan: Selection, wish: ProfileWish, arguments: Sequence[str], watch: Watching) -> Iterator[Done]:
    """Fit and write, step after step. The base itself must be there; what is wrong with one step ends that step."""
    with Room() as room:
        origin_of_base(open_base(room, wish.base), wish.base)
    run = _Run(plan, wish, arguments, watch)
    run.folder.mkdir(parents=True, exist_ok=True)
    with profiles_in(wish.folder):
        for step in wish.steps:
            levels.forget()
            try:
                yield Done(step, run.work[step]())
            except HitonamiError as wrong:
                yield Done(step, str(wrong), failed=True)
    levels.forget()


@dataclass(frozen=True)
class _Run:
    """One profile under way. `plan.positions` is how many decisions of a group foresight learns from."""

    plan: Selection
    wish: ProfileWish
    arguments: Sequence[str]
    watch: Watching

    @property
    def folder(self) -> Path:
        return self.wish.folder / profile_of(self.wish.base)

    @property
    def file(self) -> Path:
        return self.folder / f"{self.plan.game.replace(':', '-')}.json"

    @property
    def work(self) -> dict[str, Callable[[], str]]:
        return {
            "foresight": self._foresight,
            "blend": self._blend,
            "calibration": self._calibration,
            "openings": self._openings,
            "rate": self._rate,
            "level": self._level,
        }

    def _some(self, share: int) -> int:
        return max(self.plan.positions // share, 1)

    def _foresight(self) -> str:
        if sights_of(self.plan.game) is None:
            raise BadInput(f"nothing is seen of moves in {self.plan.game}")
        out = ranker_file(self.folder, self.plan.game)
        asked = ForesightWish(None, "none", out, self.wish.default_pool, self.wish.base)
        found = run_foresight(replace(self.plan, split="train"), asked, self.arguments, self.watch)
        return ", ".join(f"{number:,} decisions of {pool}" for pool, number in found.counts.items())

    def _blend(self) -> str:
        plan = replace(self.plan, split="validation", positions=self._some(8), band=_WIDE)
        asked = Wish("blend", ("human", "ahead"), (), "likelihood", "none", self.file, "", self.wish.base)
        run_fit(plan, asked, self.arguments, self.watch)
        return self._tell("blend", "weight")

    def _calibration(self) -> str:
        plan = replace(self.plan, split="validation", filter_text=RESULT_FILTER)
        asked = CalibrationWish((f"human:{self.wish.base}",), "none", self.file)
        run_calibration(plan, asked, self.arguments, self.watch)
        return self._tell("result", "temperature")

    def _openings(self) -> str:
        counts = opening_counts(self.plan.game)
        if counts is None:
            raise BadInput(f"there are no counts of openings for {self.plan.game}")
        with Room() as room:
            base = open_base(room, self.wish.base)
            origin = origin_of_base(base, self.wish.base)
            human = room.open(mind_spec({"kind": "human", "base": self.wish.base, "openings": False}))
            data = open_data(self.arguments, self.plan.game)
            gains = fit_weight(data, human, counts, self._some(5))
        if not gains:
            raise BadInput("no validation game begins with a position that the counts hold")
        best = max(gains, key=gains.__getitem__)
        made = {"": {"minds": [origin], "split": "validation"}}
        update_knobs(self.file, OPENING, {"weight": {"": Curve(((0.0, best),))}}, made)
        return f"the mind counts for {best:g} games"

    def _rate(self) -> str:
        told, data = [], open_data(self.arguments, self.plan.game, named=True)
        for pool in customs_of(self.plan.game).scale.pools:
            people = find_people(data, Wanted(pool, (), 4, "validation"), Tally())
            own_pool = [each for each in people if each.parts[0][0].players[each.parts[0][1]].pool == pool]
            asked = Collecting(self.plan.game, pool, self._some(10), 40, base=self.wish.base)
            try:
                own = asked.people_of(own_pool, 0)
                facts = asked.fit(asked.games_of(asked.drawn_of(own)), own, self.folder / STRENGTH.name)
            except BadInput as wrong:
                told.append(f"{pool}: {wrong}")
            else:
                told.append(f"{pool}: {facts['players']} players, {facts['games']} games")
        return "; ".join(told)

    def _level(self) -> str:
        plan = replace(self.plan, split="validation", positions=self._some(10))
        data: Any = open_data(self.arguments, self.plan.game)
        asked = LevelWish(f"human:{self.wish.base}", self.wish.judge, "none", self.file)
        run_level(plan, asked, data, self.watch)
        return self._tell("level", "human")

    def _tell(self, method: str, knob: str) -> str:
        """The curves as they were written, by their ends."""
        levels.forget()
        curves = levels.levels_of(self.plan.game, profile_of(self.wish.base))[method][knob]
        ends = {pool: (curve.points[0], curve.points[-1]) for pool, curve in curves.items() if pool}
        return "; ".join(
            f"{pool}: {knob} {low[1]:.2f} at {low[0]:.0f} to {high[1]:.2f} at {high[0]:.0f}"
            for pool, (low, high) in ends.items()
        )
