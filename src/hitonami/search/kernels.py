"""Kernels of the search: choose a path, back a result up, keep proofs.

A tree is two flat arrays of records. Nodes are positions; a node's edges are its legal moves, in their order, at
`first … first + count`. Scores are 0..1 of player 0, so that nothing here assumes that turns alternate: whoever is to
move at a node reads them from his own side. Formulas use the utility 2·score − 1, as the published constants do.

A node may have several parents. Its score is therefore never summed up along paths but worked out anew from its edges:
(own + Σ visits · score of child) / (1 + Σ visits), which stays right however often a child was reached by other ways
(D. Wu, "Monte-Carlo Graph Search from First Principles", KataGo docs).
"""
# ruff: noqa: PLR0913, PLR0917, SIM102  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log, sqrt
from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

NODE: Final = np.dtype(
    [
        ("score", np.float64),  # of player 0, over everything below
        ("draw", np.float64),  # chance of a draw, over everything below
        ("own_score", np.float32),  # what the mind, or the rules, said of this position alone
        ("own_draw", np.float32),
        ("first", np.int32),
        ("count", np.int32),
        ("visits", np.int32),  # 0 while the mind is being asked, then 1 + the visits of its edges
        ("plies", np.int16),  # to the end that is proved
        ("mover", np.int8),
        ("over", np.int8),  # 1 where the rules, or a claim, end the game here
        ("proof", np.int8),  # 0 nothing proved, 1 player 0 wins, 2 player 1 wins
        ("rough", np.int8),  # 1 while its priors are a sketch, which nobody may choose by
    ],
    align=True,
)
EDGE: Final = np.dtype(
    [
        ("prior", np.float32),
        ("move", np.int32),
        ("child", np.int32),  # -1 while there is none
        ("visits", np.int32),
        ("flight", np.int16),  # simulations under way through here
        ("forced", np.int16),  # visits that were not the formula's choice
        ("score", np.float32),  # of a child that a full tree could not store
        ("draw", np.float32),
    ],
    align=True,
)

C_PUCT: Final = 0
C_GROWTH: Final = 1
C_BASE: Final = 2
FPU_ABSOLUTE: Final = 3
FPU_VALUE: Final = 4
ROOT_FORCE: Final = 5
PROOFS: Final = 6
KL_TREE: Final = 7
KL_LAMBDA: Final = 8
KNOBS: Final = 9

LEAF: Final = 0
"""The path ends at a move that nobody has played yet."""
KNOWN: Final = 1
"""It ends where the result needs no mind: the game is over, proved, or the tree is full there."""
BUSY: Final = 2
"""It ends at a position that the mind is being asked about."""
ROUGH: Final = 3
"""It ends at a position whose moves the mind has only sketched."""


@kernel
def utility(score: float, mover: int) -> float:
    """From 0..1 of player 0 to -1..1 of the mover."""
    return 2.0 * score - 1.0 if mover == 0 else 1.0 - 2.0 * score


@kernel
def score_after(nodes: Any, edges: Any, edge: int) -> float:
    """The score of player 0 after a move that was visited."""
    child = edges[edge].child
    return nodes[child].score if child >= 0 else edges[edge].score


@kernel
def proof_after(nodes: Any, edges: Any, edge: int) -> int:
    child = edges[edge].child
    return nodes[child].proof if child >= 0 else 0


@kernel
def unvisited_utility(nodes: Any, edges: Any, node: int, knobs: Any) -> float:
    """First-play urgency: a fixed value, or the node's own less a part that grows with the prior already visited."""
    if knobs[FPU_ABSOLUTE] > 0.0:
        return knobs[FPU_VALUE]
    mass = 0.0
    first = nodes[node].first
    for edge in range(first, first + nodes[node].count):
        if edges[edge].visits + edges[edge].flight > 0:
            mass += edges[edge].prior
    own = utility(nodes[node].score, nodes[node].mover)
    return max(own - knobs[FPU_VALUE] * sqrt(mass), -1.0)


