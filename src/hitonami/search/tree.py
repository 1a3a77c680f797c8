"""One search: its positions, their records in flat arrays, and what is shared between ways to the same position.

A tree holds at most `cap` nodes. When it is full it grows no further and its memory stays as it is; simulations go on
and count on the moves that lead out of it, each with the result that the mind gave at the first visit.

Two ways lead to one node where the rules' key, the ply, the number of times the position has stood, and the legal moves
agree. The ply makes cycles impossible; the rest keeps repetition and superko honest. What a key does not say (the clock
of a draw rule, earlier boards that a network sees) is that of the way that came first.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Opinion, Position, Query, Wdl, walk_back
from hitonami.search.kernels import (
    BUSY,
    EDGE,
    KNOBS,
    LEAF,
    NODE,
    ROUGH,
    abandon,
    back_up,
    descend,
    find_win,
)
from hitonami.search.subtree import copy_below, fill_edges, list_below

DEEPEST: Final = 512
"""Plies of one path. A deeper one ends with what is known of its last node."""
_FIRST_NODES: Final = 64
_EDGES_PER_NODE: Final = 32
_UNSTORED: Final = -1
_EVEN: Final = (0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search of one query goes by: the knobs read for its player. `minds/puct.py` says what they mean."""

    knobs: NDArray[np.float64]
    prior_temperature: float = 1.0
    transpositions: bool = True
    cap: int = 50_000
    batch: int = 16
    again_drawn: bool = False
    contempt: float = 0.0

    def __post_init__(self) -> None:
        assert self.knobs.shape == (KNOBS,)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A position to ask the mind about, and the way to it."""

    tree: "Tree"
    query: Query
    node: int
    path_nodes: NDArray[np.int32]
    path_edges: NDArray[np.int32]

    def absorb(self, opinion: Opinion, *, sketched: bool = False) -> None:
        """Take the mind's answer in and count the simulation."""
        self.tree.absorb(self, opinion, sketched=sketched)


@dataclass(frozen=True, slots=True)
class Sketched:
    """A position that the search comes back to, whose moves the mind has only sketched."""

    tree: "Tree"
    query: Query
    opinion: Opinion
    node: int

    def finish(self, opinion: Opinion) -> None:
        """Take the moves in as they are."""
        self.tree.finish(self.node, opinion)


def _play(position: Position, move: int) -> Position:
    return position.play(move)


