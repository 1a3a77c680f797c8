"""Learn a signature and tell people apart: python recipes/signature.py GAME OUT TARGETS PEOPLE… -- BASE…

BASE are datasets without the people who are studied, PEOPLE those with only theirs, TARGETS who they are (all made by
`hitonami data people`). OUT is a file as `style/signatures/GAME.npz`; if it is there, it is only measured.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from hitonami.dataset.columns import Columns, join, read_columns
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.evaluate.intervals import Interval
from hitonami.style.identification import identify, share_found
from hitonami.style.learn_signature import Lesson, choose_seats, learn_signature, people_of
from hitonami.style.signature import read_signature, write_signature
from hitonami.traits import measure_traits

AMONG = 100
"""People to tell apart, those with the most games first."""
LESSON = Lesson(most_games=40)


def read(game: str, data: list[str]) -> Columns:
    return join(list(read_columns(open_data(data, game, named=True), Tally())))


def learn(game: str, data: list[str], out: Path) -> None:
    games = read(game, data)
    taught = choose_seats(people_of(games), LESSON)
    print(f"{len(taught.counts):,} people teach by {len(taught.seats):,} games", flush=True)
    found = learn_signature(games, measure_traits(games), taught, LESSON)
    told = {
        "data": sorted(Path(each).name for each in data),
        "people": len(taught.counts),
        "games": len(taught.seats),
        "people_studied": "none of their games",
    }
    write_signature(replace(found, provenance=told), out)


def measure(game: str, out: Path, targets: Path, data: list[str]) -> None:
    signature, games = read_signature(out), read(game, data)
    vectors = signature.embed(games).reshape(2 * len(games), -1)
    names, pools = games.names.ravel(), games.pools.ravel()
    dates = np.repeat(games.dates, 2)
    for pool, wanted in read_targets(targets).items():
        seats = [np.flatnonzero((names == name) & (pools == pool)) for name in wanted]
        seats = [own[np.argsort(dates[own], kind="stable")] for own in seats]
        for count in (1, 10, 100):
            people = sorted((own for own in seats if len(own) >= 2 * count), key=len, reverse=True)[:AMONG]
            if len(people) < 2:
                continue
            for draw in ("far", "random"):
                hits = share_found(identify(signature.match, vectors, people, (count, count), draw))
                print(f"{pool}: {count} of {count} games, {draw}, among {len(people)}: {show(hits)}", flush=True)
        people = [own for own in seats if len(own) >= 110]
        for asked in (1, 10) if len(people) > 1 else ():
            hits = share_found(identify(signature.match, vectors, people, (100, asked), "random"))
            print(f"{pool}: {asked} of 100 games, random, among {len(people)}: {show(hits)}", flush=True)


def show(hits: Interval) -> str:
    return f"{100 * hits.value:.1f}% ({100 * hits.low:.1f} … {100 * hits.high:.1f})"


if __name__ == "__main__":
    game, out, targets, *rest = sys.argv[1:]
    at = rest.index("--")
    if not Path(out).is_file():
        learn(game, rest[at + 1 :], Path(out))
    measure(game, Path(out), Path(targets), rest[:at])
