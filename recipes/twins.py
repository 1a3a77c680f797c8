"""What twins are worth, people as the unit: python recipes/twins.py PEOPLE OUT [options]

PEOPLE is a folder of datasets, `--targets FILE` who is studied: both made by `hitonami data people`, so that no network
and no fit has seen them; without a list it is whoever has games enough. Of each person the latest games that are no
bullet are taken, by date: twins learn from the last of the first ones, and are asked about decisions of the others.
What the base thinks is asked once and kept in OUT, as is what each twin was worth: a run that was ended goes on.
Outcomes go to OUT/outcome.json.

    python recipes/twins.py people OUT --targets targets.json --pool lichess:32 --pool fide:20 --unseen 60
    python recipes/twins.py people OUT --game go --pool kgs:24 --unseen 60 --per-learned 5 --mind one-view.toml
    python recipes/twins.py people OUT --game othello --targets targets.json --pool wthor:40 --unseen 40 --per-unseen 6
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from hitonami import disk
from hitonami.core import Mind, open_game
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.people import read_targets
from hitonami.dataset.reading import Tally, open_data
from hitonami.evaluate.intervals import Interval
from hitonami.habits import habits_of
from hitonami.sights import COMMON
from hitonami.specs import open_mind
from hitonami.style.decisions import Decisions, ask_decisions, draw_plies, played_scenes, read_decisions
from hitonami.style.learning import Prior, learn, plain_prior
from hitonami.style.person import OwnGame
from hitonami.style.prior import fit_prior, lean_on_similar, nearest
from hitonami.style.unseen import Unseen, act_out, diverge, pool_means, pool_people
from hitonami.twins.twin import seen_in

FILTER = parse_filter("no-bullet,no-handicap")


def own_games(asked: argparse.Namespace) -> list[list[OwnGame]]:
    """The latest games of each chosen person, in an order that names do not tell."""
    targets = None if asked.targets is None else read_targets(asked.targets)
    wanted = None if targets is None else {(pool, name) for pool, names in targets.items() for name in names}
    most = dict(each.split(":") for each in asked.pool)
    held: dict[tuple[str, str], dict[int, OwnGame]] = defaultdict(dict)
    for found in open_data([str(asked.people)], asked.game, named=True).games(Tally()):
        if not FILTER.keeps_game(found.record):
            continue
        for side, player in enumerate(found.record.players):
            who = player.pool, player.name or ""
            if who[1] and player.kind != "bot" and (wanted is None or who in wanted) and (not most or who[0] in most):
                held[who][found.content] = OwnGame(found.content, found.record, side)
    chosen: dict[str, list[list[OwnGame]]] = defaultdict(list)
    for (pool, _), games in sorted(held.items(), key=lambda each: sha256(repr(each[0]).encode()).digest()):
        if len(games) >= asked.learned + asked.unseen and len(chosen[pool]) < int(most.get(pool, len(held))):
            latest = sorted(games.values(), key=lambda each: (each.record.date, each.content))
            chosen[pool].append(latest[-asked.learned - asked.unseen :])
    return [person for people in chosen.values() for person in people]


def ask(asked: argparse.Namespace, at: int, games: list[OwnGame], mind: Mind) -> tuple[Decisions, Decisions]:
    """What the base thinks of the games that are learned from, and of the unseen ones."""
    learned, unseen = games[: asked.learned], games[asked.learned :]
    parts: list[Decisions] = []
    for name, some, each in (("learned", learned, asked.per_learned), ("unseen", unseen, asked.per_unseen)):
        if not some:  # nothing is to be measured: these are only learned from
            return parts[0], parts[0]
        drawn = list(zip(some, draw_plies(some, each * len(some)), strict=True))
        parts.append(ask_decisions(drawn, mind, asked.out / f"{at:03d}-{name}", {"mind": asked.mind}))
    return parts[0], parts[1]


def show(found: Interval, digits: int = 1) -> str:
    return f"{found.value:+.{digits}f} ({found.low:+.{digits}f} … {found.high:+.{digits}f})"


class Study:
    """What twins of several sorts and sizes were worth to each person."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.columns, self.kinds = (*seen_in(asked.game).columns, *COMMON), habits_of(asked.game).kinds
        self.sizes = [size for _, size in self.kinds]
        self.learned, self.queries, self.similar = asked.learned, asked.queries, asked.similar
        self.others = (
            [read_decisions(folder) for folder in sorted(asked.among.glob("*-learned"))] if asked.among else []
        )
        self.prior = fit_prior(self.others, self.sizes) if self.others else None
        self.unseen: dict[tuple[str, int], list[Unseen]] = defaultdict(list)
        self.divergences: dict[tuple[str, int], list[Any]] = defaultdict(list)

    def priors(self, own: Decisions) -> dict[str, Prior | None]:
        """Own games alone; with what many people are like; after the games of those who play most alike, over both."""
        if self.prior is None:
            return {"own games alone": None}
        near = [self.others[at] for at in nearest(own, self.others, self.prior, self.sizes, self.similar)]
        plain = replace(plain_prior(own, self.sizes), shift=self.prior.shift, scale=self.prior.scale)
        return {
            "own games alone": None,
            "prior of many": self.prior,
            "similar, then own": lean_on_similar(plain, near, self.sizes),
            "prior, similar, then own": lean_on_similar(self.prior, near, self.sizes),
        }

    def add(self, games: list[OwnGame], asked: Decisions, unseen: Decisions, folder: Path) -> None:
        """What came of each twin is kept in the folder of the unseen decisions, by what it depends on."""
        later = list(played_scenes(games[self.learned :]).values())[-1]
        for query in self.queries:
            first = self.learned - query
            own, played = asked.since(first), played_scenes(games[first : self.learned])
            for name, prior in self.priors(own).items():
                told = [name, query, len(own), *((len(self.others), self.similar) if prior else ())]
                path = folder / f"twin-{sha256(repr(told).encode()).hexdigest()[:16]}.npz"
                if not path.is_file():
                    twin = learn(own, played, self.columns, self.kinds, priors=() if prior is None else (prior,))
                    found = vars(act_out(twin, unseen, self.sizes))
                    with disk.replacing(path) as file:
                        np.savez(file, far=diverge(twin, unseen, later, self.sizes), **found)
                with np.load(path) as held:
                    self.unseen[name, query].append(Unseen(*(held[each] for each in ("ply", "game", "points", "nats"))))
                    self.divergences[name, query].append(held["far"])

    def outcome(self) -> list[dict[str, Any]]:
        """A row for each sort, number of games and part of them, told and returned."""
        rows: list[dict[str, Any]] = []
        for (name, query), people in self.unseen.items():
            for plies, first in (("all plies", 0), ("from ply 10 on", 10)):
                points, nats, n = pool_people([person.late(first) for person in people])
                head = {"twin": name, "games": query, "plies": plies, "people": len(people), "n": n}
                rows.append(head | {"points": list(vars(points).values()), "nats": list(vars(nats).values())})
                found = f"{show(points)} points, {show(nats, 3)} nats"
                print(f"{name}, {query} games, {plies}: {found}, {len(people)} people, n = {n:,}")
            rows[-1]["worse"] = sum(person.is_worse for person in people)
            print(f"{name}, {query} games: {rows[-1]['worse']} worse beyond their own interval")
            rows[-1]["divergence_bits"] = self._diverged(name, query)
            if name != "own games alone":
                self._against(rows, name, query)
        return rows

    def _diverged(self, name: str, query: int) -> list[list[float]]:
        """Of base and twin and between them, in bits."""
        far = [each for each in self.divergences[name, query] if len(each)]
        if not far:
            return []
        apart = [each[:, 1] - each[:, 0] for each in far]
        base, twin, off = (
            pool_means(part) for part in ([each[:, 0] for each in far], [each[:, 1] for each in far], apart)
        )
        count = sum(map(len, far))
        print(
            f"{name}, {query} games: divergence {show(base, 3)} bits of the base, {show(twin, 3)} of the twin, "
            f"{show(off, 3)} apart, {count} there"
        )
        return [list(vars(each).values()) for each in (base, twin, off)]

    def _against(self, rows: list[dict[str, Any]], name: str, query: int) -> None:
        """The same decisions by a twin of own games alone."""
        pairs = list(zip(self.unseen[name, query], self.unseen["own games alone", query], strict=True))
        both = [replace(one, points=one.points - other.points, nats=one.nats - other.nats) for one, other in pairs]
        for plies, first in (("all plies", 0), ("from ply 10 on", 10)):
            points, nats, n = pool_people([person.late(first) for person in both])
            rows.append(
                {
                    "twin": name,
                    "against": "own games alone",
                    "games": query,
                    "plies": plies,
                    "n": n,
                    "points": list(vars(points).values()),
                    "nats": list(vars(nats).values()),
                }
            )
            print(f"  against own games alone, {query} games, {plies}: {show(points)} points, {show(nats, 3)} nats")


def parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("people", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--game", type=lambda name: open_game(name).name, default="chess")
    parser.add_argument("--targets", type=Path)
    parser.add_argument("--pool", action="append", default=[], help="POOL:PEOPLE; else all of all pools")
    parser.add_argument("--mind", default="human")
    parser.add_argument("--learned", type=int, default=100)
    parser.add_argument("--unseen", type=int, default=60)
    parser.add_argument("--per-learned", type=int, default=10, help="decisions of a game: all of them would take days")
    parser.add_argument("--per-unseen", type=int, default=4)
    parser.add_argument("--queries", type=lambda text: [int(each) for each in text.split(",")], default=[20, 50, 100])
    parser.add_argument("--among", type=Path, help="OUT of another run, whose people teach what people are like")
    parser.add_argument("--similar", type=int, default=8, help="how many of those count as similar")
    parser.add_argument("--kept", action="store_true", help="only people who were asked about in an earlier run")
    parser.add_argument("--only-ask", action="store_true", help="stop before anything is learned")
    return parser.parse_args(words)


def main(asked: argparse.Namespace) -> None:
    asked.queries = [query for query in asked.queries if query <= asked.learned]
    people = own_games(asked)
    print(f"{len(people)} people", flush=True)
    study = None if asked.only_ask else Study(asked)
    with open_mind(asked.mind) as mind:
        for at, games in enumerate(people):
            if asked.kept and not (asked.out / f"{at:03d}-unseen" / "block-00000.npz").exists():
                continue
            parts = ask(asked, at, games, mind)
            print(at, games[0].player.pool, *map(len, parts), flush=True)
            if study is not None:
                study.add(games, *parts, asked.out / f"{at:03d}-unseen")
    if study is not None:
        disk.write_text(asked.out / "outcome.json", json.dumps(study.outcome(), indent=1))


if __name__ == "__main__":
    main(parse())
