"""A sum of curves: one for each thing that counts, straight between its points, and an offset for each pool.

Everything that is known of how people behave is kept in this form, since it can be read and drawn: what a term adds at
a value is what the file says. A thing that is not known adds nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve

Floats = NDArray[np.float64]
Features = Mapping[str, Floats]
"""By name, arrays of one length; NaN where a thing is not known."""


LEAST_TOLD = 0.0025
"""Chances below are not told apart."""


@dataclass(frozen=True)
class Additive:
    """base + the sum of the terms' curves at their features + the pool's offset."""

    base: float
    terms: Mapping[str, Curve]
    pools: Mapping[str, float] = field(default_factory=dict)

    def score(self, features: Features, pools: NDArray[np.str_] | None = None) -> Floats:
        """[n] the sum. Raises BadInput for a feature that is missing."""
        missing = set(self.terms) - set(features)
        if missing:
            raise BadInput(f"these are not known of a turn: {', '.join(sorted(missing))}")
        parts = (np.where(np.isnan(features[name]), 0.0, curve(features[name])) for name, curve in self.terms.items())
        total = np.asarray(sum(parts, np.float64(self.base)), dtype=np.float64)
        if pools is None:
            return total
        return total + np.array([self.pools.get(str(pool), 0.0) for pool in np.atleast_1d(pools)])

    def parts(self, features: Features) -> dict[str, float]:
        """What each term adds for one turn."""
        return {
            name: 0.0 if np.isnan(features[name]).any() else float(curve(features[name]).item())
            for name, curve in self.terms.items()
        }

    def as_data(self) -> dict[str, Any]:
        terms = {name: [[round(x, 4), round(y, 4)] for x, y in curve.points] for name, curve in self.terms.items()}
        pools = {pool: round(offset, 4) for pool, offset in self.pools.items()}
        return {"base": round(self.base, 4), "terms": terms, "pools": pools}


def read_additive(data: Any, where: str) -> Additive:
    """The inverse of `as_data`. Raises BadSpec that names the place."""
    try:
        terms = {str(name): Curve(tuple((float(x), float(y)) for x, y in held)) for name, held in data["terms"].items()}
        pools = {str(pool): float(offset) for pool, offset in data.get("pools", {}).items()}
        return Additive(float(data["base"]), terms, pools)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        raise BadSpec(f"{where}: not a sum of curves: {wrong}") from None


def read_chance(data: Any, where: str) -> float:
    """A number from 0 to 1. Raises BadSpec that names the place."""
    if isinstance(data, bool) or not isinstance(data, int | float) or not 0 <= data <= 1:
        raise BadSpec(f"{where}: expected a chance from 0 to 1, got {data!r}")
    return float(data)


def read_number(data: Any, where: str) -> float:
    """A finite number. Raises BadSpec that names the place."""
    if isinstance(data, bool) or not isinstance(data, int | float) or not np.isfinite(data):
        raise BadSpec(f"{where}: expected a number, got {data!r}")
    return float(data)


def log_odds(chances: Floats) -> Floats:
    """Chances from 0.0025 on to 0.9975, as log-odds; NaN stays."""
    held = np.clip(chances, LEAST_TOLD, 1 - LEAST_TOLD)
    return np.asarray(np.log(held / (1 - held)), dtype=np.float64)


def to_chance(log_odds_of: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-log_odds_of)), dtype=np.float64)


def scale_levels(ratings: Floats) -> Floats:
    """Ratings in steps of 400 from 1500, ranks (30 is 1 dan, none above 100) in steps of 5 from 6 kyu."""
    return np.asarray(np.where(ratings > 100, (ratings - 1500) / 400, (ratings - 24) / 5), dtype=np.float64)
