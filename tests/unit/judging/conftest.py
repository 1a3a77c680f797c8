"""Decisions made by hand."""

import numpy as np

from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import Group


def made_up_facts(count: int) -> Facts:
    """Each decision of a game of its own, between players of 1500, all in one group."""
    numbers = np.full(count, 1500.0)
    return Facts(
        game=np.arange(count, dtype=np.uint64),
        group=np.zeros(count, dtype=np.int32),
        groups=(Group("lichess", 0, "all"),),
        ply=np.arange(count, dtype=np.int32),
        rating=numbers,
        opponent_rating=numbers,
        pool=("lichess",) * count,
        legal=np.full(count, 30, dtype=np.int32),
        score=np.full(count, 0.5),
    )
