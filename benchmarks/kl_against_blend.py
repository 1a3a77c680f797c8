"""KL-regularised search against a blend, both over the same network: accuracy and likelihood of human moves by rating.

The search has the packaged human head for a prior and reads P · exp(Q / λ) off its root; Q comes from the result head
below each move, reached by PUCT over the human head at two values of c_puct. A move without a visit has the least value
seen or that of the position. The blend is human^α · expert^(1 − α). Foresight and opening counts are off: the network
alone is compared. For each group of ratings λ (with c_puct and what an unvisited move is worth) and α are chosen by
likelihood on validation; everything is reported on test, as differences from the human head, with intervals over games.
Groups are pools and bands, or, with --edge, ranges of rating over all pools. Any game whose network has both heads.

    python benchmarks/kl_against_blend.py chess DATA… --positions 100 --edge 1600 --edge 2000
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Mind, index_of
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import open_data
from hitonami.evaluate.decisions import Asked, batches_of
from hitonami.evaluate.intervals import interval_of, resample_means, sum_by_game
from hitonami.evaluate.selection import Selection, select
from hitonami.fits._searches import Memory
from hitonami.minds.puct import Puct
from hitonami.search.policy import Untried, count_visits, root_utilities
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.tree import Tree
from hitonami.specs import Room

Floats = NDArray[np.float64]
Run = tuple[str, float, Untried]
"""Whose head is searched, c_puct, and what an unvisited move is worth."""
HUMAN: Final = {"kind": "human", "foresight": False, "openings": False}
HEADS: Final[Mapping[str, Any]] = {"human": HUMAN, "expert": "expert"}
SEARCHES: Final = (("human", 2.0), ("human", 10.0))
UNTRIED: Final[tuple[Untried, ...]] = ("least", "parent")
LAMBDAS: Final = tuple(2.0 ** (step / 2) for step in range(-10, 13))
ALPHAS: Final = tuple(step / 100 for step in range(101))
FLOOR: Final = 0.02
TOGETHER: Final = 64


@dataclass(frozen=True)
class Row:
    """One decision: the heads' opinions, and what each search found, on its legal moves."""

    group: str
    game: int
    played: int
    heads: dict[str, Floats]
    values: dict[Run, Floats]
    visits: dict[tuple[str, float], Floats]


