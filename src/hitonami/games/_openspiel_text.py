"""A board out of what OpenSpiel prints of a state, where it prints one; else the print itself.

Two kinds of print are boards: rows that begin with their number and end with a row of letters, and rows of equal length
without a space. Moves that name squares of the board, or that are as many as its cells, can be chosen on it.
"""

import re
from dataclasses import dataclass
from typing import Final

from hitonami.core import Cell, Diagram, Square

_NUMBERED: Final = re.compile(r"\s*([0-9]{1,2})(\S{2,26})")
_PLAIN: Final = re.compile(r"\S{2,26}")
_SQUARES: Final = re.compile(r"([a-z])([0-9]{1,2})[-x]?([a-z])([0-9]{1,2})")
_PAIRS: Final = re.compile(r"\(([0-9]{1,2}), ?([0-9]{1,2})\)")
_EMPTY: Final = frozenset(".-_ ")


@dataclass(frozen=True)
class Grid:
    """Signs row by row from the top, and the names of rows and columns."""

    rows: tuple[str, ...]
    ranks: tuple[str, ...]
    columns: tuple[str, ...]

    def squares_of(self, text: str, action: int, actions: int) -> tuple[Square, ...]:
        """What a move touches, by its text, or by its number where moves are as many as cells; () otherwise."""
        high, wide = len(self.rows), len(self.columns)
        named = _SQUARES.fullmatch(text)
        if named is not None and self.columns[0] == "a":
            pairs = [(named[1], named[2]), (named[3], named[4])]
            if all(letter in self.columns and number in self.ranks for letter, number in pairs):
                return tuple((self.ranks.index(number), self.columns.index(letter)) for letter, number in pairs)
        if actions == high * wide:
            return (divmod(action, wide),)
        found = [(int(row), int(column)) for row, column in _PAIRS.findall(text)]
        inside = all(row < high and column < wide for row, column in found)
        return tuple(found) if found and inside and len(found) <= 2 else ()


def find_grid(text: str) -> Grid | None:
    lines = text.splitlines()
    numbered = []
    for line in lines:
        found = _NUMBERED.fullmatch(line)
        if found is None:
            break
        numbered.append((found[1], found[2]))
    if len(numbered) > 1 and len({len(row) for _, row in numbered}) == 1:
        wide = len(numbered[0][1])
        return Grid(
            tuple(row for _, row in numbered),
            tuple(number for number, _ in numbered),
            tuple(chr(97 + at) for at in range(wide)),
        )
    plain: list[str] = []
    for line in lines:
        if _PLAIN.fullmatch(line) is None or (plain and len(line) != len(plain[0])):
            break
        plain.append(line)
    if len(plain) < 2 or len(plain) < len([line for line in lines if line.strip()]):
        return None
    numbers = tuple(str(at) for at in range(max(len(plain), len(plain[0]))))
    return Grid(tuple(plain), numbers[: len(plain)], numbers[: len(plain[0])])


def draw_grid(grid: Grid, sides: dict[str, int], marked: frozenset[Square]) -> Diagram:
    return Diagram(
        rows=tuple(
            tuple(Cell() if sign in _EMPTY else Cell(sign, sides.get(sign)) for sign in row) for row in grid.rows
        ),
        columns=grid.columns,
        ranks=grid.ranks,
        marked=marked,
    )
