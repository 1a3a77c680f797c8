"""Analysis: a best-first search without playouts, over the moves that are in doubt, in a memory of fixed size.

A new position takes the value that intuition expects of its likeliest move, or, some plies on, of what that line
comes to. At every node only doubtful moves are looked at. Which one follows argmax Q + c·P·√N / (1 + n), where Q
begins as intuition's own view of the move. Ends by the rules are exact and are carried upwards as far as they decide.
Noise may disturb what is selected and what is backed up.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.intuition.doubt import perplexity, rank_doubtful
from hitonami.intuition.knowledge import Knowledge
from hitonami.intuition.memory import NO_LINK, Keep, Memory, Node
from hitonami.kernel import kernel

PRIOR: Final = 0
EXPECTED: Final = 1
VISITS: Final = 2
SUM: Final = 3
PROVED: Final = 4
ROWS: Final = 5
WIN: Final = 1
LOSS: Final = -1
_DEEPEST: Final = 300
_FULL_DOUBT: Final = 4.0
"""As many equal moves as take all the effort there is."""


@dataclass(frozen=True)
class Manner:
    """How to analyse. `nodes` is the most effort of one decision, spent where doubt is full; scores are 0..1."""

    nodes: int = 200
    memory: int = 5000
    keep: Keep = "two"
    epsilon: float = 0.3
    c_puct: float = 1.5
    selection_noise: float = 0.0
    backup_noise: float = 0.0
    by_doubt: bool = True
    """False: the same effort for every decision that is in doubt at all."""
    along: int = 0
    """How many plies intuition's own line is gone along before it says what a new position is worth."""


@dataclass(frozen=True)
class Found:
    """What came of an analysis, aligned with the legal moves."""

    chances: NDArray[np.float64]
    """[moves] log-chances of intuition."""
    visits: NDArray[np.float64]
    """[moves] how often each was looked at; zeros where intuition was sure."""
    values: NDArray[np.float64]
    """[moves] expected score after each, as found, or as intuition has it."""
    proved: NDArray[np.float64]
    """[moves] 1 won, -1 lost, 0 unknown."""
    places: NDArray[np.int64]
    """The doubtful moves, the likeliest first."""
    spent: int
    """Positions looked at beyond the first."""
    effort: float
    """0..1 of the most that could have been spent."""
    score: float
    """Expected score of the side to move."""


@kernel
def choose(stats: Any, visits: int, c_puct: float, noise: Any) -> int:
    """The move to look at next: a won one, else by the formula among those that are not lost."""
    best, most = -1, -1e30
    root = sqrt(visits + 1.0)
    for at in range(stats.shape[1]):
        if stats[4, at] > 0:
            return at
        if stats[4, at] < 0:
            continue
        count = stats[2, at]
        worth = stats[3, at] / count if count > 0 else stats[1, at]
        score = 2 * worth - 1 + c_puct * stats[0, at] * root / (1 + count)
        if len(noise):
            score += 2 * noise[at]
        if score > most:
            best, most = at, score
    return best


@kernel
def begin_stats(chances: Any, expected: Any, places: Any, stats: Any) -> None:
    """Priors over the doubtful moves, and what intuition expects of each."""
    stats[:] = 0.0
    total = 0.0
    for at in range(len(places)):
        stats[0, at] = exp(chances[places[at]])
        total += stats[0, at]
        stats[1, at] = expected[places[at]]
    for at in range(len(places)):
        stats[0, at] /= total


_SILENCE: Final = np.empty(0)


