"""Groups of players and splits of games.

A split is a pure function of the game's content, so the same game is in the same split whatever file it came
from.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput

Split = Literal["train", "validation", "test"]
SplitChoice = Literal["train", "validation", "test", "all"]
_NUMBERS: dict[SplitChoice, int] = {"train": 0, "validation": 1, "test": 2}
_SHARES: dict[str, tuple[int, int]] = {"90/5/5": (90, 95), "80/10/10": (80, 90)}
_STEPS = 1 << 20


def split_of(content: int, shares: str = "90/5/5") -> Split:
    """Which split a game belongs to, from its content hash."""
    train, validation = _bounds(shares)
    place = 100 * (content % _STEPS) / _STEPS
    if place < train:
        return "train"
    return "validation" if place < validation else "test"


def splits_of(contents: NDArray[np.uint64], shares: str = "90/5/5") -> NDArray[np.int8]:
    """[games] 0 train, 1 validation, 2 test."""
    train, validation = _bounds(shares)
    place = 100.0 * (contents % np.uint64(_STEPS)).astype(np.float64) / _STEPS
    return (place >= train).astype(np.int8) + (place >= validation)


def in_split(contents: NDArray[np.uint64], split: SplitChoice, shares: str = "90/5/5") -> NDArray[np.bool_]:
    """[games] which of them belong to the split."""
    if split == "all":
        return np.ones(len(contents), dtype=np.bool_)
    return splits_of(contents, shares) == _NUMBERS[split]


def _bounds(shares: str) -> tuple[int, int]:
    if shares not in _SHARES:
        raise BadInput(f"unknown split {shares!r}; known: {', '.join(_SHARES)}")
    return _SHARES[shares]


def band_of(rating: float, width: float = 100.0) -> str:
    """The band of a rating, named by its lower end: 1150 is in "1100" for a width of 100."""
    return f"{int(rating // width * width)}"


def rank_name(rank: float) -> str:
    """A Go rank on the scale of the records (30 is 1 dan, 29 is 1 kyu): "3k", "2d", "1p"."""
    whole = int(np.floor(rank))
    if whole >= 40:
        return f"{whole - 39}p"
    return f"{whole - 29}d" if whole >= 30 else f"{30 - whole}k"
