"""Draw any game's `Diagram` as rich text. Knows styles of boards, no rules."""

from dataclasses import dataclass

from rich.console import Console
from rich.style import Style
from rich.text import Text

from hitonami.core import Cell, Diagram

_LIGHT, _DARK, _LIGHT_MARK, _DARK_MARK = "#a9967a", "#7d6547", "#a8a344", "#8b8427"
_WOOD, _WOOD_MARK, _LINE = "#dcb575", "#e9d17f", "#7a5c2e"
_OUTLINES = str.maketrans("♟♞♝♜♛♚", "♙♘♗♖♕♔")


@dataclass(frozen=True)
class Look:
    """How to draw: whether the terminal has colours, and which side sits at the bottom."""

    colours: bool = True
    flipped: bool = False

    @classmethod
    def of(cls, console: Console, *, flipped: bool = False) -> "Look":
        return cls(colours=console.color_system is not None and not console.no_color, flipped=flipped)


def paint(diagram: Diagram, look: Look) -> Text:
    """The board with its coordinates and what each side holds, the second side's above the first's."""
    turn = -1 if look.flipped else 1
    order = range(len(diagram.rows))[::turn]
    columns = range(len(diagram.columns))[::turn]
    wide = 2 if diagram.style == "points" else 3
    head = Text("   " + "".join(f"{diagram.columns[at]:^{wide}}" for at in columns).rstrip() + "\n", style="dim")
    picture = Text()
    above, below = (0, 1) if look.flipped else (1, 0)
    picture.append_text(_hand(diagram, above)).append_text(head)
    for row in order:
        label = f"{diagram.ranks[row]:>2}"[-2:]
        picture.append(f"{label} " if label.isascii() else f"{diagram.ranks[row]} ", style="dim")
        for column in columns:
            picture.append_text(_square(diagram, row, column, look))
        picture.append(f" {diagram.ranks[row]}\n", style="dim")
    return picture.append_text(head).append_text(_hand(diagram, below))


def _hand(diagram: Diagram, side: int) -> Text:
    held = diagram.hands[side]
    if diagram.style == "points":  # a number of prisoners
        held = f"{held} captured" if held not in ("", "0") else ""
    return Text(f"   {held}\n") if held else Text()


def _square(diagram: Diagram, row: int, column: int, look: Look) -> Text:
    cell, marked = diagram.rows[row][column], (row, column) in diagram.marked
    match diagram.style:
        case "checkered":
            return _checkered(cell, (row + column) % 2 == 1, marked, look)
        case "points":
            return _point(diagram, row, column, marked, look)
        case _:
            return _framed(cell, marked, look)


def _checkered(cell: Cell, dark: bool, marked: bool, look: Look) -> Text:
    if not look.colours:
        glyph = cell.glyph.translate(_OUTLINES) if cell.side == 0 else cell.glyph
        return Text(f"[{glyph}]" if marked and glyph else f" {glyph or ('·' if dark else ' ')} ")
    ground = (_DARK_MARK if dark else _LIGHT_MARK) if marked else (_DARK if dark else _LIGHT)
    ink = "#ffffff" if cell.side == 0 else "#101010"
    return Text(f" {cell.glyph or ' '} ", style=Style(color=ink, bgcolor=ground, bold=True))


def _point(diagram: Diagram, row: int, column: int, marked: bool, look: Look) -> Text:
    cell = diagram.rows[row][column]
    last_row, last_column = len(diagram.rows) - 1, len(diagram.columns) - 1
    if cell.side is None:
        middle = column not in (0, last_column)
        corner = "┌┐└┘"[(row == last_row) * 2 + (column == last_column)]
        edge = ("┬" if row == 0 else "┴") if middle else ("├" if column == 0 else "┤")
        glyph = (
            "┼" if middle and row not in (0, last_row) else (corner if row in (0, last_row) and not middle else edge)
        )
        if cell.glyph:
            glyph = cell.glyph
    else:
        glyph = "●" if look.colours or cell.side == 0 else "○"
    joint = " " if column == last_column else "─"
    if look.flipped:
        joint = " " if column == 0 else "─"
    if not look.colours:
        return Text(glyph + (")" if marked else joint))
    ground = _WOOD_MARK if marked else _WOOD
    ink = {0: "#111111", 1: "#ffffff", None: _LINE}[cell.side]
    return Text(glyph, style=Style(color=ink, bgcolor=ground)) + Text(joint, style=Style(color=_LINE, bgcolor=_WOOD))


def _framed(cell: Cell, marked: bool, look: Look) -> Text:
    """Shogi's way: the second side's pieces carry a v, as in printed diagrams. Kanji are two columns wide."""
    pointer = "v" if cell.side == 1 else " "
    body = cell.glyph if cell.glyph else "・"
    if body.isascii():
        body = f"{body:^2}"
    if not look.colours:
        return Text(f"{'*' if marked and cell.side == 0 else pointer}{body}")
    ink = {0: "#111111", 1: "#8a1c1c", None: "#a8895a"}[cell.side]
    ground = _WOOD_MARK if marked else _WOOD
    return Text(f"{pointer}{body}", style=Style(color=ink, bgcolor=ground, bold=cell.side is not None))
