"""The rating of a player from moves: what the evidence says, weighed against what is known of the pool.

A *calibration* belongs to one pool and one network. It turns the mean of the evidence into one number, the index,
linear in the features; people of rating R have an index of about `intercept + slope · R`, or what a rising curve says
at R. Its variance has three parts: one of the person, which no number of games removes, one of each game, and one of
each move; `spread` is how much more people vary who had no part in the fit.

The interval is what the moves alone allow: every rating of the scale is as good as any other before they are looked at,
so that it holds a master's rating as often as anybody's. The rating is the best guess: it leans to the pool, whose
prior has tails so heavy (Cauchy's) that moves enough pull a master out of it. Where people of several levels play
alike the curve is flat, and the interval open to that side. (Calibrations from before that have a normal prior for
both: its mean pulls strong and weak players in.)

Where a pool was not calibrated, the likelihood itself is read as a posterior, tempered because moves of a game are no
independent witnesses, over an even prior; such an estimate says that it is not calibrated.

Who wishes so has opponents and results heard too (`company`), as a further likelihood beside that of the moves.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.customs import customs_of
from hitonami.errors import BadInput, BadSpec
from hitonami.levels import folder_of
from hitonami.models.shipped import shipped_models
from hitonami.strength.company import Company, Meeting
from hitonami.strength.evidence import Evidence, feature_names

Floats = NDArray[np.float64]
FILE: Final = Path(__file__).with_name("strength.json")
_TEMPER: Final = 0.3
_FREEDOM: Final = 1.0
"""Degrees of freedom of the pool's prior. With three, made-up masters of 2400 came out 106 points low by 20 games."""
_OPEN: Final = 0.15
"""How likely an end of the scale is beside the likeliest rating where the moves do not rule it out: 95% of a normal."""
_FINE: Final = 401
_DRAWN: Final = 8
"""Every so many of the ratings are kept to be drawn."""


@dataclass(frozen=True)
class Calibration:
    """How evidence of one pool becomes a rating. Variances are those of the index."""

    ratings: tuple[float, ...]
    """That the human mind is told."""
    features: tuple[str, ...]
    weights: tuple[float, ...]
    offset: float
    """index = offset + weights · means of the evidence."""
    intercept: float
    slope: float
    player_variance: float
    game_variance: float
    move_variance: float
    prior_mean: float
    prior_deviation: float
    low: float
    high: float
    """The ratings that are considered."""
    network: str = ""
    """SHA-256 of the human network that the evidence came from."""
    curve: tuple[tuple[float, float], ...] = ()
    """The mean index by rating, rising, straight on beyond its ends; empty for `intercept + slope · R`."""
    spread: float = 1.0
    """Factor of the variance for people who had no part in the fit."""
    is_alone: bool = False
    """Whether intervals come from the moves alone, and only the guess from the pool too."""
    company: Company | None = None
    """What opponents and results tell; None where that was not fitted."""

    def index_of(self, evidence: Evidence) -> float:
        return float(self.offset + np.asarray(self.weights) @ evidence.means)

    def variance_of(self, evidence: Evidence) -> float:
        games = self.game_variance / max(evidence.games, 1)
        return self.spread * (self.player_variance + games + self.move_variance / max(evidence.moves, 1))

    def mean_index(self, ratings: Floats) -> Floats:
        """[ratings] the index that people of each rating have."""
        if not self.curve:
            return self.intercept + self.slope * ratings
        return mean_on(self.curve, ratings)

    def log_prior(self, ratings: Floats) -> Floats:
        """[ratings] how likely a player of the pool has each, but for a constant."""
        z = (ratings - self.prior_mean) / self.prior_deviation
        return -0.5 * (_FREEDOM + 1.0) * np.log1p(z * z / _FREEDOM) if self.is_alone else -0.5 * z * z


def mean_on(curve: Sequence[tuple[float, float]], ratings: Floats) -> Floats:
    """[ratings] straight between the points, and on beyond them as between the last two."""
    xs, ys = (np.array(column) for column in zip(*curve, strict=True))
    below = (ys[1] - ys[0]) / (xs[1] - xs[0]) * np.minimum(ratings - xs[0], 0.0)
    above = (ys[-1] - ys[-2]) / (xs[-1] - xs[-2]) * np.maximum(ratings - xs[-1], 0.0)
    found: Floats = np.interp(ratings, xs, ys) + below + above
    return found


@dataclass(frozen=True)
class Estimate:
    """A rating with its central 95%; `calibrated` says whether errors of such estimates have been measured."""

    rating: float
    low: float
    high: float
    pool: str
    games: int
    moves: int
    calibrated: bool
    open_below: bool = False
    open_above: bool = False
    """Whether the moves do not rule out the lowest, or the highest, rating of the scale."""
    opponents: int = 0
    """Games whose opponent and result were heard too."""
    posterior: tuple[tuple[float, float], ...] = ()
    """Ratings, and how likely each is beside the likeliest."""


