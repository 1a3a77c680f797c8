"""Fairy-Stockfish as a mind, for every game here that says how that program knows it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Game
from hitonami.engines.fairy import FairyEngine
from hitonami.engines.uci import UciEngine
from hitonami.fairy import FairyKnown
from hitonami.minds._searching import SearchingEngine
from hitonami.parts import find_parts, load_part


@dataclass(frozen=True)
class Fairy(SearchingEngine):
    """Fairy-Stockfish for variants of chess, shogi and xiangqi, and games like them: as `Uci`.

    The variant of each position is told by itself. Debian's build (11.1) knows no custom pieces: a game that needs
    them, or that it plays by other rules, is refused. Scores mean different things in different games; 600 centipawns
    stand for three chances in four where no other `result_centipawns` is given.
    """

    command: str = "fairy-stockfish"
    result_centipawns: float = 600.0
    draw_share: float = 0.1

    ENGINE: ClassVar[type[UciEngine]] = FairyEngine
    GAMES: ClassVar[tuple[str, ...]] = tuple(
        name for name in find_parts("games") if hasattr(load_part("games", name), "fairy_rules")
    )
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"command": "fairy-stockfish", "nodes": 1000},)

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, FairyKnown)
