"""The step `strength`: a mind drawn in several ways against a fixed program, and the exponent of even chances (S1)."""

from collections.abc import Iterator, Sequence
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
    """Of the likeliest move and of a plain draw; of the other exponents too, unless they have a number of their own."""
    games_drawn: int = Field(default=0, ge=0)
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
        best = (f"{work.minds[_MIND]}@{self.rating},best", self.games)
        drawn = [(self._tempered(rho, work), self._games_of(rho)) for rho in self.exponents]
        scores = self._play_all([best, *drawn], work)
        names = [_BEST, *(f"drawn with {rho:g}" for rho in self.exponents)]
        told = [score | {"group": name} for score, name in zip(scores, names, strict=True)]
        points = np.array([row["points"] for row in told[1:]])
        games = np.array([row["n"] for row in told[1:]], dtype=np.float64)
        even = find_even_chances(np.array(self.exponents), points, games, seed=self.seed)
        return {
            "players": told,
            "even": {"n": int(games.sum()), "value": vars(even.value), "level": even.level, "slope": even.slope},
        }

    def _games_of(self, rho: float) -> int:
        return self.games if rho == 1 or not self.games_drawn else self.games_drawn

    def _play_all(self, players: Sequence[tuple[str, int]], work: Work) -> list[Found]:
        """Scores of players, each with a number of games, in their order."""
        scores: dict[str, Found] = {}
        for games in sorted({games for _, games in players}, reverse=True):
            chosen = [player for player, asked in players if asked == games]
            wish = TournamentWish(
                self.game, (f"{work.minds[_OPPONENT]}@", *chosen), games, work.folder / f"games-{games}", resume=True,
                gauntlet=True, openings="none", resigns=False, max_plies=self.max_plies, size=self.size, pool=self.pool,
                seed=self.seed,
            )  # fmt: skip
            played = {max(each.one, each.other): each for each in wish.play(work.watch).comparisons}
            scores |= {player: _seen_by_player(played[at]) for at, player in enumerate(chosen, 1)}
        return [scores[player] for player, _ in players]

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
