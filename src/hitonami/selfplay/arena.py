"""Two networks against each other, many games in lockstep: pairs of games on one opening, colours swapped."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import Lanes, States
from hitonami.matches.sprt import Sprt, SprtState, watch
from hitonami.models.encoders.cells import Cells
from hitonami.selfplay.boards import begin, open_lanes
from hitonami.selfplay.forest import Evaluate, Forest, Looking

_PAIRS_AT_ONCE: Final = 16
_TRIES: Final = 50


@dataclass(frozen=True)
class Entrant:
    """A network and how far it looks; without a network every legal move is as likely as another."""

    evaluate: Evaluate | None
    looking: Looking = field(default_factory=Looking)


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
        openings = _draw_openings(lanes, self.encoder, pairs, self.opening_plies, rng)
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
        forests = [Forest(lanes, games, player.looking) for player in players]
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
                    live = np.zeros(games, np.bool_)
                    live[rows] = True
                    forest.search(live, player.evaluate)
                    moves = np.array([best_move(forest, game) for game in rows.tolist()], np.int32)
                found = forest.advance(states[rows], moves)
                states[rows], legal[rows], counts[rows], scores[rows] = found
            if (scores >= 0).all():
                break
        return np.where(scores < 0, np.float32(0.5), scores)


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


def _draw_openings(
    lanes: Lanes, encoder: Cells, count: int, plies: int, rng: np.random.Generator
) -> tuple[States, NDArray[np.int32], NDArray[np.int32]]:
    """Starts after some moves at random, none of them over."""
    states, legal, counts = begin(lanes, encoder, count)
    for row in range(count):
        for _ in range(_TRIES):
            found = _play_at_random(lanes, states[row], legal[row], int(counts[row]), plies, rng)
            if found is not None:
                states[row], legal[row], counts[row] = found
                break
    return states, legal, counts


def _play_at_random(  # noqa: PLR0913, PLR0917  (a position and how far)
    lanes: Lanes, state: NDArray[np.int16], legal: NDArray[np.int32], count: int, plies: int, rng: np.random.Generator
) -> tuple[NDArray[np.int16], NDArray[np.int32], int] | None:
    for _ in range(plies):
        move = np.array([legal[int(rng.integers(count))]], np.int32)
        after, answers = np.empty_like(state)[None], np.zeros((1, lanes.most_moves), np.int32)
        counts, scores = np.zeros(1, np.int32), np.zeros(1, np.float32)
        lanes.advance(state[None], move, after, answers, counts, scores)
        if scores[0] >= 0:
            return None
        state, legal, count = after[0], answers[0], int(counts[0])
    return state, legal, count
