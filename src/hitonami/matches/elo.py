"""Elo ratings by maximum likelihood from wins, draws and losses.

The expected score is Elo's own, E = 1 / (1 + 10^(-d/400)), whatever the share of draws, so a rating means what a rating
list means. How the score splits is Davidson's rule (1970), draw = ν √(win · loss), with one ν for all games: together
with win + draw/2 = E it fixes all three chances. The advantage of moving first is fitted with the ratings.

Two nuisance parameters have weak priors, so that a handful of games has an answer: the advantage is 0 ± 300 points and
ln(ν²/4) is 0 ± 4. Ratings have none. Where the results leave a rating unbounded (somebody lost every game) each pair is
given one virtual game, half won and half lost, and the fit says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.matches.chances import Z, normal_below

Floats = NDArray[np.float64]
POINT = math.log(10.0) / 400.0
_ADVANTAGE_SPREAD = 300.0
_DRAW_SPREAD = 4.0
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Tally:
    """Results between two players, by their numbers; `first` moves first, and wins and losses are its own."""

    first: int
    second: int
    wins: float = 0.0
    draws: float = 0.0
    losses: float = 0.0

    @property
    def games(self) -> float:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points of the first."""
        return self.wins + 0.5 * self.draws


@dataclass(frozen=True)
class Anchor:
    """What is known of a player's Elo before any game."""

    elo: float
    error: float = 0.0
    """One standard error; 0 where the Elo is fixed."""


@dataclass(frozen=True)
class EloFit:
    """Ratings with their covariance. What is not anchored is relative to the scale's origin."""

    ratings: Floats
    covariance: Floats
    advantage: float
    """What moving first is worth, in points; 0 where the games cannot tell."""
    advantage_error: float
    draw_ratio: float
    """Davidson's ν."""
    log_likelihood: float
    is_bounded: bool
    """Whether the results alone bound every rating; else virtual games were needed."""

    def interval(self, player: int) -> tuple[float, float]:
        """95%, by the Fisher information."""
        half = Z * math.sqrt(max(0.0, float(self.covariance[player, player])))
        return float(self.ratings[player]) - half, float(self.ratings[player]) + half

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How much `one` is above `other`, and its standard error."""
        across = self.covariance[one, one] + self.covariance[other, other] - 2.0 * self.covariance[one, other]
        return float(self.ratings[one] - self.ratings[other]), math.sqrt(max(0.0, float(across)))

    def superiority(self, one: int, other: int) -> float:
        """The likelihood that `one` is the stronger."""
        gap, error = self.difference(one, other)
        return normal_below(gap / error) if error > 0.0 else 0.5 + 0.5 * float(np.sign(gap))


def expected_score(difference: float) -> float:
    """Elo's expectation for a player `difference` points above the other."""
    return 0.5 + 0.5 * math.tanh(0.5 * POINT * difference)


def outcome_chances(difference: float, draw_ratio: float) -> tuple[float, float, float]:
    """Win, draw and loss of a player `difference` points above the other."""
    lead = math.tanh(0.5 * POINT * difference)
    decided = _decided(lead, 0.25 * draw_ratio**2)
    return 0.5 * (decided + lead), 1.0 - decided, 0.5 * (decided - lead)


def _decided(lead: float, kappa: float) -> float:
    """Win + loss, from win - loss and κ = ν²/4: the root of (1 - t)² = κ (t² - lead²) between |lead| and 1."""
    inside = kappa * (1.0 - lead * lead * (1.0 - kappa))
    return (1.0 + kappa * lead * lead) / (1.0 + math.sqrt(max(0.0, inside)))


