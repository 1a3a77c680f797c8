"""Steps that play, judge or only read: judge, openings, endings, tournament, subset, ladder."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from hitonami.dataset.subset import write_subset
from hitonami.errors import BadInput
from hitonami.evaluate import repertoire
from hitonami.evaluate.grouping import default_by
from hitonami.experiments.likeness_step import loss_figures
from hitonami.experiments.step import (
    JUDGE,
    JUDGED,
    DrawingStep,
    Found,
    GroupedStep,
    Step,
    Work,
    figure,
    without_judge,
)
from hitonami.judging import conversion
from hitonami.judging.run import JudgeWish, run_endings, run_losses
from hitonami.matches.wish import TournamentWish
from hitonami.outcomes import Figure
from hitonami.report import conversion as conversion_report
from hitonami.report import losses, tournament
from hitonami.report import repertoire as openings_report


class JudgeStep(DrawingStep):
    """How much people and agents of their level give away a move."""

    PLAYS: ClassVar[bool] = True
    do: Literal["judge"]
    nodes: int | None = None

    def run(self, work: Work) -> Found:
        texts = without_judge(work, self.name)
        wish = JudgeWish(work.minds[JUDGE], self.nodes, work.shared / JUDGED)
        return losses.as_json(run_losses(self.plan, texts, wish, work.data, work.watch)[1])

    def figures(self, found: Found) -> Iterator[Figure]:
        yield from loss_figures(found["groups"], whole=False)


class OpeningsStep(GroupedStep):
    """How a mind's games begin, against people's of the level."""

    PLAYS: ClassVar[bool] = True
    do: Literal["openings"]
    plies: int = Field(default=10, ge=1, le=60)
    games: int = Field(default=1000, ge=2)
    least: int = Field(default=100, ge=2)
    filter: str = repertoire.FILTER
    size: int | None = None

    def run(self, work: Work) -> Found:
        drawn = self.games, self.filter, self.pool, self.size, self.seed, self.split, self.band
        plan = repertoire.RepertoirePlan(
            self.game, self.by or default_by(self.game), *drawn, plies=self.plies, least=self.least
        )
        depths = sorted({1, 2, 4, 6, self.plies} & set(range(self.plies + 1)))
        return openings_report.as_json(repertoire.compare_minds(plan, work.asked, work.data, depths, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        for at, mind in enumerate(found["minds"]):
            for group in mind["groups"]:
                for depth in group["depths"]:
                    row = {"group": f"{group['pool']} {group['group']}".strip(), "n": group["games"]} | depth
                    name = f"divergence at {depth['plies']} plies, bits"
                    if not at:
                        yield from figure(row, "among_people", name, "halves of people")
                        yield from figure(row, "among_people_high", name, "95% of halves below")
                    yield from figure(row, "divergence", name, mind["mind"])


class EndingsStep(GroupedStep):
    """How people and minds go on from won positions."""

    PLAYS: ClassVar[bool] = True
    do: Literal["endings"]
    band: float = Field(default=400.0, ge=1)
    positions: int = Field(default=60, ge=2)
    won: float = Field(default=0.863, ge=0.5, le=1)
    first_ply: int = Field(default=30, ge=0)
    filter: str = conversion.FILTER
    nodes: int | None = None

    def run(self, work: Work) -> Found:
        texts = without_judge(work, self.name)
        drawn = self.positions, self.filter, self.pool, None, self.seed, self.split, self.band
        plan = conversion.ConversionPlan(
            self.game, self.by or default_by(self.game), *drawn, won=self.won, first_ply=self.first_ply
        )
        wish = JudgeWish(work.minds[JUDGE], self.nodes, work.shared / JUDGED)
        return conversion_report.as_json(run_endings(plan, texts, wish, work.data, work.folder, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        for group in found["groups"]:
            for who, held in group["courses"].items():
                row = held | {"group": f"{group['pool']} {group['group']}".strip()}
                yield from figure(row, "score", "score from won positions", who, "share")


class TournamentStep(Step):
    """Games among players, and whether their given ratings agree with the results."""

    PLAYS: ClassVar[bool] = True
    do: Literal["tournament"]
    players: tuple[str, ...] = Field(min_length=2)
    """M@R, where M is the name of one of the step's minds."""
    games: int = Field(ge=1)
    openings: str = "none"
    max_plies: int = Field(default=0, ge=0)
    pool: str = ""
    seed: int = Field(default=0, ge=0)

    def run(self, work: Work) -> Found:
        written = tuple(self._written(player, work) for player in self.players)
        wish = TournamentWish(
            self.game, written, self.games, work.folder, resume=True, openings=self.openings, max_plies=self.max_plies,
            pool=self.pool, seed=self.seed,
        )  # fmt: skip
        return tournament.as_json(wish.play(work.watch))

    def _written(self, player: str, work: Work) -> str:
        mind, _, rest = player.partition("@")
        if mind not in work.minds:
            raise BadInput(
                f"step {self.name}: the player {player!r} names no mind of the step: {', '.join(work.minds)}"
            )
        return f"{work.minds[mind]}@{rest}"

    def figures(self, found: Found) -> Iterator[Figure]:
        yield from game_figures(found)


