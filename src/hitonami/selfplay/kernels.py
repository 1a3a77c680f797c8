"""Kernels over the trees of many games at once. Nodes, edges and their choices are those of search/kernels.py.

Trees are rows: nodes [games, capacity], edges [games, …]; node 0 of a row is its root. Rules and networks are not
called from here: a round finds one leaf a game, the rules play all of their moves at once, the network sees all of them
at once, and a second kernel takes the answers in.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log
from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel
from hitonami.search.kernels import back_up, choose, score_after
from hitonami.search.subtree import copy_below, list_below

_GUMBEL_VISITS: Final = 50.0
"""c_visit of Danihelka et al. 2022, "Policy improvement by planning with Gumbel"; their c_scale is 1."""


@kernel
def descend(nodes: Any, edges: Any, knobs: Any, forced: int, path_nodes: Any, path_edges: Any) -> Any:
    """Follow the choices from the root, beginning with the edge `forced` where that is given.

    Whether the path ends at a move that nobody has played, and how long it is. With one path a tree none is busy.
    """
    node, length = 0, 0
    while True:
        edge = forced if length == 0 and forced >= 0 else choose(nodes, edges, node, knobs, length == 0)
        path_nodes[length], path_edges[length] = node, edge
        edges[edge].flight += 1
        length += 1
        child = edges[edge].child
        if child < 0:
            return edges[edge].visits == 0, length
        if nodes[child].over or nodes[child].proof or length == len(path_nodes):
            return False, length
        node = child


@kernel
def mover_score(nodes: Any, edges: Any, edge: int, mover: int) -> float:
    """0..1 of the mover after a move that was visited."""
    score = score_after(nodes, edges, edge)
    return score if mover == 0 else 1.0 - score


@kernel
def complete_scores(nodes: Any, edges: Any, out: Any) -> None:
    """The mover's score after each move of the root; what was not visited has the mixed value of the paper (eq. 33)."""
    mover, first, count = nodes[0].mover, nodes[0].first, nodes[0].count
    own = nodes[0].own_score if mover == 0 else 1.0 - nodes[0].own_score
    visits, mass, total = 0, 0.0, 0.0
    for at in range(count):
        edge = first + at
        if edges[edge].visits > 0:
            visits += edges[edge].visits
            mass += edges[edge].prior
            total += edges[edge].prior * mover_score(nodes, edges, edge, mover)
    mixed = own if mass <= 0.0 else (own + visits * total / mass) / (1.0 + visits)
    for at in range(count):
        seen = edges[first + at].visits > 0
        out[at] = mover_score(nodes, edges, first + at, mover) if seen else mixed


@kernel
def most_visits(nodes: Any, edges: Any) -> int:
    most, first = 0, nodes[0].first
    for edge in range(first, first + nodes[0].count):
        most = max(most, edges[edge].visits)
    return most


@kernel
def choose_gumbel(nodes: Any, edges: Any, noise: Any, wanted: int, scores: Any) -> int:
    """The root's move with the largest noise + logit + σ(score) among those with `wanted` visits, if any has."""
    complete_scores(nodes, edges, scores)
    scale = _GUMBEL_VISITS + most_visits(nodes, edges)
    best, best_value, first = -1, -np.inf, nodes[0].first
    for strict in (True, False):
        for at in range(nodes[0].count):
            edge = first + at
            if edges[edge].prior <= 0.0 or (strict and edges[edge].visits != wanted):
                continue
            value = noise[at] + log(edges[edge].prior) + scale * scores[at]
            if value > best_value:
                best, best_value = edge, value
        if best >= 0:
            break
    return best


@kernel
def improve_policy(nodes: Any, edges: Any, scores: Any, out: Any) -> None:
    """softmax(logit + σ(score)) over the root's moves: what a Gumbel search teaches."""
    complete_scores(nodes, edges, scores)
    scale, first, count = _GUMBEL_VISITS + most_visits(nodes, edges), nodes[0].first, nodes[0].count
    top = -np.inf
    for at in range(count):
        out[at] = log(max(edges[first + at].prior, 1e-12)) + scale * scores[at]
        top = max(top, out[at])
    mass = 0.0
    for at in range(count):
        out[at] = exp(out[at] - top)
        mass += out[at]
    for at in range(count):
        out[at] /= mass


