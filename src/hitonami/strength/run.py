"""A whole calibration of estimated ratings, or a whole measurement of one: people found, asked about, fitted, compared.

Two halves of the people, told apart by a hash of their names: one fits, the other is measured, whatever the split of
their games. Prints nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hitonami.bases import open_base, origin_of_base
from hitonami.core import Effort
from hitonami.customs import customs_of
from hitonami.dataset.groups import SplitChoice
from hitonami.errors import BadInput
from hitonami.levels.profiles import profile_of
from hitonami.models.shipped import shipped_models
from hitonami.progress import Report, unheard
from hitonami.specs import Room, mind_spec
from hitonami.strength.company import fit_company
from hitonami.strength.estimate import (
    Calibration,
    Standing,
    calibration_for,
    network_of,
    ratings_told,
    write_calibration,
    write_company,
)
from hitonami.strength.evidence import Witness, feature_names
from hitonami.strength.fit import Played, band_width, collect, fit_calibration, half_of
from hitonami.strength.rating_of import Person, Rater, draw_evenly, draw_people, meeting_of
from hitonami.strength.row_cache import RowCache

NETWORK: Final = {"kind": "human", "openings": False}
"""Counts of openings say what is played, not by whom."""


def standing_on(room: Room, base: str) -> Standing | None:
    """What people are rated over; None for the packaged network."""
    return Standing(profile_of(base), origin_of_base(open_base(room, base), base)) if base else None


@dataclass(frozen=True)
class Collecting:
    """Whose moves are asked about, and how many."""

    game: str
    pool: str
    most_people: int | None
    most_moves: int
    least_games: int = 1
    cache: Path | None = None
    base: str = ""
    is_even: bool = False
    """Whether all ratings are drawn alike, instead of as many as there are people of each."""
    with_opponents: bool = False
    """Whether opponents' ratings and results are heard beside the moves."""

    def people_of(self, people: Sequence[Person], half: int) -> list[Person]:
        """Those of one half with a rating in their records and games enough."""
        own = [person for person in people if half_of(person.name) == half and person.recorded is not None]
        enough = [person for person in own if len(person.parts) >= self.least_games]
        if not enough:
            raise BadInput(f"nobody of this half of {len(people):,} people has {self.least_games} games with a rating")
        return enough

    def drawn_of(self, own: Sequence[Person]) -> list[Person]:
        """At most so many of them."""
        if self.is_even:
            return draw_evenly(list(own), self.most_people, band_width(customs_of(self.game).span_for(self.pool)[1]))
        return draw_people(list(own), self.most_people)

    def games_of(self, drawn: Sequence[Person], report: Report = unheard) -> list[Played]:
        """Every game of theirs, asked about."""
        found = list[Played]()
        ratings = ratings_told(self.game, self.pool, None)
        spec = mind_spec(NETWORK | {"base": self.base} if self.base else NETWORK)
        with Room() as room:
            standing = standing_on(room, self.base)
            network = network_of(self.game) if standing is None else standing.network
            about = {"network": network, "mind": repr(spec), "ratings": ratings}
            cache = RowCache(self.cache, about | {"pool": self.pool})
            expert = room.open("expert") if self._has_expert else None
            rater = Rater(self.game, room.open(spec), expert, True, self.most_moves, cache)
            witness = Witness(rater.human, expert, ratings, self.pool)
            for done, games in enumerate(collect(drawn, rater, witness, Effort.seeded()), start=1):
                found += games
                report(done, len(found))
        return found

    @property
    def _has_expert(self) -> bool:
        return not self.base and self.game in shipped_models("expert")

    @property
    def calibration(self) -> Calibration:
        """What was fitted. Raises BadInput where there is none for this network."""
        found = calibration_for(self.game, self.pool, self._has_expert, self._standing)
        if found is None:
            raise BadInput(f"there is no calibration for {self.game}, pool {self.pool}: make one with --fit")
        return found

    def fit(
        self, games: Sequence[Played], own: Sequence[Person], path: Path, split: SplitChoice = "validation"
    ) -> dict[str, Any]:
        """Write the pool's calibration to a file, the others in it untouched. Says what it was made from.

        `own` is everybody who might have been drawn: the pool's ratings are theirs.
        """
        ratings = ratings_told(self.game, self.pool, None)
        population = [person.recorded for person in own if person.recorded is not None]
        features = feature_names(ratings, self._has_expert)
        found = fit_calibration(games, ratings, features, customs_of(self.game).span_for(self.pool), population)
        facts = {
            "split": split,
            "players": len({each.player for each in games}),
            "games": len(games),
            "moves": sum(len(each.rows) for each in games),
        }
        network = network_of(self.game) if self._standing is None else self._standing.network
        write_calibration(path, self.game, self.pool, replace(found, network=network), facts)
        return facts

    def fit_company(self, drawn: Sequence[Person], path: Path, split: SplitChoice) -> dict[str, Any]:
        """Add what opponents and results tell to the pool's calibration; no mind is asked. Says what from."""
        met = [
            [(record.players[side].rating, meeting_of(record, side)) for record, side, _ in person.parts]
            for person in drawn
        ]
        known = [[(rating, each) for rating, each in own if rating is not None and each is not None] for own in met]
        facts = {"split": split, "players": sum(map(bool, known)), "games": sum(map(len, known))}
        write_company(path, self.game, self.pool, fit_company(known), facts)
        return facts

    @cached_property
    def _standing(self) -> Standing | None:
        with Room() as room:
            return standing_on(room, self.base)