class Tree:
    """A search from one query. Node 0 is the root. `play` makes moves; one that remembers serves searches repeated."""

    def __init__(self, query: Query, settings: Settings, play: Callable[[Position, int], Position] = _play) -> None:
        self.query: Final = query
        self.settings = settings
        self._play: Final = play
        self.nodes: NDArray[Any] = np.zeros(_FIRST_NODES, NODE)
        self.edges: NDArray[Any] = np.zeros(_FIRST_NODES * _EDGES_PER_NODE, EDGE)
        self.positions: list[Position] = []
        self.size = 0
        self.held_edges = 0
        self.values_known = False
        """Whether the mind has said anything about results."""
        self.opinion: Opinion | None = None
        """What the mind said of the root; None in a tree that was cut out of another."""
        self.root_priors: NDArray[np.float32] = np.zeros(0, np.float32)
        """[L] the priors of the root's moves before any noise."""
        self._twins: dict[int, int] = {}
        self._sketches: dict[int, Opinion] = {}
        """What the mind said of nodes that nobody has come back to."""
        self._past: Final = _count_keys(query.position)
        self._path_nodes: Final = np.zeros(DEEPEST, np.int32)
        self._path_edges: Final = np.zeros(DEEPEST, np.int32)

    @property
    def visits(self) -> int:
        """Simulations so far, the evaluation of the root included."""
        return int(self.nodes[0]["visits"]) if self.size else 0

    @property
    def proof(self) -> int:
        return int(self.nodes[0]["proof"])

    @property
    def root_edges(self) -> NDArray[Any]:
        """The records of the root's moves, aligned with its legal moves."""
        return self.edges[: len(self.query.position.legal)]

    @property
    def bytes(self) -> int:
        """What the arrays take. Positions are Python objects and not counted."""
        return self.nodes.nbytes + self.edges.nbytes

    def plant(self, opinion: Opinion) -> None:
        """Begin with the mind's opinion on the root."""
        self._add(self.query.position)
        self._expand(0, opinion)
        self.opinion, self.root_priors = opinion, self.root_edges["prior"].copy()

    def disturb(self, share: float, concentration: float, rng: np.random.Generator) -> None:
        """Mix Dirichlet noise into the priors that the root chooses by. Excluded moves stay excluded."""
        kept = self.root_priors > 0
        noise = np.zeros(len(kept))
        noise[kept] = rng.dirichlet(np.full(int(kept.sum()), concentration / kept.sum()))
        self.root_edges["prior"] = (1.0 - share) * self.root_priors + share * noise

    def credit(self, visits: int) -> None:
        """Count simulations that would all follow the win that is proved at the root."""
        win = int(find_win(self.nodes, self.edges, 0))
        if win >= 0:
            self.edges[win]["visits"] += visits
            self.nodes[0]["visits"] += visits

    def seek(self) -> Leaf | Sketched | int:
        """Run one simulation as far as it goes without the mind.

        A Leaf has to be asked about and absorbed. A Sketched has to be finished, and the same simulation sought again.
        KNOWN has been counted already. BUSY came to a position that is being asked about: nothing was counted, and
        there is no more to find before its answer.
        """
        status, length = descend(self.nodes, self.edges, self.settings.knobs, self._path_nodes, self._path_edges)
        nodes, edges = self._path_nodes[:length], self._path_edges[:length]
        if status == LEAF:
            found = self._grow(nodes.copy(), edges.copy())
            if isinstance(found, Leaf):
                return found
            status = found
        if status in (BUSY, ROUGH):
            abandon(self.edges, edges)
            if status == ROUGH:
                return self._find_sketch(int(self.edges[edges[-1]]["child"]))
        else:
            back_up(self.nodes, self.edges, self.settings.knobs, nodes, edges)
        return int(status)

    def absorb(self, leaf: Leaf, opinion: Opinion, *, sketched: bool = False) -> None:
        if leaf.node == _UNSTORED:
            self._note(int(leaf.path_edges[-1]), *self._read_result(opinion.wdl, leaf.query.position.to_move))
        else:
            self._expand(leaf.node, opinion)
            if sketched:
                self._sketches[leaf.node] = opinion
                self.nodes[leaf.node]["rough"] = 1
        back_up(self.nodes, self.edges, self.settings.knobs, leaf.path_nodes, leaf.path_edges)

    @property
    def sketched_root(self) -> Sketched | None:
        """The root of a tree that was cut out where nobody had come back to."""
        return self._find_sketch(0) if 0 in self._sketches else None

    def _find_sketch(self, node: int) -> Sketched:
        return Sketched(self, self._query(self.positions[node]), self._sketches[node], node)

    def finish(self, node: int, opinion: Opinion) -> None:
        """The moves of a node whose opinion was a sketch; its result stays."""
        del self._sketches[node]
        record = self.nodes[node]
        record["rough"] = 0
        moves = self.positions[node].legal
        fill_edges(self.edges, int(record["first"]), moves, opinion.log_probs, self.settings.prior_temperature)
        if node == 0:
            self.root_priors = self.root_edges["prior"].copy()

    def cut_out(self, node: int, query: Query, settings: Settings) -> "Tree":
        """A tree of its own from what lies below a node that was visited."""
        order, renamed = np.empty(self.size, np.int32), np.empty(self.size, np.int32)
        found, held = list_below(self.nodes, self.edges, node, order, renamed)
        part = Tree(query, settings, self._play)
        part.nodes, part.edges = np.zeros(found, NODE), np.zeros(held, EDGE)
        copy_below(self.nodes, self.edges, order[:found], renamed, part.nodes, part.edges)
        part.positions = [self.positions[at] for at in order[:found].tolist()]
        part.size, part.held_edges, part.values_known = found, held, self.values_known
        names = {int(old): new for new, old in enumerate(order[:found].tolist())}
        part.root_priors = part.root_edges["prior"].copy() if node else self.root_priors
        part.root_edges["prior"] = part.root_priors
        part._sketches = {names[at]: opinion for at, opinion in self._sketches.items() if at in names}
        part._twins = {stamp: names[at] for stamp, at in self._twins.items() if at in names}
        return part

    def _grow(self, nodes: NDArray[np.int32], edges: NDArray[np.int32]) -> "Leaf | int":
        """Play the last move of a path. A Leaf where the mind has to be asked, else what `seek` returns."""
        edge = int(edges[-1])
        position = self._play(self.positions[nodes[-1]], int(self.edges[edge]["move"]))
        ended = _ended_score(position)
        if ended is None and self.settings.again_drawn and self._occurrences(position) > 1:
            ended = 0.5
        if ended is not None:
            drawn = 1.0 if ended == 0.5 else 0.0
            score = ended - drawn * self.settings.contempt * (1 - 2 * self.query.position.to_move)
            self._note(edge, score, drawn)
            if self.size < self.settings.cap:
                self.edges[edge]["child"] = self._add_end(position, score, drawn)
            return 1
        stamp = self._stamp(position) if self.settings.transpositions else 0
        twin = self._find_twin(stamp, position)
        if twin is not None:
            self.edges[edge]["child"] = twin
            return 1 if self.nodes[twin]["visits"] else BUSY
        node = _UNSTORED
        if self.size < self.settings.cap:
            node = self._add(position)
            self.edges[edge]["child"] = node
            if self.settings.transpositions:
                self._twins[stamp] = node
        return Leaf(self, self._query(position), node, nodes, edges)

    def _query(self, position: Position) -> Query:
        root = self.query
        if position.to_move == root.position.to_move:
            return Query(position, root.player, root.opponent, root.clock)
        return Query(position, root.opponent, root.player, root.clock.swapped() if root.clock else None)

    def _stamp(self, position: Position) -> int:
        return hash((position.key, position.ply, self._occurrences(position), position.legal.tobytes()))

    def _occurrences(self, position: Position) -> int:
        """How often this position has stood on its way here, itself included."""
        key, root = position.key, self.query.position.ply
        count = 1 + self._past.get(key, 0)
        for earlier in walk_back(position):
            if earlier.ply <= root:
                break
            if earlier is not position and earlier.key == key:
                count += 1
        return count

    def _find_twin(self, stamp: int, position: Position) -> int | None:
        """The node of this position that another way has led to. Hashes find it, keys prove it."""
        node = self._twins.get(stamp) if self.settings.transpositions else None
        if node is None:
            return None
        other = self.positions[node]
        return node if other.ply == position.ply and other.key == position.key else None

    def _note(self, edge: int, score: float, draw: float) -> None:
        self.edges[edge]["score"], self.edges[edge]["draw"] = score, draw

    def _add(self, position: Position) -> int:
        if self.size == len(self.nodes):
            self.nodes = _enlarge(self.nodes, min(2 * self.size, max(self.settings.cap, self.size + 1)))
        node = self.size
        record = self.nodes[node]
        record["mover"], record["score"] = position.to_move, 0.5
        record["first"] = self.held_edges
        self.positions.append(position)
        self.size += 1
        return node

    def _add_end(self, position: Position, score: float, drawn: float) -> int:
        node = self._add(position)
        record = self.nodes[node]
        record["over"], record["visits"] = 1, 1
        record["score"] = record["own_score"] = score
        record["draw"] = record["own_draw"] = drawn
        record["proof"] = 1 if score == 1.0 else 2 if score == 0.0 else 0
        return node

    def _expand(self, node: int, opinion: Opinion) -> None:
        position = self.positions[node]
        score, draw = self._read_result(opinion.wdl, position.to_move)
        moves = position.legal
        first, self.held_edges = self.held_edges, self.held_edges + len(moves)
        if self.held_edges > len(self.edges):
            self.edges = _enlarge(self.edges, max(2 * len(self.edges), self.held_edges))
        fill_edges(self.edges, first, moves, opinion.log_probs, self.settings.prior_temperature)
        record = self.nodes[node]
        record["first"], record["count"], record["visits"] = first, len(moves), 1
        record["score"] = record["own_score"] = score
        record["draw"] = record["own_draw"] = draw

    def _read_result(self, wdl: Wdl | None, to_move: int) -> tuple[float, float]:
        """Score of player 0 and chance of a draw. A mind that has no view of the result counts as even."""
        if wdl is None:
            return _EVEN
        self.values_known = True
        win, draw, loss = float(wdl[0]), float(wdl[1]), float(wdl[2])
        return (win if to_move == 0 else loss) + 0.5 * draw, draw


def _ended_score(position: Position) -> float | None:
    """The score of player 0 where the game ends here, by the rules or by a claim.

    A draw that may be claimed is one: the side that moved could have claimed it first, and the side to move can now, so
    neither has to take less.
    """
    if not len(position.legal):
        return 0.5 if position.score is None else position.score
    claims = position.game.claims(position)
    if claims.win is not None:
        return float(1 - position.to_move)
    return 0.5 if claims.draw is not None else None


def _count_keys(position: Position) -> dict[Hashable, int]:
    """How often each position stood from the start of the record up to this one."""
    counts: dict[Hashable, int] = {}
    for earlier in walk_back(position):
        counts[earlier.key] = counts.get(earlier.key, 0) + 1
    return counts


def _enlarge(array: NDArray[Any], size: int) -> NDArray[Any]:
    larger = np.zeros(size, array.dtype)
    larger[: len(array)] = array
    return larger
