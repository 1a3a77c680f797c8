"""A memory of fixed size: nodes by position, and what gives way when two want the same place.

A node's place follows from its position. `keep` says who stays on a collision: "visits" the more visited, "value" the
one that is better for whoever may go there, "two" has places in pairs, one for the more visited and one for the newest
(Breuker, Uiterwijk and van den Herik 1996 compare such schemes). Nodes in use are never forgotten.
"""

import marshal
from collections.abc import Collection, Hashable
from itertools import count
from typing import Final, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position

Keep = Literal["visits", "value", "two"]
NO_LINK: Final = (-1, -1)
_SERIALS: Final = count()


class Node:
    """A position that was looked at: its doubtful moves, what was expected of them and what was found."""

    __slots__ = ("key", "links", "places", "position", "proved", "serial", "stats", "value", "visits", "whole")

    def __init__(self, position: Position, places: NDArray[np.int64], stats: NDArray[np.float64], value: float) -> None:
        self.position = position
        self.key = position.key
        self.places = places
        """Of the moves in `position.legal`, the likeliest first."""
        self.stats = stats
        self.value = value
        """Expected score of the side to move, by intuition."""
        self.visits = 1
        self.proved = 0
        self.serial = next(_SERIALS)
        self.whole = len(places) == len(position.legal)
        self.links: list[tuple[int, int]] = [NO_LINK] * len(places)
        """Where the node after each move is remembered, and its number: another may be there by now."""

    def mean(self) -> float:
        """The expected score of the side to move, by all that was found."""
        return (self.value + float(self.stats[3].sum())) / self.visits


def digest(key: Hashable) -> int:
    """The same in every process, unlike `hash`."""
    try:
        return crc32(marshal.dumps(key, 2))  # type: ignore[arg-type]  # tried
    except ValueError:
        return crc32(repr(key).encode())


class Memory:
    """At most `size` nodes."""

    def __init__(self, size: int, keep: Keep = "two") -> None:
        self.size = size
        self.keep = keep
        self.nodes: list[Node | None] = [None] * size
        self.stored = 0
        self.forgotten = 0
        self.refused = 0

    def find(self, position: Position) -> tuple[Node | None, int]:
        """The node of a position and its place; without a node, the place where one would be put."""
        first = digest(position.key) % ((self.size + 1) // 2 if self.keep == "two" else self.size)
        if self.keep != "two":
            node = self.nodes[first]
            return (node, first) if node is not None and node.key == position.key else (None, first)
        first *= 2
        for place in (first, first + 1):
            if place < self.size and (node := self.nodes[place]) is not None and node.key == position.key:
                return node, place
        return None, first

    def put(self, node: Node, place: int, used: Collection[Node]) -> int:
        """Remember a node, at a place that `find` named. Where it is now, -1 for nowhere."""
        if self.keep == "two":
            place = self._of_two(place, used)
        old = self.nodes[place]
        if old is None:
            self.stored += 1
        elif old in used or (self.keep != "two" and not self._gives_way(old, node)):
            self.refused += 1
            return -1
        else:
            self.forgotten += 1
        self.nodes[place] = node
        return place

    def _of_two(self, first: int, used: Collection[Node]) -> int:
        """The empty place, or that of the less visited: the newer node, as a rule."""
        if first + 1 >= self.size or self.nodes[first] is None:
            return first
        one, two = self.nodes[first], self.nodes[first + 1]
        if two is None or one is None:
            return first + 1
        return first + 1 if (two.visits <= one.visits and two not in used) or one in used else first

    def _gives_way(self, old: Node, new: Node) -> bool:
        if self.keep == "visits":
            return old.visits <= new.visits + 1
        return old.mean() >= new.mean()  # what is bad for the side to move is good for who goes there