@kernel
def edge_utility(nodes: Any, edges: Any, edge: int, mover: int, unvisited: float) -> float:
    """What the mover expects of a move. Each simulation under way counts as a loss until it comes back."""
    visits, flight = edges[edge].visits, edges[edge].flight
    if visits + flight == 0:
        return unvisited
    known = visits * utility(score_after(nodes, edges, edge), mover) if visits > 0 else 0.0
    return (known - flight) / (visits + flight)


@kernel
def find_win(nodes: Any, edges: Any, node: int) -> int:
    """The move to the shortest win that is proved for the mover, -1 where there is none."""
    wanted, best, plies = nodes[node].mover + 1, -1, 0
    first = nodes[node].first
    for edge in range(first, first + nodes[node].count):
        if proof_after(nodes, edges, edge) == wanted:
            away = nodes[edges[edge].child].plies
            if best < 0 or away < plies:
                best, plies = edge, away
    return best


@kernel
def choose_by_puct(nodes: Any, edges: Any, node: int, knobs: Any, total: int, avoid: int) -> int:
    """argmax Q + c · P · √ΣN / (1 + N); moves with this proof are left out unless there is no other."""
    c = knobs[C_PUCT] + knobs[C_GROWTH] * log((1.0 + total + knobs[C_BASE]) / knobs[C_BASE])
    scale = c * sqrt(max(total, 1))
    unvisited = unvisited_utility(nodes, edges, node, knobs)
    mover, first = nodes[node].mover, nodes[node].first
    best, best_value, spared = -1, -np.inf, -1
    for edge in range(first, first + nodes[node].count):
        prior = edges[edge].prior
        if prior <= 0.0:
            continue
        if avoid > 0 and proof_after(nodes, edges, edge) == avoid:
            spared = edge
            continue
        tried = edges[edge].visits + edges[edge].flight
        value = edge_utility(nodes, edges, edge, mover, unvisited) + scale * prior / (1.0 + tried)
        if value > best_value:
            best, best_value = edge, value
    return best if best >= 0 else spared


@kernel
def choose_by_kl(nodes: Any, edges: Any, node: int, knobs: Any, total: int, avoid: int) -> int:
    """The move whose share of visits is furthest below π ∝ P · exp(Q / λ).

    Visits so follow the regularised policy at every node (Grill et al. 2020, "Monte-Carlo tree search as regularized
    policy optimization", and Jacob et al. 2022 for the policy itself).
    """
    unvisited = unvisited_utility(nodes, edges, node, knobs)
    mover, first, count = nodes[node].mover, nodes[node].first, nodes[node].count
    top = -np.inf
    for edge in range(first, first + count):
        if edges[edge].prior > 0.0:
            logit = log(edges[edge].prior) + edge_utility(nodes, edges, edge, mover, unvisited) / knobs[KL_LAMBDA]
            top = max(top, logit)
    mass = 0.0
    for edge in range(first, first + count):
        if edges[edge].prior > 0.0:
            logit = log(edges[edge].prior) + edge_utility(nodes, edges, edge, mover, unvisited) / knobs[KL_LAMBDA]
            mass += exp(logit - top)
    best, best_value, spared = -1, -np.inf, -1
    for edge in range(first, first + count):
        if edges[edge].prior <= 0.0:
            continue
        if avoid > 0 and proof_after(nodes, edges, edge) == avoid:
            spared = edge
            continue
        logit = log(edges[edge].prior) + edge_utility(nodes, edges, edge, mover, unvisited) / knobs[KL_LAMBDA]
        value = exp(logit - top) / mass - (edges[edge].visits + edges[edge].flight) / (1.0 + total)
        if value > best_value:
            best, best_value = edge, value
    return best if best >= 0 else spared


@kernel
def choose_forced(nodes: Any, edges: Any, node: int, knobs: Any, total: int) -> int:
    """The likeliest untried move that is due its first visit: force · P · ΣN ≥ 1. -1 where there is none."""
    best, best_prior = -1, 0.0
    first = nodes[node].first
    for edge in range(first, first + nodes[node].count):
        prior = edges[edge].prior
        if prior > best_prior and edges[edge].visits + edges[edge].flight == 0:
            if knobs[ROOT_FORCE] * prior * total >= 1.0:
                best, best_prior = edge, prior
    return best


