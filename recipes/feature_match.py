"""Do minds play in people's style? python recipes/feature_match.py PEOPLE TARGETS POOL COUNT MIND…

Of COUNT people of a pool (PEOPLE and TARGETS as `hitonami data people` made them, in an order that names do not tell),
60 decisions each from ply 10 on, of their latest 60 games that are no bullet; nobody here taught a network or a fit.
"""

import sys
from hashlib import sha256
from pathlib import Path

import numpy as np

from hitonami.core import Effort
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import movers_of
from hitonami.specs import open_mind
from hitonami.style.feature_match import expected_traits, match_people
from hitonami.traits import traits_of

GAME, GAMES = "chess", 60
FIRST_PLY = 10
FILTER = parse_filter("no-bullet,rated-both")


def decisions(people: str, targets: Path, pool: str, count: int) -> list[list[Sample]]:
    order = sorted(read_targets(targets)[pool], key=lambda name: sha256(name.encode()).digest())
    held: dict[str, list] = {name: [] for name in order}
    for found in open_data([people], GAME, named=True).games(Tally()):
        for side, player in enumerate(found.record.players):
            if player.pool == pool and player.name in held and FILTER.keeps_game(found.record):
                held[player.name].append((found.record.date, found.content, found.record, side))
    drawn, rng = [], np.random.default_rng(0)
    for name in order:
        own = []
        for _, _, record, side in sorted(held[name], key=lambda each: each[:2])[-GAMES:]:
            plies = np.flatnonzero(movers_of(record) == side)
            plies = plies[plies >= FIRST_PLY]
            if len(plies):
                own += samples_at(record, [int(rng.choice(plies))])
        if len(own) >= GAMES // 2 and len(drawn) < count:
            drawn.append(own)
    return drawn


def main(people: str, targets: Path, pool: str, count: int, minds: list[str]) -> None:
    drawn = decisions(people, targets, pool, count)
    print(f"{len(drawn)} people, {sum(map(len, drawn)):,} decisions", flush=True)
    names = traits_of(GAME).own.weighed  # type: ignore[attr-defined]
    for text in minds:
        with open_mind(text) as mind:
            found = [expected_traits(mind, own, Effort.seeded()) for own in drawn]
        own, model = (np.stack([each[at] for each in found]) for at in (0, 1))
        for match in match_people(names, own, model):
            rmse = match.rmse
            print(f"{text} {match.name} {rmse.value:.3f} ({rmse.low:.3f} … {rmse.high:.3f}) r {match.correlation:+.2f}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5:])
