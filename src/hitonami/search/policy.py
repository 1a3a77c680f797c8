"""From a searched tree to an opinion: visits, or values and the prior, become probabilities of moves."""

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Line, LogProbs, Opinion, Wdl
from hitonami.search.kernels import PROOFS, find_win, unvisited_utility, utility
from hitonami.search.pikl import regularise
from hitonami.search.subtree import trace
from hitonami.search.tree import Tree

_LONGEST_LINE: Final = 32

Untried = Literal["visit", "least", "parent"]
"""What Q a root move without a visit has where values are read: see `Puct.kl_untried`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a root is read: the temperature of its visits, a share of the prior, and λ where values count instead.

    `untried` is then what a move without a visit is worth.
    """

    tau: float = 1.0
    prior_share: float = 0.0
    kl_lambda: float | None = None
    untried: Untried = "visit"


def judge(tree: Tree, reading: Reading) -> Opinion:
    """The opinion that a tree has come to. One simulation is the prior itself."""
    if tree.visits <= 1:
        return Opinion(read_prior(tree), _result(tree) if tree.opinion is None else tree.opinion.wdl)
    if reading.kl_lambda is not None:
        log_probs = regularise(read_prior(tree), root_utilities(tree, reading.untried), reading.kl_lambda)
    else:
        log_probs = read_visits(count_visits(tree), root_utilities(tree), reading.tau)
    if reading.prior_share > 0.0:
        shares = [1.0 - reading.prior_share, reading.prior_share]
        log_probs = dist.mix([log_probs, read_prior(tree)], shares, exponent=1.0)
    return Opinion(log_probs, _result(tree), _lines(tree))


def read_prior(tree: Tree) -> LogProbs:
    """What the mind said of the root, with the prior temperature applied."""
    if tree.opinion is not None and tree.settings.prior_temperature == 1.0:
        return tree.opinion.log_probs
    with np.errstate(divide="ignore"):
        return dist.normalise(np.log(tree.root_priors.astype(np.float64)))


def count_visits(tree: Tree) -> NDArray[np.float64]:
    """[L] the visits that speak for each root move.

    A first visit that was forced on the formula, and that the formula never came back to, says nothing. With proofs, a
    move that loses by force has none while another has some, and one that wins by force has more than any other.
    """
    edges = tree.root_edges
    visits = edges["visits"].astype(np.float64)
    counts = np.where(edges["visits"] > edges["forced"], visits, 0.0)
    if not counts.any():
        counts = visits
    if tree.settings.knobs[PROOFS]:
        lost = _proofs(tree) == 2 - tree.query.position.to_move
        if counts[~lost].any():
            counts[lost] = 0.0
        win = int(find_win(tree.nodes, tree.edges, 0))
        if win >= 0:
            counts[win] += counts.max() + 1.0
    return counts


def read_visits(counts: NDArray[np.float64], utilities: NDArray[np.float64], tau: float) -> LogProbs:
    """P ∝ N^(1/τ). At τ = 0 the most visited move alone; of equals the one with the better value."""
    with np.errstate(divide="ignore"):
        logs = np.log(counts)
    if tau > 0.0:
        return dist.normalise(logs / tau)
    best = np.flatnonzero(counts == counts.max())
    chosen = int(best[np.argmax(utilities[best])])
    return dist.normalise(np.where(np.arange(len(counts)) == chosen, 0.0, -np.inf))


def root_utilities(tree: Tree, untried: Untried = "visit") -> NDArray[np.float64]:
    """[L] what the mover expects of each root move, -1..1; of an unvisited one what the search assumes of it.

    "least" and "parent" assume less boldly. What the formula assumes is an urge to explore: read as a value it would
    blame a move for the visits of others.
    """
    scores, _ = _root_scores(tree)
    own, visited = 2.0 * scores - 1.0, tree.root_edges["visits"] > 0
    if untried == "visit" or not visited.any():
        assumed = float(unvisited_utility(tree.nodes, tree.edges, 0, tree.settings.knobs))
    elif untried == "least":
        assumed = float(own[visited].min())
    else:
        assumed = float(utility(tree.nodes[0]["score"], tree.query.position.to_move))
    return np.where(visited, own, assumed)


def _root_scores(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[L] scores of the mover and chances of a draw after each root move."""
    edges = tree.root_edges
    children = edges["child"]
    stored = children >= 0
    scores = np.where(stored, tree.nodes["score"][children], edges["score"])
    draws = np.where(stored, tree.nodes["draw"][children], edges["draw"])
    return (scores if tree.query.position.to_move == 0 else 1.0 - scores), draws


def _proofs(tree: Tree) -> NDArray[np.int8]:
    children = tree.root_edges["child"]
    proofs: NDArray[np.int8] = np.where(children >= 0, tree.nodes["proof"][children], 0)
    return proofs


def _result(tree: Tree) -> Wdl | None:
    """Of the side to move; None where nobody has said anything about results."""
    root = tree.nodes[0]
    if not tree.values_known and not root["proof"]:
        return None
    score = float(root["score"])
    return _wdl(score if tree.query.position.to_move == 0 else 1.0 - score, float(root["draw"]))


def _wdl(score: float, draw: float) -> Wdl:
    win = min(max(score - 0.5 * draw, 0.0), 1.0)
    return np.array([win, draw, max(1.0 - win - draw, 0.0)], dtype=np.float32)


def _lines(tree: Tree) -> tuple[Line, ...]:
    """One line for each move that was visited, the most visited first; of equals the better."""
    counts, utilities = count_visits(tree), root_utilities(tree)
    order = np.lexsort((-utilities, -tree.root_edges["visits"], -counts))
    scores, draws = _root_scores(tree)
    proofs = _proofs(tree)
    room = np.empty(_LONGEST_LINE, np.int32)
    lines = []
    for at in order.tolist():
        edge: Any = tree.root_edges[at]
        if edge["visits"]:
            length = int(trace(tree.nodes, tree.edges, at, room))
            known = tree.values_known or bool(proofs[at])
            result = _wdl(float(scores[at]), float(draws[at])) if known else None
            mate = _mate_in(tree, int(edge["child"])) if proofs[at] else None
            lines.append(Line(tuple(room[:length].tolist()), result, mate_in=mate, visits=int(edge["visits"])))
    return tuple(lines)


def _mate_in(tree: Tree, child: int) -> int:
    """Moves of the mover to the end that is proved after a root move; negative where the mover loses."""
    node = tree.nodes[child]
    wins = int(node["proof"]) == tree.query.position.to_move + 1
    plies = int(node["plies"]) + 1
    return (plies + 1) // 2 if wins else -(plies // 2)
