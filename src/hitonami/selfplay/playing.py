"""Games of a network with itself, a generation at a time, all in lockstep."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.models.encoders import start_for
from hitonami.models.encoders.cells import Cells
from hitonami.progress import Report
from hitonami.selfplay.boards import PositionLanes, begin, draw_openings, open_lanes, thin
from hitonami.selfplay.forest import Evaluate, Forest
from hitonami.selfplay.recipe import PlaySpec


@dataclass
class Played:
    """The positions of some games in which a move was chosen, a row each, and how the games went."""

    states: NDArray[np.int16]
    places: NDArray[np.int32]
    """[n, most] of the legal moves in the head, padded with -1."""
    policy: NDArray[np.float16]
    """[n, most] what the search made of them."""
    wdl: NDArray[np.float16]
    """[n, 3] how the game ended for the mover."""
    expected: NDArray[np.float16]
    """[n, 2] what the search, and what the network, expected the mover to score."""
    lengths: NDArray[np.int32]
    """[games] plies, those of an opening at random left out."""
    scores: NDArray[np.float32]
    """[games] of player 0."""
    lowest: NDArray[np.float32]
    """[games, 2] the least that the search ever expected of each side, in games that nobody gave up; else NaN."""
    figures: dict[str, float] = field(default_factory=dict)


def join(parts: Sequence[Played]) -> Played:
    """The games of several parts as one: figures are means, weighed by games, and sums of what is counted."""
    if len(parts) == 1:
        return parts[0]
    most = max(part.places.shape[1] for part in parts)
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("states", "wdl", "expected", "lengths", "scores", "lowest")
    }
    places = np.concatenate([widen(part.places, most, -1) for part in parts])
    policy = np.concatenate([widen(part.policy, most, 0) for part in parts])
    weights = np.array([part.figures["games"] for part in parts])
    figures = {}
    for name in parts[0].figures:
        values = np.array([part.figures[name] for part in parts])
        figures[name] = float(values.sum() if name in _COUNTED else values @ weights / weights.sum())
    return Played(places=places, policy=policy, figures=figures, **arrays)


def widen(array: NDArray[Any], most: int, fill: int) -> NDArray[Any]:
    """The same rows, longer."""
    missing = most - array.shape[1]
    return np.pad(array, ((0, 0), (0, missing)), constant_values=fill) if missing else array


_COUNTED: Final = ("games", "positions", "leaves", "leaves_per_second")


@dataclass
class _Row:
    """A position of a game under way."""

    state: NDArray[np.int16]
    places: NDArray[np.int32]
    policy: NDArray[np.float64]
    mover: int
    expected: tuple[float, float]


def _as_chances(scores: NDArray[np.float32]) -> NDArray[np.float16]:
    """[n, 3] win, draw and loss; what was counted is so much of a win."""
    drawn = scores == 0.5
    return np.stack([np.where(drawn, 0.0, scores), drawn, np.where(drawn, 0.0, 1.0 - scores)], 1).astype(np.float16)


_NEVER: Final = -1.0


class Generation:
    """The games of one generation. The same seed, network and spec always play the same games."""

    def __init__(
        self, encoder: Cells, spec: PlaySpec, seed: list[int], resign_below: float, *, is_counted: bool = False
    ) -> None:
        self._spec = spec
        self._is_counted = is_counted
        self._rng = np.random.default_rng(seed)
        self._lanes = open_lanes(encoder)
        self._encoder = encoder
        self._forest = Forest(self._lanes, spec.games, spec.looking())
        self._rows: list[list[_Row]] = [[] for _ in range(spec.games)]
        self._plies = np.zeros(spec.games, np.int32)
        self._scores = np.full(spec.games, _NEVER, np.float32)
        self._below = np.where(self._rng.random(spec.games) < spec.played_out, 0.0, resign_below)
        self._lowest = np.ones((spec.games, 2), np.float32)
        self._resigned = 0

    def play(self, evaluate: Evaluate, tell: Report | None = None) -> Played:
        spec, forest = self._spec, self._forest
        began = monotonic()
        states, legal, counts = self._begin()
        forest.plant(np.arange(spec.games, dtype=np.int32), states, legal, counts, evaluate)
        while (live := self._scores == _NEVER).any():
            for game in np.flatnonzero(live).tolist():
                self._disturb(game)
            forest.search(live, evaluate)
            self._play_moves(np.flatnonzero(live), evaluate)
            if isinstance(self._lanes, PositionLanes):
                self._lanes.forget(self._all_states())
            if tell is not None:
                tell(int((self._scores != _NEVER).sum()), spec.games)
        return self._collect(monotonic() - began)

    def _begin(self) -> tuple[NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
        spec, starts = self._spec, [start_for(self._encoder)] * self._spec.games
        if spec.thinned:
            shares = self._rng.random(spec.games) * spec.thinned * (self._rng.random(spec.games) < spec.thinned_games)
            starts = [thin(start, share, self._rng) for start, share in zip(starts, shares.tolist(), strict=True)]
        if not spec.opening_plies:
            return begin(self._lanes, starts)
        self._plies[:] = self._rng.integers(spec.opening_plies + 1, size=spec.games)
        return draw_openings(self._lanes, starts, self._plies.astype(np.int64), self._rng)

    def _all_states(self) -> NDArray[np.int16]:
        return np.concatenate([self._forest.states[at, :size] for at, size in enumerate(self._forest.sizes)])

    def _disturb(self, game: int) -> None:
        """Noise at the root: Dirichlet's on the priors, or Gumbel's beside them."""
        spec, edges = self._spec, self._forest.root_edges(game)
        if spec.root == "gumbel":
            early = self._plies[game] < spec.temperature_plies
            self._forest.noise[game, : len(edges)] = self._rng.gumbel(size=len(edges)) if early else 0.0
        elif spec.noise_share:
            noise = self._rng.dirichlet(np.full(len(edges), spec.noise_concentration / len(edges)))
            edges["prior"] = (1.0 - spec.noise_share) * edges["prior"] + spec.noise_share * noise

    def _play_moves(self, live: NDArray[np.int64], evaluate: Evaluate) -> None:
        """One move in each live game; games end here."""
        forest, anew = self._forest, []
        for game in live.tolist():
            move = self._choose(game)
            if self._gives_up(game):
                continue
            edge = forest.root_edges(game)[move].copy()
            self._plies[game] += 1
            child = int(edge["child"])
            if child >= 0 and forest.nodes[game, child]["over"]:
                self._scores[game] = (0.5, 1.0, 0.0)[int(forest.nodes[game, child]["proof"])]
            elif self._plies[game] >= self._spec.most_plies:
                self._scores[game] = self._count(game, max(child, 0)) if self._is_counted else 0.5
            elif not (self._spec.reuse and self._spec.root == "puct" and forest.keep_below(game, move)):
                anew.append((game, int(edge["move"])))
        if not anew:
            return
        rows = np.array([game for game, _ in anew], np.int32)
        moves = np.array([move for _, move in anew], np.int32)
        after, legal, counts, scores = forest.advance(forest.states[rows, 0], moves)
        self._scores[rows[scores >= 0]] = scores[scores >= 0]
        going = np.flatnonzero(scores < 0)
        if len(going):
            forest.plant(rows[going], after[going], legal[going], counts[going], evaluate)

    def _count(self, game: int, node: int) -> float:
        """The score of player 0 by the pieces on the board: each one more is worth something, a win the most."""
        cells = self._forest.states[game, node, : self._forest.points]
        own, other = int((cells > 0).sum()), int((cells < 0).sum())
        lead = (own - other) / max(own + other, 1)
        return float(0.5 + self._spec.counted_worth * np.sign(lead) * np.sqrt(abs(lead)))

    def _choose(self, game: int) -> int:
        """The place of the move to play among the legal ones; the position is noted with what the search taught."""
        spec, forest = self._spec, self._forest
        root, edges = forest.nodes[game, 0], forest.root_edges(game)
        mover = int(root["mover"])
        wins = self._winning(game, edges, mover)
        visits = edges["visits"].astype(np.float64)
        if wins.any():
            policy = wins / wins.sum()
        elif spec.root == "gumbel":
            policy = forest.improved(game)
        else:
            policy = visits / visits.sum() if visits.sum() else edges["prior"].astype(np.float64)
        if wins.any() or spec.root == "puct":
            early = self._plies[game] < spec.temperature_plies
            heat = policy ** (1.0 / spec.temperature) if early else policy == policy.max()
            move = int(self._rng.choice(len(heat), p=heat / heat.sum()))
        else:
            move = forest.best_by_gumbel(game)
        places = self._lanes.places[mover][edges["move"]]
        scores = [float(root[name]) if mover == 0 else 1.0 - float(root[name]) for name in ("score", "own_score")]
        self._rows[game].append(_Row(forest.states[game, 0].copy(), places, policy, mover, (scores[0], scores[1])))
        self._lowest[game, mover] = min(self._lowest[game, mover], scores[0])
        return move

    def _winning(self, game: int, edges: NDArray[Any], mover: int) -> NDArray[np.bool_]:
        """Moves that win by force, as far as the search has proved it."""
        children = edges["child"]
        return (children >= 0) & (self._forest.nodes[game]["proof"][children] == mover + 1)

    def _gives_up(self, game: int) -> bool:
        row = self._rows[game][-1]
        if row.expected[0] >= self._below[game]:
            return False
        self._scores[game] = float(row.mover)
        self._resigned += 1
        return True

    def _collect(self, seconds: float) -> Played:
        rows = [row for game in self._rows for row in game]
        scores = np.repeat(self._scores, [len(game) for game in self._rows])
        movers = np.array([row.mover for row in rows])
        own = np.where(movers == 0, scores, 1.0 - scores)
        most = max(len(row.places) for row in rows)
        places = np.full((len(rows), most), -1, np.int32)
        policy = np.zeros((len(rows), most), np.float16)
        for at, row in enumerate(rows):
            places[at, : len(row.places)], policy[at, : len(row.places)] = row.places, row.policy
        played = Played(
            states=np.stack([row.state for row in rows]),
            places=places,
            policy=policy,
            wdl=_as_chances(own),
            expected=np.array([row.expected for row in rows], np.float16),
            lengths=np.array([len(game) for game in self._rows], np.int32),
            scores=self._scores,
            lowest=np.where((self._below == 0.0)[:, None], self._lowest, np.nan).astype(np.float32),
        )
        played.figures = self._figures(played, own, seconds)
        return played

    def _figures(self, played: Played, own: NDArray[np.float32], seconds: float) -> dict[str, float]:
        branching = (played.places >= 0).sum(1)
        errors = ((played.expected.astype(np.float64) - own[:, None]) ** 2).mean(0)
        spread = max(float(own.var()), 1e-9)
        leaves, ends = self._forest.leaves, self._forest.ends
        return {
            "games": float(len(played.scores)),
            "positions": float(len(own)),
            "length": float(played.lengths.mean()),
            "branching": float(branching.mean()),
            "draws": float((played.scores == 0.5).mean()),
            "first_player": float(played.scores.mean()),
            "resigned": float(self._resigned / len(played.scores)),
            "r2_search": 1.0 - float(errors[0]) / spread,
            "r2_network": 1.0 - float(errors[1]) / spread,
            "leaves": float(leaves),
            "ended_leaves": ends / max(leaves + ends, 1),
            "leaves_per_second": leaves / max(seconds, 1e-9),
            "play_seconds": seconds,
        }
