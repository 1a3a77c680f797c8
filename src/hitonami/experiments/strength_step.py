"""The step `strength`: a mind drawn in several ways against a fixed program, and the exponent of even chances (S1)."""

from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from hitonami import disk
from hitonami.experiments.step import Found, Step, Work, figure
from hitonami.fits.even_chances import find_even_chances
from hitonami.matches.standings import Comparison
from hitonami.matches.wish import TournamentWish
from hitonami.outcomes import ALL, Figure

_OPPONENT = "opponent"
_MIND = "mind"
_BEST = "likeliest move"


class StrengthStep(Step):
    """`mind` as it is, its likeliest move and its draws with each exponent, against `opponent`; colours alternate."""

    PLAYS: ClassVar[bool] = True
    do: Literal["strength"]
    rating: str
    exponents: tuple[float, ...] = Field(min_length=2)
    games: int = Field(ge=2)
    """Of each."""
    size: int = Field(default=0, ge=0)
    max_plies: int = Field(default=0, ge=0)
    pool: str = ""
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _has_both(self) -> "StrengthStep":
        if set(self.minds) != {_MIND, _OPPONENT}:
            raise ValueError(f"minds: {_MIND} and {_OPPONENT} are needed, and no other")
        if min(self.exponents) <= 0:
            raise ValueError("exponents: all above 0")
        return self

    def run(self, work: Work) -> Found:
        opponent = f"{work.minds[_OPPONENT]}@"
        best = f"{work.minds[_MIND]}@{self.rating},best"
        drawn = [self._tempered(rho, work) for rho in self.exponents]
        wish = TournamentWish(
            self.game, (opponent, best, *drawn), self.games, work.folder / "games", resume=True, gauntlet=True,
            openings="none", resigns=False, max_plies=self.max_plies, size=self.size, pool=self.pool, seed=self.seed,
        )  # fmt: skip
        names = [_BEST, *(f"drawn with {rho:g}" for rho in self.exponents)]
        played = {max(each.one, each.other): each for each in wish.play(work.watch).comparisons}
        told = [_seen_by_player(played[at]) | {"group": name} for at, name in enumerate(names, 1)]
        points = np.array([row["points"] for row in told[1:]])
        games = np.array([row["n"] for row in told[1:]], dtype=np.float64)
        even = find_even_chances(np.array(self.exponents), points, games, seed=self.seed)
        return {
            "players": told,
            "even": {"n": int(games.sum()), "value": vars(even.value), "level": even.level, "slope": even.slope},
        }

    def _tempered(self, rho: float, work: Work) -> str:
        """A player that draws by P^ρ, as a file: exponents of a level are left out."""
        path = work.folder / f"rho-{rho:g}.toml"
        disk.write_text(path, f'kind = "temper"\nrho = {rho!r}\nmind = "{work.minds[_MIND]}"\n')
        return f"{path}@{self.rating},sample"

    def figures(self, found: Found) -> Iterator[Figure]:
        for row in found["players"]:
            yield from figure(row, "score", "score", "", "share")
        even = found["even"]
        yield from figure({"group": ALL, "n": even["n"], "even": even["value"]}, "even", "exponent with even chances")


def _seen_by_player(each: Comparison) -> Found:
    """The score of the one who is not the opponent, who is the first of all entrants."""
    low, high = each.interval
    n, points = each.score.games, each.score.points
    if each.other == 0:
        return {"n": n, "points": points, "score": {"value": each.actual, "low": low, "high": high}}
    return {"n": n, "points": n - points, "score": {"value": 1 - each.actual, "low": 1 - high, "high": 1 - low}}
