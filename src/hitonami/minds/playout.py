"""For games that nobody has taught a network: the result by playing on at random, and a search over that.

A position is worth what random games from it come to on average; PUCT looks for the moves after which that is best. It
needs the rules alone, so it means something in any game, and it is weak where a single move among many decides.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, runtime_checkable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.abilities import CountingGame
from hitonami.core import Effort, Mind, Opinion, Position, Query, size_of
from hitonami.customs import customs_in
from hitonami.knobs import check_knob
from hitonami.minds.puct import Puct
from hitonami.minds.uniform import Uniform


@dataclass(frozen=True)
class Playout:
    """PUCT over the results of games that `mind` plays with itself, each move drawn from its opinion.

    The default `uniform` plays at random. `simulations` is the budget of a search where a call names none, and 1 is
    no search at all; `games` are played from each position that the search comes to. A game that goes on for
    `most_plies` more (0: as long as matches of the game may) is counted where the game is counted, else drawn. Priors
    of the search are the mind's, too. A position is always thought about in the same way, whatever the rng.
    """

    simulations: int = 200
    mind: Mind = field(default_factory=Uniform)
    games: int = 1
    c_puct: float = 4.0
    most_plies: int = 0
    tau: float = 0.5

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"simulations": 12, "most_plies": 30},
        {"simulations": 1, "games": 3, "most_plies": 20},
    )

    def __post_init__(self) -> None:
        check_knob("simulations", self.simulations, 1, 2**31 - 1)
        check_knob("games", self.games, 1, 100_000)
        check_knob("most_plies", self.most_plies, 0, 100_000)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        leaves = _Leaves(self.mind, self.games, self.most_plies)
        search = Puct(leaves, self.simulations, self.c_puct, self.tau, root_force=0.0, reuse="never")
        return search(queries, effort)


@runtime_checkable
class _Drawing(Protocol):
    """A mind that draws moves sooner than it gives its opinions."""

    def drawer(self, query: Query) -> Callable[[Position, np.random.Generator], int]: ...


@dataclass(frozen=True)
class _Leaves:
    """The mind's moves, and the result of games that it plays out from each position."""

    mind: Mind
    games: int
    most_plies: int

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort)
        plain = Effort(effort.rng, stop=effort.stop)
        return [
            replace(opinion, wdl=self._result(query, plain)) for query, opinion in zip(queries, opinions, strict=True)
        ]

    def _result(self, query: Query, effort: Effort) -> NDArray[np.float32]:
        position = query.position
        rng = np.random.default_rng(crc32(repr(position.key).encode()))
        scores = [self._play_on(query, rng, effort) for _ in range(self.games)]
        own = [score if position.to_move == 0 else 1.0 - score for score in scores]
        counts = [sum(each > 0.5 for each in own), sum(each == 0.5 for each in own), sum(each < 0.5 for each in own)]
        return (np.array(counts) / len(own)).astype(np.float32)

    def _play_on(self, query: Query, rng: np.random.Generator, effort: Effort) -> float:
        """0..1 for player 0."""
        here, draw = query.position, self._drawer(query, effort)
        for _ in range(self.most_plies or customs_in(here.game).ply_limit(size_of(here))):
            if not len(here.legal):
                break
            here = here.follow(int(here.legal[draw(here, rng)]))
        return _score_of(here)

    def _drawer(self, query: Query, effort: Effort) -> Callable[[Position, np.random.Generator], int]:
        """Asking a mind for its opinion of each move of each game would cost more than all else."""
        if isinstance(self.mind, Uniform):
            return lambda position, rng: int(rng.integers(len(position.legal)))
        if isinstance(self.mind, _Drawing):
            return self.mind.drawer(query)
        return lambda position, rng: dist.sample(self._ask(query, position, effort), rng)

    def _ask(self, query: Query, position: Position, effort: Effort) -> NDArray[np.float32]:
        clock = query.clock.swapped() if query.clock else None
        asked = replace(query, position=position)
        if position.to_move != query.position.to_move:
            asked = Query(position, query.opponent, query.player, clock)
        [opinion] = self.mind([asked], effort)
        return opinion.log_probs


def _score_of(position: Position) -> float:
    if position.score is not None:
        return position.score
    game = position.game
    return game.count(position, ()).score if isinstance(game, CountingGame) else 0.5
