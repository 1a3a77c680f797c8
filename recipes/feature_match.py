"""Do minds play in people's style? python recipes/feature_match.py PEOPLE TARGETS POOL COUNT MIND…

Of COUNT people of a pool (PEOPLE and TARGETS as `hitonami data people` made them, in an order that names do not tell),
60 decisions each from ply 10 on, of their latest 60 games that are no bullet; nobody here taught a network or a fit.
The MIND `twin` is each person's own, over `human`, from five decisions of each of the hundred games before those.
"""

import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import numpy as np

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import movers_of
from hitonami.habits import habits_of
from hitonami.sights import COMMON
from hitonami.specs import open_mind
from hitonami.style.decisions import ask_decisions, draw_plies, played_scenes
from hitonami.style.feature_match import expected_traits, match_people
from hitonami.style.learning import learn
from hitonami.style.person import OwnGame, Person
from hitonami.traits import traits_of
from hitonami.twins.twin import Twin, seen_in

GAME, GAMES, LEARNED, PER_LEARNED = "chess", 60, 100, 5
FIRST_PLY = 10
FILTER = parse_filter("no-bullet,rated-both")


def own_games(people: str, targets: Path, pool: str, count: int) -> list[list[OwnGame]]:
    """The latest games of each person, oldest first."""
    order = sorted(read_targets(targets)[pool], key=lambda name: sha256(name.encode()).digest())
    held: dict[str, list[OwnGame]] = {name: [] for name in order}
    for found in open_data([people], GAME, named=True).games(Tally()):
        for side, player in enumerate(found.record.players):
            if player.pool == pool and player.name in held and FILTER.keeps_game(found.record):
                held[player.name].append(OwnGame(found.content, found.record, side))
    whole = [own for own in held.values() if len(own) >= GAMES + LEARNED][:count]
    return [sorted(own, key=lambda each: (each.record.date, each.content))[-GAMES - LEARNED :] for own in whole]


def draw(games: list[OwnGame], rng: np.random.Generator) -> list[Sample]:
    """One decision of each game."""
    own = []
    for game in games:
        plies = np.flatnonzero(movers_of(game.record) == game.side)
        plies = plies[plies >= FIRST_PLY]
        if len(plies):
            own += samples_at(game.record, [int(rng.choice(plies))])
    return own


def make_twin(games: list[OwnGame], base: Mind) -> Mind:
    drawn = list(zip(games, draw_plies(games, PER_LEARNED * len(games)), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        held = ask_decisions(drawn, base, Path(folder) / "asked", {})
    columns = (*seen_in(GAME).columns, *COMMON)
    found = learn(held, played_scenes(games), columns, habits_of(GAME).kinds)
    twin = Twin("twin", GAME, Person(tuple(games), 0, Tally()).player, found.leanings, found.memories)

    def ask(queries: list[Query], effort: Effort) -> list[Opinion]:
        told = [twin.told(query) for query in queries]
        return twin.adapt(told, base(told, effort))

    return ask  # type: ignore[return-value]


def main(people: str, targets: Path, pool: str, count: int, minds: list[str]) -> None:
    rng, games = np.random.default_rng(0), own_games(people, targets, pool, count)
    drawn = [draw(own[LEARNED:], rng) for own in games]
    print(f"{len(drawn)} people, {sum(map(len, drawn)):,} decisions", flush=True)
    names = traits_of(GAME).own.weighed  # type: ignore[attr-defined]
    for text in minds:
        with open_mind("human" if text == "twin" else text) as base:
            found = []
            for own, samples in zip(games, drawn, strict=True):
                mind = make_twin(own[:LEARNED], base) if text == "twin" else base
                found.append(expected_traits(mind, samples, Effort.seeded()))
                print(text, len(found), end="\r", file=sys.stderr, flush=True)
        own_traits, model = (np.stack([each[at] for each in found]) for at in (0, 1))
        for match in match_people(names, own_traits, model):
            rmse = match.rmse
            print(f"{text} {match.name} {rmse.value:.3f} ({rmse.low:.3f} … {rmse.high:.3f}) r {match.correlation:+.2f}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5:])
