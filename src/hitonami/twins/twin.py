"""A twin: how one person's moves differ from what a base thinks of people like them.

    score(a) = log P(a) + weights · what is seen of a + Σ the weight of a's kind

over the moves that come to mind, which keep their share together; then, scene by scene from the broadest to the
position itself, what the person played there before:

    P'(a) = (count(a) + doubt · P(a)) / (n + doubt)

A part that did not help on games held back is not there. The result stays the base's. The person's own rating is told
to the base, whoever asks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import LogProbs, Opinion, Player, Query
from hitonami.errors import BadInput
from hitonami.habits import Habits, habits_of
from hitonami.levels.opening_counts import is_plain
from hitonami.sights import COMMON, Looked, Sights, look, share_out, sights_of

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Counts = dict[str, dict[str, int]]
"""By the mark of a scene, how often each move was played in it."""
BEYOND: Final = 5.0
"""Spreads beyond which what is seen counts no more."""
_MARK_BYTES: Final = 5
"""A mark tells nobody the position; two of 20,000 scenes share one in one twin of five thousand."""


class Blind:
    """The sights of a game that has none: only what the base thinks of a move is known."""

    columns: tuple[str, ...] = ()
    scale: tuple[float, float] = (0.0, 1.0)

    def rate(self, player: Player) -> float | None:
        return player.rating

    def strike(self, positions: Sequence[Any], moves: Whole, begins: Whole) -> NDArray[np.bool_]:
        return np.zeros(len(moves), dtype=np.bool_)

    def show(self, positions: Sequence[Any], moves: Whole, begins: Whole) -> Floats:
        return np.zeros((len(moves), 0), dtype=np.float32)


@dataclass(frozen=True)
class Leanings:
    """What the person likes and shuns, whatever the position."""

    columns: tuple[str, ...]
    shift: Floats
    scale: Floats
    weights: Floats
    kinds: Mapping[str, Floats]
    """A weight for each kind of move, by the ways in which the game's habits tell them apart."""

    def score(self, columns: Floats, sorted_moves: Whole, log_probs: Floats) -> Floats:
        """[M] of moves whose `columns` [M, F] were seen and which are of these kinds [M, K]."""
        scores = log_probs + standardised(columns, self.shift, self.scale) @ self.weights
        for at, weights in enumerate(self.kinds.values()):
            scores = scores + weights[sorted_moves[:, at]]
        return np.asarray(scores, dtype=np.float32)


@dataclass(frozen=True)
class Memory:
    """What the person played in the scenes of one sort."""

    counts: Counts
    doubt: float
    """How many games the opinion before counts for."""


@dataclass(frozen=True)
class Twin:
    """What a file holds. `memories` are by sort of scene, the broadest first."""

    name: str
    game: str
    player: Player
    """Rating and pool of the person, without a name."""
    leanings: Leanings | None
    memories: Mapping[str, Memory]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    readiness: float = 0.0
    """To give up a lost game, beside people of the level: log-odds at a turn."""

    def told(self, query: Query) -> Query:
        """The question with the person in the mover's seat; who was an equal, or is of another scale, is an equal."""
        player, opponent = query.player, query.opponent
        if opponent.pool != self.player.pool or (player.rating, player.pool) == (opponent.rating, opponent.pool):
            opponent = replace(opponent, rating=self.player.rating, pool=self.player.pool)
        return replace(query, player=replace(self.player, kind=player.kind), opponent=opponent)

    def adapt(self, queries: Sequence[Query], opinions: Sequence[Opinion]) -> list[Opinion]:
        """What the base thinks, as the person would. Raises BadInput for another game."""
        for query in queries:
            if query.position.game.name != self.game:
                raise BadInput(f"the twin {self.name} plays {self.game}, not {query.position.game.name}")
        inner = [opinion.log_probs for opinion in opinions]
        leaning = lean(self.leanings, self.game, queries, inner) if self.leanings is not None and queries else inner
        found = [self._remember(query, each) for query, each in zip(queries, leaning, strict=True)]
        return [
            replace(opinion, log_probs=each, readiness=self.readiness)
            for opinion, each in zip(opinions, found, strict=True)
        ]

    def _remember(self, query: Query, log_probs: LogProbs) -> LogProbs:
        position = query.position
        if not self.memories or not is_plain(position.setup):
            return log_probs
        habits = habits_of(self.game)
        for scene, view in zip(habits.scenes, habits.view(position), strict=True):
            memory = self.memories.get(scene)
            counts = None if memory is None or not view.name else memory.counts.get(mark_of(view.name))
            if memory is not None and counts is not None:
                told = Named.of([int(view.move(int(move))) for move in position.legal], counts)
                log_probs = dist.normalise(told.recall(log_probs.astype(np.float64), memory.doubt))
        return log_probs


