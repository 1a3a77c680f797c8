"""Trees kept from earlier moves, found again by the moves that led to a position.

A kept tree serves a later query of the same game: the same start, the same moves up to the tree's root, the same two
players. The part below the moves played since is cut out and searched on; its evaluations were made with the clocks of
then. The shelf holds a few trees and at most so many nodes; the oldest go first.
"""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from hitonami.core import Player, Query, Setup, index_of, lineage
from hitonami.search.tree import Settings, Tree

_MOST_TREES: Final = 8


@dataclass(frozen=True, slots=True)
class _Label:
    """Which game, played by whom, and how far."""

    setup: Setup
    start: Hashable
    players: tuple[Player, Player]
    moves: tuple[int, ...]

    @classmethod
    def of(cls, query: Query) -> "_Label":
        start, moves = lineage(query.position)
        players = (query.player, query.opponent)
        return cls(start.setup, start.key, players if query.position.to_move == 0 else players[::-1], tuple(moves))

    def moves_since(self, earlier: "_Label") -> tuple[int, ...] | None:
        """The moves from an earlier position of the same game to this one; None where it is another game."""
        same = (self.setup, self.start, self.players) == (earlier.setup, earlier.start, earlier.players)
        known = len(earlier.moves)
        return self.moves[known:] if same and self.moves[:known] == earlier.moves else None


class Shelf:
    """Kept trees, the latest first. Safe to share between threads: a tree that is taken is gone."""

    def __init__(self) -> None:
        self._kept: deque[tuple[_Label, Tree]] = deque()
        self._lock: Final = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, query: Query, settings: Settings) -> Tree | None:
        """What is known below this query's position, as a tree of its own."""
        wanted = _Label.of(query)
        with self._lock:
            for at, (label, tree) in enumerate(self._kept):
                moves = wanted.moves_since(label)
                if moves is not None and _agree(tree.settings, settings):
                    node = _follow(tree, moves)
                    if node is not None:
                        del self._kept[at]
                        return tree.cut_out(node, query, settings)
        return None

    def keep(self, tree: Tree) -> None:
        """Put a tree on the shelf, and let the oldest go."""
        with self._lock:
            self._kept.appendleft((_Label.of(tree.query), tree))
            room = tree.settings.cap
            while len(self._kept) > _MOST_TREES or (len(self._kept) > 1 and self._count_nodes() > room):
                self._kept.pop()

    def _count_nodes(self) -> int:
        return sum(tree.size for _, tree in self._kept)


def _agree(one: Settings, other: Settings) -> bool:
    """Whether what is stored in a tree is the same under both. How it is searched may change."""
    return (one.prior_temperature, one.transpositions) == (other.prior_temperature, other.transpositions)


def _follow(tree: Tree, moves: tuple[int, ...]) -> int | None:
    """The node that these moves lead to, where the mind has been asked about it."""
    node = 0
    for move in moves:
        edge = int(tree.nodes[node]["first"]) + index_of(tree.positions[node], move)
        node = int(tree.edges[edge]["child"])
        if node < 0 or not tree.nodes[node]["count"]:
            return None
    return node
