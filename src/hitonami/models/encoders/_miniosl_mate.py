"""A kernel for `miniosl`: does a side mate with one move, and with which.

This is not "is there a mate in one": miniosl's planes show the first mate that its own quick test finds, and
a network trained on them expects that test, with what it overlooks. It sees checks from the eight cells
around the king and by knights; not long-range and discovered checks, and no pawn drops (which would be
illegal). Each neighbour of the king is judged by who reaches it now; then it is asked what the checking
piece covers, and which rays it blocks or leaves. Moves come before knights and these before drops, each
by direction, then by the piece's number.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel
from hitonami.models.encoders._miniosl_board import (
    BEHIND,
    BOARD,
    CELLS,
    COUNT,
    EDGE,
    FIRST_LONG,
    HAND,
    KING,
    LINES,
    LONG,
    NUMBER,
    PIECES,
    PLACE,
    RAYS,
    REACH,
    SETS,
    SHIELDS,
    SHORT,
    STEPS,
    STRIDE,
    may_enter,
)
from hitonami.models.encoders._miniosl_knight import mates_by_knight

_NO_CHECK: Final = 0x100
_PAWN: Final = 10
_PROMOTED_ROOK: Final = 7
_GOLD: Final = 9
_DROPPED: Final = np.array([_GOLD, 11, 13, 14, 15])
_LONGS: Final = 0xFF << 40
RANK: Final = np.array([cell % STRIDE - 2 for cell in range(CELLS)])
_VECTORS: Final = ((1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1), (1, -2), (-1, -2))


def _covers(kind: int, files: int, ranks: int) -> bool:
    """Whether a piece of side 0 reaches the cell so far away on an empty board."""
    if any(SHORT[kind] >> way & 1 and (files, ranks) == step for way, step in enumerate(_VECTORS)):
        return True
    far = max(abs(files), abs(ranks))
    rays = (step for way, step in enumerate(_VECTORS[:8]) if RAYS[kind] >> way & 1)
    return far > 0 and any((files, ranks) == (far * step[0], far * step[1]) for step in rays)


def _cover_tables() -> tuple[Any, Any]:
    """[16, 8] by kind and direction of the check: the king's neighbours that the checking piece does not
    cover, with _NO_CHECK where it would give none; and of these the ones whose ray it may block.
    """
    uncovered, shaded = np.full((16, 8), 0x1FF), np.zeros((16, 8), np.int64)
    for kind in range(2, 16):
        for way in range(8):
            if not (SHORT[kind] | RAYS[kind]) >> way & 1:
                continue
            uncovered[kind, way] = 0
            for other in range(8):
                files = _VECTORS[way][0] - _VECTORS[other][0]
                ranks = _VECTORS[way][1] - _VECTORS[other][1]
                if other == way or _covers(kind, files, ranks):
                    continue
                uncovered[kind, way] |= 1 << other
                if other != 7 - way and (files == 0 or ranks == 0 or abs(files) == abs(ranks)):
                    shaded[kind, way] |= 1 << other
    return uncovered, shaded


_UNCOVERED, _SHADED = _cover_tables()


@kernel
def find_mate(survey: Any, side: int, found: Any) -> bool:
    """Whether `side` mates with one move if it is its turn; `found` gets source (0: drop), target, kind."""
    king = survey[PLACE, KING + 1 - side]
    flights, open_, drops, contacts = _judge_neighbours(survey, side, king)
    for way in range(8):
        if contacts >> way & 1 and _mates_by_contact(survey, side, king, way, flights, open_, found):
            return True
    if flights == 0:
        for way in (9, 8):
            target = king - (1 - 2 * side) * STEPS[way]
            if mates_by_knight(survey, side, king, target, open_, found):
                return True
    for at in range(len(_DROPPED)):
        kind = _DROPPED[at]
        if survey[HAND + side, kind] == 0:
            continue
        for way in range(8):
            if drops >> way & 1 and (flights | _NO_CHECK) & _UNCOVERED[kind, way] == 0:
                target = king - (1 - 2 * side) * STEPS[way]
                if not _shades_a_guard(survey, side, king, target, _SHADED[kind, way] & open_):
                    found[0], found[1], found[2] = 0, target, kind
                    return True
    return False


@kernel
def _judge_neighbours(survey: Any, side: int, king: int) -> Any:
    """Four sets of directions from which `side` looks at the king's neighbours.

    Where the king can flee to; where it could but for `side`'s reach; empty cells that `side` reaches and
    only the king guards; such cells empty or held by the king's side.
    """
    sign, other = 1 - 2 * side, 1 - side
    flights, open_, drops, contacts = 0, 0, 0, 0
    for way in range(8):
        cell = king - sign * STEPS[way]
        held = survey[BOARD, cell]
        if held == EDGE:
            continue
        enterable = may_enter(held, other)
        if enterable:
            open_ |= 1 << way
        if survey[COUNT + side, cell] == 0:
            if enterable:
                flights |= 1 << way
        elif (held == 0 or held >> 4 == other) and not _is_guarded(survey, other, king, cell):
            contacts |= 1 << way
            if held == 0:
                drops |= 1 << way
    for number in range(FIRST_LONG, PIECES):  # of a king in check by a ray, the ray goes on behind it
        if survey[REACH, king] >> number + LONG & survey[SETS, side] >> number & 1:
            line = LINES[king, survey[PLACE, number]]
            flights &= ~(1 << (7 - line if side else line))
    return flights, open_, drops, contacts


@kernel
def _is_guarded(survey: Any, side: int, king: int, cell: int) -> bool:
    """Whether a piece of `side`, not its king, could take on a cell beside the king."""
    guards = survey[REACH, cell] & survey[SETS, side] & ~(1 << KING + side)
    if guards == 0:
        return False
    pinned = survey[SETS, SHIELDS + side]
    if guards & ~pinned:
        return True
    for number in range(PIECES):
        if guards >> number & 1 and LINES[king, survey[PLACE, number]] == LINES[king, cell]:
            return True
    return False


@kernel
def _mates_by_contact(survey: Any, side: int, king: int, way: int, flights: int, open_: int, found: Any) -> bool:
    """By moving a piece to the cell from which `way` leads to the king."""
    target = king - (1 - 2 * side) * STEPS[way]
    if survey[COUNT + side, target] < 2 and not _has_backing(survey, side, target):
        return False
    movers = survey[REACH, target] & survey[SETS, side] & ~(1 << KING + side)
    for number in range(PIECES):
        if not movers >> number & 1:
            continue
        source = survey[PLACE, number]
        line = LINES[source, target]
        if line >= 0:  # an enemy's ray that this piece stops would follow it
            follower = survey[BEHIND + line, number]
            if follower >= 0 and survey[SETS, 1 - side] >> follower & 1:
                continue
        kind = survey[BOARD, source] & 15
        if kind >= _PAWN and (is_camp(source, side) or is_camp(target, side)):
            if _checks_well(survey, side, king, way, source, target, kind - 8, flights, open_):
                found[0], found[1], found[2] = source, target, kind - 8
                return True
            if kind == _PAWN or kind >= 14:  # these always promote
                continue
        if _checks_well(survey, side, king, way, source, target, kind, flights, open_):
            found[0], found[1], found[2] = source, target, kind
            return True
    return False


@kernel
def is_camp(cell: int, side: int) -> bool:
    """Whether pieces of `side` promote there."""
    return bool(RANK[cell] >= 6 if side else RANK[cell] <= 2)


@kernel
def _has_backing(survey: Any, side: int, target: int) -> bool:
    """Whether a long piece of `side` stands behind a piece that reaches the target."""
    direct = survey[REACH, target] & survey[SETS, side]
    for number in range(PIECES):
        if direct >> number & 1:
            line = LINES[survey[PLACE, number], target]
            backer = survey[BEHIND + line, number] if line >= 0 else -1
            if backer >= 0 and survey[SETS, side] >> backer & 1:
                return True
    return False


@kernel
def _checks_well(
    survey: Any, side: int, king: int, way: int, source: int, target: int, kind: int, flights: int, open_: int
) -> bool:
    """Whether the piece from `source`, as `kind` at `target`, leaves the king no flight and its own king safe."""
    if (flights | _NO_CHECK) & _UNCOVERED[kind, way]:
        return False
    if kind == _PROMOTED_ROOK and not _dragon_covers(survey, side, king, source, target):
        return False
    number = survey[NUMBER, source]
    blocked = survey[REACH, target] & (survey[SETS, side] << LONG) & _LONGS & ~(1 << number + LONG)
    for other in range(8):
        if not (_UNCOVERED[kind, way] & open_) >> other & 1:
            continue
        cell = king - (1 - 2 * side) * STEPS[other]
        count = survey[COUNT + side, cell] - (survey[REACH, cell] >> number & 1)
        for blocker in range(FIRST_LONG, PIECES):
            if survey[REACH, cell] & blocked & 1 << blocker + LONG:
                count -= _is_between(target, survey[PLACE, blocker], cell)
        if count <= 0:
            return False
    if survey[SETS, SHIELDS + side] >> number & 1:
        own = survey[PLACE, KING + side]
        return bool(LINES[own, target] == LINES[own, source])
    return True


@kernel
def _is_between(cell: int, one: int, other: int) -> bool:
    line = LINES[one, cell]
    return bool(line >= 0 and line == LINES[cell, other])


@kernel
def _dragon_covers(survey: Any, side: int, king: int, source: int, target: int) -> bool:
    """Whether a promoted rook diagonal to the king is not cut off from the neighbours two cells along its lines."""
    files = (king - target + 2 * STRIDE + 2) // STRIDE - 2
    ranks = king - target - files * STRIDE
    if files == 0 or ranks == 0:
        return True
    number = survey[NUMBER, source]
    for turn in range(2):
        step, across = (files * STRIDE, ranks) if turn == 0 else (ranks, files * STRIDE)
        if survey[BOARD, target + step] == 0:
            continue
        far = target + 2 * step
        guards = survey[COUNT + side, far] - (survey[REACH, far] >> number & 1)
        if guards == 0 and may_enter(survey[BOARD, far], 1 - side):
            return False
        between = survey[NUMBER, target + step]
        if source == king - 2 * across and survey[REACH, target] >> between & 1:
            return False  # the piece was pinned by the rook alone, and may take it now
    return True


@kernel
def _shades_a_guard(survey: Any, side: int, king: int, target: int, cells: int) -> bool:
    """Whether a piece dropped at `target` stops a ray that alone guards one of the cells beside the king."""
    rays = survey[REACH, target] & survey[SETS, side] << LONG & _LONGS
    if rays == 0:
        return False
    for way in range(8):
        cell = king - (1 - 2 * side) * STEPS[way]
        if not cells >> way & 1 or survey[COUNT + side, cell] > 1:
            continue
        for number in range(FIRST_LONG, PIECES):
            if survey[REACH, cell] & rays & 1 << number + LONG:
                if _is_between(target, survey[PLACE, number], cell):
                    return True
                break
    return False
