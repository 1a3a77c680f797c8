"""Resignation the published way: a threshold a level, from the best that losers had in games without gross errors.

A gross error is a turn after which a side expects less by GROSS or more at its next one. The largest expectation that
the eventual loser held in any game without one, plus MARGIN, is what a leader needs: a side gives up where the other
expects more than that. Length after is a truncation of the recorded games. What the source leaves out is told too: how
many games the rule gives up that were not lost.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.fits.turns import Turns
from hitonami.manners.additive import Floats

GROSS: Final = 0.25
MARGIN: Final = 0.01
_LEAST_GAMES: Final = 20


@dataclass(frozen=True)
class Published:
    """One level. Expectations are 0..1 of the side meant; v is B / 2D."""

    group: str
    games: int
    clean: int
    """Games without a gross error."""
    best: float
    """What a loser of these expected at the best of times."""
    bound: float
    """A side gives up where it expects less."""
    breadth: float
    length: float
    length_after: float
    given_up: int
    """Games that the rule ends."""
    saved: int
    """Those of them that the side which gives up did not lose."""

    @property
    def v(self) -> float:
        return self.breadth / (2 * self.length)

    @property
    def v_after(self) -> float:
        return self.breadth / (2 * self.length_after)


def published_thresholds(turns: Turns, groups: NDArray[np.str_]) -> list[Published]:
    """A row a group with enough decided games, the weakest first."""
    found = []
    for name in sorted(set(groups.tolist()), key=lambda each: (len(each), each)):
        rows = (groups == name) & np.isin(turns["score"], [0.0, 1.0])
        games = [np.flatnonzero(turns["game"] == game) for game in np.unique(turns["game"][rows])]
        if len(games) >= _LEAST_GAMES:
            found.append(_level(name, turns, games))
    return found


def _level(name: str, turns: Turns, games: list[NDArray[np.int64]]) -> Published:
    hope, score = turns["hope"], turns["score"]
    clean = [rows for rows in games if not _has_gross_error(turns, rows)]
    held = [float(hope[rows][score[rows] == 0].max()) for rows in clean if (score[rows] == 0).any()]
    best = max(held, default=1.0)
    bound = max(1.0 - best - MARGIN, 0.0)
    before, after, given_up, saved = [], [], 0, 0
    for rows in games:
        length = float(turns["ply"][rows][-1] + 2 * turns["turns_left"][rows][-1])
        fires = rows[hope[rows] < bound]
        before.append(length)
        after.append(float(turns["ply"][fires[0]]) if len(fires) else length)
        given_up += int(bool(len(fires)))
        saved += int(bool(len(fires)) and score[fires[0]] > 0)
    breadth = float(np.concatenate([turns["legal"][rows] for rows in games]).mean())
    means = float(np.mean(before)), float(np.mean(after))
    return Published(name, len(games), len(clean), best, bound, breadth, *means, given_up, saved)


def _has_gross_error(turns: Turns, rows: NDArray[np.int64]) -> bool:
    for side in (0, 1):
        own: Floats = turns["hope"][rows][turns["side"][rows] == side]
        if len(own) > 1 and float(np.diff(own).min()) <= -GROSS:
            return True
    return False
