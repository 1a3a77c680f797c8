"""Players rated from their moves, or a calibration of that fitted or measured: whole runs. Prints nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitonami.core import Effort, open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadInput
from hitonami.models.shipped import shipped_models
from hitonami.progress import Watching
from hitonami.specs import Room, base_of
from hitonami.strength.fit import Measured, Played, measure
from hitonami.strength.rating_of import (
    DEFAULT_GAMES,
    DEFAULT_MOVES,
    Person,
    Rated,
    Rater,
    Wanted,
    check_levels,
    draw_people,
    find_people,
)
from hitonami.strength.run import NETWORK, Collecting, standing_on

Tell = Callable[[str], None]


@dataclass(frozen=True)
class RateWish:
    """Whose moves are asked about, and how many; `split` and `least_games` are of a fit or a measurement.

    Without a split a fit reads validation games, and a measurement test games.
    """

    game: str
    files: tuple[str, ...]
    names: tuple[str, ...] = ()
    pool: str = ""
    most_games: int = DEFAULT_GAMES
    most_moves: int = DEFAULT_MOVES
    mind: str = "human"
    most_people: int | None = None
    split: SplitChoice | None = None
    least_games: int = 1
    cache: Path | None = None
    is_even: bool = False
    with_opponents: bool = False
    filter_text: str = ""
    """Which games count; all where it is empty."""

    def __post_init__(self) -> None:
        parse_filter(self.filter_text)
        if not self.most_moves and not self.with_opponents:
            raise BadInput("without moves there are only opponents to go by: --moves 0 needs --opponents")

    @property
    def measured_split(self) -> SplitChoice:
        return self.split or "test"

    @property
    def collecting(self) -> Collecting:
        """Raises BadInput without a pool."""
        if not self.pool:
            raise BadInput("a calibration belongs to one pool: name it with --pool")
        return Collecting(
            open_game(self.game).name,
            self.pool,
            self.most_people,
            self.most_moves,
            self.least_games,
            self.cache,
            base_of(self.mind),
            self.is_even,
            self.with_opponents,
        )


@dataclass(frozen=True)
class RatedRun:
    """Everybody who was rated, and what was read."""

    game: str
    mind: str
    rated: list[Rated]
    tally: Tally


def rate_players(wish: RateWish, watch: Watching, told: Tell) -> RatedRun:
    """Rate everybody; `told` hears what is wrong with the data. Interrupted, it tells of the players done."""
    people, tally = _find(wish, "all", watch, told)
    game = open_game(wish.game).name
    return RatedRun(game, wish.mind, _rate(game, draw_people(people, wish.most_people), wish, watch, told), tally)


def fit_ratings(wish: RateWish, path: Path, watch: Watching, told: Tell) -> dict[str, Any]:
    """Write the calibration of the pool, from games of one half of the players; what it was made from."""
    collecting, split = wish.collecting, wish.split or "validation"
    own = collecting.people_of(_find(wish, split, watch, told)[0], 0)
    if wish.with_opponents:
        return collecting.fit_company(collecting.drawn_of(own), path, split)
    return collecting.fit(_collect(collecting, own, watch), own, path, split)


def measure_ratings(wish: RateWish, watch: Watching, told: Tell) -> list[Measured]:
    """How far the packaged calibration's estimates are from the recorded ratings of the other half."""
    collecting = wish.collecting
    people = _find(wish, wish.measured_split, watch, told)[0]
    calibration = collecting.calibration
    if wish.with_opponents and calibration.company is None:
        raise BadInput(f"nothing is known of opponents in {wish.game}, pool {wish.pool}: --fit with --opponents")
    games = _collect(collecting, collecting.people_of(people, 1), watch)
    return measure(games, calibration, with_opponents=wish.with_opponents)


def _find(wish: RateWish, split: SplitChoice, watch: Watching, told: Tell) -> tuple[list[Person], Tally]:
    name, tally = open_game(wish.game).name, Tally()
    check_levels(name)
    data = open_data(wish.files, name, named=True)
    wanted = Wanted(wish.pool, wish.names, wish.most_games, split, parse_filter(wish.filter_text))
    with watch(data.bytes_total, "games") as meter:
        people = find_people(data, wanted, tally, meter.show)
    for complaint in tally.complaints():
        told(complaint)
    if not people:
        kept = f" that {wish.filter_text} keeps" if wish.filter_text else ""
        everybody = f"no such player in {tally.games:,} games{kept}: {', '.join(wish.names)}"
        raise BadInput(everybody if wish.names else f"nobody but bots in {tally.games:,} games{kept}")
    return people, tally


def _rate(game: str, people: list[Person], wish: RateWish, watch: Watching, told: Tell) -> list[Rated]:
    packaged, base = wish.mind == "human", base_of(wish.mind)
    room, rated = Room(), list[Rated]()
    try:
        expert = room.open("expert") if packaged and game in shipped_models("expert") else None
        human = room.open(NETWORK if packaged else NETWORK | {"base": base} if base else wish.mind)
        known = packaged or bool(base)
        standing = standing_on(room, base)
        rater = Rater(game, human, expert, known, wish.most_moves, None, standing, wish.with_opponents)
        with watch(len(people), "players") as meter:
            for each in rater.rate(people, Effort.seeded()):
                rated.append(each)
                meter.show(len(rated), len(rated))
    except KeyboardInterrupt:
        if not rated:
            raise
        told(f"interrupted after {len(rated):,} of {len(people):,} players")
    finally:
        room.close()
    return rated


def _collect(collecting: Collecting, own: Sequence[Person], watch: Watching) -> list[Played]:
    drawn = collecting.drawn_of(own)
    with watch(len(drawn), "games") as meter:
        return collecting.games_of(drawn, meter.show)