def estimate(
    evidence: Evidence,
    pool: str,
    calibration: Calibration | None,
    ratings: Sequence[float],
    meetings: Sequence[Meeting] = (),
) -> Estimate:
    """What the evidence comes to. Without a calibration, `ratings` are those that the mind was told.

    `meetings` are heard where the calibration knows what they tell.
    """
    company = None if calibration is None else calibration.company
    heard = meetings if company is not None else ()
    if calibration is None:
        grid, moves = _tempered(evidence, ratings)
        guess, alone = moves, False
    else:
        grid = np.linspace(calibration.low, calibration.high, _FINE)
        gap = calibration.index_of(evidence) - calibration.mean_index(grid)
        fit = -0.5 * gap**2 / calibration.variance_of(evidence) if evidence.moves else np.zeros(_FINE)
        if company is not None:
            fit = fit + company.log_likelihood(heard, grid)
        guess, alone = _share(fit + calibration.log_prior(grid)), calibration.is_alone
        moves = _share(fit) if alone else guess
    low, high = (float(np.interp(share, np.cumsum(moves), grid)) for share in (0.025, 0.975))
    rating = min(max(float(guess @ grid), low), high)
    ends = [bool(alone and moves[at] > _OPEN * moves.max()) for at in (0, -1)]
    drawn = zip(grid[::_DRAWN].tolist(), (moves / moves.max())[::_DRAWN].round(4).tolist(), strict=True)
    known = calibration is not None
    counts = evidence.games, evidence.moves
    return Estimate(rating, low, high, pool, *counts, known, ends[0], ends[1], len(heard), tuple(drawn))


def _tempered(evidence: Evidence, ratings: Sequence[float]) -> tuple[Floats, Floats]:
    grid = np.linspace(ratings[0], ratings[-1], _FINE)
    sums = np.interp(grid, ratings, evidence.sums[: len(ratings)])
    return grid, _share(_TEMPER * sums)


def _share(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def ratings_told(game: str, pool: str, calibration: Calibration | None) -> tuple[float, ...]:
    """The grid of ratings for a pool, the weakest first."""
    if calibration is not None:
        return calibration.ratings
    return customs_of(game).told_for(pool)


@cache
def read_calibrations(path: Path = FILE) -> dict[tuple[str, str], Calibration]:
    """By game and pool. Raises BadSpec for a file that is none."""
    try:
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return {
            (game, pool): _read(entry["calibration"]) for game, pools in held.items() for pool, entry in pools.items()
        }
    except OSError as wrong:
        raise BadSpec(f"{path}: {wrong.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as wrong:
        raise BadSpec(f"{path}: not a file of calibrations: {wrong}") from None


def _read(entry: dict[str, Any]) -> Calibration:
    lists = {name: tuple(entry[name]) for name in ("ratings", "features", "weights")}
    curve = tuple((float(rating), float(index)) for rating, index in entry.get("curve", ()))
    company = None if entry.get("company") is None else Company(**entry["company"])
    found = Calibration(**(entry | lists | {"curve": curve, "company": company}))
    if len(found.weights) != len(found.features):
        raise ValueError(f"{len(found.features)} features have {len(found.weights)} weights")
    return found


def write_calibration(path: Path, game: str, pool: str, calibration: Calibration, provenance: dict[str, Any]) -> None:
    """Put one pool's into the file, the others untouched."""
    held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    entry = {name: _rounded(value) for name, value in asdict(calibration).items()}
    held.setdefault(game, {})[pool] = {"calibration": entry, "provenance": provenance}
    disk.write_text(path, json.dumps(held, indent=1, sort_keys=True) + "\n")


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def write_company(path: Path, game: str, pool: str, company: Company, provenance: dict[str, Any]) -> None:
    """Put what opponents and results tell beside a pool's calibration, which stays as it is.

    Raises BadInput where the file has none for the pool.
    """
    held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    entry = held.get(game, {}).get(pool)
    if entry is None:
        raise BadInput(f"{path}: no calibration of {game}, pool {pool}: fit the moves first, without --opponents")
    entry["calibration"]["company"] = _rounded(asdict(company))
    entry["provenance"]["company"] = provenance
    disk.write_text(path, json.dumps(held, indent=1, sort_keys=True) + "\n")


@dataclass(frozen=True)
class Standing:
    """The base that people are rated over: its profile, and its network as provenance names it."""

    profile: str
    network: str

    @property
    def file(self) -> Path:
        return folder_of(self.profile) / FILE.name


def calibration_for(game: str, pool: str, expert: bool, base: Standing | None = None) -> Calibration | None:
    """The one for a pool; None where it was made for another network, or without the expert head at hand."""
    file = FILE if base is None else base.file
    found = read_calibrations(file).get((game, pool)) if file.is_file() else None
    if found is None or found.network != (network_of(game) if base is None else base.network):
        return None
    return found if list(found.features) == feature_names(found.ratings, expert) else None


@cache
def network_of(game: str) -> str:
    """SHA-256 of the packaged human network, "" where there is none."""
    folder = shipped_models("human").get(game)
    return "" if folder is None else str(json.loads((folder / "card.json").read_bytes())["model_sha256"])
