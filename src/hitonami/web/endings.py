"""How games on the page end other than on the board: time, agreement, and the count of a Go board.

Draw offers are simple and say so: the opponent offers where its own view has long been level, and answers an offer by
its own view; both only once the opening is over.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.core import Opinion, Position
from hitonami.games.chess import ChessPosition
from hitonami.games.go import GoPosition, read_vertex, vertex
from hitonami.games.go_rules.count import Count
from hitonami.terminal.table import Outcome

EARLIEST_DRAW_PLY: Final = 20
_OFFER_FROM_PLY: Final = 60
_OFFER_AGAIN_AFTER: Final = 20
_LEVEL_WITHIN: Final = 0.05
_DRAWISH: Final = 0.4


def outcome_on_time(position: Position) -> Outcome:
    """The side to move has no time left. In chess it draws where the other side could not mate by any means."""
    winner = 1 - position.to_move
    if isinstance(position, ChessPosition) and position.board.has_insufficient_material(winner == 0):
        return Outcome(0.5, "time, and nothing left to mate with")
    return Outcome(float(winner == 0), "time")


def offers_draw(position: Position, opinion: Opinion, last_offer: int) -> bool:
    """Whether the opponent, having just moved to `position`, offers a draw; `opinion` is what it moved by."""
    if not isinstance(position, ChessPosition) or opinion.wdl is None or position.ply < _OFFER_FROM_PLY:
        return False
    if last_offer >= 0 and position.ply - last_offer < _OFFER_AGAIN_AFTER:
        return False
    level = abs(dist.expected_score(opinion.wdl) - 0.5) <= _LEVEL_WITHIN
    return level and float(opinion.wdl[1]) >= _DRAWISH and len(position.legal) > 0


def guess_dead(position: Position) -> tuple[str, ...]:
    """Go, after two passes: the stones that look dead, as vertices; none in other games."""
    if not isinstance(position, GoPosition) or position.ending is None:
        return ()
    rng = np.random.default_rng(position.ply)
    return tuple(vertex(position.size, point) for point in position.game.guess_dead(position, rng))


def count_with(position: GoPosition, dead: Iterable[str]) -> Outcome:
    """The count with these stones and their chains dead. Raises BadInput for a point without a stone."""
    result = position.game.count(position, [read_vertex(position.size, each) for each in dead])
    return Outcome(result.score, f"{position.ending}, {result}")


def counted(position: Position, dead: Iterable[str]) -> Count | None:
    """The count of a Go board with these stones dead; None where there is nothing to count."""
    if not isinstance(position, GoPosition) or position.ending is None:
        return None
    return position.game.count(position, [read_vertex(position.size, each) for each in dead])
