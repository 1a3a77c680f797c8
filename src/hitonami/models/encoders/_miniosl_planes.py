"""Kernels for `miniosl`: paint the 176 planes of positions that are given by their games.

docs/encoders.md says what each plane holds. Values are whole numbers from 0 to ONE, which stands for 1.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel
from hitonami.models.encoders._miniosl_board import (
    BASIC,
    BOARD,
    CELL_OF,
    CELLS,
    COUNT,
    EDGE,
    FIRST_LONG,
    HAND,
    KIND_OF,
    KING,
    KNIGHT,
    LINES,
    NUMBER,
    PIECES,
    PLACE,
    RAYS,
    REACH,
    ROWS,
    SETS,
    SHORT,
    SIDE,
    STEPS,
    STRIDE,
    look,
    make_move,
    set_up,
)
from hitonami.models.encoders._miniosl_mate import find_mate, is_camp

PLANES: Final = 176
ONE: Final = 36
AGES: Final = 7
NOW: Final = 64
"""Planes of the position itself."""
EACH: Final = 16
"""Planes of each of the last moves."""
_PAWN: Final = 10
_LANCE: Final = 11
AT: Final = np.array([max(cell % STRIDE - 2, 0) * 9 + cell // STRIDE - 1 for cell in range(CELLS)])
"""Where a cell is on a plane: row = rank, column = file."""
_HELD: Final = np.array([15, 14, 9, 13, 12, 11, _PAWN])
_WEIGHT: Final = ONE // np.array([2, 2, 4, 4, 4, 4, 18])


@kernel
def paint_games(pieces: Any, moves: Any, ends: Any, turned: Any, planes: Any) -> None:
    """planes uint8 [B, 176, 81], zeros before. A game is the pieces of its start and the moves up to its end.

    `pieces` are int64 [B, 3, 40] (see `set_up`); `moves` are cshogi's, of all games in turn.
    """
    survey = np.zeros((ROWS, CELLS), np.int64)
    start = 0
    for game in range(len(ends)):
        set_up(survey, pieces[game], turned[game])
        mover = (ends[game] - start) & 1
        paint_game(survey, moves[start : ends[game]], turned[game], mover, planes[game])
        start = ends[game]


@kernel
def paint_game(survey: Any, moves: Any, turned: int, mover: int, planes: Any) -> None:
    """`mover` is the side of the first move as the board lies; side 0 is to move after the last."""
    found = np.zeros(3, np.int64)
    ages = min(len(moves), AGES)
    for ply in range(len(moves) - ages):
        source, target, kind = read_move(survey, moves[ply], turned)
        make_move(survey, source, target, kind, mover)
        mover = 1 - mover
    look(survey)
    for age in range(ages - 1, -1, -1):
        move = moves[len(moves) - 1 - age]
        _paint_ply(survey, move, turned, mover, found, planes[NOW + EACH * age :])
        mover = 1 - mover
    _paint_pieces(survey, turned, planes)
    _paint_sweeps(survey, planes)
    _paint_dangers(survey, mover, found, planes[61:])


@kernel
def read_move(survey: Any, move: int, turned: int) -> Any:
    """Source cell (0: a drop), target cell, and what the piece is after the move."""
    target, origin = move & 127, move >> 7 & 127
    cell = CELL_OF[80 - target if turned else target]
    if origin >= 81:
        return 0, cell, KIND_OF[origin - 80]
    source = CELL_OF[80 - origin if turned else origin]
    return source, cell, (survey[BOARD, source] & 15) - BASIC * (move >> 14 & 1)


@kernel
def _paint_ply(survey: Any, move: int, turned: int, mover: int, found: Any, planes: Any) -> None:
    """The sixteen planes of one past move; the survey goes on to the position after it."""
    source, target, kind = read_move(survey, move, turned)
    planes[0, AT[target]] = ONE
    if source:
        _paint_path(source, target, survey[BOARD, source] & 15, planes[1])
    if survey[BOARD, target]:
        _paint_reach(survey, target, survey[BOARD, target] & 15, 1 - mover, planes[2])
    planes[3, AT[survey[PLACE, KING + mover]]] = ONE
    _paint_dangers(survey, mover, found, planes[4:])
    for cell in CELL_OF:
        if survey[BOARD, cell]:
            planes[7 + (survey[BOARD, cell] >> 4), AT[cell]] = ONE
    changed = survey[REACH, target] | (survey[REACH, source] if source else 0)
    changed |= 1 << make_move(survey, source, target, kind, mover)
    look(survey)
    for number in range(PIECES):
        if changed >> number & 1 and survey[PLACE, number] >= 0:
            planes[12 + survey[SIDE, number], AT[survey[PLACE, number]]] = ONE
    for cell in CELL_OF:
        for side in range(2):
            planes[14 + side, AT[cell]] = ONE // 4 * min(4, survey[COUNT + side, cell])
    if survey[COUNT + 1 - mover, target] == 1:
        _paint_retaking(survey, 1 - mover, target, found, planes[9:])


@kernel
def _paint_dangers(survey: Any, mover: int, found: Any, planes: Any) -> None:
    """Three planes: the pieces that give check; else the mate that threatens, and what its piece would reach."""
    king = survey[PLACE, KING + mover]
    checkers = survey[REACH, king] & survey[SETS, 1 - mover]
    if checkers == 0:
        if find_mate(survey, 1 - mover, found):
            _paint_mate(survey, 1 - mover, found, planes[1:])
        return
    shown = 0
    for number in range(PIECES):
        if checkers >> number & 1 and shown < 2:  # in a game there are no more
            planes[0, AT[survey[PLACE, number]]] = ONE
            shown += 1


@kernel
def _paint_mate(survey: Any, side: int, found: Any, planes: Any) -> None:
    source, target, kind = found[0], found[1], found[2]
    planes[0, AT[target]] = ONE
    if source:
        _paint_path(source, target, survey[BOARD, source] & 15, planes[0])
    _paint_reach(survey, target, kind, side, planes[1])


@kernel
def _paint_retaking(survey: Any, side: int, target: int, found: Any, planes: Any) -> None:
    """If `side` takes back on `target` with the only piece that can, and is mated for it: three planes show both.

    The capture is tried without promotion first. The survey ends as it was.
    """
    takers = survey[REACH, target] & survey[SETS, side]
    for number in range(PIECES):
        if not takers >> number & 1:
            continue
        source = survey[PLACE, number]
        kind = survey[BOARD, source] & 15
        taken, held = survey[NUMBER, target], survey[BOARD, target]
        for promotes in range(2):
            if not _may_arrive(kind, source, target, side, promotes):
                continue
            make_move(survey, source, target, kind - BASIC * promotes, side)
            look(survey)
            king = survey[PLACE, KING + 1 - side]
            mated = survey[COUNT + side, king] == 0 and find_mate(survey, 1 - side, found)
            if mated:
                _paint_path(source, target, kind, planes[0])
                planes[0, AT[target]] = ONE
                _paint_mate(survey, 1 - side, found, planes[1:])
            _take_back(survey, source, target, kind, side, taken, held)
            if mated:
                break
    look(survey)


@kernel
def _may_arrive(kind: int, source: int, target: int, side: int, promotes: int) -> bool:
    """Whether a piece may move so with, or without, promotion."""
    if promotes:
        return kind >= _PAWN and (is_camp(source, side) or is_camp(target, side))
    rank = target % STRIDE - 2
    left = 8 - rank if side else rank
    return not ((kind in (_PAWN, _LANCE) and left == 0) or (kind == KNIGHT and left < 2))


@kernel
def _take_back(survey: Any, source: int, target: int, kind: int, side: int, taken: int, held: int) -> None:
    number = survey[NUMBER, target]
    survey[BOARD, source], survey[BOARD, target] = kind + 16 * side, held
    survey[NUMBER, source], survey[NUMBER, target] = number, taken
    survey[PLACE, number], survey[PLACE, taken] = source, target
    survey[SIDE, taken] = 1 - side
    survey[HAND + side, held & 15 | BASIC] -= 1


@kernel
def _paint_path(source: int, target: int, kind: int, plane: Any) -> None:
    """Every cell from the source to the target; for a knight these two."""
    plane[AT[target]] = ONE
    plane[AT[source]] = ONE
    if kind != KNIGHT:
        line = LINES[source, target]
        cell = source + STEPS[line]
        while cell != target:
            plane[AT[cell]] = ONE
            cell += STEPS[line]


@kernel
def _paint_reach(survey: Any, cell: int, kind: int, side: int, plane: Any) -> None:
    """Where a piece on that cell would reach: steps also onto its own side's pieces, rays only up to them."""
    sign = 1 - 2 * side
    for direction in range(10):
        there = cell + sign * STEPS[direction]
        if SHORT[kind] >> direction & 1 and survey[BOARD, there] != EDGE:
            plane[AT[there]] = ONE
    for direction in range(8):
        if not RAYS[kind] >> direction & 1:
            continue
        there = cell + sign * STEPS[direction]
        while survey[BOARD, there] == 0:
            plane[AT[there]] = ONE
            there += sign * STEPS[direction]
        if survey[BOARD, there] != EDGE and survey[BOARD, there] >> 4 != side:
            plane[AT[there]] = ONE


