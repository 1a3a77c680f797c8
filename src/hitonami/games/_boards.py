"""What games on plain boards have in common: the link to the position before, boards as text, names of squares.

A board as text has its rows from the top, joined by "/", a letter a piece and a number for a run of empty squares, then
the letter of the side to move: `8/8/8/3ox3/3xo3/8/8/8 x`. Words may follow that a game knows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Cell, Diagram, Moves, Setup, Square, last_touched
from hitonami.errors import BadMove, BadPosition, BadSetup, alternatives, quote
from hitonami.kernel import kernel

NO_MOVES: Final = np.empty(0, np.int32)
NO_MOVES.flags.writeable = False
CELL: Final = np.dtype(np.uint8)
"""Made once: numpy takes as long to make one of a type as to make the array."""
MOVE: Final = np.dtype(np.int32)
_SQUARE: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
_MOST_ROWS: Final = 26


class Linked:
    """The fields of a position that are the same in every game. Positions fill them in one by one: a call of a base
    class for each new position would cost a tenth of a move. Slots, because a dictionary would cost a fifth."""

    __slots__ = ("before", "ending", "last_move", "legal", "ply", "score", "setup", "to_move")
    __hash__ = None  # type: ignore[assignment]  # use `key`

    last_move: int | None
    setup: Setup
    ply: int
    to_move: int
    legal: Moves
    ending: str | None
    score: float | None


_SIGNED: Final = np.array([0, 1, -1], np.int8)


def sign_cells(cells: NDArray[Any]) -> NDArray[np.int8]:
    """0 empty, 1 player 0's, -1 player 1's, from 0, 1 and 2."""
    signed: NDArray[np.int8] = _SIGNED[cells]
    return signed


def land_on(moves: NDArray[np.int32], points: int) -> NDArray[np.int32]:
    """[moves, 2] landings of moves whose ids are the points that they put a piece on; of others, none."""
    landings = np.empty((len(moves), 2), MOVE)
    spread_landings(moves, points, landings)
    return landings


@kernel
def spread_landings(moves: Any, points: int, landings: Any) -> None:
    for at in range(len(moves)):
        landings[at, 0] = -1
        landings[at, 1] = moves[at] if moves[at] < points else -1


def refuse_move(position: Any, move: int) -> NoReturn:
    over = f": the game is over, {position.ending}" if position.ending else " here"
    raise BadMove(f"move id {move} is not legal{over}")


@dataclass(frozen=True, slots=True)
class BoardText:
    """A board that was read: 0 empty, 1 and 2 the pieces of the two sides."""

    rows: tuple[tuple[int, ...], ...]
    to_move: int
    words: tuple[str, ...] = ()


def read_board(text: str, letters: str) -> BoardText:
    """Raises BadPosition for anything but rows of equal length and a side to move."""
    board, *rest = text.split() or [""]
    pattern = re.compile(rf"[0-9]+|[{letters}]", re.ASCII)
    rows = []
    for row in board.split("/")[: _MOST_ROWS + 1]:
        cells: list[int] = []
        if re.sub(pattern, "", row) or not row:
            _refuse_text(text, letters)
        for run in pattern.findall(row):
            cells += [0] * min(int(run[:3]), 99) if run.isdigit() else [1 + letters.index(run)]
        rows.append(tuple(cells[:100]))
    if len({len(row) for row in rows}) != 1 or len(rows) > _MOST_ROWS or rest[:1] not in ([letters[0]], [letters[1]]):
        _refuse_text(text, letters)
    return BoardText(tuple(rows), letters.index(rest[0]), tuple(rest[1:]))


def _refuse_text(text: str, letters: str) -> NoReturn:
    raise BadPosition(
        f"not a board: {quote(text)}; rows from the top, joined by /, of {letters[0]}, {letters[1]} and numbers of "
        f"empty squares, then the side to move, as in 3/1{letters[0]}1/3 {letters[1]}"
    )


def write_board(rows: Sequence[Sequence[int]], to_move: int, letters: str, *words: str) -> str:
    """The text that `read_board` reads."""
    written = []
    for row in rows:
        text = "".join("." if each == 0 else letters[each - 1] for each in row)
        written.append(re.sub(r"\.+", lambda run: str(len(run[0])), text))
    return " ".join(["/".join(written), letters[to_move], *words])


def refuse_setup(setup: Setup, game: str, has: Sequence[str] = ()) -> None:
    """Raise BadSetup for a field that the game does not have; a start every game has."""
    for name in ("size", "komi", "handicap", "rules", "variant"):
        value = getattr(setup, name)
        if name not in has and value not in ("", None) and (value or name == "komi"):
            known = ", ".join(["a start", *has])
            raise BadSetup(f"{game} has no {name} to choose, got {quote(str(value))}; it has: {known}")


def choose_size(setup: Setup, game: str, usual: int, least: int, most: int) -> int:
    """The board's lines. Raises BadSetup for more or fewer than the game is played on."""
    size = setup.size or usual
    if not least <= size <= most:
        raise BadSetup(f"{game} is played on {least} to {most} lines, got {size}")
    return size


def choose_word(word: str, known: Sequence[str], what: str) -> str:
    """One of the known words, the first where none is given. Raises BadSetup."""
    if word and word not in known:
        raise BadSetup(f"unknown {what} {quote(word)}; {alternatives(word, known)}")
    return word or known[0]


def name_square(row: int, column: int, height: int = 0) -> str:
    """ "c4": rows are counted from the top, from the bottom where the height is given."""
    return f"{chr(97 + column)}{height - row if height else row + 1}"


def read_square(text: str, wide: int, high: int, from_bottom: bool = False) -> Square:
    """The inverse of `name_square`, in any case of letters. Raises BadMove."""
    found = _SQUARE.fullmatch(text.strip().lower())
    if found is not None:
        column, number = ord(found[1]) - 97, int(found[2])
        if column < wide and number <= high:
            return (high - number if from_bottom else number - 1), column
    raise BadMove(f"not a square of this board: {quote(text)}; squares are a1 to {chr(96 + wide)}{high}")


def draw(
    position: Any, rows: Sequence[Sequence[int]], glyphs: tuple[str, str], from_bottom: bool = False, **how: Any
) -> Diagram:
    """A diagram of discs, stones or men: 0 empty, 1 and 2 the two sides'. `how` are further fields of the diagram."""
    cells = (Cell(), Cell(glyphs[0], 0), Cell(glyphs[1], 1))
    high, wide = len(rows), len(rows[0])
    numbers = [str(at + 1) for at in range(high)]
    return Diagram(
        rows=tuple(tuple(cells[each] for each in row) for row in rows),
        columns=tuple(chr(97 + at) for at in range(wide)),
        ranks=tuple(numbers[::-1] if from_bottom else numbers),
        marked=frozenset(last_touched(position)),
        **how,
    )
