"""The trees of many games, searched in lockstep: one leaf a game, all leaves in one batch.

Games are rows. Rules are `Lanes`, the network is whatever maps states to logits and chances; neither is called for one
position alone. Given the same roots, noise and answers a search is always the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.lanes import STOOD, Lanes, States
from hitonami.search import kernels as k
from hitonami.selfplay.kernels import absorb, choose_gumbel, improve_policy, move_root, seek_leaves

Evaluate = Callable[[States, NDArray[np.int32], NDArray[np.int32]], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""States, their legal moves and how many those are, to [B, head] logits of moves and [B, 3] chances of the mover."""
_EDGES_PER_NODE: Final = 256
"""Room for so many moves of each node on average; what is not used costs no memory."""
_DEEPEST: Final = 256


@dataclass(frozen=True)
class Looking:
    """How far and how to search. `considered` 0 is a PUCT root; else a Gumbel root that considers so many moves."""

    simulations: int = 64
    c_puct: float = 1.5
    fpu: float = 0.25
    """What an unvisited move is worth less than its node, times the root of the prior visited already."""
    considered: int = 0
    proofs: bool = True
    contempt: float = 0.0
    """How much less than half a win the rules' draws are worth to the side that looks."""
    again_drawn: bool = False
    """Whether a position that has stood before is a draw to the search, at once and not the third time after."""

    def knobs(self) -> NDArray[np.float64]:
        knobs = np.zeros(k.KNOBS)
        knobs[k.C_PUCT], knobs[k.C_BASE] = self.c_puct, 19652.0
        knobs[k.FPU_VALUE], knobs[k.PROOFS] = self.fpu, float(self.proofs)
        return knobs