def gather(wish: argparse.Namespace, split: Split, room: Room) -> list[Row]:
    """Search every decision drawn of a split."""
    data = open_data(wish.data, wish.game)
    rows: list[Row] = []
    plan = Selection(
        wish.game, "rating", wish.positions, "maia-like", split=split, band=wish.band, seed=1, pool=wish.pool
    )
    minds = {name: room.open(spec) for name, spec in HEADS.items()}
    asked = [each for batch in batches_of(select(data, plan)) for each in batch]
    for begin in range(0, len(asked), TOGETHER):
        rows += search_rows(asked[begin : begin + TOGETHER], minds, wish)
        print(f"\r{split}: {len(rows)} of {len(asked)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return rows


def group_name(pool: str, low: float, edges: Sequence[float]) -> str:
    """The range between edges that a band begins in; without edges, the pool and the band itself."""
    if not edges:
        return f"{pool} {low:g}"
    above = [edge for edge in sorted(edges) if low >= edge]
    return f"from {above[-1]:g}" if above else f"below {min(edges):g}"


def search_rows(asked: Sequence[Asked], minds: Mapping[str, Mind], wish: argparse.Namespace) -> Iterator[Row]:
    queries, effort = [sample.query for sample, _, _ in asked], Effort.seeded()
    memories = {name: Memory(mind, [query.position for query in queries]) for name, mind in minds.items()}
    opinions = {name: memory(queries, effort) for name, memory in memories.items()}
    forests = {}
    for head, c_puct in SEARCHES:
        puct = Puct(memories[head], c_puct=c_puct, root_force=0.0, proofs=False, transpositions=False, batch=1)
        settings, _ = puct.read_knobs(queries)
        trees = [Tree(query, each, memories[head].play) for query, each in zip(queries, settings, strict=True)]
        plant(trees, memories[head], effort)
        search(trees, memories[head], Budget(wish.simulations, None, effort))
        forests[head, c_puct] = trees
    for at, (sample, group, content) in enumerate(asked):
        yield Row(
            group_name(group.pool, group.order, wish.edge),
            int(content),
            index_of(sample.query.position, sample.move),
            {name: told[at].log_probs.astype(np.float64) for name, told in opinions.items()},
            {(*key, untried): root_utilities(forests[key][at], untried) for key, untried in product(forests, UNTRIED)},
            {key: count_visits(trees[at]) for key, trees in forests.items()},
        )


def by_values(row: Row, run: Run, kl_lambda: float) -> Floats:
    return dist.normalise(row.heads["human"] + row.values[run] / kl_lambda).astype(np.float64)


def by_weight(row: Row, alpha: float) -> Floats:
    return dist.normalise(alpha * row.heads["human"] + (1 - alpha) * row.heads["expert"]).astype(np.float64)


def by_visits(row: Row, key: tuple[str, float]) -> Floats:
    """Visits with a floor of the human head, without which an unvisited move would cost infinitely much."""
    counts = row.visits[key]
    return np.log((1 - FLOOR) * counts / counts.sum() + FLOOR * np.exp(row.heads["human"]))


def loss_of(rows: Sequence[Row], answers: Sequence[Floats]) -> float:
    return -float(np.mean([told[row.played] for row, told in zip(rows, answers, strict=True)]))


@dataclass(frozen=True)
class Chosen:
    """What was chosen for one group."""

    run: Run
    kl_lambda: float
    alpha: float
    visits: tuple[str, float]

    def answers(self, rows: Sequence[Row]) -> dict[str, list[Floats]]:
        return {
            "human": [row.heads["human"] for row in rows],
            "piKL": [by_values(row, self.run, self.kl_lambda) for row in rows],
            "blend": [by_weight(row, self.alpha) for row in rows],
            "visits": [by_visits(row, self.visits) for row in rows],
        }

    @property
    def text(self) -> str:
        head, c_puct, untried = self.run
        return (
            f"λ {self.kl_lambda:.2g} ({head}, c {c_puct:g}, {untried}); α {self.alpha:.2f}; visits c {self.visits[1]:g}"
        )


def choose(rows: Sequence[Row]) -> Chosen:
    """The likeliest of each family."""
    runs: list[Run] = list(rows[0].values)
    run, kl_lambda = min(
        product(runs, LAMBDAS), key=lambda each: loss_of(rows, [by_values(row, *each) for row in rows])
    )
    alpha = min(ALPHAS, key=lambda each: loss_of(rows, [by_weight(row, each) for row in rows]))
    visits = min(rows[0].visits, key=lambda key: loss_of(rows, [by_visits(row, key) for row in rows]))
    return Chosen(run, kl_lambda, alpha, visits)


def compare(rows: Sequence[Row], answers: Mapping[str, Sequence[Floats]]) -> str:
    """A line of a table: the human head, then the others against it, then piKL against the blend."""
    columns = []
    for told in answers.values():
        columns.append([float(each.argmax() == row.played) * 100 for row, each in zip(rows, told, strict=True)])
        columns.append([each[row.played] for row, each in zip(rows, told, strict=True)])
    table = np.array(columns).T
    game = np.unique([row.game for row in rows], return_inverse=True)[1]
    sums = sum_by_game(game, table)
    [draws] = resample_means([sums], int(game.max()) + 1, 0)
    names = list(answers)

    def told_of(name: str, base: str) -> str:
        cells = []
        for offset, digits in ((0, 1), (1, 3)):
            a, b = 2 * names.index(name) + offset, 2 * names.index(base) + offset
            found = interval_of(float(sums.means[a] - sums.means[b]), draws[:, a] - draws[:, b])
            cells.append(f"{found.value:+.{digits}f} ({found.low:+.{digits}f} … {found.high:+.{digits}f})")
        return "; ".join(cells)

    parts = [f"{sums.means[0]:.1f}% / {-sums.means[1]:.3f}"]
    parts += [told_of(name, "human") for name in names[1:]]
    return " | ".join([*parts, told_of("piKL", "blend")])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--positions", type=int, default=150, help="Of each group and split.")
    parser.add_argument("--band", type=float, default=400.0)
    parser.add_argument("--edge", type=float, action="append", default=[], help="Where a range of ratings begins.")
    parser.add_argument("--pool", default="")
    parser.add_argument("--simulations", type=int, default=16)
    parser.add_argument("--least", type=int, default=50, help="Decisions of a group; smaller ones are left out.")
    wish = parser.parse_args()
    room = Room()
    try:
        fitted, tested = gather(wish, "validation", room), gather(wish, "test", room)
    finally:
        room.close()
    print("group | n fitted / tested | chosen | human | piKL | blend | visits | piKL − blend")
    together: dict[str, list[Floats]] = {}
    everything: list[Row] = []
    for group in sorted({row.group for row in tested}):
        own, other = ([row for row in rows if row.group == group] for rows in (fitted, tested))
        if min(len(own), len(other)) < wish.least:
            continue
        chosen = choose(own)
        answers = chosen.answers(other)
        print(f"{group} | {len(own)} / {len(other)} | {chosen.text} | {compare(other, answers)}")
        everything += other
        for name, told in answers.items():
            together.setdefault(name, []).extend(told)
    if everything:
        print(f"all | {len(everything)} tested | | {compare(everything, together)}")


if __name__ == "__main__":
    main()
