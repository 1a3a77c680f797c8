"""Any shogi engine that speaks USI, as a mind."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.engines.uci import USI, Dialect, Limits
from hitonami.minds._searching import SearchingEngine


@dataclass(frozen=True)
class Usi(SearchingEngine):
    """A USI shogi engine: as `Uci`, with shogi's scale of scores.

    Without a limit it thinks 500 ms a move by byoyomi, the only limit that every USI engine knows (GPS Shogi
    ends at `go nodes`). Where it resigns the result is a loss and where it declares a win a win; the moves are
    those of its variations, all alike where it gave none. An engine without the option MultiPV gives what it gives.
    `result_centipawns` is the usual 600 of shogi engines, and draws are rare.
    """

    result_centipawns: float = 600.0
    draw_share: float = 0.02

    DIALECT: ClassVar[Dialect] = USI
    GAMES: ClassVar[tuple[str, ...]] = ("shogi",)
    DEFAULT_LIMITS: ClassVar[Limits] = Limits(milliseconds=500)
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"command": "fairy-stockfish", "nodes": 1000},)
