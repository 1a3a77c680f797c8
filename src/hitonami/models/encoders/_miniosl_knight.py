"""A kernel for `miniosl`: does a knight mate. A part of what `_miniosl_mate` asks.

The king has no flight already and the knight covers none of its neighbours: it is only asked whether the knight
can be taken, and whether it stands in the way of a ray that alone keeps the king from one of them.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

from hitonami.kernel import kernel
from hitonami.models.encoders._miniosl_board import (
    BOARD,
    COUNT,
    HAND,
    KNIGHT,
    LINES,
    LONG,
    PIECES,
    PLACE,
    PROMOTED,
    REACH,
    SETS,
    SHIELDS,
    STEPS,
    may_enter,
)

_LANCES: Final = 0xF << 40
_BISHOPS: Final = 0x3 << 44
_ROOKS: Final = 0x3 << 46


@kernel
def mates_by_knight(survey: Any, side: int, king: int, target: int, open_: int, found: Any) -> bool:
    held = survey[BOARD, target]
    if not may_enter(held, side):
        return False
    other = 1 - side
    if survey[REACH, target] & survey[SETS, other] & ~survey[SETS, SHIELDS + other]:
        return False
    able = survey[REACH, target] & survey[SETS, side] & 0xF << 18
    able &= ~survey[SETS, PROMOTED] & ~survey[SETS, SHIELDS + side]
    if able == 0 and (held or survey[HAND + side, KNIGHT] == 0):
        return False
    if _blocks_upwards(survey, side, target) or _blocks_slantwise(survey, side, king, target, open_):
        return False
    found[0], found[1], found[2] = 0, target, KNIGHT
    for number in range(18, 22):
        if able >> number & 1:
            found[0] = survey[PLACE, number]
            break
    return True


@kernel
def _blocks_upwards(survey: Any, side: int, target: int) -> bool:
    """Whether a knight at `target` stands in the way of a file's only guard beside the king."""
    up = STEPS[1] * (1 - 2 * side)
    rays = survey[REACH, target] & survey[REACH, target + up] & survey[SETS, side] << LONG
    blocks = rays & _LANCES != 0
    for number in range(38, PIECES):
        if rays & _ROOKS & 1 << number + LONG and LINES[survey[PLACE, number], target] == (6 if side else 1):
            blocks = True
    if not blocks:
        return False
    for _ in range(3):
        target += up
        if not may_enter(survey[BOARD, target], 1 - side):
            return False
        if survey[COUNT + side, target] == 1:
            return True
        if survey[BOARD, target]:
            return False
    return False


@kernel
def _blocks_slantwise(survey: Any, side: int, king: int, target: int, open_: int) -> bool:
    """The same for a diagonal that leads through `target` to the cell in front of the king."""
    if not open_ >> 1 & 1:
        return False
    front = king - STEPS[1] * (1 - 2 * side)
    rays = survey[REACH, front] & survey[REACH, target] & survey[SETS, side] << LONG & _BISHOPS
    for number in range(36, 38):
        if not rays & 1 << number + LONG or LINES[survey[PLACE, number], target] != LINES[target, front]:
            continue
        if survey[COUNT + side, front] == 1:
            return True
        if survey[BOARD, front]:
            return False
        beyond = 2 * front - target
        if may_enter(survey[BOARD, beyond], 1 - side) and survey[COUNT + side, beyond] == 1:
            return True
    return False
