"""Any game's diagram as the browser draws it, and its legal moves as squares to choose.

A move is chosen by the squares that it touches: where it starts and where it lands, or where it lands alone. Moves that
touch nothing are buttons, and of several with the same squares the browser asks which.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from hitonami.core import Diagram, Position, Square
from hitonami.web.board_schemas import Drawing, DrawnMove, DrawnPiece

_STONES: Final = frozenset("xXoO●○⚫⚪")
"""Signs that are stones where they can be drawn."""


def draw_position(position: Position, movable: bool = True) -> Drawing:
    """The drawing of a position; without its moves where nobody is to move on it."""
    diagram = position.game.diagram(position)
    width = len(diagram.columns)

    def places(squares: Sequence[Square]) -> list[int]:
        return [row * width + column for row, column in squares]

    cells = [(at, cell) for at, cell in enumerate(cell for row in diagram.rows for cell in row)]
    return Drawing(
        style="text" if diagram.text else diagram.style,
        ground=diagram.ground,
        text=diagram.text,
        columns=list(diagram.columns),
        ranks=list(diagram.ranks),
        pieces=[
            DrawnPiece(
                at=at, glyph="" if cell.side is not None and cell.glyph in _STONES else cell.glyph, side=cell.side
            )
            for at, cell in cells
            if cell.glyph or cell.side is not None
        ],
        off=[at for at, cell in cells if cell.off],
        marked=sorted(places(list(diagram.marked))),
        hands=diagram.hands,
        edges=diagram.edges,
        dots=sorted(places(list(diagram.dots))),
        lines=[(one, other) for one, other in (places(line) for line in diagram.lines)],
        gaps=sorted((one, other) for one, other in (places(gap) for gap in diagram.gaps)),
        moves=_moves(position, diagram) if movable else [],
    )


def _moves(position: Position, diagram: Diagram) -> list[DrawnMove]:
    game = position.game
    legal = [int(move) for move in position.legal]
    paths = [_path(position, diagram, move) for move in legal]
    origins = {path[0] for path in paths if len(path) == 2}
    # A square that moves start from is chosen twice for a move that is made on it alone.
    paths = [path * 2 if len(path) == 1 and path[0] in origins else path for path in paths]
    texts = [game.format(position, move) for move in legal]
    names = [game.describe(position, move) for move in legal]
    alike = Counter(zip(map(tuple, paths), names, strict=True))
    return [
        DrawnMove(move=text, name=name if alike[tuple(path), name] == 1 else text, path=path)
        for text, name, path in zip(texts, names, paths, strict=True)
    ]


def _path(position: Position, diagram: Diagram, move: int) -> list[int]:
    """The squares to choose: where the mover's own piece starts, and where the move lands; none for a button."""
    width = len(diagram.columns)
    squares = [] if diagram.text else list(position.game.touches(position, move))
    if not squares:
        return []
    (row, column), (last_row, last_column) = squares[0], squares[-1]
    land = last_row * width + last_column
    starts = len(squares) > 1 and diagram.rows[row][column].side == position.to_move
    return [row * width + column, land] if starts else [land]
