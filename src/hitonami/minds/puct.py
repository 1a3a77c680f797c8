"""Search as a mind: PUCT over any mind, leaves of all queries asked about together.

One simulation is the searched mind's own opinion; each further one follows argmax Q + c·P·√ΣN / (1 + N) to a new
position, asks the mind about it and backs its result up. `docs/search.md` has the formulas and what the knobs do.
Nothing here knows a game: ends come from the rules, whose turn it is from the position.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isinf
from time import monotonic
from typing import Any, ClassVar, Literal
from zlib import crc32

import numpy as np

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec, quote
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.search import kernels as k
from hitonami.search.policy import Reading, Untried, judge
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.shelf import Shelf
from hitonami.search.tree import Settings, Tree

_TOGETHER = 128
"""Searches at once: enough for full batches however few leaves each gives."""
_ALL_MOVES = 1e30
"""`root_force` at which every root move is visited first."""


@dataclass(frozen=True)
class Puct:
    """PUCT search over `mind`. `tau`, `prior_temperature` and `c_puct` are the Θ that is fitted to a level.

    `simulations` is the budget where a call names none; `tau` 0 plays the most visited move; `prior_temperature` t
    makes priors P^(1/t); c = c_puct + c_growth · ln((1 + ΣN + c_base) / c_base). `fpu_value` is what an untried move
    loses against its node ("reduction"), or is worth ("absolute", -1 a loss, 1 a win). `root_force` f gives a root move
    of prior P its first visit once f·P·ΣN ≥ 1. `noise_share` of Dirichlet noise with `noise_concentration` in all
    disturbs the root. `kl` "root" reads P · exp(Q / kl_lambda) off the root in place of visits, "tree" also searches by
    it at every node. `kl_untried` is what Q a root move without a visit has there: "visit" visits all of them first,
    "least" takes the least of those visited, "parent" the root's own. `prior_share` of the prior is mixed into the
    answer. `proofs` makes forced wins and losses exact; `transpositions` shares positions that several ways lead to.
    `again_drawn` takes a position that has stood before for a draw, and `contempt` is how much less than half a win
    draws are worth to the side that is asked: so that none who has better goes in circles.
    `batch` is the most leaves a tree asks about at once, `nodes` the most that are stored. `reuse` goes on from the
    trees of earlier moves: "timed" only where a call is limited by time, which cannot be repeated exactly anyway.
    `leaves` is another mind for every position below the first, a quicker one; what it said of a position is no
    opinion of `mind`, so trees are not gone on from then.
    """

    mind: Mind
    simulations: int = 200
    c_puct: Knob = 1.5
    tau: Knob = 1.0
    prior_temperature: Knob = 1.0
    c_growth: Knob = 0.0
    c_base: Knob = 19652.0
    fpu: Literal["reduction", "absolute"] = "reduction"
    fpu_value: Knob = 0.3
    root_force: Knob = 10.0
    noise_share: Knob = 0.0
    noise_concentration: Knob = 10.0
    kl: Literal["off", "root", "tree"] = "off"
    kl_lambda: Knob = 0.1
    kl_untried: Untried = "visit"
    prior_share: Knob = 0.0
    proofs: bool = True
    transpositions: bool = True
    again_drawn: bool = False
    contempt: float = 0.0
    batch: int = 16
    nodes: int = 50_000
    reuse: Literal["timed", "always", "never"] = "timed"
    leaves: Mind | None = None
    _shelf: Shelf = field(default_factory=Shelf, init=False, repr=False, compare=False)

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "uniform", "simulations": 1},
        {"mind": "uniform", "simulations": 40, "tau": 0.5, "c_puct": [[1000, 1.0], [2000, 2.0]], "noise_share": 0.25},
        {"mind": "uniform", "simulations": 24, "kl": "tree", "prior_share": 0.1, "reuse": "always"},
        {"mind": "uniform", "simulations": 12, "kl": "root", "kl_untried": "least"},
        {"mind": "uniform", "simulations": 12, "leaves": "uniform", "reuse": "never"},
    )

    def __post_init__(self) -> None:
        for name, low, high in (
            ("simulations", 1, 2**31 - 1),
            ("c_puct", 0.0, 1e6),
            ("tau", 0.0, 100.0),
            ("prior_temperature", 0.01, 100.0),
            ("c_growth", 0.0, 1e3),
            ("c_base", 1.0, inf),
            ("fpu_value", -1.0, 2.0),
            ("root_force", 0.0, inf),
            ("noise_share", 0.0, 1.0),
            ("noise_concentration", 1e-3, 1e6),
            ("kl_lambda", 1e-4, 1e6),
            ("prior_share", 0.0, 1.0),
            ("contempt", 0.0, 0.49),
            ("batch", 1, 1024),
            ("nodes", 1, 2**31 - 1),
        ):
            check_knob(name, getattr(self, name), low, high)
        if self.fpu == "absolute":
            check_knob("fpu_value of an absolute fpu", self.fpu_value, -1.0, 1.0)
        if self.leaves is not None and self.reuse != "never":
            raise BadSpec(
                f'puct: leaves of another mind make no tree to go on from: reuse is "never", not {quote(self.reuse)}'
            )

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        limit = self._limit(effort)
        noise_seed = int(effort.rng.integers(2**32)) if self.noise_share else 0
        opinions: list[Opinion] = []
        for group in self._groups(queries, limit):
            opinions += self._search(group, effort, limit, len(group) / len(queries), noise_seed)
        return opinions

    def _limit(self, effort: Effort) -> int | None:
        """Simulations of each search, None for as many as the time allows."""
        if effort.simulations is not None:
            return max(effort.simulations, 1)
        endless = effort.seconds is not None and (effort.stop is not None or not isinf(effort.seconds))
        return None if endless else self.simulations

    def _groups(self, queries: Sequence[Query], limit: int | None) -> Iterator[Sequence[Query]]:
        """Queries to search together: as many as the store of nodes can serve in full."""
        size = _TOGETHER if limit is None else max(1, min(_TOGETHER, self.nodes // limit))
        for begin in range(0, len(queries), size):
            yield queries[begin : begin + size]

    def _search(
        self, group: Sequence[Query], effort: Effort, limit: int | None, share: float, noise_seed: int
    ) -> list[Opinion]:
        deadline = None if effort.seconds is None else monotonic() + effort.seconds * share
        settings, readings = self.read_knobs(group)
        keeps = self.reuse == "always" or (self.reuse == "timed" and effort.seconds is not None)
        trees = [
            (self._shelf.take(query, each) if keeps else None) or Tree(query, each)
            for query, each in zip(group, settings, strict=True)
        ]
        plant(trees, self.mind, effort)
        for tree, part in zip(trees, read_knob(self.noise_share, group), strict=True):
            if part > 0:
                tree.disturb(float(part), self._concentration(tree.query), _own_chance(noise_seed, tree.query))
        search(trees, self.leaves or self.mind, Budget(limit, deadline, effort), _reporter(effort, trees, readings))
        opinions = [judge(tree, reading) for tree, reading in zip(trees, readings, strict=True)]
        for tree in trees if keeps else ():
            self._shelf.keep(tree)
        return opinions

    def _concentration(self, query: Query) -> float:
        return float(read_knob(self.noise_concentration, [query])[0])

    def read_knobs(self, group: Sequence[Query]) -> tuple[list[Settings], list[Reading]]:
        """The knobs for each query's player."""
        knobs = np.zeros((len(group), k.KNOBS))
        knobs[:, k.C_PUCT] = read_knob(self.c_puct, group)
        knobs[:, k.C_GROWTH] = read_knob(self.c_growth, group)
        knobs[:, k.C_BASE] = read_knob(self.c_base, group)
        knobs[:, k.FPU_ABSOLUTE] = self.fpu == "absolute"
        knobs[:, k.FPU_VALUE] = read_knob(self.fpu_value, group)
        visits_all = self.kl != "off" and self.kl_untried == "visit"
        knobs[:, k.ROOT_FORCE] = _ALL_MOVES if visits_all else read_knob(self.root_force, group)
        knobs[:, k.PROOFS] = self.proofs
        knobs[:, k.KL_TREE] = self.kl == "tree"
        knobs[:, k.KL_LAMBDA] = lambdas = read_knob(self.kl_lambda, group)
        temperatures = read_knob(self.prior_temperature, group).tolist()
        settings = [
            Settings(row, temperature, self.transpositions, self.nodes, self.batch, self.again_drawn, self.contempt)
            for row, temperature in zip(knobs, temperatures, strict=True)
        ]
        taus, shares = read_knob(self.tau, group).tolist(), read_knob(self.prior_share, group).tolist()
        regular = lambdas.tolist() if self.kl != "off" else [None] * len(group)
        return settings, [Reading(*each, self.kl_untried) for each in zip(taus, shares, regular, strict=True)]


def _reporter(effort: Effort, trees: Sequence[Tree], readings: Sequence[Reading]) -> Callable[[Tree], None] | None:
    """Tells the caller how a search stands. Several at once are not told apart by a report, so they give none."""
    report = effort.report
    if report is None or len(trees) != 1:
        return None
    return lambda tree: report(judge(tree, readings[0]))


def _own_chance(seed: int, query: Query) -> np.random.Generator:
    """Randomness of one query, the same alone and in any batch."""
    return np.random.default_rng([seed, query.position.ply, crc32(query.position.legal.tobytes())])