def visit_schedule(considered: int, simulations: int) -> NDArray[np.int32]:
    """[considered + 1, simulations] how many visits the next move must have had, by how many moves are considered.

    Sequential halving (Danihelka et al. 2022): all are visited equally often, then the better half, and so on.
    """
    table = np.zeros((considered + 1, simulations), np.int32)
    for count in range(1, considered + 1):
        halvings, visits = max(ceil(log2(count)), 1), [0] * count
        sequence: list[int] = []
        left = count
        while len(sequence) < simulations:
            for _ in range(max(1, simulations // (halvings * left))):
                sequence += visits[:left]
                visits[:left] = [each + 1 for each in visits[:left]]
            left = max(2, left // 2) if count > 1 else 1
        table[count] = sequence[:simulations]
    return table


class Forest:
    """The searches of a fixed number of games. `plant` begins, `search` looks, `step` plays moves in some of them."""

    def __init__(self, lanes: Lanes, games: int, looking: Looking) -> None:
        self.lanes: Final = lanes
        self.looking: Final = looking
        room = looking.simulations + 2
        per_node = min(lanes.most_moves, _EDGES_PER_NODE)
        self.nodes: Final[NDArray[Any]] = np.zeros((games, room), k.NODE)
        self.edges: Final[NDArray[Any]] = np.zeros((games, room * per_node), k.EDGE)
        self.states: Final = np.zeros((games, room, lanes.width), np.int16)
        self.sizes: Final = np.zeros(games, np.int32)
        self.leaves = 0
        """Positions that the network was asked about."""
        self.ends = 0
        """Leaves that the rules decided."""
        self._held: Final = np.zeros(games, np.int32)
        self._knobs: Final = looking.knobs()
        self._path_nodes: Final = np.zeros((games, _DEEPEST), np.int32)
        self._path_edges: Final = np.zeros((games, _DEEPEST), np.int32)
        self._lengths: Final = np.zeros(games, np.int32)
        self.noise: Final = np.zeros((games, lanes.most_moves))
        """[games, moves] Gumbel noise of the roots."""
        schedule = visit_schedule(looking.considered, looking.simulations) if looking.considered else None
        self._schedule: Final = np.zeros((0, 1), np.int32) if schedule is None else schedule

    @property
    def points(self) -> int:
        return self.lanes.rows * self.lanes.columns

    def plant(
        self, rows: NDArray[np.int32], roots: States, legal: NDArray[np.int32], counts: NDArray[np.int32],
        evaluate: Evaluate,
    ) -> None:  # fmt: skip
        """Begin anew in some games, from positions that are not over."""
        self.sizes[rows] = self._held[rows] = self._lengths[rows] = 0
        self._take_in(rows, roots, legal, counts, np.full(len(rows), -1.0, np.float32), evaluate)

    def search(self, live: NDArray[np.bool_], evaluate: Evaluate) -> None:
        """Search every live game until its root has its visits, or is proved."""
        games = len(live)
        rows, parents, moves = (np.zeros(games, np.int32) for _ in range(3))
        goal = self.looking.simulations + 1
        while True:
            found = seek_leaves(
                self.nodes, self.edges, self._knobs, live, goal, self._schedule, self.noise,
                self._path_nodes, self._path_edges, self._lengths, rows, parents, moves,
            )  # fmt: skip
            if not found:
                return
            states = self.states[rows[:found], parents[:found]]
            self._take_in(rows[:found], *self.advance(states, moves[:found]), evaluate)

    def advance(
        self, states: States, moves: NDArray[np.int32]
    ) -> tuple[States, NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """What stands after each move, its legal moves, their counts, and the score where the game is over."""
        after, legal = np.empty_like(states), np.zeros((len(moves), self.lanes.most_moves), np.int32)
        counts, scores = np.zeros(len(moves), np.int32), np.zeros(len(moves), np.float32)
        self.lanes.advance(states, moves, after, legal, counts, scores)
        return after, legal, counts, scores

    def _take_in(  # noqa: PLR0913, PLR0917  (arrays of one round)
        self, rows: NDArray[np.int32], after: States, legal: NDArray[np.int32], counts: NDArray[np.int32],
        scores: NDArray[np.float32], evaluate: Evaluate,
    ) -> None:  # fmt: skip
        if self.looking.again_drawn:
            again = (after[:, self.points + STOOD] > 0) & (scores < 0) & (self._lengths[rows] > 0)
            scores = np.where(again, np.float32(0.5), scores)
        going = np.flatnonzero(scores < 0)
        if self.looking.contempt:
            sides = 1.0 - 2.0 * self.nodes["mover"][rows, 0]
            scores = np.where(scores == 0.5, 0.5 - self.looking.contempt * sides, scores).astype(np.float32)
        asked = np.full(len(rows), -1, np.int64)
        asked[going] = np.arange(len(going))
        logits, chances = evaluate(after[going], legal[going], counts[going]) if len(going) else _NOTHING
        self.leaves += len(going)
        self.ends += len(rows) - len(going)
        absorb(
            self.nodes, self.edges, self.states, self.sizes, self._held, self._knobs,
            self._path_nodes, self._path_edges, self._lengths, rows, self.points, self.lanes.places,
            after, legal, counts, scores, asked, logits, chances,
        )  # fmt: skip

    def root_edges(self, game: int) -> NDArray[Any]:
        """The records of a root's moves."""
        first = int(self.nodes[game, 0]["first"])
        return self.edges[game, first : first + int(self.nodes[game, 0]["count"])]

    def improved(self, game: int) -> NDArray[np.float64]:
        """The policy that a Gumbel search of a root teaches."""
        count = int(self.nodes[game, 0]["count"])
        scores, out = np.empty(count), np.empty(count)
        improve_policy(self.nodes[game], self.edges[game], scores, out)
        return out

    def best_by_gumbel(self, game: int) -> int:
        """The place of the move that a Gumbel search plays: of the most visited ones the best, noise included."""
        most = int(self.root_edges(game)["visits"].max())
        scores = np.empty(self.lanes.most_moves)
        first = int(self.nodes[game, 0]["first"])
        return int(choose_gumbel(self.nodes[game], self.edges[game], self.noise[game], most, scores)) - first

    def keep_below(self, game: int, move: int) -> bool:
        """Whether the tree below a root's move could be kept as the game's: it cannot where nobody looked there."""
        child = int(self.root_edges(game)[move]["child"])
        if child < 0 or self.nodes[game, child]["over"]:
            return False
        move_root(self.nodes, self.edges, self.states, self.sizes, self._held, game, child)
        return True


_NOTHING: Final = (np.zeros((0, 1), np.float32), np.zeros((0, 3), np.float32))
