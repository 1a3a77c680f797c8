"""The result of a game as minds tell it: who wins at an end, along likely moves, and as calibration corrects it.

Chances are always those of the side to move of the query that was asked. Nothing here chooses a move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.abilities import CountingGame
from hitonami.core import Effort, Mind, Opinion, Position, Query, Wdl
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve
from hitonami.levels import find_curve

METHOD = "result"
"""The name in a file of levels of what is fitted to results of games."""
NEUTRAL = {"temperature": 1.0, "lean": 0.0, "draws": 0.0}
"""The knobs of a calibration, and the values that change nothing."""


def ended_result(position: Position, side: int, effort: Effort) -> Wdl:
    """The result of a finished game for a side. Where stones may be dead, which ones is guessed, as players would."""
    score = position.score
    if isinstance(position.game, CountingGame):
        score = position.game.count(position, position.game.guess_dead(position, effort.rng)).score
    own = 0.5 if score is None else abs(side - score)
    if own == 0.5:
        return np.array([0.0, 1.0, 0.0], dtype=np.float32)
    return np.array([own, 0.0, 1.0 - own], dtype=np.float32)


def results_of(mind: Mind, queries: Sequence[Query], effort: Effort) -> NDArray[np.float64]:
    """[B, 3] what a mind expects. Raises BadInput for one that says nothing about results."""
    rows = [opinion.wdl for opinion in mind(queries, effort)] if queries else []
    known = [wdl.astype(np.float64) for wdl in rows if wdl is not None]
    if len(known) < len(rows):
        raise BadInput("a mind that is asked for the value says nothing about results: name another")
    return np.array(known).reshape(len(known), 3)


def results_after(
    mind: Mind, queries: Sequence[Query], places: Sequence[NDArray[np.int64]], effort: Effort
) -> list[NDArray[np.float64]]:
    """[moves, 3] of each query: its mover's chances after the legal moves at `places`. One batch of the mind.

    A game that a move ends counts its result.
    """
    after = [
        [query.after(int(query.position.legal[place])) for place in own]
        for query, own in zip(queries, places, strict=True)
    ]
    going = [each for own in after for each in own if len(each.position.legal)]
    told = iter(results_of(mind, going, effort))
    found = []
    for query, own in zip(queries, after, strict=True):
        side, rows = query.position.to_move, np.zeros((len(own), 3))
        for at, each in enumerate(own):
            if not len(each.position.legal):
                rows[at] = ended_result(each.position, side, effort)
            else:
                wdl = next(told)
                rows[at] = wdl if each.position.to_move == side else wdl[::-1]
        found.append(rows)
    return found


@dataclass(frozen=True)
class _Node:
    """A position on the way: which query it belongs to, and how likely play comes here."""

    root: int
    query: Query
    mass: float


@dataclass(frozen=True)
class Walk:
    """How far likely play is followed.

    A position is expanded while the product of the probabilities on the way to it is at least `threshold` (the asked
    ones always are), `positions` at most for each query, the likeliest first. Moves under `min_probability` are left
    out, the likeliest of a position never, and the others share their mass.
    """

    policy: Mind
    value: Mind
    threshold: float
    min_probability: float
    positions: int = 1

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        """The policy's opinions with the mean result over the leaves. One batch a layer, and one for all leaves."""
        roots = self.policy(queries, effort) if queries else []
        totals = np.zeros((len(queries), 3))
        room = [self.positions - 1] * len(queries)
        layer = [_Node(at, query, 1.0) for at, query in enumerate(queries)]
        opinions, leaves = roots, list[_Node]()
        while layer:
            reached = [each for node, held in zip(layer, opinions, strict=True) for each in self._children(node, held)]
            going: list[_Node] = []
            for node in sorted(reached, key=lambda node: -node.mass):
                if not len(node.query.position.legal):
                    side = queries[node.root].position.to_move
                    totals[node.root] += node.mass * ended_result(node.query.position, side, effort)
                elif node.mass >= self.threshold and room[node.root] > 0:
                    room[node.root] -= 1
                    going.append(node)
                else:
                    leaves.append(node)
            layer = going
            opinions = self.policy([node.query for node in layer], effort) if layer else []
        self._add_leaves(totals, queries, leaves, effort)
        return [
            Opinion(opinion.log_probs, (total / total.sum()).astype(np.float32), opinion.lines)
            for opinion, total in zip(roots, totals, strict=True)
        ]

    def _children(self, node: _Node, opinion: Opinion) -> list[_Node]:
        kept = np.exp(dist.restrict(opinion.log_probs, self.min_probability).astype(np.float64))
        moves = node.query.position.legal
        return [
            _Node(node.root, node.query.after(int(moves[at])), node.mass * float(kept[at]))
            for at in np.flatnonzero(kept).tolist()
        ]

    def _add_leaves(
        self, totals: NDArray[np.float64], queries: Sequence[Query], leaves: Sequence[_Node], effort: Effort
    ) -> None:
        if not leaves:
            return
        for node, opinion in zip(leaves, self.value([node.query for node in leaves], effort), strict=True):
            if opinion.wdl is None:
                raise BadSpec("the mind that is asked for the value says nothing about results: name another")
            same = node.query.position.to_move == queries[node.root].position.to_move
            totals[node.root] += node.mass * (opinion.wdl if same else dist.reverse_wdl(opinion.wdl))


def read_fitted(knob: str, queries: Sequence[Query], base: str = "") -> NDArray[np.float64]:
    """[B] what was fitted for the game, board, pool and rating of each query, and the neutral value where nothing was.

    A pool without a curve has that of "", if there is one. A player without a rating has the mean of the curve's ends.
    """
    values = np.empty(len(queries))
    places: dict[tuple[str, str, int], list[int]] = {}
    for at, query in enumerate(queries):
        size = getattr(query.position, "size", 0)  # of games whose boards differ
        places.setdefault((query.position.game.name, query.player.pool, size), []).append(at)
    for (game, pool, size), rows in places.items():
        found = find_curve(METHOD, knob, game, pool, size=size, base=base)
        ratings = [queries[at].player.rating for at in rows]
        values[rows] = NEUTRAL[knob] if found is None else _read(found, ratings)
    return values


def _read(curve: Curve, ratings: Sequence[float | None]) -> NDArray[np.float64]:
    read = curve(np.array([0.0 if rating is None else rating for rating in ratings]))
    read[[rating is None for rating in ratings]] = (curve.points[0][1] + curve.points[-1][1]) / 2
    return read


def calibrated(opinions: Sequence[Opinion], *knobs: NDArray[np.float64]) -> list[Opinion]:
    """Opinions with their results calibrated by temperature, lean and draws, [B] each."""
    known = {at: opinion.wdl for at, opinion in enumerate(opinions) if opinion.wdl is not None}
    made = list(opinions)
    if known:
        rows = list(known)
        told = dist.calibrate(np.stack([*known.values()]), *(each[rows] for each in knobs)).astype(np.float32)
        for at, wdl in zip(rows, told, strict=True):
            made[at] = Opinion(opinions[at].log_probs, wdl, opinions[at].lines)
    return made
