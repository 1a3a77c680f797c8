"""Opening, middle game, ending: one plain rule a game, so that figures by phase can be compared.

The rule is the game's custom: plies, or shares of the board's points, and for chess how many queens, rooks, bishops and
knights are left on the board. Any game that says nothing is all middle.
"""

from typing import Final, Literal

from hitonami.core import Diagram, Position, size_of
from hitonami.customs import customs_in

Phase = Literal["opening", "middle", "ending"]
PHASES: Final[tuple[Phase, ...]] = ("opening", "middle", "ending")


def phase_of(position: Position, diagram: Diagram | None = None) -> Phase:
    """The phase in which the move to come is played; `diagram` is the position's, where it has been drawn already."""
    rule = customs_in(position.game).phases
    if rule.pieces:
        drawn = position.game.diagram(position) if diagram is None else diagram
        if sum(cell.glyph in rule.pieces for row in drawn.rows for cell in row if cell.glyph) <= rule.few:
            return "ending"
    scale = size_of(position) ** 2 if rule.per_point else 1
    if position.ply < rule.opening * scale:
        return "opening"
    return "middle" if position.ply < rule.ending * scale else "ending"
