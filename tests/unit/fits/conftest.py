"""Decisions of made-up people: they choose by a known mix of two minds, so the best weight is known."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import group_of
from hitonami.fits.sheet import Sheet

Floats = NDArray[np.float64]
MakeSheet = Callable[..., Sheet]


@pytest.fixture
def make_sheet() -> MakeSheet:
    """make_sheet(n, truth): `truth(logs [minds, L], rating)` gives the scores that people of that rating choose by."""

    def make(
        count: int,
        truth: Callable[[Floats, float], Floats],
        *,
        minds: int = 2,
        seed: int = 0,
        pools: tuple[str, ...] = ("lichess",),
        sharp: float = 2.0,
    ) -> Sheet:
        rng = np.random.default_rng(seed)
        ratings = rng.uniform(800.0, 2400.0, count)
        widths = rng.integers(2, 9, count)
        begins = np.concatenate([[0], np.cumsum(widths)])
        blocks, played = [], []
        for at, width in enumerate(widths.tolist()):
            logs = sharp * rng.normal(size=(minds, width))
            logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
            scores = truth(logs, float(ratings[at]))
            chances = np.exp(scores - scores.max())
            played.append(int(begins[at]) + int(rng.choice(width, p=chances / chances.sum())))
            blocks.append(logs)
        pool = tuple(pools[at % len(pools)] for at in range(count))
        facts = _facts(ratings, pool, widths)
        return Sheet(facts, begins, np.array(played), np.concatenate(blocks, axis=1).astype(np.float32))

    return make


def _facts(ratings: Floats, pool: tuple[str, ...], widths: NDArray[np.int64]) -> Facts:
    held = [group_of(Player(rating, own), "chess", "rating", 400.0) for rating, own in zip(ratings, pool, strict=True)]
    groups = tuple(sorted(set(held)))
    count = len(ratings)
    return Facts(
        game=np.arange(count, dtype=np.uint64) // 3,
        group=np.array([groups.index(each) for each in held], dtype=np.int32),
        groups=groups,
        ply=np.arange(count, dtype=np.int32) % 3 + 10,
        rating=ratings,
        opponent_rating=ratings,
        pool=pool,
        legal=widths.astype(np.int32),
        score=np.full(count, 0.5),
    )
