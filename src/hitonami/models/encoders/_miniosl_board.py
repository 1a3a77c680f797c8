"""Kernels for `miniosl`: a shogi board whose forty pieces have numbers, and what each of them reaches.

miniosl numbers the pieces, and where several pieces could give mate its planes show the one with the
smallest number. So a game is replayed from its start with numbers: a captured piece keeps its own, and a
drop takes the smallest in hand. Numbers go by kind: pawns 0-17, knights 18-21, silvers 22-25, golds 26-29,
kings 30 and 31, lances 32-35, bishops 36 and 37, rooks 38 and 39.

Cells are the squares with a margin: (file + 1) · 12 + rank + 2 for files and ranks from 0 on. A cell holds 0
where it is empty, 1 in the margin, else kind + 16 · side. Side 0 plays up the board, towards rank 0. Kinds
are those of the planes: 2-7 promoted pawn, lance, knight, silver, bishop, rook; 8 king, 9 gold; 10-15 pawn,
lance, knight, silver, bishop, rook. Directions 0-9 are those of a piece that plays up: up-left, up, up-right,
left, right, down-left, down, down-right, and the knight's jumps left and right; 7 - d is opposite to d.
Nothing here knows which moves are legal.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from hitonami.games._kernel import kernel

STRIDE: Final = 12
CELLS: Final = 11 * STRIDE
EDGE: Final = 1
PIECES: Final = 40
KING: Final = 30
FIRST_LONG: Final = 32
LONG: Final = 8
"""A long piece that reaches a cell by its ray sets bit number + 8 beside bit number."""
KING_KIND: Final = 8
KNIGHT: Final = 12
BASIC: Final = 8
"""Kinds from here on are not promoted; a piece that can promote becomes kind - BASIC."""
IN_HAND: Final = -1
UNUSED: Final = -2
STEPS: Final = np.array([11, -1, -13, 12, -12, 13, 1, -11, 10, -14])


def _bits(*places: int) -> int:
    return sum(1 << place for place in places)


_GOLD, _DIAGONAL, _STRAIGHT = _bits(0, 1, 2, 3, 4, 6), _bits(0, 2, 5, 7), _bits(1, 3, 4, 6)
SHORT: Final = np.array([
    *(0, 0, _GOLD, _GOLD, _GOLD, _GOLD, _STRAIGHT, _DIAGONAL),
    *(255, _GOLD, _bits(1), 0, _bits(8, 9), _DIAGONAL | _bits(1), 0, 0),
])  # fmt: skip
"""The directions of a kind's single steps, as bits."""
RAYS: Final = np.array([0, 0, 0, 0, 0, 0, _DIAGONAL, _STRAIGHT, 0, 0, 0, _bits(1), 0, 0, _DIAGONAL, _STRAIGHT])
"""The directions in which a kind goes as far as it can."""
CELL_OF: Final = np.array([(square // 9 + 1) * STRIDE + square % 9 + 2 for square in range(81)])
"""By cshogi's square, file by file."""
KIND_OF: Final = np.array([0, 10, 11, 12, 13, 14, 15, 9, 8, 2, 3, 4, 5, 6, 7])
"""By cshogi's piece type."""
FIRST_NUMBER: Final = np.array([*(0,) * 8, 30, 26, 0, 32, 18, 22, 36, 38])
"""By unpromoted kind."""


def _lines() -> Any:
    """[cell, cell] the direction from the first to the second, -1 where they are on no common line."""
    table = np.full((CELLS, CELLS), -1, np.int8)
    for cell in CELL_OF:
        for direction in range(8):
            for far in range(1, 9):
                there = cell + far * STEPS[direction]
                if there not in CELL_OF:
                    break
                table[cell, there] = direction
    return table


LINES: Final = _lines()


class Survey(NamedTuple):
    """A position and what its pieces reach. Pieces' sets are bits by number."""

    board: Any
    """[CELLS] what stands there."""
    number: Any
    """[CELLS] of the piece that stands there; -1 where there is none."""
    place: Any
    """[PIECES] the cell of each piece, IN_HAND or UNUSED."""
    side: Any
    """[PIECES] whose it is."""
    hand: Any
    """[2, 16] how many of each kind a side holds."""
    reach: Any
    """[CELLS] the pieces of both sides that reach the cell, those by a ray with bit number + LONG too."""
    count: Any
    """[2, CELLS] how many pieces of a side reach the cell."""
    behind: Any
    """[PIECES, 8] the long piece whose ray in that direction ends at this piece, -1 for none."""
    sets: Any
    """[5] pieces on the board of side 0 and 1; promoted ones; and by side those of either side that stand
    between its king and a long piece of the enemy."""


PROMOTED: Final = 2
SHIELDS: Final = 3


def new_survey() -> Survey:
    """One without a position in it."""
    cells, pieces = np.zeros(CELLS, np.int64), np.zeros(PIECES, np.int64)
    return Survey(
        *(cells, cells.copy(), pieces, pieces.copy(), np.zeros((2, 16), np.int64), cells.copy()),
        *(np.zeros((2, CELLS), np.int64), np.zeros((PIECES, 8), np.int64), np.zeros(5, np.int64)),
    )


@kernel
def set_up(survey: Any, squares: Any, kinds: Any, sides: Any, turned: int) -> None:
    """Put up a position given by each piece's cshogi square (or IN_HAND, UNUSED), kind and side.

    `turned` shows the board from the other side.
    """
    survey.board[:] = EDGE
    survey.number[:] = -1
    survey.hand[:] = 0
    for square in range(81):
        survey.board[CELL_OF[square]] = 0
    for listed in range(PIECES):
        side = sides[listed] ^ turned
        number = KING + side if kinds[listed] == KING_KIND else listed
        square = squares[listed]
        survey.side[number] = side
        survey.place[number] = square
        if square >= 0:
            cell = CELL_OF[80 - square if turned else square]
            survey.place[number] = cell
            survey.board[cell] = kinds[listed] + 16 * side
            survey.number[cell] = number
        elif square == IN_HAND:
            survey.hand[side, kinds[listed]] += 1


@kernel
def pick_from_hand(survey: Any, side: int, kind: int) -> int:
    """The piece that a drop takes: the one with the smallest number."""
    for number in range(FIRST_NUMBER[kind], PIECES):
        if survey.place[number] == IN_HAND and survey.side[number] == side:
            return number
    return -1


@kernel
def make_move(survey: Any, source: int, target: int, kind: int, side: int) -> int:
    """Move the piece at `source` (0: from the hand) to `target`, where it is of `kind`. Returns its number.

    What the pieces reach is out of date afterwards.
    """
    if source == 0:
        number = pick_from_hand(survey, side, kind)
        survey.hand[side, kind] -= 1
    else:
        number = survey.number[source]
        taken = survey.number[target]
        if taken >= 0:
            survey.place[taken] = IN_HAND
            survey.side[taken] = side
            survey.hand[side, survey.board[target] & 15 | 8] += 1
        survey.board[source] = 0
        survey.number[source] = -1
    survey.board[target] = kind + 16 * side
    survey.number[target] = number
    survey.place[number] = target
    return int(number)


@kernel
def look(survey: Any) -> None:
    """Find out what every piece reaches, and which pieces shield a king."""
    survey.reach[:] = 0
    survey.count[:] = 0
    survey.behind[:] = -1
    survey.sets[:] = 0
    for number in range(PIECES):
        cell = survey.place[number]
        if cell < 0:
            continue
        side, kind = survey.side[number], survey.board[cell] & 15
        survey.sets[side] |= 1 << number
        if kind < BASIC:
            survey.sets[PROMOTED] |= 1 << number
        sign = 1 - 2 * side
        for direction in range(10):
            if SHORT[kind] >> direction & 1:
                _touch(survey, number, side, cell + sign * STEPS[direction], 1 << number)
        if RAYS[kind]:
            for direction in range(8):
                if RAYS[kind] >> direction & 1:
                    _cast(survey, number, side, cell, 7 - direction if side else direction)
    for side in range(2):
        _find_shields(survey, side)


@kernel
def _touch(survey: Any, number: int, side: int, cell: int, bits: int) -> None:
    survey.reach[cell] |= bits
    survey.count[side, cell] += 1


@kernel
def _cast(survey: Any, number: int, side: int, cell: int, direction: int) -> None:
    """Follow a ray, in a direction of the board, to the first piece or the edge."""
    bits = 1 << number | 1 << number + LONG
    while True:
        cell += STEPS[direction]
        if survey.board[cell] == EDGE:
            return
        _touch(survey, number, side, cell, bits)
        if survey.board[cell]:
            survey.behind[survey.number[cell], direction] = number
            return


@kernel
def _find_shields(survey: Any, side: int) -> None:
    king = survey.place[KING + side]
    for direction in range(8):
        cell = king - STEPS[direction]
        while survey.board[cell] == 0:
            cell -= STEPS[direction]
        if survey.board[cell] == EDGE:
            continue
        number = survey.number[cell]
        attacker = survey.behind[number, direction]
        if attacker >= 0 and survey.sets[1 - side] >> attacker & 1:
            survey.sets[SHIELDS + side] |= 1 << number
