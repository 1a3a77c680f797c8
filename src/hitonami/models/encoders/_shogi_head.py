"""Where a shogi move stands in a head of 27 planes: seven kinds of drops, ten ways to move, and the ten with promotion.

Networks differ in the order of planes and of squares; which way a move goes is the same for all.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

SQUARES: Final = 81
Step = tuple[int, int]
"""(file, rank) as the mover sees the board; files grow to the left and ranks down, as cshogi numbers squares."""
JUMPS: Final[tuple[Step, ...]] = ((1, -2), (-1, -2))
"""The knight's, left and right: after the steps in every order that is known."""
_WAYS: Final = 10


def move_table(
    steps: Sequence[Step], drops: Sequence[int], first_way: int, place: Callable[[int], int]
) -> NDArray[np.int32]:
    """[2, 32768] the place in the head by player and move id (see games/shogi.py), -1 where there is none.

    `steps`: the eight directions in the network's order; `drops`: the planes of pawn, lance, knight, silver, bishop,
    rook and gold (the order of move ids); `first_way`: the plane of the first step; `place`: of a square in a plane.
    """
    table = np.full((2, 1 << 15), -1, dtype=np.int32)
    for target in range(SQUARES):
        turned = SQUARES - 1 - target
        for kind, plane in enumerate(drops):
            origin = SQUARES + kind
            table[0, origin << 7 | target] = table[1, origin << 7 | turned] = plane * SQUARES + place(target)
        for source in range(SQUARES):
            way = _way(source, target, steps)
            if way is None:
                continue
            for promotes in (0, 1):
                logit = (first_way + way + _WAYS * promotes) * SQUARES + place(target)
                table[0, promotes << 14 | source << 7 | target] = logit
                table[1, promotes << 14 | SQUARES - 1 - source << 7 | turned] = logit
    return table


def _way(source: int, target: int, steps: Sequence[Step]) -> int | None:
    """Which of the ten ways leads from source to target, as the mover sees the board."""
    files, ranks = target // 9 - source // 9, target % 9 - source % 9
    if (files, ranks) in JUMPS:
        return len(steps) + JUMPS.index((files, ranks))
    far = max(abs(files), abs(ranks))
    if far == 0 or files % far or ranks % far:
        return None
    return steps.index((files // far, ranks // far))


def mirror_table(steps: Sequence[Step], drops: int, place: Callable[[int], int]) -> NDArray[np.int32]:
    """[27 × 81] where each logit of a position stands in the head of the mirrored one, left for right.

    `drops` are the planes before the first step: a drop stays the same drop.
    """
    ways = [*steps, *JUMPS]
    swapped = [ways.index((-files, ranks)) for files, ranks in ways]
    planes = [*range(drops), *(drops + way + _WAYS * promotes for promotes in (0, 1) for way in swapped)]
    table = np.empty(len(planes) * SQUARES, dtype=np.int32)
    for plane, seen in enumerate(planes):
        for square in range(SQUARES):
            mirrored = (8 - square // 9) * 9 + square % 9
            table[plane * SQUARES + place(square)] = seen * SQUARES + place(mirrored)
    return table