def game_figures(found: Found) -> Iterator[Figure]:
    """Scores of a tournament's JSON, pair by pair, and whether they follow the ratings."""
    for pair in found["pairs"]:
        n = pair["wins"] + pair["draws"] + pair["losses"]
        row = pair | {"group": f"{pair['a']} – {pair['b']}", "n": n}
        yield from figure(row, "score", "score", "", "share")
        yield from figure(row, "expected_by_given", "expected by the ratings", "", "share")
    agreement = found["given_ratings"]
    if agreement is not None:
        row = {"group": "all", "n": found["games"], "p": agreement["p_value"]}
        yield from figure(row, "p", "p that results follow the ratings")


class Subset(Step):
    """A smaller dataset; later steps read it as `step:NAME`."""

    do: Literal["subset"]
    games: int = Field(ge=1)
    filter: str = "none"
    held_out: int = Field(default=1_000, ge=0)

    def run(self, work: Work) -> Found:
        for left in work.folder.glob("*"):  # a run that was ended before its figures were kept
            left.unlink()
        taken = write_subset([Path(each) for each in work.data], work.folder, self.games, self.filter, self.held_out)
        return vars(taken)

    def figures(self, found: Found) -> Iterator[Figure]:
        for split, games in found.items():
            yield from figure({"group": split, "n": games, "games": games}, "games", "games")


class LadderStep(Step):
    """Reads the figures of the small-data ladder (recipes/experiments/ladder.py measure)."""

    do: Literal["ladder"]
    experts: tuple[str, ...] = Field(min_length=1)
    """Names under which the experts were measured (`--expert NAME=MIND`), in the order of the report."""

    def run(self, work: Work) -> Found:
        rows = [row for path in work.data for row in json.loads(Path(path).read_bytes())]
        there = list(dict.fromkeys(row["expert"] for row in rows))
        if missing := [name for name in self.experts if name not in there]:
            raise BadInput(
                f"step {self.name}: the ladder was measured with {', '.join(there)}, not with {', '.join(missing)}; "
                "`ladder.py measure --expert NAME=MIND` adds one"
            )
        return {"rows": [row for row in rows if row["expert"] in self.experts]}

    def figures(self, found: Found) -> Iterator[Figure]:
        for row in found["rows"]:
            held, best = row["found"], row["found"]["by_accuracy"]
            known = {"group": f"{row['base']}, {row['games']:,} games", "n": held["first"]["n"]}
            yield from figure(known | {"x": held["first"]["accuracy"]}, "x", "accuracy", "network alone", "share")
            yield from figure(known | {"x": best["weight"]}, "x", "α", row["expert"])
            gain = best["accuracy_gain"]["interval"]
            yield from figure(known | {"x": gain}, "x", "gain held out", row["expert"], "points")
