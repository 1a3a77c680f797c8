"""Kernels over a tree that is there: new edges, the expected line, and what can be reached from a node, copied.

Nodes and edges are those of `kernels.py`. Nothing here chooses a path or changes a result.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp
from typing import Any

import numpy as np

from hitonami.kernel import kernel
from hitonami.search.kernels import find_win


@kernel
def fill_edges(edges: Any, first: int, moves: Any, log_probs: Any, temperature: float) -> None:
    """New edges with priors P^(1/temperature); at 1 the probabilities are the mind's own."""
    top = -np.inf
    for at in range(len(log_probs)):
        top = max(top, log_probs[at])
    mass = 0.0
    for at in range(len(moves)):
        edge = edges[first + at]
        edge.move, edge.child, edge.visits, edge.flight, edge.forced = moves[at], -1, 0, 0, 0
        edge.score, edge.draw = 0.5, 0.0
        if temperature == 1.0:
            edge.prior = exp(log_probs[at])
        else:
            edge.prior = exp((log_probs[at] - top) / temperature)
            mass += exp((log_probs[at] - top) / temperature)
    if temperature != 1.0:
        for at in range(len(moves)):
            edges[first + at].prior /= mass


@kernel
def trace(nodes: Any, edges: Any, edge: int, out: Any) -> int:
    """The expected continuation from a move: at each node the proved win, else the most visited move.

    Fills `out` with moves and returns how many.
    """
    length = 0
    while edge >= 0 and length < len(out):
        out[length] = edges[edge].move
        length += 1
        node = edges[edge].child
        edge = -1
        if node < 0 or nodes[node].over:
            break
        edge = find_win(nodes, edges, node)
        first, most = nodes[node].first, 0
        if edge < 0:
            for other in range(first, first + nodes[node].count):
                if edges[other].visits > most:
                    edge, most = other, edges[other].visits
    return length


@kernel
def list_below(nodes: Any, edges: Any, root: int, order: Any, renamed: Any) -> Any:
    """Nodes that can be reached from `root`, itself first. Returns their number and that of their edges.

    Fills `order` with them and `renamed` with their places in it; -1 elsewhere.
    """
    renamed[:] = -1
    order[0], renamed[root] = root, 0
    found, held, at = 1, 0, 0
    while at < found:
        node = order[at]
        at += 1
        held += nodes[node].count
        first = nodes[node].first
        for edge in range(first, first + nodes[node].count):
            child = edges[edge].child
            if child >= 0 and renamed[child] < 0:
                renamed[child] = found
                order[found] = child
                found += 1
    return found, held


@kernel
def copy_below(nodes: Any, edges: Any, order: Any, renamed: Any, to_nodes: Any, to_edges: Any) -> None:
    """Copy the listed nodes with their edges, under their new names."""
    at = 0
    for place in range(len(order)):
        node = order[place]
        to_nodes[place] = nodes[node]
        to_nodes[place].first = at
        first = nodes[node].first
        for edge in range(first, first + nodes[node].count):
            to_edges[at] = edges[edge]
            child = edges[edge].child
            to_edges[at].child = renamed[child] if child >= 0 else -1
            at += 1
