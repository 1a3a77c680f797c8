"""One person beside people of their level, trait by trait, with intervals: how they play otherwise than others do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, open_game
from hitonami.dataset.columns import Columns, columns_of, join, read_columns
from hitonami.dataset.reading import Data, Tally, open_data
from hitonami.dataset.shards import table_of
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval
from hitonami.progress import Watching
from hitonami.style.person import Person, find_person
from hitonami.style.reference import PROBABILITIES, Group, Reference, level_of, make_reference, packaged_reference
from hitonami.traits import Trait, measure_traits, traits_of

LEAST_GAMES: Final = 5
_SURE: Final = 1.96
_NORMAL: Final = (-1.645, -1.282, -0.674, 0.0, 0.674, 1.282, 1.645)
"""Where a normal distribution has `PROBABILITIES` below it."""
_NEAR: Final = 200.0
"""Points of rating within which others of one's own data are people of the level."""
_LEAST_OTHERS: Final = 20


@dataclass(frozen=True)
class StyleWish:
    """What is asked for."""

    game: str
    player: str = ""
    """Whose games; else of who is in nearly all of them."""
    games: int = 500
    """The latest ones, at most."""
    among: tuple[str, ...] = ()
    """Games of others to compare with; else what comes with the package."""


@dataclass(frozen=True)
class Row:
    """One trait of the person, and of the people they are compared with."""

    trait: Trait
    games: int
    value: Interval
    """The mean over the person's games, with its chance error."""
    quantiles: tuple[float, ...]
    """Of people of the level, at `PROBABILITIES`."""
    place: Interval
    """How many spreads of people the person is above their median."""
    share_below: float
    """Of people of the level, about: between 0.05 and 0.95, which mean "or less" and "or more"."""

    @property
    def unusual(self) -> float:
        """How far off the person is, where what is known of them is taken for no more than it is.

        Within what 90% of people do, no further than the share of people says: of openings most people play one always
        or never, and are far from the median by that.
        """
        error = (self.place.high - self.place.low) / (2 * _SURE)
        off, common = abs(self.place.value), PROBABILITIES[0] < self.share_below < PROBABILITIES[-1]
        if common:
            off = min(off, abs(float(np.interp(self.share_below, PROBABILITIES, _NORMAL))))
        return off / float(np.sqrt(1.0 + error * error))


@dataclass(frozen=True)
class Portrait:
    """A person's style; rows are by how unusual they are."""

    game: str
    person: Person
    games: int
    player: Player
    pool: str
    """Of the people compared with."""
    level: Group
    rows: tuple[Row, ...]

    @property
    def remarks(self) -> list[str]:
        """What is to be known of the comparison."""
        told = list(self.person.tally.complaints())
        if self.pool != self.player.pool:
            told.append(
                f"no people of {self.player.pool or 'an unnamed pool'} to compare with: beside people of {self.pool}"
            )
        return told


def draw_portrait(wish: StyleWish, arguments: Sequence[str], watch: Watching) -> Portrait:
    """All of it. Raises BadInput for what cannot be used."""
    game = open_game(wish.game).name
    reference = None if wish.among else packaged_reference(game)
    person = read_person(game, wish.player, arguments, watch)
    own = person.games[-wish.games :]
    if len(own) < LEAST_GAMES:
        raise BadInput(
            f"games of this person: {len(own)}; a style needs {LEAST_GAMES} at least, and fifty tell something"
        )
    games = columns_of(table_of([each.record for each in own], [""] * len(own)), game)
    values = measure_traits(games)[np.arange(len(own)), [each.side for each in own]]
    if reference is None:
        contents = {each.content for each in person.games}
        reference = _among(open_data(wish.among, game, named=True), person.player, contents, watch)
    pool, level = level_of(reference, person.player)
    rows = [
        row
        for at, trait in enumerate(traits_of(game).traits)
        if (row := compare(trait, values[:, at], level, at)) is not None
    ]
    rows.sort(key=lambda row: -row.unusual)
    return Portrait(game, person, len(own), person.player, pool, level, tuple(rows))


def read_person(game: str, handle: str, arguments: Sequence[str], watch: Watching) -> Person:
    """Whose games are in the files. Raises BadInput."""
    data = open_data(arguments, game, named=True)
    with watch(data.bytes_total, "games") as meter:
        return find_person(data, handle, meter.show)


def compare(trait: Trait, values: NDArray[np.float32], level: Group, at: int) -> Row | None:
    """None where the games, or the people of the level, say nothing of the trait."""
    known = values[~np.isnan(values)].astype(np.float64)
    spread, quantiles = float(level.spread[at]), level.quantiles[at]
    if len(known) < LEAST_GAMES or not spread > 0:
        return None
    noise = max(float(known.std(ddof=1)), 0.5 * float(level.noise[at]))  # five equal games are no certainty
    error = _SURE * noise / float(np.sqrt(len(known)))
    mean, median = float(known.mean()), float(quantiles[PROBABILITIES.index(0.5)])
    low, high = mean - error, mean + error
    shown = (max(low, 0.0), min(high, 1.0)) if trait.share else (low, high)
    return Row(
        trait,
        len(known),
        Interval(mean, *shown),
        tuple(map(float, quantiles)),
        Interval(*((each - median) / spread for each in (mean, low, high))),
        float(np.interp(mean, quantiles, PROBABILITIES)),
    )


def _among(data: Data, player: Player, own: set[int], watch: Watching) -> Reference:
    """People of the player's level in one's own data, the player's own games left out. Raises BadInput."""
    tally, parts = Tally(), list[tuple[Columns, NDArray[np.float32]]]()
    with watch(data.bytes_total, "games") as meter:
        for games in read_columns(data, tally, report=lambda done: meter.show(done, tally.games)):
            parts.append((games, measure_traits(games)))
    if not parts:
        raise BadInput("--among: no game could be used")
    games, traits = join([each for each, _ in parts]), np.concatenate([each for _, each in parts])
    hidden = np.array([int(each) in own for each in games.content], dtype=np.bool_)
    far = np.abs(games.ratings - player.rating) > _NEAR if player.rating is not None else np.zeros_like(hidden)[:, None]
    names = np.where(hidden[:, None] | far, "", games.names)
    near = replace(games, names=names, ratings=np.full_like(games.ratings, np.nan))  # one group of all who are near
    found = make_reference([(near, traits)])
    if not found:
        raise BadInput(
            f"--among: fewer than {_LEAST_OTHERS} people of this level (within {_NEAR:.0f} points) have ten games there"
        )
    return found
