"""A small board as SVG: a diagram on which the cells of a pattern stand out and the rest is faded."""

from collections.abc import Collection, Iterator
from html import escape

from hitonami.core import Cell, Diagram, Square
from hitonami.intuition.explaining import Placed

_CELL = 20
_MARGIN = 22
_GROUNDS = {"wood": "#e3c07f", "felt": "#3f7f58", "rack": "#35619e"}
_LINES = {"wood": "#7a5c2e", "felt": "#2a573c", "rack": "#244673"}
_DISCS = frozenset(("", "●", "○", "x", "o"))
_COLOURS = {"red and blue": ("#c33f3a", "#2f66b5"), "stones": ("#1d1d22", "#fafaf5"), "rack": ("#d2423c", "#f0c93c")}
_FADED = 0.22


def draw_board(diagram: Diagram, landed: Collection[Square], cells: Collection[Placed] | None) -> str:
    """The diagram. `cells` are drawn in full, everything else is faded; None draws all of it in full."""
    high, wide = len(diagram.rows), len(diagram.rows[0]) if diagram.rows else 0
    if not wide:
        return f"<pre>{escape(diagram.text)}</pre>"
    slant = (high - 1) / 2 if diagram.style == "hexagons" else 0
    width, height = _CELL * (wide + slant) + 2 * _MARGIN, _CELL * high + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        *_ground(diagram, high, wide),
        *_pieces(diagram, cells),
        *_asked(diagram, cells or ()),
        *_landing(diagram, landed),
        "</svg>",
    ]
    return "".join(parts)


def _middle(diagram: Diagram, square: Square) -> tuple[float, float]:
    row, column = square
    slant = row / 2 if diagram.style == "hexagons" else 0
    return _MARGIN + _CELL * (column + slant + 0.5), _MARGIN + _CELL * (row + 0.5)


def _ground(diagram: Diagram, high: int, wide: int) -> Iterator[str]:
    fill, line = _GROUNDS[diagram.ground], _LINES[diagram.ground]
    for row in range(high):
        for column in range(wide):
            if diagram.rows[row][column].off:
                continue
            x, y = _middle(diagram, (row, column))
            if diagram.style == "hexagons":
                points = [(0, -11.5), (10, -5.8), (10, 5.8), (0, 11.5), (-10, 5.8), (-10, -5.8)]
                corners = " ".join(f"{x + a:g},{y + b:g}" for a, b in points)
                yield f'<polygon points="{corners}" fill="{fill}" stroke="{line}" stroke-width=".7"/>'
                continue
            dark = diagram.style == "checkered" and (row + column) % 2
            shade = "#c39a62" if dark else fill
            edge = "none" if diagram.style in ("points", "checkered") else line
            yield (
                f'<rect x="{x - 10:g}" y="{y - 10:g}" width="20" height="20" fill="{shade}" stroke="{edge}" '
                'stroke-width=".7"/>'
            )
            if diagram.style == "points":
                yield from _crossing(x, y, row, column, high, wide, line)
    yield from _edges(diagram, high, wide)


def _crossing(  # noqa: PLR0913, PLR0917  (a place and its board)
    x: float, y: float, row: int, column: int, high: int, wide: int, line: str
) -> Iterator[str]:
    left, right = x - 10 * (column > 0), x + 10 * (column < wide - 1)
    top, bottom = y - 10 * (row > 0), y + 10 * (row < high - 1)
    yield f'<path d="M{left:g} {y:g}H{right:g}M{x:g} {top:g}V{bottom:g}" stroke="{line}" stroke-width=".7"/>'


def _edges(diagram: Diagram, high: int, wide: int) -> Iterator[str]:
    """Whose the edges are."""
    ends = ((0, 0), (0, wide - 1), (high - 1, wide - 1), (high - 1, 0))
    ways = ((0, -14), (15, 0), (0, 14), (-15, 0))
    for at, owner in enumerate(diagram.edges):
        if owner is None:
            continue
        (x1, y1), (x2, y2) = _middle(diagram, ends[at]), _middle(diagram, ends[(at + 1) % 4])
        dx, dy = ways[at]
        yield (
            f'<line x1="{x1 + dx:g}" y1="{y1 + dy:g}" x2="{x2 + dx:g}" y2="{y2 + dy:g}" '
            f'stroke="{_COLOURS["red and blue"][owner]}" stroke-width="3"/>'
        )


def _pieces(diagram: Diagram, cells: Collection[Placed] | None) -> Iterator[str]:
    asked = None if cells is None else {cell.square for cell in cells if cell.test != "empty"}
    for row, line in enumerate(diagram.rows):
        for column, cell in enumerate(line):
            if cell.off or (cell.side is None and not cell.glyph):
                continue
            strength = 1 if asked is None or (row, column) in asked else _FADED
            yield _piece(diagram, cell, _middle(diagram, (row, column)), strength)


def _piece(diagram: Diagram, cell: Cell, middle: tuple[float, float], strength: float) -> str:
    x, y = middle
    kind = "red and blue" if diagram.style == "hexagons" else "rack" if diagram.ground == "rack" else "stones"
    colour = _COLOURS[kind][cell.side or 0]
    if cell.glyph in _DISCS:
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="8.2" fill="{colour}" stroke="#1d1d22" stroke-width=".6" '
            f'opacity="{strength:g}"/>'
        )
    turn = f' transform="rotate(180 {x:g} {y:g})"' if cell.side == 1 and not cell.glyph.isascii() else ""
    is_chess = "♔" <= cell.glyph[:1] <= "♟"
    ink = "#fafaf5" if is_chess and cell.side == 0 else "#1d1d22"
    return (
        f'<text x="{x:g}" y="{y + 6:g}" font-size="17" text-anchor="middle" fill="{ink}" stroke="#1d1d22" '
        f'stroke-width="{0.5 if is_chess else 0}" opacity="{strength:g}"{"" if is_chess else turn}>'
        f"{escape(cell.glyph)}</text>"
    )


def _asked(diagram: Diagram, cells: Collection[Placed]) -> Iterator[str]:
    """What a pattern asks of a cell where nothing stands: emptiness as a dashed ring, beyond the board as a bar."""
    for cell in cells:
        x, y = _middle(diagram, cell.square)
        if cell.test == "off":
            x, y = _beside(diagram, cell.square)
            yield f'<rect x="{x - 6:g}" y="{y - 6:g}" width="12" height="12" rx="2" fill="#8a8793"/>'
        elif cell.test == "empty":
            yield (
                f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="none" stroke="#fff" stroke-width="3.4"/>'
                f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="none" stroke="#1b1b20" stroke-width="1.6" '
                'stroke-dasharray="3 2"/>'
            )
        elif cell.test == "last":
            yield f'<circle cx="{x:g}" cy="{y:g}" r="2.6" fill="#e8b100" stroke="#1b1b20" stroke-width=".6"/>'


def _beside(diagram: Diagram, square: Square) -> tuple[float, float]:
    """Beyond the board, but within the picture."""
    row = min(max(square[0], -1), len(diagram.rows))
    column = min(max(square[1], -1), len(diagram.rows[0]))
    return _middle(diagram, (row, column))


def _landing(diagram: Diagram, landed: Collection[Square]) -> Iterator[str]:
    """A ring where the move lands, a line from where it comes."""
    places = [_middle(diagram, square) for square in landed]
    if len(places) > 1:
        (x1, y1), (x2, y2) = places[0], places[-1]
        yield f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="#d4276d" stroke-width="2" opacity=".8"/>'
    for x, y in places[-1:]:
        yield f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="none" stroke="#d4276d" stroke-width="2.4"/>'
