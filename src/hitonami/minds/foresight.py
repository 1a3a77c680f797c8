"""Look a few plies ahead and count pieces: moves that lose material become less likely, as they are for people.

A small network judges a position by its looks and overlooks what three plies show. Here the moves that come to mind
(those the inner mind gives a thousandth at least) are played, every reply is answered, captures are played out, and the
material is counted. What is seen shifts the probabilities by weights that were fitted to people's moves by rating and
pool (`hitonami fit chess foresight`): beginners act on little of it, masters on most. Moves that did not come to mind
keep their share. The result stays. Chess only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, LogProbs, Mind, Opinion, Query
from hitonami.errors import BadInput
from hitonami.games.chess import ChessPosition
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.levels import find_curve

METHOD: Final = "foresight"
"""The name in a file of levels."""
NEUTRAL: Final = {
    "slip": 0.0,
    "loss": 0.0,
    "ruin": 0.0,
    "gain": 0.0,
    "prize": 0.0,
    "check": 0.0,
    "mate": 0.0,
    "sharpness": 1.0,
}
"""The knobs, and the values that change nothing."""
DECIDED: Final = 10.0
"""Pawns won beyond which a position is as good as won, mate included."""
WINDOW: Final = 4.0
"""Pawns below the best move beyond which moves are not told apart."""
_LEAST: Final = float(np.log(1e-3))
_MOST: Final = 50.0
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Foresight:
    """Weigh what three plies show against the inner mind: each knob is what its sight adds to a log-probability.

    `slip`, `loss` and `ruin` are for what a move loses against the best one seen, on a scale of one pawn, three and
    four; `gain` and `prize` for what it wins outright, on a scale of one pawn and three; `check` and `mate` for giving
    one; `sharpness` multiplies the inner log-probability.
    """

    mind: Mind
    slip: Knob = 0.0
    loss: Knob = 0.0
    ruin: Knob = 0.0
    gain: Knob = 0.0
    prize: Knob = 0.0
    check: Knob = 0.0
    mate: Knob = 0.0
    sharpness: Knob = 1.0

    GAMES: ClassVar[tuple[str, ...]] = ("chess",)
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "uniform", "loss": 2.0},
        {"mind": "uniform", "slip": [[1000, 0.1], [2200, 1.5]], "mate": 2, "sharpness": 0.9},
    )

    def __post_init__(self) -> None:
        for name in NEUTRAL:
            check_knob(name, getattr(self, name), 0.0 if name == "sharpness" else -_MOST, _MOST)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        knobs = np.stack([read_knob(getattr(self, name), queries) for name in NEUTRAL], axis=1)
        return weigh_all(self.mind(queries, effort), queries, knobs)


@dataclass(frozen=True)
class FittedForesight:
    """The same with what was fitted for the player's pool and rating; whoever has none of it is left alone."""

    mind: Mind

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = list(self.mind(queries, effort))
        knobs = [fitted_knobs(query) for query in queries]
        rows = [at for at, found in enumerate(knobs) if found is not None]
        if rows:
            told = np.array([found for found in knobs if found is not None])
            for at, opinion in zip(
                rows, weigh_all([opinions[at] for at in rows], [queries[at] for at in rows], told), strict=True
            ):
                opinions[at] = opinion
        return opinions


def fitted_knobs(query: Query) -> list[float] | None:
    """The knobs in their order; None without a rating, or where nothing was fitted for the pool."""
    rating = query.player.rating
    if rating is None:
        return None
    curves = [find_curve(METHOD, name, query.position.game.name, query.player.pool) for name in NEUTRAL]
    return [float(curve(np.array([rating]))[0]) for curve in curves if curve is not None] if all(curves) else None


def weigh_all(opinions: Sequence[Opinion], queries: Sequence[Query], knobs: Floats) -> list[Opinion]:
    """`knobs` [B, 8] in the order of NEUTRAL."""
    sights = look_ahead(queries, [opinion.log_probs for opinion in opinions])
    return [
        replace(opinion, log_probs=weigh(opinion.log_probs, sight, own))
        for opinion, sight, own in zip(opinions, sights, knobs, strict=True)
    ]


@dataclass(frozen=True)
class Sight:
    """What was seen of one position."""

    moves: NDArray[np.intp]
    """[K] the moves that came to mind, by their places among the legal ones, the likeliest first."""
    features: Floats
    """[K, 7] what the first seven knobs are multiplied with."""


def look_ahead(queries: Sequence[Query], log_probs: Sequence[LogProbs]) -> list[Sight]:
    """For each position, the moves that come to mind and what becomes of them. Raises BadInput for another game."""
    positions = [query.position for query in queries]
    for position in positions:
        if not isinstance(position, ChessPosition):
            raise BadInput(f"foresight counts chess pieces; it cannot look ahead in {position.game.name}")
    chosen = [_come_to_mind(each) for each in log_probs]
    begins = np.concatenate([[0], np.cumsum([len(each) for each in chosen])]).astype(np.int64)
    moves = [position.legal[each] for position, each in zip(positions, chosen, strict=True)]
    seen = _foresee([each for each in positions if isinstance(each, ChessPosition)], moves, begins)
    return [
        Sight(each, _features(seen[begin:end]))
        for each, begin, end in zip(chosen, begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    ]


def _come_to_mind(log_probs: LogProbs) -> NDArray[np.intp]:
    order = np.argsort(-log_probs, kind="stable")
    return order[: max(1, int((log_probs >= _LEAST).sum()))]


def _foresee(
    positions: Sequence[ChessPosition], moves: Sequence[NDArray[np.int32]], begins: NDArray[np.int64]
) -> NDArray[np.int64]:
    """[M, 2] of all moves of all positions: see the kernel."""
    from hitonami.minds._chess_foresight import DEEPEST, foresee  # numba: an engine must answer before it is loaded

    out = np.zeros((int(begins[-1]), 2), dtype=np.int64)
    if not positions:
        return out
    decided, window = round(100 * DECIDED), round(100 * WINDOW)
    sets = np.frombuffer(b"".join(each.history[: 12 * 8] for each in positions), dtype=np.uint64).reshape(-1, 12)
    squares = [each.rules.en_passant() for each in positions]
    foresee(
        sets,
        np.array([each.to_move for each in positions], dtype=np.int64),
        np.array([-1 if square is None else square for square in squares], dtype=np.int64),
        np.concatenate(moves).astype(np.int64),
        begins,
        out,
        np.zeros((DEEPEST + 4, 256, 4), dtype=np.int64),
        np.zeros((DEEPEST + 2, 6), dtype=np.int64),
        decided,
        window,
    )
    return out


def _features(seen: NDArray[np.int64]) -> Floats:
    """[K, 2] counts and checks to [K, 7] bounded numbers."""
    won = np.clip(seen[:, 0] / 100.0, -DECIDED, DECIDED)
    less = np.maximum(won - won.max(), -WINDOW)
    columns = [np.tanh(less), np.tanh(less / 3), less / 4, np.tanh(won), np.tanh(won / 3)]
    return np.stack([*columns, seen[:, 1] > 0, seen[:, 0] > 500 * DECIDED], axis=1)


def weigh(log_probs: LogProbs, sight: Sight, knobs: Floats) -> LogProbs:
    """What was seen, by the knobs [8], into the moves that came to mind; the others keep their share."""
    inner = log_probs[sight.moves].astype(np.float64)
    scores = knobs[-1] * inner + sight.features @ knobs[:-1]
    shifted = log_probs.copy()
    shifted[sight.moves] = scores - np.logaddexp.reduce(scores) + np.logaddexp.reduce(inner)
    return shifted