class Analysis:
    """One decision. `run` looks on; `found` says what came of it so far."""

    def __init__(self, knowledge: Knowledge, position: Position, manner: Manner, rng: np.random.Generator) -> None:
        self.knowledge, self.manner, self.rng = knowledge, manner, rng
        self.memory = Memory(manner.memory, manner.keep)
        self.chances, self.expected = knowledge.judge(position)
        self.spent = 0
        self.root = self._make(position, self.chances, self.expected, rank_doubtful(self.chances, manner.epsilon))
        self.limit = self._plan()
        self._remember(self.root)

    def _plan(self) -> int:
        """Effort grows with doubt: none where one move is left."""
        places = self.root.places
        if len(places) == 1:
            return 0
        if not self.manner.by_doubt:
            return self.manner.nodes
        share = (perplexity(self.chances[places]) - 1) / (_FULL_DOUBT - 1)
        return round(self.manner.nodes * min(max(share, 0.1), 1.0))

    def _make(
        self,
        position: Position,
        chances: NDArray[np.float64],
        expected: NDArray[np.float64],
        places: NDArray[np.int64],
    ) -> Node:
        stats = np.empty((ROWS, len(places)))
        begin_stats(chances, expected, places, stats)
        return Node(position, places, stats, float(expected[places[0]]))

    def _remember(self, node: Node) -> None:
        _, place = self.memory.find(node.position)
        self.memory.put(node, place, ())

    def run(self, is_stopped: Callable[[], bool] = lambda: False) -> None:
        while self.spent < self.limit and not self.root.proved and not is_stopped():
            self._look_once()

    def _look_once(self) -> None:
        """One way down, a new position or an end, and back up."""
        node, path, used = self.root, [], {self.root}
        self.spent += 1
        while True:
            at = choose(node.stats, node.visits, self.manner.c_puct, self._noise(node))
            if at < 0:
                self._widen(node)
                continue
            path.append((node, at))
            child, is_new = self._follow(node, at, used)
            if isinstance(child, float):
                self._back_up(path, child)
                return
            if is_new and not child.proved:
                self._back_up(path, self._score_for_first(child, child.value))
                return
            if child.proved:  # by another way that leads here, or at first sight
                same = child.position.to_move == node.position.to_move
                node.stats[PROVED, at] = child.proved if same else -child.proved
                self._back_up(path, self._score_for_first(child, 1.0 if child.proved == WIN else 0.0))
                return
            if child in used or len(path) > _DEEPEST:
                self._back_up(path, 0.5)
                return
            used.add(child)
            node = child

    def _noise(self, node: Node) -> NDArray[np.float64]:
        if not self.manner.selection_noise:
            return _SILENCE
        return self.manner.selection_noise * self.rng.standard_normal(len(node.places))

    def _follow(self, node: Node, at: int, used: set[Node]) -> tuple[Node | float, bool]:
        """The node after a move, and whether it is new; or the score of player 0 where the game ends."""
        place, serial = node.links[at]
        if place >= 0 and (known := self.memory.nodes[place]) is not None and known.serial == serial:
            return known, False
        after = node.position.follow(int(node.position.legal[node.places[at]]))
        if not len(after.legal):
            score = 0.5 if after.score is None else after.score
            own = score if node.position.to_move == 0 else 1 - score
            node.stats[PROVED, at] = WIN if own == 1 else LOSS if own == 0 else 0
            return score, False
        found, place = self.memory.find(after)
        is_new = found is None
        if found is None:
            chances, expected = self.knowledge.judge(after)
            found = self._make(after, chances, expected, rank_doubtful(chances, self.manner.epsilon))
            self._see_on(found)
            place = self.memory.put(found, place, used)
        node.links[at] = place, found.serial
        return found, is_new

    def _see_on(self, node: Node) -> None:
        """A position is worth what its likeliest move brings: where that one ends the game, the rules know it.

        `along` plies further both sides go on as intuition likes best, with nothing kept, and the position that this
        comes to is judged in its place: a row is completed or stopped there that a sum of patterns does not see.
        """
        here, best = node.position, node.places[0]
        for ply in range(1 + self.manner.along):
            here = here.follow(int(here.legal[best]))
            if not len(here.legal):
                self._see_end(node, here, at_once=ply == 0)
                return
            if ply == self.manner.along:
                return
            chances, expected = self.knowledge.judge(here)
            best = int(chances.argmax())
            own = float(expected[best])
            node.value = own if here.to_move == node.position.to_move else 1 - own
            node.stats[EXPECTED, 0] = node.value

    @staticmethod
    def _see_end(node: Node, end: Position, at_once: bool) -> None:
        """What the rules say of a game that may end so. It is proved only where one move brings it about."""
        if end.score is None:
            return
        node.value = end.score if node.position.to_move == 0 else 1 - end.score
        node.stats[EXPECTED, 0] = node.value
        if at_once and node.value == 1:
            node.stats[PROVED, 0] = WIN
            node.proved = WIN

    @staticmethod
    def _score_for_first(node: Node, own: float) -> float:
        return own if node.position.to_move == 0 else 1 - own

    def _back_up(self, path: list[tuple[Node, int]], score: float) -> None:
        """Score is player 0's. What is proved below decides above."""
        if self.manner.backup_noise:
            score = min(max(score + self.manner.backup_noise * float(self.rng.standard_normal()), 0.0), 1.0)
        exact: tuple[Node, int] | None = None
        for node, at in reversed(path):
            if exact is not None:
                below, proof = exact
                same = below.position.to_move == node.position.to_move
                node.stats[PROVED, at] = proof if same else -proof
            exact = self._prove(node)
            if exact is not None:
                score = self._score_for_first(node, 1.0 if exact[1] == WIN else 0.0)
            node.visits += 1
            node.stats[VISITS, at] += 1
            node.stats[SUM, at] += score if node.position.to_move == 0 else 1 - score

    @staticmethod
    def _prove(node: Node) -> tuple[Node, int] | None:
        proofs = node.stats[PROVED].tolist()
        if WIN in proofs:
            node.proved = WIN
        elif node.whole and max(proofs) < 0:
            node.proved = LOSS
        return (node, node.proved) if node.proved else None

    def _widen(self, node: Node) -> None:
        """What was doubted is lost: look at all the other moves, too."""
        chances, expected = self.knowledge.judge(node.position)
        rest = np.setdiff1d(np.argsort(-chances, kind="stable"), node.places, assume_unique=True)
        stats = np.zeros((ROWS, len(chances)))
        whole = np.concatenate([node.places, rest])
        stats[PRIOR], stats[EXPECTED] = np.exp(chances[whole]), expected[whole]
        stats[VISITS:, : len(node.places)] = node.stats[VISITS:]
        node.links += [NO_LINK] * len(rest)
        node.places, node.stats, node.whole = whole, stats, True

    def found(self) -> Found:
        moves, root = len(self.chances), self.root
        visits, values, proved = np.zeros(moves), self.expected.copy(), np.zeros(moves)
        counts = root.stats[VISITS]
        visits[root.places] = counts
        seen = counts > 0
        values[root.places[seen]] = root.stats[SUM][seen] / counts[seen]
        proved[root.places] = root.stats[PROVED]
        values = np.where(proved > 0, 1.0, np.where(proved < 0, 0.0, values))
        score = 1.0 if root.proved == WIN else 0.0 if root.proved == LOSS else root.mean()
        effort = self.spent / max(self.manner.nodes, 1)
        return Found(self.chances, visits, values, proved, root.places, self.spent, min(effort, 1.0), score)
