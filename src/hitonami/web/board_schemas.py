"""Positions as boards of the browser get them."""

from typing import Literal

from pydantic import BaseModel


class DrawnPiece(BaseModel):
    """What stands on a square: squares are counted row by row, the top row first."""

    at: int
    glyph: str
    """"" is a plain stone."""
    side: int | None


class DrawnMove(BaseModel):
    """A legal move, by the squares to choose: one, where it starts and where it lands, or none."""

    move: str
    name: str
    """As people write it; no two moves with the same path have the same."""
    path: list[int]


class Drawing(BaseModel):
    """A game's diagram, for a game without a board of its own."""

    style: Literal["checkered", "grid", "points", "hexagons", "text"]
    ground: Literal["wood", "felt", "rack"]
    text: str
    columns: list[str]
    ranks: list[str]
    pieces: list[DrawnPiece]
    off: list[int]
    """Squares that are none."""
    marked: list[int]
    """What the last move touched."""
    hands: tuple[str, str]
    edges: tuple[int | None, int | None, int | None, int | None]
    """Whose the top, right, bottom and left edges are."""
    dots: list[int]
    lines: list[tuple[int, int]]
    gaps: list[tuple[int, int]]
    moves: list[DrawnMove]


class Board(BaseModel):
    """All that a board needs to draw a position and to know what may be done in it."""

    kind: Literal["drawing", "fen", "sfen", "stones"]
    """Which board draws it: `drawing` by what it holds itself, `fen` and `sfen` by the text, `stones` by the stones."""
    drawing: Drawing | None = None
    text: str
    """FEN or SFEN; empty for other boards."""
    size: int
    """Of a game with boards of several sizes, else the board's own or 0."""
    stones: str
    """Go: size² letters `.BW`, top row first; empty for other games."""
    captures: tuple[int, int]
    to_move: int
    legal: list[str]
    last: str | None
    check: bool
    ko: str | None
    """Go: where the ko may not be retaken at once."""
    owners: str = ""
    """Go, once it is counted: size² letters `.BW`, whose each point is."""
    dead: list[str] = []
