"""KataGo's input planes of version 7 for a batch of boards of one size, in one kernel."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.games.go_rules.field import EMPTY, MARGINED, find_chains, lay_board, make_field, to_number
from hitonami.games.go_rules.ladders import mark_ladders
from hitonami.games.go_rules.life import find_area
from hitonami.kernel import kernel

PLANES: Final = 22
ON_BOARD, OWN, OTHER, LIBERTIES, KO, LAST_MOVES, LADDERS, WORKING, AREA = 0, 1, 2, 3, 6, 9, 14, 17, 18
BOARDS: Final = 3
"""The board now, one play ago and two plays ago."""
MOVES: Final = 5
_SHOWN_LIBERTIES: Final = 3


@kernel
def paint(
    size: int, boards: Any, kos: Any, own: Any, moves: Any, legal: Any, suicide: Any, area: Any, out: Any
) -> None:
    """Fill `out` (uint8 [B, 22, H, H], zeros) for B positions on boards of `size`.

    boards: uint8 [B, 3, size²]; kos: int32 [B, 3] their ko points, -1 for none; own: uint8 [B] the mover's colour;
    moves: int32 [B, 5] the latest first, -1 where there was none, size² for a pass; legal: bool [B, size² + 1] where
    the mover may play; suicide and area: bool [B] of the rules.
    """
    field = make_field()
    chain = np.zeros(MARGINED, np.int64)
    liberties = np.zeros(size * size + 1, np.int64)
    owners = np.zeros(MARGINED, np.uint8)
    wide = size + 2
    unused = np.zeros((size, size), np.uint8)
    for row in range(len(boards)):
        planes, mover = out[row], to_number(own[row])
        for age in range(BOARDS):
            if age and _same(boards[row], age) and kos[row, age] == kos[row, age - 1]:
                _copy(planes[LADDERS + age - 1], planes[LADDERS + age], size)
                continue
            lay_board(field, boards[row, age], size, to_number(kos[row, age]))
            chains = find_chains(field, wide, chain, liberties)
            if age == 0:
                _paint_stones(field, wide, chain, liberties, mover, planes)
                _paint_forbidden(field, wide, chain, liberties, mover, legal[row], suicide[row], planes[KO])
                if area[row]:
                    find_area(field.board, wide, chain, chains, suicide[row], owners)
                    _paint_area(owners, wide, mover, planes)
            working = planes[WORKING] if age == 0 else unused
            mark_ladders(field, wide, chain, liberties, chains, mover, planes[LADDERS + age], working)
        for age in range(MOVES):
            move = to_number(moves[row, age])
            if 0 <= move < size * size:
                planes[LAST_MOVES + age, move // size, move % size] = 1


@kernel
def _same(boards: Any, age: int) -> bool:
    for at in range(boards.shape[1]):  # noqa: SIM110  (numba has no any() over a generator)
        if boards[age, at] != boards[age - 1, at]:
            return False
    return True


@kernel
def _copy(plane: Any, to: Any, size: int) -> None:
    for row in range(size):
        for column in range(size):
            to[row, column] = plane[row, column]


@kernel
def _paint_stones(field: Any, wide: int, chain: Any, liberties: Any, own: int, planes: Any) -> None:
    size = wide - 2
    for row in range(size):
        for column in range(size):
            here = (row + 1) * wide + column + 1
            planes[ON_BOARD, row, column] = 1
            stone = field.board[here]
            if stone == EMPTY:
                continue
            planes[OWN if stone == own else OTHER, row, column] = 1
            if liberties[chain[here]] <= _SHOWN_LIBERTIES:
                planes[LIBERTIES + liberties[chain[here]] - 1, row, column] = 1


@kernel
def _paint_forbidden(
    field: Any, wide: int, chain: Any, liberties: Any, own: int, legal: Any, suicide: bool, plane: Any
) -> None:
    """Where only ko or superko forbids a play. Points of plain suicide are left out, as KataGo leaves them out."""
    size, board = wide - 2, field.board
    for at in range(size * size):
        here = (at // size + 1) * wide + at % size + 1
        if legal[at] or board[here] != EMPTY:
            continue
        for step in (-wide, -1, 1, wide):
            beside = board[here + step]
            if (
                beside == EMPTY
                or (beside == own and (suicide or liberties[chain[here + step]] > 1))
                or (beside == 3 - own and liberties[chain[here + step]] == 1)
            ):
                plane[at // size, at % size] = 1


@kernel
def _paint_area(owners: Any, wide: int, own: int, planes: Any) -> None:
    size = wide - 2
    for row in range(size):
        for column in range(size):
            owner = owners[(row + 1) * wide + column + 1]
            if owner:
                planes[AREA if owner == own else AREA + 1, row, column] = 1