def mark_of(name: str) -> str:
    """A scene's name as a twin holds it."""
    return blake2b(name.encode(), digest_size=_MARK_BYTES).hexdigest()


@dataclass(frozen=True)
class Named:
    """How often each of a scene's moves was played, for legal moves that the scene may tell alike."""

    group: Whole
    """[L] which of the names each legal move has."""
    counts: NDArray[np.float64]
    """[names]."""

    @staticmethod
    def of(names: Sequence[int] | Whole, counts: Mapping[str, int]) -> "Named":
        known, group = np.unique(names, return_inverse=True)
        return Named(group, np.array([counts.get(str(name), 0) for name in known.tolist()], dtype=np.float64))

    def recall(self, log_probs: NDArray[np.float64], doubt: float) -> NDArray[np.float64]:
        """[L] counts mixed into an opinion that counts for `doubt` games; moves told alike share as they did."""
        shares = np.exp(log_probs)
        alike = np.bincount(self.group, shares)
        with np.errstate(divide="ignore", invalid="ignore"):
            own = np.where(alike > 0, self.counts / alike, 0.0)[self.group] * shares
            found: NDArray[np.float64] = np.log((own + doubt * shares) / (own.sum() + doubt))
        return found


def lean(leanings: Leanings, game: str, queries: Sequence[Query], log_probs: Sequence[LogProbs]) -> list[LogProbs]:
    """The log-probabilities of each position once the person's leanings are added."""
    sights, habits = seen_in(game), habits_of(game)
    if (*sights.columns, *COMMON) != leanings.columns or dict(habits.kinds) != sizes_of(leanings):
        raise BadInput(f"this twin reads what this version does not show of {game}: make it again")
    looked, kinds = look_at(sights, habits, queries, log_probs)
    flat = np.concatenate(log_probs)
    flat[looked.places] = share_out(leanings.score(looked.columns, kinds, looked.log_probs), looked)
    return np.split(flat, np.cumsum([len(each) for each in log_probs])[:-1])


def seen_in(game: str) -> Sights:
    """The sights of a game, blind where nobody wrote them."""
    return sights_of(game) or Blind()


def sizes_of(leanings: Leanings) -> dict[str, int]:
    return {name: len(weights) for name, weights in leanings.kinds.items()}


def look_at(
    sights: Sights, habits: Habits, queries: Sequence[Query], log_probs: Sequence[LogProbs]
) -> tuple[Looked, Whole]:
    """What is seen of the moves that come to mind, and [M, K] of which kinds they are."""
    looked = look(sights, queries, log_probs)
    positions = [query.position for query in queries]
    legal = np.concatenate([position.legal for position in positions]).astype(np.int64)
    return looked, habits.sort(positions, legal[looked.places], looked.begins)


def standardised(columns: Floats, shift: Floats, scale: Floats) -> Floats:
    """[M, F] in spreads from the mean, bounded."""
    clipped: Floats = np.clip((columns - shift) / scale, -BEYOND, BEYOND)
    return clipped
