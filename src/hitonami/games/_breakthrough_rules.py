"""Kernels for Breakthrough. A state is int32[size² + 6·size]: first the cells, row by row from the top (0 empty,
1 White, 2 Black), then the legal moves. One array costs less to make and to hand over than two.

White moves up, Black down. A move is `3·origin + way`: 0 forward to the left, 1 straight, 2 forward to the right, as
seen on the page for either side.
"""

from typing import Any, Final

from hitonami.kernel import kernel

WON: Final = 1 << 20
CHECKED: Final = 2


@kernel
def target_of(size: int, side: int, move: int) -> int:
    """Where a move leads, -1 off the board."""
    origin, way = move // 3, move % 3
    row, column = origin // size + (1 if side else -1), origin % size + way - 1
    return row * size + column if 0 <= row < size and 0 <= column < size else -1


@kernel
def list_moves(state: Any, size: int, side: int) -> int:
    """Fill the moves of a state with those of `side`, ascending. Their count."""
    own, forward, points = side + 1, size if side else -size, size * size
    out = points
    first = 0 if side else size  # nobody steps off the far row
    for edge in range(first, first + points - size, size):
        for column in range(size):
            origin = edge + column
            if state[origin] == own:
                ahead, move = origin + forward, 3 * origin
                if column > 0 and state[ahead - 1] != own:
                    state[out] = move
                    out += 1
                if state[ahead] == 0:
                    state[out] = move + 1
                    out += 1
                if column < size - 1 and state[ahead + 1] != own:
                    state[out] = move + 2
                    out += 1
    return out - points


@kernel
def advance(state: Any, size: int, move: int, flags: int, new: Any) -> int:
    """Play a move into the state `new`, and list the answers there.

    `flags` are the side (0 or 1) and CHECKED: one number costs less to hand over than two. Returns the count of
    answers, WON where the move ends the game (the far row is reached, or nothing is left to take), -1 where it is not
    legal.
    """
    side = flags & 1
    own, other, points = side + 1, 2 - side, size * size
    origin = move // 3
    target = target_of(size, side, move) if 0 <= origin < points else -1
    if target < 0:
        return -1
    taken = state[target]
    if flags & CHECKED and (state[origin] != own or taken == own or (taken == other and move % 3 == 1)):
        return -1
    for at in range(points):
        new[at] = state[at]
    new[origin] = 0
    new[target] = own
    if target >= points - size if side else target < size:
        return WON
    if taken == other:
        left = 0
        for at in range(points):
            left += new[at] == other
        if left == 0:
            return WON
    return list_moves(new, size, 1 - side)
