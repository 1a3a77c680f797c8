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

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

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


# A survey is one array, int64 [ROWS, CELLS]: a position and what its pieces reach. Sets of pieces are bits by number.
# (An array for each of these rows takes a third longer to compile.)
BOARD: Final = 0
"""By cell: what stands there."""
NUMBER: Final = 1
"""By cell: the number of the piece that stands there, -1 for none."""
PLACE: Final = 2
"""By number: the cell of the piece, IN_HAND or UNUSED."""
SIDE: Final = 3
"""By number: whose piece it is."""
HAND: Final = 4
"""Two rows by kind: how many a side holds."""
REACH: Final = 6
"""By cell: the pieces of both sides that reach it, those by a ray with bit number + LONG too."""
COUNT: Final = 7
"""Two rows by cell: how many pieces of a side reach it."""
BEHIND: Final = 9
"""Eight rows by number: the long piece whose ray in that direction ends at this piece, -1 for none."""
SETS: Final = 17
"""By what follows: the pieces on the board of side 0 and of side 1 …"""
PROMOTED: Final = 2
"""… the promoted ones …"""
SHIELDS: Final = 3
"""… and for each side those of either side that stand between its king and a long piece of the enemy."""
ROWS: Final = 18


@kernel
def set_up(survey: Any, pieces: Any, turned: int) -> None:
    """Put up a position given by each piece's cshogi square (or IN_HAND, UNUSED), kind and side: [3, 40].

    `turned` shows the board from the other side.
    """
    squares, kinds, sides = pieces[0], pieces[1], pieces[2]
    survey[BOARD] = EDGE
    survey[NUMBER] = -1
    survey[HAND : HAND + 2] = 0
    for square in range(81):
        survey[BOARD, CELL_OF[square]] = 0
    for listed in range(PIECES):
        side = sides[listed] ^ turned
        number = KING + side if kinds[listed] == KING_KIND else listed
        square = squares[listed]
        survey[SIDE, number] = side
        survey[PLACE, number] = square
        if square >= 0:
            cell = CELL_OF[80 - square if turned else square]
            survey[PLACE, number] = cell
            survey[BOARD, cell] = kinds[listed] + 16 * side
            survey[NUMBER, cell] = number
        elif square == IN_HAND:
            survey[HAND + side, kinds[listed]] += 1


@kernel
def pick_from_hand(survey: Any, side: int, kind: int) -> int:
    """The piece that a drop takes: the one with the smallest number."""
    for number in range(FIRST_NUMBER[kind], PIECES):
        if survey[PLACE, number] == IN_HAND and survey[SIDE, number] == side:
            return number
    return -1


@kernel
def make_move(survey: Any, source: int, target: int, kind: int, side: int) -> int:
    """Move the piece at `source` (0: from the hand) to `target`, where it is of `kind`. Returns its number.

    What the pieces reach is out of date afterwards.
    """
    if source == 0:
        number = pick_from_hand(survey, side, kind)
        survey[HAND + side, kind] -= 1
    else:
        number = survey[NUMBER, source]
        taken = survey[NUMBER, target]
        if taken >= 0:
            survey[PLACE, taken] = IN_HAND
            survey[SIDE, taken] = side
            survey[HAND + side, survey[BOARD, target] & 15 | 8] += 1
        survey[BOARD, source] = 0
        survey[NUMBER, source] = -1
    survey[BOARD, target] = kind + 16 * side
    survey[NUMBER, target] = number
    survey[PLACE, number] = target
    return int(number)


@kernel
def look(survey: Any) -> None:
    """Find out what every piece reaches, and which pieces shield a king."""
    survey[REACH] = 0
    survey[COUNT : COUNT + 2] = 0
    survey[BEHIND : BEHIND + 8] = -1
    survey[SETS] = 0
    for number in range(PIECES):
        cell = survey[PLACE, number]
        if cell < 0:
            continue
        side, kind = survey[SIDE, number], survey[BOARD, cell] & 15
        survey[SETS, side] |= 1 << number
        if kind < BASIC:
            survey[SETS, PROMOTED] |= 1 << number
        sign = 1 - 2 * side
        for direction in range(10):
            if SHORT[kind] >> direction & 1:
                _touch(survey, side, cell + sign * STEPS[direction], 1 << number)
        if RAYS[kind]:
            for direction in range(8):
                if RAYS[kind] >> direction & 1:
                    _cast(survey, number, side, cell, 7 - direction if side else direction)
    for side in range(2):
        _find_shields(survey, side)


@kernel
def _touch(survey: Any, side: int, cell: int, bits: int) -> None:
    survey[REACH, cell] |= bits
    survey[COUNT + side, cell] += 1


@kernel
def _cast(survey: Any, number: int, side: int, cell: int, direction: int) -> None:
    """Follow a ray, in a direction of the board, to the first piece or the edge."""
    bits = 1 << number | 1 << number + LONG
    while True:
        cell += STEPS[direction]
        if survey[BOARD, cell] == EDGE:
            return
        _touch(survey, side, cell, bits)
        if survey[BOARD, cell]:
            survey[BEHIND + direction, survey[NUMBER, cell]] = number
            return


@kernel
def _find_shields(survey: Any, side: int) -> None:
    king = survey[PLACE, KING + side]
    for direction in range(8):
        cell = king - STEPS[direction]
        while survey[BOARD, cell] == 0:
            cell -= STEPS[direction]
        if survey[BOARD, cell] == EDGE:
            continue
        number = survey[NUMBER, cell]
        attacker = survey[BEHIND + direction, number]
        if attacker >= 0 and survey[SETS, 1 - side] >> attacker & 1:
            survey[SETS, SHIELDS + side] |= 1 << number


@kernel
def may_enter(held: int, side: int) -> bool:
    """Whether a piece of `side` may go to a cell that holds this, as far as that decides it."""
    return held == 0 or (held != EDGE and held >> 4 != side)