@kernel
def _paint_pieces(survey: Any, turned: int, planes: Any) -> None:
    """Pieces and empty cells, hands, and who is to move."""
    for cell in CELL_OF:
        held = survey[BOARD, cell]
        planes[14 + (held & 15) - 16 * (held >> 4), AT[cell]] = ONE
    planes[15, :] = ONE
    for side in range(2):
        for at in range(len(_HELD)):
            planes[30 + 7 * side + at, :] = _WEIGHT[at] * survey[HAND + side, _HELD[at]]
        planes[58 + side, :] = ONE // 4 * min(4, survey[HAND + side, _PAWN])
    planes[60, :] = ONE * turned


@kernel
def _paint_sweeps(survey: Any, planes: Any) -> None:
    """What lances, bishops, rooks and kings see along their lines, and what lies behind the first piece there."""
    for number in range(FIRST_LONG, PIECES):
        cell = survey[PLACE, number]
        kind = survey[BOARD, cell] & 15 if cell >= 0 else 0
        side = survey[SIDE, number]
        sweep = 44 + 4 * max((number - FIRST_LONG) // 2 - 1, 0) + side
        for direction in range(8):
            if RAYS[kind] >> direction & 1:
                step = STEPS[direction] * (1 - 2 * side)
                there = _paint_ray(survey, cell, step, planes[sweep])
                if survey[BOARD, there] != EDGE:
                    _paint_empty(survey, there, step, planes[sweep + 2])
    for side in range(2):
        for direction in range(8):
            _paint_ray(survey, survey[PLACE, KING + side], STEPS[direction], planes[56 + side])


@kernel
def _paint_ray(survey: Any, cell: int, step: int, plane: Any) -> int:
    """Paint up to the first piece, which is painted too. Returns where the ray ends."""
    cell = _paint_empty(survey, cell, step, plane)
    if survey[BOARD, cell] != EDGE:
        plane[AT[cell]] = ONE
    return cell


@kernel
def _paint_empty(survey: Any, cell: int, step: int, plane: Any) -> int:
    cell += step
    while survey[BOARD, cell] == 0:
        plane[AT[cell]] = ONE
        cell += step
    return cell
