"""Draw any game's `Diagram` as rich text. Knows styles of boards, no rules."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from hitonami.core import Cell, Diagram

_LIGHT, _DARK, _LIGHT_MARK, _DARK_MARK = "#a9967a", "#7d6547", "#a8a344", "#8b8427"
_WOOD, _WOOD_MARK, _LINE = "#dcb575", "#e9d17f", "#7a5c2e"
_DISCS = frozenset(("", "●", "○", "x", "o"))
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
    """The board with its coordinates and what each side holds, the second side's above the first's.

    Each row of hexagons begins one letter further right than the one above it.
    """
    if diagram.text:
        return Text(f"{diagram.text.rstrip()}\n")
    turn = -1 if look.flipped and diagram.ground != "rack" else 1  # in a rack pieces fall
    order = range(len(diagram.rows))[::turn]
    columns = range(len(diagram.columns))[::turn]
    wide = 2 if diagram.style in ("points", "hexagons") else 3
    head = Text("   " + "".join(f"{diagram.columns[at]:^{wide}}" for at in columns).rstrip() + "\n", style="dim")
    picture = Text()
    above, below = (0, 1) if look.flipped else (1, 0)
    picture.append_text(_hand(diagram, above)).append_text(head)
    for place, row in enumerate(order):
        picture.append(" " * place if diagram.style == "hexagons" else "")
        label = f"{diagram.ranks[row]:>2}"[-2:]
        picture.append(f"{label} " if label.isascii() else f"{diagram.ranks[row]} ", style="dim")
        for column in columns:
            picture.append_text(_square(diagram, row, column, look))
        picture.append(f" {diagram.ranks[row]}\n", style="dim")
    foot = Text(" " * len(diagram.rows)) + head if diagram.style == "hexagons" else head
    return picture.append_text(foot).append_text(_hand(diagram, below))


def _hand(diagram: Diagram, side: int) -> Text:
    held = diagram.hands[side]
    if diagram.style == "points":  # a number of prisoners
        held = f"{held} captured" if held not in ("", "0") else ""
    return Text(f"   {held}\n") if held else Text()


def _square(diagram: Diagram, row: int, column: int, look: Look) -> Text:
    cell, marked = diagram.rows[row][column], (row, column) in diagram.marked
    if cell.off:
        return Text("  " if diagram.style in ("points", "hexagons") else "   ")
    match diagram.style:
        case "hexagons":
            return _hexagon(cell, marked, look)
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
        glyph = _stone(cell, look)
    joint = " " if column == last_column else "─"
    if look.flipped:
        joint = " " if column == 0 else "─"
    if cell_len(glyph) > 1:  # a letter that is two columns wide leaves no room for the line
        joint = ""
    if not look.colours:
        return Text(glyph + (")" if marked and joint else joint))
    ground = _WOOD_MARK if marked else _WOOD
    ink = {0: "#111111", 1: "#ffffff", None: _LINE}[cell.side]
    return Text(glyph, style=Style(color=ink, bgcolor=ground)) + Text(joint, style=Style(color=_LINE, bgcolor=_WOOD))


def _stone(cell: Cell, look: Look) -> str:
    """A piece with a letter by its letter; a plain one as a disc, which colours tell apart or its outline."""
    if cell.glyph not in _DISCS:
        return cell.glyph
    return "●" if look.colours or cell.side == 0 else "○"


def _hexagon(cell: Cell, marked: bool, look: Look) -> Text:
    glyph = _stone(cell, look) if cell.side is not None else cell.glyph or "·"
    if not look.colours:
        return Text(f"{glyph})" if marked else f"{glyph} ")
    ink = {0: "#8a1c1c", 1: "#1f3f8a", None: _LINE}[cell.side]
    return Text(f"{glyph} ", style=Style(color=ink, bgcolor=_WOOD_MARK if marked else _WOOD, bold=True))


def _framed(cell: Cell, marked: bool, look: Look) -> Text:
    """Shogi's way: the second side's pieces carry a v, as in printed diagrams. Kanji are two columns wide."""
    points = cell.glyph not in _DISCS
    pointer = "v" if cell.side == 1 and points else " "
    body = cell.glyph if cell.glyph else "・" if cell.side is None else _stone(cell, look)
    body += " " * (2 - cell_len(body))
    if not look.colours:
        return Text(f"{'*' if marked and (cell.side == 0 or not points) else pointer}{body}")
    ink = {0: "#111111", 1: "#8a1c1c", None: "#a8895a"}[cell.side]
    ground = _WOOD_MARK if marked else _WOOD
    return Text(f"{pointer}{body}", style=Style(color=ink, bgcolor=ground, bold=cell.side is not None))
