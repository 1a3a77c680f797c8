"""Minds whose opinions are a hash of the position, and a tiny game with any order of turns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Claims, Effort, Moves, Opinion, Position, Query, Setup
from hitonami.search import kernels as k
from hitonami.search.tree import Settings


@dataclass
class Hashed:
    """A mind with a firm opinion on everything, by a hash of the position's key. Remembers what it was asked."""

    spread: float = 1.0
    asked: list[Query] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += queries
        self.sizes.append(len(queries))
        return [self.judge(query.position) for query in queries]

    def judge(self, position: Position) -> Opinion:
        rng = np.random.default_rng(crc32(repr(position.key).encode()))
        logits = rng.normal(0.0, self.spread, len(position.legal))
        return Opinion(dist.normalise(logits), rng.dirichlet([1.0, 1.0, 1.0]).astype(np.float32))


class Toy:
    """A game given as nested lists: a leaf is the score of player 0, a node is (who moves, its branches)."""

    name = "toy"
    sides = ("First", "Second")
    examples: Sequence[Setup] = (Setup(),)

    def claims(self, position: "ToyPosition") -> Claims:
        return Claims()

    def format(self, position: "ToyPosition", move: int) -> str:
        return str(move)


TOY, PLAIN = Toy(), Setup()


@dataclass(frozen=True)
class ToyPosition:
    """A place in a toy game; `path` tells it apart from all others."""

    here: Any
    path: tuple[int, ...] = ()
    before: "ToyPosition | None" = None
    game: Any = TOY
    setup: Setup = PLAIN

    @property
    def key(self) -> tuple[int, ...]:
        return self.path

    @property
    def ply(self) -> int:
        return len(self.path)

    @property
    def last_move(self) -> int | None:
        return self.path[-1] if self.path else None

    @property
    def to_move(self) -> int:
        return int(self.here[0]) if isinstance(self.here, tuple) else 0

    @property
    def legal(self) -> Moves:
        return np.arange(len(self.here[1]) if isinstance(self.here, tuple) else 0, dtype=np.int32)

    @property
    def score(self) -> float | None:
        return None if isinstance(self.here, tuple) else float(self.here)

    @property
    def ending(self) -> str | None:
        return None if isinstance(self.here, tuple) else "the end"

    def play(self, move: int) -> "ToyPosition":
        return ToyPosition(self.here[1][move], (*self.path, move), self)

    follow = play


@pytest.fixture(scope="session")
def hashed() -> type[Hashed]:
    return Hashed


@pytest.fixture(scope="session")
def toy() -> type[ToyPosition]:
    return ToyPosition


@pytest.fixture(scope="session")
def plain() -> Callable[..., Settings]:
    """Settings of pure PUCT: nothing forced, nothing proved, one leaf at a time."""

    def make(**changes: Any) -> Settings:
        knobs = np.zeros(k.KNOBS)
        knobs[[k.C_PUCT, k.C_BASE, k.FPU_VALUE, k.KL_LAMBDA]] = 1.5, 19652.0, 0.3, 0.1
        for name in [name for name in changes if name.isupper()]:
            knobs[getattr(k, name)] = changes.pop(name)
        return Settings(knobs, **({"transpositions": False, "batch": 1} | changes))

    return make
