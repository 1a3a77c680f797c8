"""Wins at once: agents find them as often as people of their level do."""

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import LogProbs, Query
from hitonami.sights import wins_at_once


def draw_wins(query: Query, known: LogProbs, bent: LogProbs, seen: float) -> LogProbs:
    """The chances to draw by, `bent` to a level, with all wins at once as likely as people find them.

    How often that is a mind knows (`known`): a draw that is sharper would find too many. Beyond what it knows there is
    the chance `seen` to see one, whatever it looks like.
    """
    wins = wins_at_once(query.position)
    if not wins.any() or wins.all():
        return bent
    found = seen + (1.0 - seen) * min(float(np.exp(known[wins].astype(np.float64)).sum()), 1.0)
    others = np.where(wins, -np.inf, known if np.isneginf(bent[~wins]).all() else bent)
    if found <= 0.0 or np.isneginf(others).all():
        return bent
    return dist.mix([_only(known, wins), dist.normalise(others)], [found, 1.0 - found], exponent=1.0)


def _only(known: LogProbs, wins: NDArray[np.bool_]) -> LogProbs:
    """Shared as the mind would; equally where it thinks of none."""
    kept = np.where(wins, known, -np.inf)
    return dist.normalise(np.where(wins, 0.0, -np.inf) if np.isneginf(kept).all() else kept)