@dataclass(frozen=True)
class Model:
    """What is fitted: ratings = base + basis · free; then the advantage, then ln κ, where they are fitted at all."""

    tallies: tuple[Tally, ...]
    base: Floats
    basis: Floats
    with_advantage: bool
    with_draws: bool
    spread: Floats | None = None
    """[free] deviations of normal priors around 0 for what is free, infinite ones for none; None for no priors."""

    @property
    def size(self) -> int:
        return self.basis.shape[1] + self.with_advantage + self.with_draws

    def unpack(self, point: Floats) -> tuple[Floats, float, float]:
        """Ratings, advantage, κ."""
        free = self.basis.shape[1]
        advantage = float(point[free]) if self.with_advantage else 0.0
        return self.base + self.basis @ point[:free], advantage, math.exp(point[-1]) if self.with_draws else 0.0

    def log_likelihood(self, point: Floats) -> float:
        ratings, advantage, kappa = self.unpack(point)
        total = self.log_prior(point)
        for tally in self.tallies:
            gap = float(ratings[tally.first] - ratings[tally.second]) + advantage
            for count, chance in zip(
                (tally.wins, tally.draws, tally.losses), outcome_chances(gap, 2.0 * math.sqrt(kappa)), strict=True
            ):
                total += count * math.log(max(chance, 1e-300)) if count else 0.0
        return total

    def log_prior(self, point: Floats) -> float:
        _, advantage, _ = self.unpack(point)
        draws = float(point[-1]) if self.with_draws else 0.0
        free = 0.0 if self.spread is None else float(((point[: len(self.spread)] / self.spread) ** 2).sum())
        return -0.5 * ((advantage / _ADVANTAGE_SPREAD) ** 2 + (draws / _DRAW_SPREAD) ** 2 + free)

    def gradient_and_information(self, point: Floats) -> tuple[Floats, Floats]:
        """Of the penalised log-likelihood; the information is the expected one (Fisher's)."""
        ratings, advantage, kappa = self.unpack(point)
        free = self.basis.shape[1]
        gradient, information = np.zeros(self.size), np.zeros((self.size, self.size))
        if self.spread is not None:
            gradient[:free] = -point[:free] / self.spread**2
            information[:free, :free] = np.diag(self.spread**-2.0)
        if self.with_advantage:
            gradient[free] = -advantage / _ADVANTAGE_SPREAD**2
            information[free, free] = _ADVANTAGE_SPREAD**-2
        if self.with_draws:
            gradient[-1] = -float(point[-1]) / _DRAW_SPREAD**2
            information[-1, -1] = _DRAW_SPREAD**-2
        for tally in self.tallies:
            gap = float(ratings[tally.first] - ratings[tally.second]) + advantage
            chances, by_gap, by_draws = _slopes(gap, kappa)
            weights = np.zeros((3, self.size))
            weights[:, :free] = np.outer(by_gap, self.basis[tally.first] - self.basis[tally.second])
            if self.with_advantage:
                weights[:, free] = by_gap
            if self.with_draws:
                weights[:, -1] = by_draws
            counts = np.array((tally.wins, tally.draws, tally.losses))
            gradient += (counts / chances) @ weights
            information += tally.games * (weights.T / chances) @ weights
        return gradient, information


def _slopes(gap: float, kappa: float) -> tuple[Floats, Floats, Floats]:
    """[3] chances, and their derivatives by the difference and by ln κ (implicit, from the equation in `_decided`)."""
    lead = math.tanh(0.5 * POINT * gap)
    decided = _decided(lead, kappa)
    lead_slope = 0.5 * POINT * (1.0 - lead * lead)
    steep = (1.0 - decided) + kappa * decided
    decided_by_gap = kappa * lead / steep * lead_slope if kappa else 0.0
    decided_by_draws = -kappa * (decided * decided - lead * lead) / (2.0 * steep) if kappa else 0.0
    chances = np.array((0.5 * (decided + lead), 1.0 - decided, 0.5 * (decided - lead)))
    by_gap = np.array((0.5 * (decided_by_gap + lead_slope), -decided_by_gap, 0.5 * (decided_by_gap - lead_slope)))
    return np.maximum(chances, 1e-12), by_gap, decided_by_draws * np.array((0.5, -1.0, 0.5))


