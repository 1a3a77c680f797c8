"""Who played like what rating: every player of some games, from their moves, and where wished from their company.

People are told apart by name and pool; where a record names nobody, each side of each game is a player of its own. A
player's moves are asked about up to a budget, spread evenly over the games, because the tenth move of a game says
less than the first of another. A player's own ratings in the records are shown beside the estimates and used for
nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import zip_longest
from typing import Final

import numpy as np

from hitonami.core import Effort, Mind, Player, open_game
from hitonami.customs import customs_of
from hitonami.dataset.filters import Filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import Data, Tally
from hitonami.errors import BadInput
from hitonami.progress import Report, unheard
from hitonami.records import Record
from hitonami.strength.company import Meeting
from hitonami.strength.estimate import Estimate, Standing, calibration_for, estimate, ratings_told
from hitonami.strength.evidence import Evidence, Floats, Witness, plies_of
from hitonami.strength.row_cache import RowCache

DEFAULT_GAMES: Final = 20
DEFAULT_MOVES: Final = 240
Part = tuple[Record, int, int]
"""A game, the player's side in it, and the game's hash."""


@dataclass
class Person:
    """Somebody to rate, and the games that are asked about."""

    name: str
    pool: str
    parts: list[Part] = field(default_factory=list)
    games: int = 0
    """In the data; `parts` may be fewer."""

    @property
    def recorded(self) -> float | None:
        """The mean of the ratings in the records."""
        known = [record.players[side].rating for record, side, _ in self.parts]
        found = [rating for rating in known if rating is not None]
        return sum(found) / len(found) if found else None

    @property
    def meetings(self) -> list[Meeting]:
        """The games against an opponent with a rating."""
        found = (meeting_of(record, side) for record, side, _ in self.parts)
        return [each for each in found if each is not None]


def meeting_of(record: Record, side: int) -> Meeting | None:
    """Whom a side met, and what it got; None where the record does not tell the opponent's rating."""
    opponent = record.players[1 - side].rating
    if opponent is None:
        return None
    return Meeting(opponent, None if record.score is None else abs(side - record.score))


@dataclass(frozen=True)
class Rated:
    """One player's estimate; `recorded` is what the records say, None where they say nothing."""

    name: str
    recorded: float | None
    games: int
    estimate: Estimate | None


@dataclass(frozen=True)
class Wanted:
    """Whom to rate. Names are compared without regard to case; none takes everybody."""

    pool: str = ""
    names: tuple[str, ...] = ()
    most_games: int = DEFAULT_GAMES
    split: SplitChoice = "all"
    chosen: Filter | None = None
    """Which games count; None: all."""


def check_levels(game: str) -> None:
    """Raises BadInput for a game whose people have no ratings that could be told apart."""
    if not customs_of(game).told:
        raise BadInput(f"{game} has no levels to rate anybody by: its customs name no ratings (`told`)")


def find_people(data: Data, wanted: Wanted, tally: Tally, report: Report = unheard) -> list[Person]:
    """Everybody in the data who is no bot, in the order of their first games. The data must keep names."""
    people: dict[tuple[str, str], Person] = {}
    names = {name.strip().casefold() for name in wanted.names}
    sides = open_game(data.game).sides
    for found in data.games(tally, wanted.split, lambda done: report(done, tally.games)):
        if wanted.chosen is not None and not wanted.chosen.keeps_game(found.record):
            continue
        for side, player in enumerate(found.record.players):
            if player.kind == "bot" or (names and (player.name or "").strip().casefold() not in names):
                continue
            name = player.name or f"game {tally.games}, {sides[side]}"
            pool = _pool_of(player, data.game, wanted.pool)
            person = people.setdefault((name.casefold(), pool), Person(name, pool))
            person.games += 1
            if len(person.parts) < wanted.most_games:
                person.parts.append((found.record, side, found.content))
    return list(people.values())


def draw_people(people: list[Person], most: int | None) -> list[Person]:
    """At most so many, by a hash of their names; all in their order where that is enough."""
    return people if most is None or len(people) <= most else _by_hash(people)[:most]


def _by_hash(people: list[Person]) -> list[Person]:
    return sorted(people, key=lambda person: blake2b(person.name.encode(), digest_size=8).digest())


def draw_evenly(people: list[Person], most: int | None, width: float) -> list[Person]:
    """At most so many of those whose rating is recorded, as many of each band of ratings as there are."""
    bands: dict[float, list[Person]] = {}
    for person in _by_hash(people):
        if person.recorded is not None:
            bands.setdefault(person.recorded // width, []).append(person)
    turns = zip_longest(*(bands[band] for band in sorted(bands)))
    return [person for turn in turns for person in turn if person is not None][:most]


def _pool_of(player: Player, game: str, given: str) -> str:
    return given or player.pool or customs_of(game).scale.pools[0]


@dataclass(frozen=True)
class Rater:
    """Rates people of one game. `expert` is None where the game has no expert head, `packaged` whether the human mind
    is the one that calibrations belong to, `cache` what was asked before, `base` what the human mind stands on."""

    game: str
    human: Mind
    expert: Mind | None
    packaged: bool = True
    most_moves: int = DEFAULT_MOVES
    cache: RowCache | None = None
    base: Standing | None = None
    with_opponents: bool = False

    def rate(self, people: list[Person], effort: Effort) -> Iterator[Rated]:
        """One after another."""
        for person in people:
            yield self.rate_one(person, effort)

    def rate_one(self, person: Person, effort: Effort) -> Rated:
        asked = self.game, person.pool, self.expert is not None, self.base
        calibration = calibration_for(*asked) if self.packaged else None
        ratings = ratings_told(self.game, person.pool, calibration)
        witness = Witness(self.human, self.expert, ratings, person.pool)
        total = self.evidence_of(person, witness, effort)
        meetings = person.meetings if self.with_opponents and calibration and calibration.company else []
        if total is None and meetings:
            total = Evidence(0, 0, np.zeros(len(witness.features)))
        found = None if total is None else estimate(total, person.pool, calibration, ratings, meetings)
        return Rated(person.name, person.recorded, person.games, found)

    def evidence_of(self, person: Person, witness: Witness, effort: Effort) -> Evidence | None:
        """All games together; a game without a move to ask about is none."""
        total: Evidence | None = None
        for rows in self.rows_of(person, witness, effort):
            evidence = Evidence(len(rows), 1, rows.sum(axis=0))
            if len(rows):
                total = evidence if total is None else total + evidence
        return total

    def rows_of(self, person: Person, witness: Witness, effort: Effort) -> Iterator[Floats]:
        """[moves, features] of each game. What short games leave of the budget goes to those after them."""
        left, games_left = self.most_moves, len(person.parts)
        for record, side, content in person.parts:
            plies = plies_of(record, side, max(-(-left // games_left), 0), content)
            known = self.cache.find(content, side, plies) if self.cache else None
            rows = list(witness.rows_of(record, plies, effort)) if known is None else known
            if self.cache and known is None:
                self.cache.keep(content, side, plies, rows)
            left, games_left = left - len(rows), games_left - 1
            yield np.array(rows).reshape(len(rows), len(witness.features))