@kernel
def choose(nodes: Any, edges: Any, node: int, knobs: Any, is_root: bool) -> int:
    """The move to follow from a node."""
    avoid = 0
    if knobs[PROOFS] > 0.0:
        win = find_win(nodes, edges, node)
        if win >= 0:
            return win
        avoid = 2 - nodes[node].mover
    total = 0
    first = nodes[node].first
    for edge in range(first, first + nodes[node].count):
        total += edges[edge].visits + edges[edge].flight
    if knobs[KL_TREE] > 0.0:
        best = choose_by_kl(nodes, edges, node, knobs, total, avoid)
    else:
        best = choose_by_puct(nodes, edges, node, knobs, total, avoid)
    if is_root and knobs[ROOT_FORCE] > 0.0:
        forced = choose_forced(nodes, edges, node, knobs, total)
        if forced >= 0:
            if forced != best:
                edges[forced].forced += 1
            return forced
    return best


@kernel
def descend(nodes: Any, edges: Any, knobs: Any, path_nodes: Any, path_edges: Any) -> Any:
    """Follow the choices from the root, node 0. Returns how the path ended and how long it is."""
    node, length = 0, 0
    while True:
        edge = choose(nodes, edges, node, knobs, length == 0)
        path_nodes[length], path_edges[length] = node, edge
        edges[edge].flight += 1
        length += 1
        child = edges[edge].child
        if child < 0:
            if edges[edge].visits > 0:
                return KNOWN, length
            return (BUSY, length) if edges[edge].flight > 1 else (LEAF, length)
        if nodes[child].over or nodes[child].proof:
            return KNOWN, length
        if nodes[child].visits == 0:
            return BUSY, length
        if length == len(path_nodes):
            return KNOWN, length
        if nodes[child].rough:
            return ROUGH, length
        node = child


@kernel
def abandon(edges: Any, path_edges: Any) -> None:
    """Take back what `descend` marked along a path that led nowhere new."""
    for edge in path_edges:
        edges[edge].flight -= 1
        if edges[edge].visits + edges[edge].flight == 0:
            edges[edge].forced = 0


@kernel
def refresh(nodes: Any, edges: Any, node: int, proofs: bool) -> None:
    """Work a node's score, visits and proof out anew from its edges."""
    total, score, draw = 1, float(nodes[node].own_score), float(nodes[node].own_draw)
    wanted, lost = nodes[node].mover + 1, 2 - nodes[node].mover
    first, count = nodes[node].first, nodes[node].count
    all_lost, longest = True, 0
    for edge in range(first, first + count):
        visits, child = edges[edge].visits, edges[edge].child
        if visits > 0:
            total += visits
            score += visits * score_after(nodes, edges, edge)
            draw += visits * (nodes[child].draw if child >= 0 else edges[edge].draw)
        if child < 0 or nodes[child].proof != lost:
            all_lost = False
        else:
            longest = max(longest, nodes[child].plies)
    nodes[node].visits = total
    nodes[node].score, nodes[node].draw = score / total, draw / total
    if not proofs:
        return
    win = find_win(nodes, edges, node)
    if win >= 0:
        nodes[node].proof, nodes[node].plies = wanted, nodes[edges[win].child].plies + 1
    elif all_lost and count > 0:
        nodes[node].proof, nodes[node].plies = lost, longest + 1
    if nodes[node].proof:
        nodes[node].score, nodes[node].draw = (1.0 if nodes[node].proof == 1 else 0.0), 0.0


@kernel
def back_up(nodes: Any, edges: Any, knobs: Any, path_nodes: Any, path_edges: Any) -> None:
    """Count one simulation along a path, from its end to the root."""
    for at in range(len(path_nodes) - 1, -1, -1):
        edge = path_edges[at]
        edges[edge].visits += 1
        edges[edge].flight -= 1
        refresh(nodes, edges, path_nodes[at], knobs[PROOFS] > 0.0)
