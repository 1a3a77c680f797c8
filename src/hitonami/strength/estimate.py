"""The rating of a player from moves alone: what the evidence says, weighed against what is known of the pool.

A *calibration* belongs to one pool and one network. It turns the mean of the evidence into one number, the index,
linear in the features; people of rating R have an index of about `intercept + slope · R`. Its variance has three parts:
one of the person, which no number of games removes, one of each game, and one of each move. With a normal prior for
the pool that gives a posterior over ratings: its mean and its central 95% are the estimate.

Where a pool was not calibrated, the likelihood itself is read as a posterior, tempered because moves of a game are no
independent witnesses, over an even prior; such an estimate says that it is not calibrated.
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
from hitonami.errors import BadSpec
from hitonami.levels import folder_of
from hitonami.models.shipped import shipped_models
from hitonami.strength.evidence import Evidence, feature_names

Floats = NDArray[np.float64]
FILE: Final = Path(__file__).with_name("strength.json")
_TEMPER: Final = 0.3
_FINE: Final = 401


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

    def index_of(self, evidence: Evidence) -> float:
        return float(self.offset + np.asarray(self.weights) @ evidence.means)

    def variance_of(self, evidence: Evidence) -> float:
        games = self.game_variance / max(evidence.games, 1)
        return self.player_variance + games + self.move_variance / max(evidence.moves, 1)


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


def estimate(evidence: Evidence, pool: str, calibration: Calibration | None, ratings: Sequence[float]) -> Estimate:
    """What the evidence comes to. Without a calibration, `ratings` are those that the mind was told."""
    if calibration is None:
        grid, weights = _tempered(evidence, ratings)
    else:
        grid = np.linspace(calibration.low, calibration.high, _FINE)
        gap = calibration.index_of(evidence) - calibration.intercept - calibration.slope * grid
        prior = ((grid - calibration.prior_mean) / calibration.prior_deviation) ** 2
        fit = gap**2 / calibration.variance_of(evidence) if evidence.moves else np.zeros(_FINE)
        weights = _share(-0.5 * (fit + prior))
    low, high = (float(np.interp(share, np.cumsum(weights), grid)) for share in (0.025, 0.975))
    mean = float(weights @ grid)
    return Estimate(mean, low, high, pool, evidence.games, evidence.moves, calibration is not None)


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
    found = Calibration(**(entry | lists))
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
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


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
