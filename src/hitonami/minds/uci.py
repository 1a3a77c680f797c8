"""Any chess engine that speaks UCI, as a mind."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.minds._searching import SearchingEngine


@dataclass(frozen=True)
class Uci(SearchingEngine):
    """A UCI chess engine: softmax of its MultiPV scores, with a floor for the moves it does not mention.

    Fields: `command` (program and arguments), `options` (a table of the engine's own options), the limits
    `nodes`, `depth` and `move_milliseconds` (10,000 nodes where none is given), `multipv` variations,
    `temperature_centipawns` of the softmax, `floor` (the share spread evenly over all legal moves; 0
    excludes what the engine does not mention), `fresh` (forget earlier positions, so that equal queries get
    equal opinions; false is faster within a game), `processes` that share a batch, and `timeout_seconds`.

    `limit_strength` makes the engine play at the rating of the player, brought into the engine's range
    (Stockfish 15: 1350 to 2850); the engine then draws its move itself, and that move has all but the floor.
    The player must have a rating.

    The result is the engine's own (UCI_ShowWDL), else the logistic 1 / (1 + exp(-cp / result_centipawns)) of
    the score, 272 being Lichess's fit to human games, with draws up to `draw_share`. The seconds of a call are
    shared by its queries, its simulations are nodes for each; both stand in for the limits given here.
    """

    GAMES: ClassVar[tuple[str, ...]] = ("chess",)
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"command": "stockfish", "nodes": 2000},
        {"command": "stockfish", "options": {"Hash": 8}, "depth": 3, "multipv": 2, "floor": 0.05},
    )
