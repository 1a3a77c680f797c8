"""A whole run of the classifier: people's games drawn, programs' games played, both shown, told apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hitonami.core import open_game
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Data, Tally, open_data
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import is_rank
from hitonami.judging.unmask import FIRST_PLY, Shown, Unmasked, show_games, unmask
from hitonami.matches.alone import Alone, play_alone
from hitonami.matches.entrants import Entrant, read_entrant
from hitonami.progress import Progress, Watching
from hitonami.records import Record
from hitonami.specs import Room

_POINTS, _RANKS = 200.0, 2.0
"""Within which people are of a program's level."""


@dataclass(frozen=True)
class UnmaskWish:
    """What is asked for. Agents are written `M@R`."""

    game: str
    agents: tuple[str, ...]
    people: int = 100
    """Games of people, at most."""
    games: int = 40
    """Of each agent."""
    plies: int = 50
    mind: str = "human"
    """Who sees how likely moves are."""
    pool: str = ""
    split: SplitChoice = "all"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.plies < FIRST_PLY + 8:
            raise BadInput(f"games of {self.plies} moves show too little: {FIRST_PLY + 8} at least")


@dataclass(frozen=True)
class UnmaskRun:
    """Everything that one run found."""

    wish: UnmaskWish
    found: Unmasked


def run_unmask(wish: UnmaskWish, data: Sequence[str], watch: Watching) -> UnmaskRun:
    """Do all of it. Raises BadInput for what cannot be used."""
    game = open_game(wish.game).name
    entrants = [read_entrant(each, wish.pool, game) for each in wish.agents]
    people = draw_people(open_data(data, game), wish, entrants, watch)
    with Room() as room:
        mind = room.open(wish.mind)
        records = {"": people} | _play(room, wish, entrants, watch)
        shown: dict[str, Shown] = {}
        with watch(sum(map(len, records.values())), "games") as meter:
            behind = 0
            for name, own in records.items():
                shown[name] = show_games(own, mind, wish.plies, _onwards(meter, behind))
                behind += len(own)
    return UnmaskRun(wish, unmask(shown.pop(""), shown, seed=wish.seed))


def _play(room: Room, wish: UnmaskWish, entrants: Sequence[Entrant], watch: Watching) -> dict[str, list[Record]]:
    """The games of each program against itself."""
    wanted = Alone(open_game(wish.game).name, wish.games, wish.plies, 0, wish.seed)
    of_one, made = wish.games * wish.plies, dict[str, list[Record]]()
    with watch(of_one * len(entrants), "moves") as meter:
        for at, each in enumerate(entrants):
            made[each.name] = play_alone(room, wanted, each, _onwards(meter, at * of_one))
    return made


def _onwards(meter: Progress, behind: int) -> Callable[[int], None]:
    """Tells a progress what is done beyond what lies behind."""

    def show(done: int) -> None:
        meter.show(behind + done, behind + done)

    return show


def draw_people(data: Data, wish: UnmaskWish, entrants: Sequence[Entrant], watch: Watching) -> list[Record]:
    """Games between people of the agents' levels that are long enough, by the hashes of games. Raises BadInput."""
    levels = [each.rating for each in entrants if each.rating is not None]
    tally, found = Tally(), dict[int, Record]()
    with watch(data.bytes_total, "games") as meter:
        for each in data.games(tally, wish.split, lambda done: meter.show(done, tally.games)):
            if len(each.record.moves) >= wish.plies and _fits(each.record, levels):
                found[each.content] = each.record
    if len(found) < 2 * 2:
        raise BadInput(f"games of people of these levels with {wish.plies} moves: {len(found)}; give more of them")
    contents = np.array(list(found), dtype=np.uint64)
    order = np.argsort(scatter(contents, wish.seed), kind="stable")[: wish.people]
    return [found[int(contents[at])] for at in order]


def _fits(record: Record, levels: Sequence[float]) -> bool:
    """Both are people, and both of one program's level."""
    if any(player.kind == "bot" for player in record.players):
        return False
    ratings = [player.rating for player in record.players]
    if not levels or all(rating is None for rating in ratings):
        return True
    return any(
        all(rating is not None and abs(rating - level) <= _near(level) for rating in ratings) for level in levels
    )


def _near(level: float) -> float:
    return _RANKS if is_rank(level) else _POINTS
