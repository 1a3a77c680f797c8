"""Calibrations of estimated ratings: fitted on some players, measured on others.

The index is a ridge regression of the recorded rating on a game's mean evidence: how much likelier its moves are for
strong players than for weak ones (the slope of the log-probability over the ratings told; more of its shape gained
nothing in cross-validation, docs/review.md), and what the expert thinks of them. Its penalty is chosen, and its spread
is measured, by cross-validation over players, so that no player vouches for himself. The spread is then taken apart:
what moves of one game differ by, what games of one player share, and the rest, which is a game's. How the index rises
with the rating is a curve that may be flat where levels play alike; a last factor makes intervals hold 95% of people.
Players are told apart by a hash of their (pseudonymous) names: one half fits, the other half is measured.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import is_rank
from hitonami.evaluate.intervals import RESAMPLES, Interval, interval_of
from hitonami.strength.company import COUNTS, WITHIN, Meeting
from hitonami.strength.estimate import Calibration, estimate, mean_on
from hitonami.strength.evidence import Evidence, Witness
from hitonami.strength.rating_of import Person, Rater, meeting_of

Floats = NDArray[np.float64]
_PENALTIES: Final = tuple(10.0**power for power in np.arange(-1.0, 4.01, 0.5))
_FOLDS: Final = 5
_LEAST_GAMES: Final = 30
_LEAST_MOVES: Final = 2
_KNOTS: Final = 6
_ENDS: Final = (2.0, 98.0)
_STIFF: Final = 0.1
"""How much a curve is held straight, for each game."""
_POINTS, _RANKS = 200.0, 5.0
"""Width of the bands that are told, on a scale of points and of ranks."""


@dataclass(frozen=True)
class Played:
    """One player's moves in one game: `rows` [moves, features], and the rating in the record."""

    player: str
    rating: float
    rows: Floats
    meeting: Meeting | None = None
    """Whom it was against, where the record knows."""

    @property
    def evidence(self) -> Evidence:
        return Evidence(len(self.rows), 1, self.rows.sum(axis=0))


@dataclass(frozen=True)
class Band:
    """The same for people of one range of recorded ratings, named by its lower end."""

    name: str
    players: int
    error: float
    bias: float
    """Mean of estimates less recorded ratings: below 0 where they are too low."""
    coverage: float
    open_above: float
    """Share of intervals that the moves do not bound above."""


@dataclass(frozen=True)
class Measured:
    """Estimates from so many games of each player, against the recorded ratings."""

    games: int
    players: int
    error: Interval
    """Mean absolute error."""
    guess: Interval
    """That of always guessing the mean of the pool."""
    gain: Interval
    """How much less the error is than the guess's, player by player."""
    coverage: Interval
    """Share of recorded ratings inside the 95% interval."""
    correlation: float
    moves: float
    """Asked about, a player."""
    bands: tuple["Band", ...] = ()


def half_of(name: str) -> int:
    """0: the player fits; 1: the player is measured."""
    return blake2b(name.encode(), digest_size=2).digest()[1] % 2


def collect(people: Sequence[Person], rater: Rater, witness: Witness, effort: Effort) -> Iterator[list[Played]]:
    """Each person's games with a rating in the record, asked about."""
    for person in people:
        rows = rater.rows_of(person, witness, effort)
        known = zip(person.parts, rows, strict=True)
        rated = [(record.players[side].rating, own, meeting_of(record, side)) for (record, side, _), own in known]
        kept = (each for each in rated if each[0] is not None and (len(each[1]) or not rater.most_moves))
        yield [Played(person.name, rating, own, meeting) for rating, own, meeting in kept if rating is not None]