def fit_elo(
    players: int, tallies: Sequence[Tally], anchors: Mapping[int, Anchor] | None = None, mean: float = 0.0
) -> EloFit:
    """Ratings of players 0..n-1. Anchors are kept as given, or as near to it as games and what is known of them
    allow; without any, the ratings' mean is `mean`."""
    played = [tally for tally in tallies if tally.games > 0]
    if not _is_linked(players, [(tally.first, tally.second) for tally in played]):
        raise BadInput("ratings need games that link every player to every other, if only through third ones")
    is_bounded, virtual = _bounds_ratings(players, played, anchors or {}), list[Tally]()
    if not is_bounded:
        pairs = {(min(tally.first, tally.second), max(tally.first, tally.second)) for tally in played}
        virtual = [Tally(*seats, 0.25, 0.0, 0.25) for pair in sorted(pairs) for seats in (pair, pair[::-1])]
    base, basis, priors = _scale(players, anchors or {}, mean)
    model, point, spread = fit_model(played, base, basis, priors, virtual=virtual)
    ratings, advantage, kappa = model.unpack(point)
    free = basis.shape[1]
    return EloFit(
        ratings,
        basis @ spread[:free, :free] @ basis.T,
        advantage,
        math.sqrt(float(spread[free, free])) if model.with_advantage else 0.0,
        2.0 * math.sqrt(kappa),
        model.log_likelihood(point) - model.log_prior(point),
        is_bounded,
    )


def fit_model(
    played: Sequence[Tally], base: Floats, basis: Floats, spread: Floats | None = None, virtual: Sequence[Tally] = ()
) -> tuple[Model, Floats, Floats]:
    """The model of these games, its summit, and the covariance there. Virtual games say nothing of who moves first."""
    orders, every = {(tally.first, tally.second) for tally in played}, (*played, *virtual)
    turned = any((second, first) in orders for first, second in orders)
    model = Model(every, base, basis, turned, any(tally.draws for tally in every), spread)
    point = _climb(model)
    information = model.gradient_and_information(point)[1]
    return model, point, np.linalg.inv(information).astype(np.float64) if model.size else information


def _climb(model: Model) -> Floats:
    """Fisher scoring with halved steps: the likelihood rises at every step."""
    point = np.zeros(model.size)
    best = model.log_likelihood(point)
    for _ in range(_STEPS):
        gradient, information = model.gradient_and_information(point)
        step = np.linalg.solve(information, gradient) if model.size else gradient
        scale = 1.0
        while scale > 1e-10 and model.log_likelihood(point + scale * step) < best:
            scale *= 0.5
        point = point + scale * step
        best = model.log_likelihood(point)
        if not model.size or np.abs(scale * step).max() < 1e-9:
            break
    return point


def _scale(players: int, anchors: Mapping[int, Anchor], mean: float) -> tuple[Floats, Floats, Floats | None]:
    """Where the ratings start, the directions in which they may move, and how far these are expected to lead."""
    if not anchors:
        return np.full(players, mean), np.eye(players)[:, 1:] - 1.0 / players, None
    free = Anchor(sum(each.elo for each in anchors.values()) / len(anchors), math.inf)
    each = [anchors.get(player, free) for player in range(players)]
    moving = [player for player in range(players) if each[player].error > 0.0]
    base = np.array([anchor.elo for anchor in each], dtype=np.float64)
    return base, np.eye(players)[:, moving], np.array([each[player].error for player in moving])


def _bounds_ratings(players: int, tallies: Sequence[Tally], anchors: Mapping[int, Anchor]) -> bool:
    """Whether no group of players beat the rest in every game (Ford 1957). Anchors hold each other."""
    won: list[tuple[int, int]] = []
    for tally in tallies:
        won += [(tally.first, tally.second)] if tally.wins or tally.draws else []
        won += [(tally.second, tally.first)] if tally.losses or tally.draws else []
    fixed = sorted(anchors)
    won += [(one, other) for one in fixed for other in fixed]
    return _reaches_all(players, won) and _reaches_all(players, [(other, one) for one, other in won])


def _is_linked(players: int, pairs: Sequence[tuple[int, int]]) -> bool:
    return _reaches_all(players, [*pairs, *((other, one) for one, other in pairs)])


def _reaches_all(players: int, edges: Sequence[tuple[int, int]]) -> bool:
    reached, ahead = {0}, [0]
    while ahead:
        here = ahead.pop()
        for one, other in edges:
            if one == here and other not in reached:
                reached.add(other)
                ahead.append(other)
    return len(reached) == players
