"""The step `strength`: a mind drawn in several ways against a fixed program, and the exponent of even chances (S1)."""

from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from hitonami import disk
from hitonami.experiments.step import Found, Step, Work, figure
from hitonami.fits.even_chances import find_even_chances
from hitonami.matches.wish import TournamentWish
from hitonami.outcomes import ALL, Figure
from hitonami.report import tournament

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
        drawn = {self._tempered(rho, work): rho for rho in self.exponents}
        wish = TournamentWish(
            self.game, (opponent, best, *drawn), self.games, work.folder / "games", resume=True, gauntlet=True,
            openings="none", resigns=False, max_plies=self.max_plies, size=self.size, pool=self.pool, seed=self.seed,
        )  # fmt: skip
        pairs = tournament.as_json(wish.play(work.watch))["pairs"]
        names = {best: _BEST} | {name: f"drawn with {rho:g}" for name, rho in drawn.items()}
        rows = [_seen_by(pair, opponent) for pair in pairs]
        told = {row["player"]: row | {"group": names[row["player"]]} for row in rows}
        points = np.array([told[name]["points"] for name in drawn])
        games = np.array([told[name]["n"] for name in drawn], dtype=np.float64)
        even = find_even_chances(np.array(list(drawn.values())), points, games, seed=self.seed)
        return {
            "players": [{key: value for key, value in told[name].items() if key != "player"} for name in names],
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


def _seen_by(pair: Found, opponent: str) -> Found:
    """A pair's score as the one who is not the opponent has it."""
    n, points = pair["wins"] + pair["draws"] + pair["losses"], pair["wins"] + pair["draws"] / 2
    score = pair["score"]
    if pair["b"] == opponent:
        return {"player": pair["a"], "n": n, "points": points, "score": score}
    turned = {"value": 1 - score["value"], "low": 1 - score["high"], "high": 1 - score["low"]}
    return {"player": pair["b"], "n": n, "points": n - points, "score": turned}
