"""Kernels for Heian shogi. Cells are int8[ranks·files], the top rank first: 0 empty, a kind for Black (who moves up),
minus the kind for White.

Kinds: 1 king, 2 gold, 3 silver, 4 knight, 5 lance, 6 pawn, 7 to 10 the promoted silver, knight, lance and pawn, which
move like gold, 11 the drunken elephant. A move is `promoted·2¹⁴ + origin·2⁷ + target`.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

KING: Final = 1
PROMOTED: Final = 1 << 14
ZONE: Final = 3
"""Ranks of the far side where pieces promote."""
_SILVER: Final = 3
_KNIGHT: Final = 4
_LANCE: Final = 5
_PAWN: Final = 6


def _steps() -> tuple[Any, Any]:
    """Steps of each kind as (ranks forward, files to the right), and how many."""
    around = [(1, 0), (1, 1), (1, -1), (0, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1)]
    gold = around[:6]
    kinds = {
        1: around,
        2: gold,
        3: [around[0], around[1], around[2], around[6], around[7]],
        4: [(2, 1), (2, -1)],
        5: [(1, 0)],
        6: [(1, 0)],
        7: gold,
        8: gold,
        9: gold,
        10: gold,
        11: [step for step in around if step != (-1, 0)],
    }
    table, counts = np.zeros((12, 8, 2), np.int64), np.zeros(12, np.int64)
    for kind, steps in kinds.items():
        table[kind, : len(steps)], counts[kind] = steps, len(steps)
    return table, counts


_STEPS, _COUNTS = _steps()


@kernel
def is_attacked(cells: Any, ranks: int, files: int, square: int, by: int) -> bool:
    """Whether a piece of side `by` (1 Black, -1 White) could take on `square`: looked for from the square outwards."""
    rank, file = square // files, square % files
    for near in range(max(rank - 2, 0), min(rank + 3, ranks)):
        for beside in range(max(file - 1, 0), min(file + 2, files)):
            kind = cells[near * files + beside] * by
            if kind <= 0 or kind == _LANCE:
                continue
            up, right = (near - rank) * by, file - beside
            for at in range(_COUNTS[kind]):
                if _STEPS[kind, at, 0] == up and _STEPS[kind, at, 1] == right:
                    return True
    behind = rank + by
    while 0 <= behind < ranks:
        standing = cells[behind * files + file]
        if standing != 0:
            return bool(standing == by * _LANCE)
        behind += by
    return False


@kernel
def find_king(cells: Any, side: int) -> int:
    for square in range(len(cells)):
        if cells[square] == side * KING:
            return square
    return -1


@kernel
def in_check(cells: Any, ranks: int, files: int, side: int) -> bool:
    return is_attacked(cells, ranks, files, find_king(cells, side), -side)


@kernel
def _depth(ranks: int, files: int, side: int, square: int) -> int:
    """Ranks between a square and the far edge of `side`."""
    return square // files if side > 0 else ranks - 1 - square // files


@kernel
def is_stuck(kind: int, depth: int) -> bool:
    """Whether a piece of this kind could never move again so near to the far edge."""
    return (depth == 0 and kind in (_PAWN, _LANCE)) or (depth < 2 and kind == _KNIGHT)


@kernel
def _is_safe(cells: Any, ranks: int, files: int, side: int, origin: int, target: int) -> bool:
    """Whether the side's king is not attacked after the move."""
    kind, taken = cells[origin], cells[target]
    cells[target], cells[origin] = kind, 0
    king = target if abs(kind) == KING else find_king(cells, side)
    safe = not is_attacked(cells, ranks, files, king, -side)
    cells[origin], cells[target] = kind, taken
    return safe


@kernel
def faces_lance(cells: Any, ranks: int, files: int, king: int, side: int) -> bool:
    """Whether a lance of the other side stands before the king on its file, which a move could uncover."""
    square, step, last = king - side * files, side * files, ranks * files
    while 0 <= square < last:
        if cells[square] == -side * _LANCE:
            return True
        square -= step
    return False


@kernel
def list_moves(cells: Any, ranks: int, files: int, side: int, out: Any) -> int:
    """Fill `out` with the legal moves of `side`, in no order. Their count."""
    count, king = 0, find_king(cells, side)
    calm = not is_attacked(cells, ranks, files, king, -side)
    aimed, king_file = faces_lance(cells, ranks, files, king, side), king % files
    for rank in range(ranks):
        for file in range(files):
            origin = rank * files + file
            kind = cells[origin] * side
            if kind <= 0:
                continue
            safe = calm and kind != KING and not (aimed and file == king_file)
            depth = rank if side > 0 else ranks - 1 - rank
            for at in range(_COUNTS[kind]):
                up, right = _STEPS[kind, at, 0], _STEPS[kind, at, 1]
                beside = file + right
                if beside < 0 or beside >= files:
                    continue
                far = ranks if kind == _LANCE else 1
                for distance in range(1, far + 1):
                    left = depth - up * distance
                    if left < 0 or left >= ranks:
                        break
                    target = (left if side > 0 else ranks - 1 - left) * files + beside
                    if cells[target] * side > 0:
                        break
                    if safe or _is_safe(cells, ranks, files, side, origin, target):
                        if not is_stuck(kind, left):
                            out[count] = origin << 7 | target
                            count += 1
                        if min(depth, left) < ZONE and _SILVER <= kind <= _PAWN:
                            out[count] = PROMOTED | origin << 7 | target
                            count += 1
                    if cells[target] != 0:
                        break
    return count


@kernel
def apply(cells: Any, move: int, new: Any) -> None:
    """The board after a move, into `new`."""
    origin, target = move >> 7 & 127, move & 127
    for square in range(len(cells)):
        new[square] = cells[square]
    kind = cells[origin]
    if move & PROMOTED:
        kind += 4 if kind > 0 else -4
    new[origin], new[target] = 0, kind


@kernel
def is_bare(cells: Any, side: int) -> bool:
    """Whether the side has nothing but its king."""
    held = 0
    for square in range(len(cells)):
        held += cells[square] * side > 0
    return held < 2


def list_all_moves(ranks: int, files: int) -> list[int]:
    """Every move that some piece of either side could make on some board, ascending. 1,748 on 9×9."""
    found = set()
    for side in (1, -1):
        for kind in range(KING, _PAWN + 1):
            steps = [tuple(map(int, _STEPS[kind, at])) for at in range(_COUNTS[kind])]
            far = ranks if kind == _LANCE else 2
            ways = [(up * by, right * by) for up, right in steps for by in range(1, far)]
            for origin in range(ranks * files):
                for up, right in ways:
                    rank, file = origin // files - up * side, origin % files + right
                    if not (0 <= rank < ranks and 0 <= file < files):
                        continue
                    move, target = origin << 7 | rank * files + file, rank * files + file
                    depth = _depth(ranks, files, side, target)
                    if not is_stuck(kind, depth):
                        found.add(move)
                    if min(depth, _depth(ranks, files, side, origin)) < ZONE and kind >= _SILVER:
                        found.add(PROMOTED | move)
    return sorted(found)
