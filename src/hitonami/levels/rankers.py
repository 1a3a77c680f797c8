"""A fitted ranker: a small network that says how much likelier a move is than a base alone thinks.

It reads what the game's sights show of a move (`hitonami.sights`), what the base thinks of it, and who plays. One file
a ranker, `foresight-GAME.json` beside the curves, with where it came from. It holds numbers only: nothing of it is run
but matrix products.

    score(a) = log P(a) + third · relu(second · [h(a), Σ P(b) h(b)] + …)
        h(a) = relu(first · (columns − shift) / scale + …)
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import disk
from hitonami.errors import BadSpec, quote

Floats = NDArray[np.float32]
Begins = NDArray[np.int64]
"""[B + 1] where the moves of each position begin, and where the last end."""
METHOD: Final = "foresight"
"""The name in provenance."""
WEIGHTS: Final = ("first", "first_bias", "second", "second_bias", "third")
_DIGITS: Final = 5


@dataclass(frozen=True)
class Ranker:
    """What was learned. `columns` are named in the order in which they are read."""

    game: str
    columns: tuple[str, ...]
    pools: tuple[str, ...]
    """Whose players it learned from; the first stands for all that are not named."""
    ratings: tuple[float, float]
    """The lowest and the highest that it learned from; others count as the nearer."""
    shift: Floats
    scale: Floats
    weights: Mapping[str, Floats]
    """first [F, H], first_bias [H], second [2H, K], second_bias [K], third [K]."""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    unrated: bool = False
    """Whether it learned from players without a rating too; else those are left as they are."""

    def score(self, columns: Floats, log_probs: Floats, begins: Begins) -> Floats:
        """[M] scores of all moves of all positions, to be normalised by position. `columns` [M, F]."""
        w = self.weights
        first, bias = self._scaled
        hidden = np.maximum(columns @ first + bias, 0)
        mean = np.add.reduceat(hidden * np.exp(log_probs)[:, None], begins[:-1], axis=0)
        half = hidden.shape[1]
        around = mean @ w["second"][half:] + w["second_bias"]
        second = np.maximum(hidden @ w["second"][:half] + np.repeat(around, np.diff(begins), axis=0), 0)
        return np.asarray(log_probs + second @ w["third"], dtype=np.float32)

    @cached_property
    def _scaled(self) -> tuple[Floats, Floats]:
        """The first layer for columns as they are: their shift and scale are part of it."""
        first = self.weights["first"].astype(np.float64) / self.scale[:, None]
        bias = self.weights["first_bias"] - self.shift @ first
        return first.astype(np.float32), bias.astype(np.float32)

    @property
    def mark(self) -> str:
        """A hash over all that changes an answer."""
        held = {name: value for name, value in as_json(self).items() if name != "provenance"}
        return sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()


def as_json(ranker: Ranker) -> dict[str, Any]:
    """The file's data. Numbers keep five digits."""
    return {
        "game": ranker.game,
        "columns": list(ranker.columns),
        "pools": list(ranker.pools),
        "ratings": list(ranker.ratings),
        "shift": _short(ranker.shift),
        "scale": _short(ranker.scale),
        **({"unrated": True} if ranker.unrated else {}),
        **{name: _short(ranker.weights[name]) for name in WEIGHTS},
        "provenance": dict(ranker.provenance),
    }


def _short(values: Floats) -> list[Any]:
    if values.ndim > 1:
        return [_short(row) for row in values]
    return [float(f"{value:.{_DIGITS}g}") for value in values.tolist()]


def read_ranker(path: Path) -> Ranker:
    """The ranker in a file. Raises BadSpec that names the file and what is wrong with it."""
    data = disk.read_json(path)
    try:
        ranker = Ranker(
            str(data["game"]),
            tuple(map(str, data["columns"])),
            tuple(map(str, data["pools"])),
            (float(data["ratings"][0]), float(data["ratings"][1])),
            np.array(data["shift"], dtype=np.float32),
            np.array(data["scale"], dtype=np.float32),
            {name: np.array(data[name], dtype=np.float32) for name in WEIGHTS},
            dict(data.get("provenance", {})),
            bool(data.get("unrated", False)),
        )
    except KeyError as wrong:
        raise BadSpec(f"{path}: no ranker: {quote(str(wrong.args[0]))} is missing") from None
    except (TypeError, ValueError, IndexError) as wrong:
        raise BadSpec(f"{path}: no ranker: {wrong}") from None
    _check(ranker, path)
    return ranker


def _check(ranker: Ranker, path: Path) -> None:
    inputs, (hidden, last) = len(ranker.columns), (ranker.weights["first_bias"].size, ranker.weights["third"].size)
    wanted = [(hidden,), (2 * hidden, last), (last,), (last,)]
    shapes = [ranker.weights[name].shape for name in WEIGHTS[1:]]
    fits = ranker.weights["first"].shape == (inputs, hidden) and shapes == wanted
    if not fits or ranker.shift.shape != (inputs,) or ranker.scale.shape != (inputs,) or not ranker.pools:
        raise BadSpec(f"{path}: no ranker: the sizes of its parts do not fit together")
    parts: Sequence[Floats] = (ranker.shift, ranker.scale, *ranker.weights.values())
    if not all(np.isfinite(part).all() for part in parts) or not (ranker.scale > 0).all():
        raise BadSpec(f"{path}: no ranker: it holds numbers that are none")


def ranker_file(folder: Path, game: str) -> Path:
    return folder / f"foresight-{game.replace(':', '-')}.json"


@cache
def cached_ranker(path: Path) -> Ranker | None:
    """The ranker in a file, read once; None where there is no file."""
    return read_ranker(path) if path.is_file() else None