def fit_calibration(
    games: Sequence[Played],
    ratings: Sequence[float],
    features: Sequence[str],
    span: tuple[float, float],
    population: Sequence[float],
) -> Calibration:
    """`span` is the range of ratings to consider, `population` the ratings of the pool's players, one each.

    Raises BadInput for too few games.
    """
    used = [each for each in games if len(each.rows) >= _LEAST_MOVES]
    if len(used) < _LEAST_GAMES:
        raise BadInput(f"a calibration needs at least {_LEAST_GAMES} games of rated players, there are {len(used)}")
    basis = _basis(ratings, len(features))
    means = np.stack([each.rows.mean(axis=0) for each in used]) @ basis
    truth = np.array([each.rating for each in used])
    folds = np.array([_fold_of(each.player) for each in used])
    penalty = min(_PENALTIES, key=lambda each: float(np.mean((_unseen(means, truth, folds, each) - truth) ** 2)))
    index = _unseen(means, truth, folds, penalty)
    reduced, offset = _ridge(means, truth, penalty)
    weights = basis @ reduced
    slope, intercept = np.polyfit(truth, index, 1)
    curve = _rising(truth, index)
    residuals = index - mean_on(curve, truth)
    moves, game, player = _spread(used, residuals, weights)
    return Calibration(
        ratings=tuple(map(float, ratings)),
        features=tuple(features),
        weights=tuple(map(float, weights)),
        offset=float(offset),
        intercept=float(intercept),
        slope=float(slope),
        player_variance=player,
        game_variance=game,
        move_variance=moves,
        prior_mean=float(np.mean(population)),
        prior_deviation=float(np.std(population)),
        low=float(span[0]),
        high=float(span[1]),
        curve=curve,
        spread=_excess(used, residuals, (moves, game, player)),
        is_alone=True,
    )


def _rising(truth: Floats, index: Floats) -> tuple[tuple[float, float], ...]:
    """The mean of the index over ratings: nearly straight between few knots, and never falling."""
    low, high = np.percentile(truth, _ENDS)
    knots = np.linspace(low, max(high, low + 1.0), _KNOTS)
    hats = np.stack([np.interp(truth, knots, row) for row in np.eye(_KNOTS)], axis=1)
    bends = np.diff(np.eye(_KNOTS), 2, axis=0)
    values = np.linalg.solve(hats.T @ hats + _STIFF * len(truth) * bends.T @ bends, hats.T @ index)
    return tuple(zip(knots.tolist(), _pooled(values.astype(np.float64), hats.sum(axis=0)), strict=True))


def _pooled(values: Floats, weights: Floats) -> list[float]:
    """The nearest values that never fall: neighbours that do are made one (Ayer 1955)."""
    parts: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), (weights + 1e-9).tolist(), strict=True):
        parts.append((value, weight, 1))
        while len(parts) > 1 and parts[-2][0] > parts[-1][0]:
            (one, first, few), (other, second, more) = parts.pop(-2), parts.pop()
            parts.append(((one * first + other * second) / (first + second), first + second, few + more))
    return [value for value, _, count in parts for _ in range(count)]


def _excess(used: Sequence[Played], residuals: Floats, variances: tuple[float, float, float]) -> float:
    """How much more people vary than the three variances say, over several numbers of their games."""
    moves, game, player = variances
    own: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for each, residual in zip(used, residuals.tolist(), strict=True):
        own[each.player].append((residual, len(each.rows)))
    squares = []
    for count in COUNTS:
        for games in (each[:count] for each in own.values() if len(each) >= count):
            number = sum(asked for _, asked in games)
            mean = sum(residual * asked for residual, asked in games) / number
            squares.append(mean**2 / (player + game / count + moves / number))
    return float(np.quantile(squares, 0.95) / WITHIN)


def _fold_of(name: str) -> int:
    return blake2b(name.encode(), digest_size=2).digest()[1] % _FOLDS


def _basis(ratings: Sequence[float], features: int) -> Floats:
    """[features, columns] the slope of the log-probability over the ratings, and what follows it as it is."""
    told = np.asarray(ratings, dtype=np.float64)
    slope = np.zeros((features, 1))
    slope[: len(told), 0] = (told - told.mean()) / told.std() / len(told)
    return np.hstack([slope, np.eye(features)[:, len(told) :]])


def _ridge(means: Floats, truth: Floats, penalty: float) -> tuple[Floats, float]:
    """Weights and offset; the penalty is on weights of standardised features."""
    centre, scale = means.mean(axis=0), means.std(axis=0) + 1e-9
    x = (means - centre) / scale
    weights = np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ (truth - truth.mean())) / scale
    return weights, float(truth.mean() - weights @ centre)