@kernel
def seek_leaves(
    nodes: Any, edges: Any, knobs: Any, live: Any, goal: int, schedule: Any, noise: Any,
    path_nodes: Any, path_edges: Any, lengths: Any, rows: Any, parents: Any, moves: Any,
) -> int:  # fmt: skip
    """One leaf for each live game whose root has fewer than `goal` visits and is not proved. How many were found.

    A row of `schedule` [moves considered, simulation] holds how many visits a Gumbel root's next move must have had;
    without rows the root is searched by PUCT.
    """
    found = 0
    scores = np.empty(noise.shape[1], np.float64)
    for game in range(len(live)):
        if not live[game]:
            continue
        while nodes[game, 0].visits < goal and nodes[game, 0].proof == 0:
            forced = -1
            if len(schedule):
                considered = min(len(schedule) - 1, nodes[game, 0].count)
                wanted = schedule[considered, nodes[game, 0].visits - 1]
                forced = choose_gumbel(nodes[game], edges[game], noise[game], wanted, scores)
            is_leaf, length = descend(nodes[game], edges[game], knobs, forced, path_nodes[game], path_edges[game])
            if is_leaf:
                lengths[game] = length
                rows[found], parents[found] = game, path_nodes[game, length - 1]
                moves[found] = edges[game, path_edges[game, length - 1]].move
                found += 1
                break
            back_up(nodes[game], edges[game], knobs, path_nodes[game, :length], path_edges[game, :length])
    return found


@kernel
def add_node(nodes: Any, game: int, sizes: Any, mover: int, score: float, draw: float) -> int:
    node = sizes[game]
    sizes[game] += 1
    record = nodes[game, node]
    record.score = record.own_score = score
    record.draw = record.own_draw = draw
    record.first, record.count, record.visits, record.plies = 0, 0, 1, 0
    record.mover, record.over, record.proof = mover, 0, 0
    return node


@kernel
def add_edges(
    nodes: Any, edges: Any, game: int, node: int, held: Any, legal: Any, count: int, logits: Any, places: Any
) -> None:
    """The legal moves of a node with the network's chances among them."""
    first = held[game]
    held[game] += count
    nodes[game, node].first, nodes[game, node].count = first, count
    top = -np.inf
    for at in range(count):
        top = max(top, logits[places[legal[at]]])
    mass = 0.0
    for at in range(count):
        edge = edges[game, first + at]
        edge.move, edge.child, edge.visits, edge.flight, edge.forced = legal[at], -1, 0, 0, 0
        edge.score, edge.draw = 0.5, 0.0
        edge.prior = exp(logits[places[legal[at]]] - top)
        mass += edge.prior
    for at in range(count):
        edges[game, first + at].prior /= mass


@kernel
def absorb(
    nodes: Any, edges: Any, states: Any, sizes: Any, held: Any, knobs: Any,
    path_nodes: Any, path_edges: Any, lengths: Any, rows: Any, points: int, places: Any,
    after: Any, legal: Any, counts: Any, scores: Any, asked: Any, logits: Any, chances: Any,
) -> None:  # fmt: skip
    """Take in what rules and network said of a round's leaves. `asked` is a leaf's row of the network's answers, or -1.

    A path of no length is a root. A leaf without room for its moves is noted on the edge that leads to it.
    """
    for at in range(len(rows)):
        game, length = rows[at], lengths[rows[at]]
        mover, ended = after[at, points], scores[at] >= 0.0
        if ended:
            score, draw = scores[at], 1.0 if scores[at] == 0.5 else 0.0
        else:
            said = chances[asked[at]]
            score, draw = (said[0] if mover == 0 else said[2]) + 0.5 * said[1], said[1]
        fits = sizes[game] < nodes.shape[1] and held[game] + counts[at] <= edges.shape[1]
        last = path_edges[game, length - 1] if length else -1
        if fits:
            node = add_node(nodes, game, sizes, mover, score, draw)
            states[game, node] = after[at]
            if ended:
                nodes[game, node].over = 1
                nodes[game, node].proof = 1 if score == 1.0 else 2 if score == 0.0 else 0
            else:
                add_edges(nodes, edges, game, node, held, legal[at], counts[at], logits[asked[at]], places[mover])
            if length:
                edges[game, last].child = node
        else:
            edges[game, last].score, edges[game, last].draw = score, draw
        if length:
            back_up(nodes[game], edges[game], knobs, path_nodes[game, :length], path_edges[game, :length])


@kernel
def move_root(nodes: Any, edges: Any, states: Any, sizes: Any, held: Any, game: int, root: int) -> None:
    """Keep what lies below a node of a game, which becomes its root."""
    order, renamed = np.empty(sizes[game], np.int32), np.empty(sizes[game], np.int32)
    found, count = list_below(nodes[game], edges[game], root, order, renamed)
    kept_nodes, kept_edges = nodes[game, :found].copy(), edges[game, :count].copy()
    copy_below(nodes[game], edges[game], order[:found], renamed, kept_nodes, kept_edges)
    nodes[game, :found], edges[game, :count] = kept_nodes, kept_edges
    kept_states = np.empty((found, states.shape[2]), states.dtype)
    for at in range(found):
        kept_states[at] = states[game, order[at]]
    states[game, :found] = kept_states
    sizes[game], held[game] = found, count
