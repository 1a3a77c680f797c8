"""What can be told of any game by its rules alone: which pieces move, where they land, what they take, what is free.

Positions are played through one by one, so this is for games of which nobody has millions.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Diagram, Position, Square, open_game
from hitonami.dataset.columns import Columns
from hitonami.traits._trait import Trait

_COMMON: Final = (
    Trait("captures", "moves after which the other side has fewer pieces", share=True),
    Trait("edge_distance", "squares between where a move lands and the nearest edge"),
    Trait("from_last", "squares from where the opponent's last move landed"),
    Trait("from_own_last", "squares from where the own last move landed"),
    Trait("choices", "legal moves to choose from"),
    Trait("choices_left", "legal moves that the opponent is left with"),
    Trait("own_moves", "moves a game"),
)
_MOST_KINDS: Final = 16


class PlainTraits:
    """Of any game. Kinds of pieces are those that stand at its usual start and are told apart by what is drawn."""

    def __init__(self, game: str) -> None:
        rules = open_game(game)
        drawn = rules.diagram(rules.start())
        kinds = dict.fromkeys(cell.glyph for row in drawn.rows for cell in row if cell.side is not None and cell.glyph)
        self._kinds: Final = tuple(kinds)[:_MOST_KINDS] if len(kinds) > 1 else ()
        self.traits: Final = (
            *(Trait(f"moves_{glyph}", f"moves of {glyph}", share=True) for glyph in self._kinds),
            *_COMMON,
        )

    def measure(self, games: Columns) -> NDArray[np.float32]:
        out = np.full((len(games), 2, len(self.traits)), np.nan, dtype=np.float32)
        starts = games.starts()
        for at in range(len(games)):
            moves = games.moves[games.begins[at] : games.begins[at + 1]]
            out[at] = self._of_game(starts[games.setup[at]], moves.tolist())
        return out

    def _of_game(self, position: Position, moves: list[int]) -> NDArray[np.float64]:
        rules: Any = position.game
        held: tuple[list[list[float]], list[list[float]]] = ([], [])
        landed: list[Square | None] = [None, None]
        drawn: Diagram = rules.diagram(position)
        for move in moves:
            mover, touched = position.to_move, rules.touches(position, move)
            after = position.follow(move)
            shown: Diagram = rules.diagram(after)
            square = touched[-1] if touched else None
            kinds = [float(_glyph(drawn, touched) == glyph) for glyph in self._kinds]
            took = _count(shown, 1 - mover) < _count(drawn, 1 - mover)
            held[mover].append(
                [
                    *kinds,
                    float(took),
                    _edge(drawn, square),
                    _apart(square, landed[1 - mover]),
                    _apart(square, landed[mover]),
                    float(len(position.legal)) or np.nan,
                    float(len(after.legal)) if after.to_move != mover and len(after.legal) else np.nan,
                ]
            )
            landed[mover], position, drawn = square, after, shown
        return np.stack([_mean(rows, len(self.traits) - 1) for rows in held])


def _mean(rows: list[list[float]], wide: int) -> NDArray[np.float64]:
    """Over the own moves, what is not known left out; then how many there were."""
    if not rows:
        return np.full(wide + 1, np.nan)
    values = np.array(rows, dtype=np.float64)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    return np.append(mean, len(rows))


def _glyph(drawn: Diagram, touched: tuple[Square, ...]) -> str:
    """What stood where the move came from; "" for a move that puts something new."""
    if len(touched) < 2 or not drawn.rows:
        return ""
    row, column = touched[0]
    return drawn.rows[row][column].glyph


def _count(drawn: Diagram, side: int) -> int:
    return sum(cell.side == side for row in drawn.rows for cell in row)


def _edge(drawn: Diagram, square: Square | None) -> float:
    if square is None or not drawn.rows:
        return np.nan
    row, column = square
    return float(min(row, column, len(drawn.rows) - 1 - row, len(drawn.rows[0]) - 1 - column))


def _apart(one: Square | None, other: Square | None) -> float:
    if one is None or other is None:
        return np.nan
    return float(max(abs(one[0] - other[0]), abs(one[1] - other[1])))