def _unseen(means: Floats, truth: Floats, folds: NDArray[np.int64], penalty: float) -> Floats:
    """[games] the index of each game by weights that were fitted without its player."""
    index = np.full(len(truth), truth.mean())
    for fold in np.unique(folds):
        out = folds == fold
        if out.all():
            continue
        weights, offset = _ridge(means[~out], truth[~out], penalty)
        index[out] = means[out] @ weights + offset
    return index


def _spread(used: Sequence[Played], residuals: Floats, weights: Floats) -> tuple[float, float, float]:
    """Variances of the index for one move, one game, one player."""
    moves = float(np.mean([np.var(each.rows @ weights, ddof=1) for each in used]))
    of_moves = float(np.mean([moves / len(each.rows) for each in used]))
    by_player: dict[str, list[float]] = defaultdict(list)
    for each, residual in zip(used, residuals, strict=True):
        by_player[each.player].append(float(residual))
    pairs = [(sum(own) ** 2 - sum(e * e for e in own), len(own) * (len(own) - 1)) for own in by_player.values()]
    count = sum(number for _, number in pairs)
    total = float(np.mean(residuals**2))
    shared = sum(product for product, _ in pairs) / count if count else 0.5 * (total - of_moves)
    player = float(np.clip(shared, 0.0, total))
    return moves, max(total - player - of_moves, 0.0), player


def measure(
    games: Sequence[Played], calibration: Calibration, seed: int = 0, with_opponents: bool = False
) -> list[Measured]:
    """For each number of games, the players that have as many, by their first ones."""
    by_player: dict[str, list[Played]] = defaultdict(list)
    for each in games:
        if len(each.rows) or (with_opponents and each.meeting is not None):
            by_player[each.player].append(each)
    found = []
    for count in COUNTS:
        own = [played[:count] for played in by_player.values() if len(played) >= count]
        if len(own) > 1:
            found.append(_measure(own, count, calibration, seed, with_opponents))
    return found


def _measure(
    people: Sequence[Sequence[Played]], count: int, calibration: Calibration, seed: int, with_opponents: bool
) -> Measured:
    rows = []
    for played in people:
        total = played[0].evidence
        for each in played[1:]:
            total += each.evidence
        truth = float(np.mean([each.rating for each in played]))
        meetings = [each.meeting for each in played if with_opponents and each.meeting is not None]
        said = estimate(total, "", calibration, calibration.ratings, meetings)
        inside = float(said.low <= truth <= said.high)
        off, guessed = abs(said.rating - truth), abs(calibration.prior_mean - truth)
        rows.append((off, guessed, guessed - off, inside, said.rating, truth, total.moves, said.open_above))
    table = np.array(rows, dtype=np.float64)
    rng = np.random.default_rng([seed, count])
    draws = table[rng.integers(0, len(table), size=(RESAMPLES, len(table))), :4].mean(axis=1)
    error, guess, gain, coverage = (interval_of(float(table[:, at].mean()), draws[:, at]) for at in range(4))
    correlation = float(np.corrcoef(table[:, 4], table[:, 5])[0, 1])
    moves = float(table[:, 6].mean())
    return Measured(count, len(table), error, guess, gain, coverage, correlation, moves, _bands(table))


def band_width(highest: float) -> float:
    """Of the bands of a scale that ends there."""
    return _RANKS if is_rank(highest) else _POINTS


def _bands(table: Floats) -> tuple[Band, ...]:
    """By the recorded rating; `table` has the columns of `_measure`."""
    truth = table[:, 5]
    width = band_width(float(truth.max()))
    found = []
    for low in np.unique(truth // width * width).tolist():
        own = table[truth // width * width == low]
        bias = float((own[:, 4] - own[:, 5]).mean())
        shares = (float(own[:, at].mean()) for at in (3, 7))
        found.append(Band(f"{low:g}", len(own), float(own[:, 0].mean()), bias, *shares))
    return tuple(found)
