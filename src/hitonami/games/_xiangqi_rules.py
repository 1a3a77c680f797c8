"""Kernels for xiangqi. Cells are int8[90], from a1 along the ranks: 0 empty, a kind for Red (who moves up), minus the
kind for Black.

Kinds: 1 general, 2 advisor, 3 elephant, 4 horse, 5 chariot, 6 cannon, 7 soldier. A move is `origin·2⁷ + target`, with
squares counted twelve to a rank, as in every game by Fairy-Stockfish.
"""

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

FILES: Final = 9
RANKS: Final = 10
MOST_MOVES: Final = 160
"""More than the pieces of one side could have on an empty board."""
_GENERAL: Final = 1
_ADVISOR: Final = 2
_ELEPHANT: Final = 3
_HORSE: Final = 4
_CHARIOT: Final = 5
_CANNON: Final = 6
_SOLDIER: Final = 7
_STRAIGHT: Final = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
_ASLANT: Final = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
_LEAPS: Final = np.array([(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)])


@kernel
def _on_board(rank: int, file: int) -> bool:
    return 0 <= rank < RANKS and 0 <= file < FILES


@kernel
def _is_across(rank: int, side: int) -> bool:
    """Whether a rank lies beyond the river for `side` (1 Red, -1 Black)."""
    return rank > 4 if side > 0 else rank < 5


@kernel
def _in_palace(rank: int, file: int, side: int) -> bool:
    return 3 <= file <= 5 and (rank < 3 if side > 0 else rank > 6)


@kernel
def is_attacked(cells: Any, square: int, by: int) -> bool:
    """Whether `by` could take a general on this square: with a chariot, cannon, horse or soldier, or by facing it."""
    rank, file = square // FILES, square % FILES
    for up, right in _STRAIGHT:
        between = 0
        to, beside = rank + up, file + right
        while between < 2 and _on_board(to, beside):
            kind = cells[to * FILES + beside] * by
            if between == 0 and (kind == _CHARIOT or (kind == _GENERAL and right == 0)):
                return True
            if between == 1 and kind == _CANNON:
                return True
            between += kind != 0
            to, beside = to + up, beside + right
    for up, right in _LEAPS:
        to, beside = rank + up, file + right
        if _on_board(to, beside) and cells[to * FILES + beside] * by == _HORSE:
            leg = (rank + up // 2) * FILES + beside if abs(up) == 2 else to * FILES + file + right // 2
            if cells[leg] == 0:
                return True
    behind = rank - by
    if _on_board(behind, file) and cells[behind * FILES + file] * by == _SOLDIER:
        return True
    if not _is_across(rank, by):
        return False
    left = file > 0 and cells[square - 1] * by == _SOLDIER
    return left or (file < FILES - 1 and cells[square + 1] * by == _SOLDIER)


@kernel
def _add(cells: Any, origin: int, target: int, out: Any, count: int) -> int:
    """Add the move where nothing of the own side stands in the way and the own general is safe after it."""
    kind, taken = cells[origin], cells[target]
    side = 1 if kind > 0 else -1
    if taken * side > 0:
        return count
    cells[target], cells[origin] = kind, 0
    general = 0
    while cells[general] != side:
        general += 1
    safe = not is_attacked(cells, general, -side)
    cells[origin], cells[target] = kind, taken
    if not safe:
        return count
    out[count] = (origin // FILES * 12 + origin % FILES) << 7 | (target // FILES * 12 + target % FILES)
    return count + 1


@kernel
def _add_lines(cells: Any, origin: int, out: Any, count: int) -> int:
    """Moves of a chariot or a cannon, which takes what stands behind one man."""
    cannon = abs(cells[origin]) == _CANNON
    for up, right in _STRAIGHT:
        between = 0
        to, beside = origin // FILES + up, origin % FILES + right
        while between < 2 and _on_board(to, beside):
            target = to * FILES + beside
            taken = cells[target] != 0
            if taken == (between == 1) if cannon else between == 0:
                count = _add(cells, origin, target, out, count)
            between += taken
            to, beside = to + up, beside + right
    return count


@kernel
def _add_steps(cells: Any, origin: int, out: Any, count: int) -> int:
    """Moves of a general, an advisor, an elephant or a soldier."""
    side = 1 if cells[origin] > 0 else -1
    kind = cells[origin] * side
    rank, file = origin // FILES, origin % FILES
    for up, right in _ASLANT if kind in (_ADVISOR, _ELEPHANT) else _STRAIGHT:
        far = 2 if kind == _ELEPHANT else 1
        to, beside = rank + far * up, file + far * right
        if not _on_board(to, beside):
            continue
        if kind == _ELEPHANT:
            allowed = not _is_across(to, side) and cells[(rank + up) * FILES + file + right] == 0
        elif kind == _SOLDIER:
            allowed = up == side or (up == 0 and _is_across(rank, side))
        else:
            allowed = _in_palace(to, beside, side)
        if allowed:
            count = _add(cells, origin, to * FILES + beside, out, count)
    return count


@kernel
def list_moves(cells: Any, side: int, out: Any) -> int:
    """Fill `out` with the legal moves of `side`, in no order. Their count."""
    count = 0
    for origin in range(len(cells)):
        kind = cells[origin] * side
        if kind <= 0:
            continue
        if kind in (_CHARIOT, _CANNON):
            count = _add_lines(cells, origin, out, count)
        elif kind != _HORSE:
            count = _add_steps(cells, origin, out, count)
        else:
            rank, file = origin // FILES, origin % FILES
            for up, right in _LEAPS:
                to, beside = rank + up, file + right
                leg = (rank + up // 2) * FILES + file if abs(up) == 2 else origin + right // 2
                if _on_board(to, beside) and cells[leg] == 0:
                    count = _add(cells, origin, to * FILES + beside, out, count)
    return count
