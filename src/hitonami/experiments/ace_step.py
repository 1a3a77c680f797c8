"""The step `ace`: a search fitted to levels as published (S4), their games, their rating from test positions.

Θ and noise at the root are fitted to the moves of each level over one mind. One more level is held out: its Θ is
interpolated between its neighbours, and stands beside a fit of its own on unseen moves and beside its neighbours in
games. Games go to their end: nobody resigns and nobody judges.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from hitonami import disk
from hitonami.core import Mind
from hitonami.evaluate.decisions import Asked, ask
from hitonami.evaluate.metrics import measure
from hitonami.evaluate.selection import Selection, select_with
from hitonami.experiments.playing import game_figures
from hitonami.experiments.step import DrawingStep, Found, Work, figure, in_part
from hitonami.fits.search import SearchFit, decisions_of, level_group, of_group
from hitonami.fits.search_run import SearchWish, run_search
from hitonami.matches.wish import TournamentWish
from hitonami.minds.search import ace_search
from hitonami.outcomes import ALL, Figure
from hitonami.report import fit_search, tournament
from hitonami.report.evaluation import paired_json
from hitonami.specs import Room, open_mind
from hitonami.strength.estimate import Estimate, calibration_for, ratings_told
from hitonami.strength.evidence import Witness
from hitonami.strength.test_positions import choose, rate_choices

_MIND = "mind"
_SIGNS = {"tau": "τ", "prior_temperature": "t", "c_puct": "c_puct", "noise_share": "ε", "noise_concentration": "α"}


@dataclass(frozen=True)
class Fitted:
    """A level as it plays. Noise of a level that was fitted without has a share of 0."""

    rating: float
    tau: float
    prior_temperature: float
    c_puct: float
    noise_share: float
    noise_concentration: float

    @classmethod
    def of(cls, level: SearchFit) -> "Fitted":
        """The best that was found, with noise or without."""
        found = level.noise if level.noise is not None and level.noise.is_better else None
        if found is None:
            return cls(level.rating, *level.theta.values, 0.0, 10.0)
        return cls(level.rating, *found.theta.values, found.noise.share, found.noise.concentration)

    @classmethod
    def between(cls, levels: Sequence["Fitted"], rating: float) -> "Fitted":
        """Every knob straight between the levels."""
        ordered = sorted(levels, key=lambda level: level.rating)
        ratings = [level.rating for level in ordered]
        own = {name: float(np.interp(rating, ratings, [getattr(each, name) for each in ordered])) for name in _SIGNS}
        return cls(rating, **own)

    @property
    def knobs(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in _SIGNS}

    def search(self, mind: Mind, simulations: int) -> Mind:
        theta = self.tau, self.prior_temperature, self.c_puct
        return ace_search(mind, simulations, theta, (self.noise_share, self.noise_concentration))


class AceStep(DrawingStep):
    """Levels of one searched mind: fitted, interpolated, played, rated."""

    PLAYS: ClassVar[bool] = True
    do: Literal["ace"]
    ratings: tuple[float, ...] = Field(min_length=2)
    between: float
    """A level that is fitted for comparison alone."""
    band: float = Field(default=100.0, ge=1)
    split: Literal["train", "validation", "all"] = "validation"
    unseen: Literal["test", "all"] = "test"
    simulations: int = Field(ge=2)
    steps: int = Field(ge=1)
    games: int = Field(ge=2)
    max_plies: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _is_between(self) -> "AceStep":
        if set(self.minds) != {_MIND}:
            raise ValueError(f"minds: {_MIND} is needed, and no other")
        if not min(self.ratings) < self.between < max(self.ratings):
            raise ValueError("between: a rating between the others")
        return self

    def run(self, work: Work) -> Found:
        fitted, shown = self._fit(work)
        own, levels = fitted[-1], fitted[:-1]
        middle = Fitted.between(levels, own.rating)
        with open_mind(work.minds[_MIND]) as mind:
            found = self._on_unseen(mind, levels, middle, own, work)
        return shown | found | {"interpolated": asdict(middle)} | self._play(levels, middle, work)

    def _fit(self, work: Work) -> tuple[list[Fitted], Found]:
        """Of all levels, the one between them last; found again where it was done before."""
        kept = work.folder / "levels.json"
        if not kept.exists():
            wish = SearchWish(
                work.minds[_MIND], (*self.ratings, self.between), self.simulations, self.steps, "none",
                work.folder / "visits", noise=True,
            )  # fmt: skip
            run = run_search(self.plan, wish, work.data, work.watch)
            levels = [Fitted.of(level) for level in run.levels]
            disk.write_text(kept, json.dumps({"levels": [asdict(x) for x in levels], "fit": fit_search.as_json(run)}))
        held = json.loads(kept.read_bytes())
        fitted = [Fitted(**each) for each in held["levels"]]
        return fitted, {"levels": held["levels"], "fits": held["fit"]["levels"]}

    def _on_unseen(self, mind: Mind, levels: Sequence[Fitted], middle: Fitted, own: Fitted, work: Work) -> Found:
        """The interpolated level beside its own fit, and every level's rating from test positions."""
        plan: Selection = replace(self.plan, split=self.unseen, by="rating")
        drawn = select_with(work.watch, plan.open(work.data), plan)
        groups = [level_group(drawn, rating, self.band) for rating in (*self.ratings, self.between)]
        minds = {
            "interpolated": middle.search(mind, self.simulations),
            "fitted": own.search(mind, self.simulations),
            "mind": mind,
        }
        table = ask(of_group(drawn, groups[-1]), minds, seed=self.seed)
        pairs = [{"a": p.a, "b": p.b} | paired_json(p.all) for p in measure(table, seed=self.seed).pairs]
        everybody = [*levels, middle]
        rows = [decisions_of(drawn, group) for group in groups]
        with Room() as room:
            rated = [
                self._rate(level, asked, mind, room, f"{rating:g}")
                for level, asked, rating in zip(everybody, rows, (*self.ratings, self.between), strict=True)
            ]
        return {"pairs": pairs, "positions": rated}

    def _rate(self, level: Fitted, asked: Sequence[Asked], mind: Mind, room: Room, name: str) -> Found:
        """People's choices and the level's in the same positions."""
        pool = asked[0][1].pool
        calibration = calibration_for(self.game, pool, expert=True)
        told = ratings_told(self.game, pool, calibration)
        witness = Witness(room.open("human"), room.open("expert"), told, pool)
        choices = choose(asked, level.search(mind, self.simulations), self.seed)
        people, agent = (rate_choices(each, witness, calibration) for each in (asked, choices))
        return {
            "group": name,
            "n": len(asked),
            "recorded": level.rating,
            "people": _told(people),
            "agent": _told(agent),
        }

    def _play(self, levels: Sequence[Fitted], middle: Fitted, work: Work) -> Found:
        """A round robin of the levels, and the interpolated one against its two neighbours."""
        rated = zip(levels, self.ratings, strict=True)
        every = [self._player(level, "ace", rating, work) for level, rating in rated]
        order = sorted(range(len(levels)), key=lambda at: self.ratings[at])
        above = next(at for at in order if self.ratings[at] > self.between)
        below = [at for at in order if self.ratings[at] < self.between][-1]
        new = self._player(middle, "interpolated", self.between, work)
        return {
            "games": self._tournament(every, work, "games"),
            "neighbours": self._tournament([new, every[below], every[above]], work, "neighbours", gauntlet=True),
        }

    def _player(self, level: Fitted, name: str, rating: float, work: Work) -> str:
        """As a file; its rating is the middle of its band, as published."""
        path = work.folder / f"{name}-{rating:g}.toml"
        knobs = "".join(f"{knob} = {value!r}\n" for knob, value in level.knobs.items())
        mind = f"mind = {json.dumps(work.minds[_MIND])}\n"
        disk.write_text(path, f'kind = "search"\n{mind}simulations = {self.simulations}\n{knobs}')
        return f"{path}@{rating:g},sample"

    def _tournament(self, players: Sequence[str], work: Work, name: str, *, gauntlet: bool = False) -> Found:
        wish = TournamentWish(
            self.game, tuple(players), self.games, work.folder / name, resume=True, gauntlet=gauntlet, openings="none",
            resigns=False, max_plies=self.max_plies, pool=self.pool, seed=self.seed,
        )  # fmt: skip
        return tournament.as_json(wish.play(work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        names = [f"{rating:g}" for rating in (*self.ratings, self.between)]
        for name, level, fit in zip(names, found["levels"], found["fits"], strict=True):
            row = level | {"group": name, "n": fit["n"], "gain": fit["gain"], "noise": fit["noise"]["gain"]}
            for knob, sign in _SIGNS.items():
                yield from in_part("Θ by level", figure(row, knob, sign))
            yield from in_part("Θ by level", figure(row, "gain", "nats gained over the policy alone"))
            yield from in_part("Θ by level", figure(row, "noise", "nats gained further with noise"))
        yield from in_part(f"Θ interpolated at {self.between:g}, on unseen moves", self._interpolated(found))
        yield from in_part("Rating from test positions", _position_figures(found["positions"]))
        for part, held in (("Games, to their end", "games"), ("Games of the interpolated level", "neighbours")):
            yield from in_part(part, game_figures(found[held]))
            row = {"group": ALL, "n": found[held]["games"]} | found[held]["given_ratings"]
            yield from in_part(part, figure(row, "chi_square", "chi-square"))

    def _interpolated(self, found: Found) -> Iterator[Figure]:
        for pair in found["pairs"]:
            row = pair | {"group": f"{pair['a']} less {pair['b']}"}
            yield from figure(row, "cross_entropy_difference", "nats")
            yield from figure(row, "accuracy_difference", "accuracy", "", "points")


def _told(found: Estimate) -> dict[str, float]:
    return {"value": found.rating, "low": found.low, "high": found.high}


def _position_figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    for row in rows:
        yield from figure(row, "recorded", "mean rating of the people")
        yield from figure(row, "people", "rating of people's choices")
        yield from figure(row, "agent", "rating of the level's choices")
