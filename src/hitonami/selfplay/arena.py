"""Two networks against each other, many games in lockstep: pairs of games on one opening, colours swapped."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.lanes import Lanes, States
from hitonami.matches.sprt import Sprt, SprtState, watch
from hitonami.models.encoders import start_for
from hitonami.models.encoders.cells import Cells
from hitonami.selfplay.boards import draw_openings, open_lanes
from hitonami.selfplay.forest import Evaluate, Forest, Looking

_PAIRS_AT_ONCE: Final = 16


@dataclass(frozen=True)
class Entrant:
    """A network and how far it looks; without a network every legal move is as likely as another."""

    evaluate: Evaluate | None
    looking: Looking | None = field(default_factory=Looking)
    """None for the network's own chances."""
    rho: float | None = None
    """Moves are drawn by visits, or by the network's chances, to this power; None plays the best one."""


@dataclass(frozen=True)
class Verdict:
    """Scores of the first entrant, pair by pair, and what the sequential test made of them."""

    pairs: tuple[tuple[float, float], ...]
    state: SprtState

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def score(self) -> float:
        return float(np.mean(self.pairs)) if self.pairs else 0.5


@dataclass(frozen=True)
class Arena:
    """Where games are played: a board, how openings are drawn, and when a game is drawn."""

    encoder: Cells
    opening_plies: int
    most_plies: int
    seed: tuple[int, ...]

    def contest(
        self, one: Entrant, other: Entrant, test: Sprt, most_games: int, tell: Callable[[int], None] | None = None
    ) -> Verdict:
        """Play until the test has an answer, or `most_games` are played."""
        pairs: list[tuple[float, float]] = []
        state = watch(test, [], [])
        for block in self._blocks(most_games // 2):
            rng = np.random.default_rng([*self.seed, block[0]])
            scores = self.play_pairs(one, other, len(block), rng)
            pairs += [(float(first), float(second)) for first, second in scores]
            state = watch(test, [], pairs)
            if tell is not None:
                tell(2 * len(pairs))
            if state.verdict != "open":
                break
        return Verdict(tuple(pairs), state)

    def _blocks(self, pairs: int) -> Iterator[range]:
        for first in range(0, pairs, _PAIRS_AT_ONCE):
            yield range(first, min(first + _PAIRS_AT_ONCE, pairs))

    def play_pairs(self, one: Entrant, other: Entrant, pairs: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """[pairs, 2] what `one` scored as the first player, and as the second, on the same opening."""
        lanes = open_lanes(self.encoder)
        openings = draw_openings(lanes, [start_for(self.encoder)] * pairs, np.full(pairs, self.opening_plies), rng)
        starts, legal, counts = (np.concatenate([part, part]) for part in openings)
        first_is_one = np.repeat([True, False], pairs)
        scores = self._play_on(lanes, starts, legal, counts, first_is_one, (one, other), rng)
        own = np.where(first_is_one, scores, 1.0 - scores)
        return np.stack([own[:pairs], own[pairs:]], axis=1).astype(np.float32)

    def _play_on(  # noqa: PLR0913, PLR0917  (arrays of one batch)
        self,
        lanes: Lanes,
        states: States,
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
        first_is_one: NDArray[np.bool_],
        players: tuple[Entrant, Entrant],
        rng: np.random.Generator,
    ) -> NDArray[np.float32]:
        games, points = len(states), lanes.rows * lanes.columns
        scores = np.full(games, -1.0, np.float32)
        forests = [Forest(lanes, games, player.looking or Looking(2)) for player in players]
        for _ in range(self.most_plies):
            movers = states[:, points]
            for at, (player, forest) in enumerate(zip(players, forests, strict=True)):
                turn = (movers == 0) == first_is_one if at == 0 else (movers == 0) != first_is_one
                rows = np.flatnonzero((scores < 0) & turn).astype(np.int32)
                if not len(rows):
                    continue
                if player.evaluate is None:
                    moves = legal[rows, rng.integers(counts[rows])]
                else:
                    forest.plant(rows, states[rows], legal[rows], counts[rows], player.evaluate)
                    if player.looking is not None:
                        live = np.zeros(games, np.bool_)
                        live[rows] = True
                        forest.search(live, player.evaluate)
                    moves = np.array([_choose(forest, game, player, rng) for game in rows.tolist()], np.int32)
                found = forest.advance(states[rows], moves)
                states[rows], legal[rows], counts[rows], scores[rows] = found
            if (scores >= 0).all():
                break
        return np.where(scores < 0, np.float32(0.5), scores)


def _choose(forest: Forest, game: int, player: Entrant, rng: np.random.Generator) -> int:
    if player.rho is None:
        return best_move(forest, game)
    edges = forest.root_edges(game)
    weights = (edges["prior"] if player.looking is None else edges["visits"]).astype(np.float64) ** player.rho
    return int(rng.choice(edges["move"], p=weights / weights.sum())) if weights.sum() else best_move(forest, game)


def best_move(forest: Forest, game: int) -> int:
    """The id of the move that a search without noise plays: a proved win, else the most visited."""
    root, edges = forest.nodes[game, 0], forest.root_edges(game)
    children = edges["child"]
    proofs = np.where(children >= 0, forest.nodes[game]["proof"][children], 0)
    wins = proofs == int(root["mover"]) + 1
    if wins.any():
        return int(edges["move"][int(wins.argmax())])
    worth = edges["visits"] + edges["prior"]
    return int(edges["move"][int(np.argmax(np.where(proofs == 2 - int(root["mover"]), worth - 1e9, worth)))])
