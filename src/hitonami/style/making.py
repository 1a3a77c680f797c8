"""Make a twin: a person's games, what a base thinks of their decisions, what they do otherwise, a small file.

Needs nothing beyond what playing needs. What was asked is kept until the twin is there, so that a run that was ended
in any way goes on where it was; then it is removed. A twin of that name stays until the new one is whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from hitonami import disk
from hitonami.core import Mind, open_game
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval
from hitonami.habits import habits_of
from hitonami.minds import default_mind
from hitonami.progress import Watching
from hitonami.sights import COMMON
from hitonami.specs import Room, mind_spec
from hitonami.style.among import LEAST_OF_OTHERS, OF_OTHERS, find_others, priors_among
from hitonami.style.decisions import Decisions, ask_decisions, draw_plies, played_scenes
from hitonami.style.learning import ROUND, Learned, learn
from hitonami.style.person import Person, find_person
from hitonami.style.readiness import Readiness, read_readiness
from hitonami.twins.store import MOST_BYTES, check_name, pack, work_folder, write_twin
from hitonami.twins.twin import Memory, Twin, seen_in

LEAST_GAMES: Final = 10
MOST_DECISIONS: Final = 4_000
_LATE: Final = 10
_SURE: Final = 1.96
_FEWER: Final = 0.7


@dataclass(frozen=True)
class TwinWish:
    """What is asked for."""

    game: str
    name: str
    player: str = ""
    """Whose games; else of who is in nearly all of them."""
    games: int = 500
    """The latest ones, at most."""
    mind: str = ""
    """The base; else what the game has."""
    decisions: int = MOST_DECISIONS
    store: Path | None = None
    """Where to keep it; else where the user's twins are."""
    among: tuple[str, ...] = ()
    """Games of other people, of whom those who play alike are learned from first."""


@dataclass(frozen=True)
class Worth:
    """What the twin gains over its base on games that were held back from it, with intervals over games."""

    points: Interval
    nats: Interval
    """Of cross-entropy, below 0 where the twin is nearer."""
    n: int


@dataclass(frozen=True)
class Made:
    """A twin that was made."""

    twin: Twin
    size_bytes: int
    games: int
    decisions: int
    person: Person
    worth: Worth
    late: Worth | None
    """From ply 10 on."""
    ready: Readiness


def make_twin(wish: TwinWish, arguments: Sequence[str], watch: Watching) -> Made:
    """All of it. Input that cannot be used is refused before anything is asked. Raises BadInput."""
    check_name(wish.name)
    game = open_game(wish.game).name
    mind = wish.mind or default_mind(game)
    spec = repr(mind_spec(mind))
    data = open_data(arguments, game, named=True)
    with watch(data.bytes_total, "games") as meter:
        person = find_person(data, wish.player, meter.show)
    if len(person.games) < LEAST_GAMES:
        found = "1 game" if len(person.games) == 1 else f"{len(person.games)} games"
        raise BadInput(f"{found} of this person: a twin needs {LEAST_GAMES} at least; a hundred make a good one")
    own = person.games[-wish.games :]
    drawn, folder = list(zip(own, draw_plies(own, wish.decisions), strict=True)), work_folder(wish.name, wish.store)
    with Room() as room:
        opened = room.open(mind)
        with watch(sum(len(plies) for _, plies in drawn), "decisions") as meter:
            held = ask_decisions(drawn, opened, folder, {"game": game, "mind": spec}, meter.show)
        others = _ask_others(wish, person, opened, watch) if wish.among else []
    habits, columns = habits_of(game), (*seen_in(game).columns, *COMMON)
    priors = priors_among(held, others, [size for _, size in habits.kinds]) if others else ()
    with watch(max(len(priors), 1) * ROUND + 1, "fits") as meter:
        learned = learn(held, played_scenes(own), columns, habits.kinds, meter.show, priors=priors)
    worth, late = measure_worth(held, learned, 0), measure_worth(held, learned, _LATE)
    if worth is None:
        raise BadInput("no decision is left")
    made = {
        "mind": mind,
        "games": len(own),
        "decisions": len(held),
        "chosen": learned.chosen,
        "others": len(others),
        "nats": round(worth.nats.value, 5),
        "points": [round(each, 2) for each in (worth.points.value, worth.points.low, worth.points.high)],
    }
    ready = read_readiness(own)
    twin = Twin(wish.name, game, person.player, learned.leanings, learned.memories, made, round(ready.log_odds, 3))
    twin = _within_bounds(twin)
    path = write_twin(twin, wish.store)
    disk.remove_tree(folder)
    return Made(twin, path.stat().st_size, len(own), len(held), person, worth, late, ready)


def _ask_others(wish: TwinWish, person: Person, mind: Mind, watch: Watching) -> list[Decisions]:
    """What the base thinks of some decisions of other people, of a level like the person's. Raises BadInput."""
    data = open_data(wish.among, person.games[0].record.game, named=True)
    with watch(data.bytes_total, "games") as meter:
        people = find_others(data, person, meter.show)
    if not people:
        raise BadInput(
            f"nobody else in {', '.join(wish.among)} has {LEAST_OF_OTHERS} games: there is nobody to compare with"
        )
    folder, asked = work_folder(wish.name, wish.store), []
    with watch(len(people) * OF_OTHERS, "decisions") as meter:
        for at, games in enumerate(people):
            drawn = list(zip(games, draw_plies(games, OF_OTHERS), strict=True))
            asked.append(ask_decisions(drawn, mind, folder / f"other-{at:03d}", {"of": wish.mind}))
            meter.show((at + 1) * OF_OTHERS, (at + 1) * OF_OTHERS)
    return asked


def _within_bounds(twin: Twin) -> Twin:
    """The same with fewer scenes, those met least left out, until it is small enough."""
    while len(pack(twin)) > MOST_BYTES:
        fewer = {scene: Memory(_most_met(memory.counts), memory.doubt) for scene, memory in twin.memories.items()}
        twin = replace(twin, memories=fewer)
    return twin


def _most_met(counts: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    order = sorted(counts, key=lambda mark: -sum(counts[mark].values()))
    return {mark: counts[mark] for mark in order[: int(_FEWER * len(order))]}


def measure_worth(held: Decisions, learned: Learned, first_ply: int) -> Worth | None:
    """On the decisions from a ply on; None where there is none."""
    rows = np.flatnonzero(held.ply >= first_ply)
    if not len(rows):
        return None
    games = np.unique(held.game[rows], return_inverse=True)[1]
    points = 100.0 * (learned.hits[rows, 1] - learned.hits[rows, 0])
    return Worth(_interval(points, games), _interval(-learned.gained[rows], games), len(rows))


def _interval(values: Any, games: Any) -> Interval:
    """The mean with 95% of its chance error over games."""
    mean, n = float(values.mean()), len(values)
    off = np.bincount(games, values - mean)
    error = float(np.sqrt(np.square(off).sum())) / n
    return Interval(mean, mean - _SURE * error, mean + _SURE * error)
