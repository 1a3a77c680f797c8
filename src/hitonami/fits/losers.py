"""Resignation the published way from an engine's scores: a threshold a level, what it shortens and what it throws away.

The threshold is the largest advantage that the eventual loser ever held in games without gross errors, and a margin; a
side gives up where it is behind by more. A gross error is a turn after which the side expects less by GROSS or more at
its next one, by the logistic of the score. Before, a side resigns where it expects less than one in ten thousand
(the source resigns at 99.99%); after is the same games cut at the threshold. The source counts no game that would have
been saved; these are counted here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval, interval_of, mean_of, resample_counts
from hitonami.fits.published import GROSS
from hitonami.matches.skilled import ScoredGame, lengths_of, turns_of_loser

Floats = NDArray[np.float64]
MARGIN: Final = 50.0
"""The published thresholds are multiples of it."""
CERTAIN: Final = 0.9999
NEVER: Final = 9999.0
"""No score of an engine short of a mate is higher: the published threshold of its weakest level."""


@dataclass(frozen=True)
class LevelOfLosers:
    """One level. Scores in centipawns, lengths in plies, v is B / 2D."""

    group: str
    games: int
    decided: int
    clean: int
    """Decided games without a gross error."""
    best: Interval
    """The most that a loser of these had."""
    usual_best: float
    """Nineteen of twenty such losers had no more at any time."""
    best_of_any: float
    """The most that a loser had in any game, gross errors or not."""
    threshold: float
    breadth: Interval
    to_the_end: Interval
    before: Interval
    after: Interval
    v_before: Interval
    v_after: Interval
    given_up: int
    """Games that the threshold ends before their end by the rules."""
    saved: Interval
    """Of these, those that the side did not lose."""


def measure_level(group: str, games: Sequence[ScoredGame], scale: float) -> LevelOfLosers:
    """The threshold of some games and what it does to them. `scale`: centipawns of the logistic."""
    clean = [game for game in games if game.score in (0.0, 1.0) and not has_gross_error(game, scale)]
    held = np.array([max((score for _, score in turns_of_loser(game)), default=0.0) for game in clean])
    threshold = min(float(held.max()) + MARGIN, NEVER) if len(held) else NEVER
    certain = scale * np.log(CERTAIN / (1 - CERTAIN))
    ends = {"before": _ends(games, certain), "after": _ends(games, min(threshold, certain))}
    lengths = lengths_of(games)
    choices = np.array([sum(game.legal) for game in games], dtype=np.float64)
    by_threshold = _ends(games, threshold)
    fired = np.flatnonzero(by_threshold < lengths)
    kept = np.array([_is_saved(games[at], int(by_threshold[at])) for at in fired.tolist()], dtype=np.float64)
    sums = np.column_stack([choices, lengths, ends["before"], ends["after"]])
    draws = np.concatenate([counts @ sums for counts in resample_counts(len(games), 0)])
    total = sums.sum(axis=0)

    def of(top: int, bottom: int | None, share: float = 1.0) -> Interval:
        below, drawn = (len(games), len(games)) if bottom is None else (total[bottom], draws[:, bottom])
        return interval_of(float(share * total[top] / below), share * draws[:, top] / drawn)

    breadth = of(0, 1)
    v = [interval_of(*_speed(total, draws, at, len(games))) for at in (2, 3)]
    return LevelOfLosers(
        group, len(games), sum(game.score in (0.0, 1.0) for game in games), len(clean),
        _largest(held), float(np.quantile(held, 0.95)) if len(held) else NEVER, _best_of(games), threshold,
        breadth, of(1, None), of(2, None), of(3, None), v[0], v[1], len(fired), mean_of(kept),
    )  # fmt: skip


def _best_of(games: Sequence[ScoredGame]) -> float:
    """A mate that was missed counts as NEVER."""
    held = [score for game in games for _, score in turns_of_loser(game)]
    return min(max(held, default=0.0), NEVER)


def _speed(total: Floats, draws: Floats, at: int, games: int) -> tuple[float, Floats]:
    """v = B / 2D with B over whole games, as the source has it before and after."""
    value = total[0] / total[1] / (2 * total[at] / games)
    return float(value), draws[:, 0] / draws[:, 1] / (2 * draws[:, at] / games)


def has_gross_error(game: ScoredGame, scale: float) -> bool:
    """Whether either side's expectation falls by GROSS or more from one of its turns to the next."""
    for side in (0, 1):
        own = [score for mover, score in zip(game.sides, game.scores, strict=True) if mover == side]
        known = np.array([score for score in own if score is not None])
        hopes = 0.5 + 0.5 * np.tanh(known / scale / 2)
        if len(hopes) > 1 and float(np.diff(hopes).min()) <= -GROSS:
            return True
    return False


def _ends(games: Sequence[ScoredGame], threshold: float) -> Floats:
    """[games] the turn at which the side to move is first behind by more; the game's length where it never is."""
    ends = []
    for game in games:
        fires = (at for at, score in enumerate(game.scores) if score is not None and score < -threshold)
        ends.append(float(next(fires, len(game.sides))))
    return np.array(ends)


def _is_saved(game: ScoredGame, turn: int) -> bool:
    """Whether the side to move at a turn did not lose."""
    return game.score is not None and abs(game.sides[turn] - game.score) > 0


def _largest(held: Floats) -> Interval:
    """The maximum; its interval reaches no higher than itself, for no resample holds more."""
    if not len(held):
        return Interval(NEVER, NEVER, NEVER)
    rng = np.random.default_rng(0xBE57)
    return interval_of(float(held.max()), held[rng.integers(0, len(held), (1_000, len(held)))].max(axis=1))
