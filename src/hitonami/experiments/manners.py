"""Steps about how games end and feel: losers (a published threshold by level), refine (breadth and length)."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from hitonami.dataset.groups import SplitChoice
from hitonami.evaluate.grouping import default_by
from hitonami.evaluate.refinement import FIGURES, FILTER, run_records
from hitonami.evaluate.selection import Selection
from hitonami.experiments.step import Found, Step, Work, figure, in_part
from hitonami.fits.losers_run import ENGINE, OPENING, Beginning, LosersWish, PeopleWish, run_engine, run_people
from hitonami.outcomes import Figure
from hitonami.report import refinement

_GAMES: Final = "Games as they were"
_RULE: Final = "With the threshold"


class LosersStep(Step):
    """A threshold by level from what losers had at best: an engine's games by `skills`, else people's in the data."""

    do: Literal["losers"]
    skills: tuple[int, ...] = ()
    """Levels of the engine, the strongest first; none: people's games."""
    games: Annotated[int, Field(ge=1)] | tuple[Annotated[int, Field(ge=1)], ...] = 300
    """Of each level; a number for each of the skills where they differ."""
    nodes: int | None = Field(default=None, ge=1)
    opening_plies: int = Field(default=8, ge=0)
    by: Literal["rating", "rank", "none", ""] = ""
    band: float = Field(default=400.0, ge=1)
    filter: str = "finished,no-bots,no-bullet,no-handicap"
    split: SplitChoice = "all"
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _has_minds(self) -> "LosersStep":
        if ENGINE not in self.minds:
            raise ValueError(f"minds: one must be called {ENGINE}")
        if isinstance(self.games, tuple) and len(self.games) != len(self.skills):
            raise ValueError(f"games: {len(self.games)} numbers for {len(self.skills)} skills")
        if self.skills and self.opening_plies and OPENING not in self.minds:
            raise ValueError(f"minds: one must be called {OPENING}: who plays the first {self.opening_plies} plies")
        return self

    def run(self, work: Work) -> Found:
        every = self.games if isinstance(self.games, tuple) else (self.games,) * max(len(self.skills), 1)
        wish = LosersWish(self.game, max(every), work.minds[ENGINE], self.nodes, self.seed, work.folder)
        if self.skills:
            opening = Beginning(work.minds.get(OPENING, ""), self.opening_plies)
            levels = run_engine(wish, dict(zip(self.skills, every, strict=True)), opening, work.watch)
        else:
            plan = Selection(
                self.game, self.by or default_by(self.game), max(every), self.filter, seed=self.seed, split=self.split,
                band=self.band,
            )  # fmt: skip
            levels = run_people(PeopleWish(wish, plan), work.data, work.watch)
        return {"game": self.game, "levels": [asdict(each) for each in levels]}

    def figures(self, found: Found) -> Iterator[Figure]:
        for row in found["levels"]:
            yield from in_part(_GAMES, _as_played(row | {"n": row["games"]}))
        for row in found["levels"]:
            yield from in_part(_RULE, _as_ended(row | {"n": row["games"]}))


def _as_played(row: dict[str, Any]) -> Iterator[Figure]:
    yield from figure(row, "breadth", "B")
    yield from figure(row, "to_the_end", "D to the end")
    yield from figure(row, "before", "D before")
    yield from figure(row, "v_before", "v before")
    yield from figure(row, "decided", "decided")
    yield from figure(row, "clean", "without gross errors")
    yield from figure(row, "best", "a loser's best")
    yield from figure(row, "usual_best", "19 of 20 losers had at most")
    yield from figure(row, "best_of_any", "a loser's best in any game")


def _as_ended(row: dict[str, Any]) -> Iterator[Figure]:
    yield from figure(row, "threshold", "threshold")
    yield from figure(row, "after", "D after")
    yield from figure(row, "v_after", "v after")
    yield from figure(row, "given_up", "given up")
    yield from figure(row | {"n": row["given_up"]}, "saved", "saved, of those given up", unit="share")


class RefineStep(Step):
    """B, D and what follows from them, of games in records: `hitonami refine`."""

    do: Literal["refine"]
    by: Literal["rating", "rank", "none"] = "none"
    band: float = Field(default=400.0, ge=1)
    games: int = Field(default=400, ge=1)
    """Of each group."""
    filter: str = FILTER
    pool: str = ""
    size: int | None = None
    split: SplitChoice = "all"
    seed: int = Field(default=0, ge=0)

    def run(self, work: Work) -> Found:
        plan = Selection(
            self.game, self.by, self.games, self.filter, self.pool, self.size, self.seed, self.split, self.band
        )
        return refinement.as_json(run_records(plan, work.data, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        for group in found["groups"]:
            row = {"group": group["group"], "n": group["games"]} | group["figures"]
            for name in FIGURES:
                yield from figure(row, name, name)
