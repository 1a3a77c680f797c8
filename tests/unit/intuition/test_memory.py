"""A memory holds what it may hold, and no node more."""

from typing import Any

import numpy as np
import pytest

from hitonami.core import Position, Setup, open_game
from hitonami.intuition.analysis import Analysis, Manner
from hitonami.intuition.knowledge import begin
from hitonami.intuition.memory import Keep, Memory, Node, digest

PLACES, STATS = np.zeros(1, np.int64), np.zeros((5, 1))
KEEPS: tuple[Keep, ...] = ("visits", "value", "two")


class Place:
    """As much of a position as a memory asks for."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.legal = np.array([0], np.int32)


def node_of(key: int, visits: int = 1, value: float = 0.5) -> Node:
    position: Any = Place(key)
    node = Node(position, PLACES, STATS, value)
    node.visits = visits
    return node


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("size", [1, 7, 500, 5_000, 50_000])
def test_the_cap_holds_exactly(size: int, keep: Keep) -> None:
    memory = Memory(size, keep)
    for key in range((12 if size <= 5_000 else 3) * size):
        node = node_of(key)
        memory.put(node, memory.find(node.position)[1], ())
    kept = sum(node is not None for node in memory.nodes)
    assert len(memory.nodes) == size
    assert kept == memory.stored <= size
    assert kept >= (0.99 if size <= 5_000 else 0.9) * size
    assert all(node is None or memory.find(node.position)[0] is node for node in memory.nodes)


def colliding(memory: Memory, count: int) -> list[int]:
    """Keys that want the same place."""
    places = (memory.size + 1) // 2 if memory.keep == "two" else memory.size
    return [key for key in range(100_000) if digest(key) % places == 0][:count]


def put(memory: Memory, node: Node, used: tuple[Node, ...] = ()) -> int:
    return memory.put(node, memory.find(node.position)[1], used)


def test_the_more_visited_stays() -> None:
    memory = Memory(10, "visits")
    one, two = colliding(memory, 2)
    put(memory, node_of(one, visits=9))
    assert put(memory, node_of(two)) == -1
    assert memory.refused == 1


def test_what_is_better_to_reach_stays() -> None:
    memory = Memory(10, "value")
    one, two, three = colliding(memory, 3)
    put(memory, node_of(one, value=0.4))
    assert put(memory, node_of(two, value=0.9)) == -1  # good for who is to move there, so bad to reach
    assert put(memory, node_of(three, value=0.1)) >= 0


def test_of_two_the_newer_gives_way() -> None:
    memory = Memory(10, "two")
    one, two, three = colliding(memory, 3)
    first, second = node_of(one, visits=9), node_of(two)
    put(memory, first)
    put(memory, second)
    put(memory, node_of(three))
    assert memory.find(first.position)[0] is first
    assert memory.find(second.position)[0] is None


@pytest.mark.parametrize("keep", KEEPS)
def test_nodes_in_use_are_never_forgotten(keep: Keep) -> None:
    memory = Memory(2, keep)
    keys = colliding(memory, 5)
    used = node_of(keys[0], value=1.0)
    put(memory, used)
    for key in keys[1:]:
        put(memory, node_of(key, visits=50, value=0.0), (used,))
    assert memory.find(used.position)[0] is used


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("size", [1, 30])
def test_an_analysis_goes_on_in_a_memory_that_is_full(size: int, keep: Keep) -> None:
    knowledge = begin("connect-four", Setup())
    start: Position = open_game("connect-four").start()
    analysis = Analysis(knowledge, start, Manner(nodes=300, memory=size, keep=keep), np.random.default_rng(0))
    analysis.run()
    assert analysis.spent == 300
    assert sum(node is not None for node in analysis.memory.nodes) <= size
    assert analysis.found().visits.sum() == 300
