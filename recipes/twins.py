"""What twins are worth, people as the unit: python recipes/twins.py PEOPLE TARGETS OUT [GAME]

PEOPLE is the folder of datasets with the games of those who are studied, TARGETS who they are: both made by
`hitonami data people`, so that no network and no fit has seen them. Of each person the latest 160 games that are no
bullet are taken, by date: twins learn from the last 20, 50 and 100 of the first hundred, and are asked about decisions
of the other sixty. What the base thinks is asked once and kept in OUT; a run that was ended goes on.
"""

import sys
from collections import defaultdict
from hashlib import sha256
from pathlib import Path

from hitonami.core import open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.habits import habits_of
from hitonami.sights import COMMON
from hitonami.specs import open_mind
from hitonami.style.decisions import ask_decisions, draw_plies, played_scenes
from hitonami.style.learning import learn
from hitonami.style.person import OwnGame
from hitonami.style.unseen import Unseen, act_out, pool_people
from hitonami.twins.twin import seen_in

WANTED = {"lichess": 32, "fide": 20, "chess.com": 10}
"""How many people of each pool; of other pools all."""
LEARNED, UNSEEN = 100, 60
QUERIES = (20, 50, 100)
PER_LEARNED, PER_UNSEEN = 8, 4
"""Decisions of a game: all of them would take days."""
FILTER = parse_filter("no-bullet,rated-both,no-handicap")


def own_games(people: Path, targets: Path, game: str) -> list[list[OwnGame]]:
    """The latest games of each chosen person, in an order that names do not tell."""
    wanted = {(pool, name) for pool, names in read_targets(targets).items() for name in names}
    held: dict[tuple[str, str], dict[int, OwnGame]] = defaultdict(dict)
    for found in open_data([str(people)], game, named=True).games(Tally()):
        if not FILTER.keeps_game(found.record):
            continue
        for side, player in enumerate(found.record.players):
            if (player.pool, player.name or "") in wanted:
                held[player.pool, player.name or ""][found.content] = OwnGame(found.content, found.record, side)
    chosen: dict[str, list[list[OwnGame]]] = defaultdict(list)
    for (pool, _), games in sorted(held.items(), key=lambda each: sha256(repr(each[0]).encode()).digest()):
        if len(games) >= LEARNED + UNSEEN and len(chosen[pool]) < WANTED.get(pool, len(held)):
            latest = sorted(games.values(), key=lambda each: (each.record.date, each.content))
            chosen[pool].append(latest[-LEARNED - UNSEEN :])
    return [person for people in chosen.values() for person in people]


def main(people: Path, targets: Path, out: Path, game: str) -> None:
    columns, kinds = (*seen_in(game).columns, *COMMON), habits_of(game).kinds
    found: dict[int, list[Unseen]] = {query: [] for query in QUERIES}
    with open_mind("human") as mind:
        for at, games in enumerate(own_games(people, targets, game)):
            learned, unseen = games[:LEARNED], games[LEARNED:]
            plies = draw_plies(learned, PER_LEARNED * LEARNED), draw_plies(unseen, PER_UNSEEN * UNSEEN)
            asked = ask_decisions(list(zip(learned, plies[0], strict=True)), mind, out / f"{at:03d}-learned", {})
            test = ask_decisions(list(zip(unseen, plies[1], strict=True)), mind, out / f"{at:03d}-unseen", {})
            for query in QUERIES:
                first = LEARNED - query
                twin = learn(asked.since(first), played_scenes(learned[first:]), columns, kinds)
                found[query].append(act_out(twin, test, [size for _, size in kinds]))
            print(at, games[0].player.pool, len(asked) + len(test), flush=True)
    for query, each in found.items():
        for name, first in (("all plies", 0), ("from ply 10 on", 10)):
            points, nats, n = pool_people([person.late(first) for person in each])
            print(f"{query} games, {name}: {points} points, {nats} nats, {len(each)} people, n = {n:,}")
        print(f"{query} games: {sum(person.is_worse for person in each)} worse beyond their own interval")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), open_game((*sys.argv[4:], "chess")[0]).name)
