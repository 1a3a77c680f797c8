"""From games to a table: scores, ratings with intervals, who is likely the stronger, and whether ratings were right."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hitonami.evaluate.grouping import is_rank
from hitonami.matches.chances import Z
from hitonami.matches.elo import Anchor, EloFit, Tally, expected_score, fit_elo
from hitonami.matches.entrants import Entrant
from hitonami.matches.expectation import Agreement, Pairing, compare_with_ratings
from hitonami.matches.tournament import Event


@dataclass(frozen=True)
class Score:
    """Results of one entrant, against one other or against all."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + 0.5 * self.draws

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Comparison:
    """Two entrants, the first of which is expected to score `expected` by the ratings that they were given."""

    one: int
    other: int
    score: Score
    expected: float | None
    fitted: float
    """What the fitted ratings expect."""

    @property
    def actual(self) -> float:
        return self.score.points / self.score.games

    @property
    def interval(self) -> tuple[float, float]:
        """95% of the actual score, by Wilson's formula: a little too wide where there are draws."""
        games, share = self.score.games, self.actual
        centre = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
        half = Z / (1 + Z * Z / games) * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
        return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class Standings:
    """The event in numbers. Lists are by the entrants' numbers."""

    event: Event
    cross: dict[tuple[int, int], Score]
    totals: tuple[Score, ...]
    fit: EloFit
    anchors: Mapping[int, Anchor]
    without: Mapping[int, Anchor]
    """What the games and the other anchors say of each anchor; empty with fewer than two."""
    comparisons: tuple[Comparison, ...]
    nominal: Agreement | None
    """Against the ratings that the entrants were given; None where one has none, or a rank."""
    endings: dict[str, int]
    forfeits: tuple[tuple[int, str], ...]
    """Who could not go on, and why."""
    repeated: int
    """Games that are move for move like an earlier one between the same two: they say nothing new."""
    first_score: float
    """Mean score of the side that moves first."""

    @property
    def order(self) -> list[int]:
        """The strongest first."""
        return sorted(range(len(self.totals)), key=lambda at: -float(self.fit.ratings[at]))


def draw_up(event: Event, anchors: Mapping[int, Anchor] | None = None) -> Standings:
    """The standings. Without anchors the mean is that of the given ratings where all have one and no rank, else 0."""
    entrants = event.plan.entrants
    cross: dict[tuple[int, int], Score] = {}
    tallies: dict[tuple[int, int], Score] = {}
    for game in event.games:
        mine = Score(int(game.score == 1.0), int(game.score == 0.5), int(game.score == 0.0))
        theirs = Score(mine.losses, mine.draws, mine.wins)
        seats = game.first, game.second
        tallies[seats] = tallies.get(seats, Score()) + mine
        cross[seats] = cross.get(seats, Score()) + mine
        cross[seats[::-1]] = cross.get(seats[::-1], Score()) + theirs
    totals = tuple(
        sum((cross.get((at, to), Score()) for to in range(len(entrants))), Score()) for at in range(len(entrants))
    )
    given = [elo_of(entrant) for entrant in entrants]
    known = [rating for rating in given if rating is not None]
    mean = sum(known) / len(known) if len(known) == len(entrants) else 0.0
    counted = [Tally(*seats, score.wins, score.draws, score.losses) for seats, score in sorted(tallies.items())]
    fit = fit_elo(len(entrants), counted, anchors, mean)
    comparisons = tuple(_compare(event, pair, cross[pair], fit) for pair in event.plan.pairs() if pair in cross)
    return Standings(
        event,
        cross,
        totals,
        fit,
        anchors or {},
        _hold_out(len(entrants), counted, anchors or {}),
        comparisons,
        _agree(event, comparisons),
        _count_endings(event),
        tuple((game.second if game.score == 1.0 else game.first, game.forfeit) for game in event.games if game.forfeit),
        _count_repeats(event),
        sum(game.score for game in event.games) / max(len(event.games), 1),
    )


def _hold_out(players: int, counted: Sequence[Tally], anchors: Mapping[int, Anchor]) -> dict[int, Anchor]:
    found = {}
    for at in anchors if len(anchors) > 1 else ():
        fit = fit_elo(players, counted, {other: each for other, each in anchors.items() if other != at})
        found[at] = Anchor(float(fit.ratings[at]), math.sqrt(float(fit.covariance[at, at])))
    return found


def elo_of(entrant: Entrant) -> float | None:
    """The rating that an entrant was given, where it is on a scale like Elo's: ranks of Go and shogi are on none."""
    rating = entrant.rating
    return None if rating is None or is_rank(rating) else rating


def _compare(event: Event, pair: tuple[int, int], score: Score, fit: EloFit) -> Comparison:
    one, other = (elo_of(event.plan.entrants[at]) for at in pair)
    expected = None if one is None or other is None else expected_score(one - other)
    return Comparison(*pair, score, expected, expected_score(fit.difference(*pair)[0]))


def _agree(event: Event, comparisons: tuple[Comparison, ...]) -> Agreement | None:
    pairings = []
    for each in comparisons:
        one, other = (elo_of(event.plan.entrants[at]) for at in (each.one, each.other))
        if one is None or other is None:
            return None
        pairings.append(Pairing(each.score.wins, each.score.draws, each.score.losses, one - other))
    return compare_with_ratings(pairings)


def _count_endings(event: Event) -> dict[str, int]:
    counts: dict[str, int] = {}
    for game in event.games:
        ending = "count" if game.termination.endswith(" points") else game.termination
        counts[ending] = counts.get(ending, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _count_repeats(event: Event) -> int:
    seen = {(game.first, game.second, game.setup, game.moves) for game in event.games}
    return len(event.games) - len(seen)
