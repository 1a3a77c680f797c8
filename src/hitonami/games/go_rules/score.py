"""Who owns what on a Go board: regions, chains, random playouts.

Boards here are uint8[n], 0 empty, 1 Black, 2 White. Playouts guess (`life` proves); nothing here reads tactically, so a
guess can be wrong where life depends on skill.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any

import numpy as np

from hitonami.games.go_rules.board import MARGINED, WALL, copy_back, put_stone, with_margin
from hitonami.kernel import kernel


@kernel
def find_regions(board: Any, size: int, wall: int, region: Any, touches: Any) -> int:
    """Number from 1 on the maximal connected parts of the points that `wall` does not hold; returns how many.

    wall 0: parts of the empty points. wall 1 or 2: parts of what is not that colour. region: int32[n], 0 on
    wall points; touches: uint8[n + 1], bits of the colours next to each part (or inside it).
    """
    n = size * size
    stack = np.empty(n, np.int32)
    region[:] = 0
    count = 0
    for first in range(n):
        if region[first] or _is_wall(board[first], wall):
            continue
        count += 1
        touches[count] = 0
        region[first] = count
        stack[0] = first
        held = 1
        while held:
            held -= 1
            here = stack[held]
            touches[count] |= board[here]
            column = here % size
            for step in (-size, -1, 1, size):
                there = here + step
                if there < 0 or there >= n or (step == -1 and column == 0) or (step == 1 and column == size - 1):
                    continue
                if _is_wall(board[there], wall):
                    touches[count] |= board[there]
                elif region[there] == 0:
                    region[there] = count
                    stack[held] = there
                    held += 1
    return count


@kernel
def _is_wall(stone: int, wall: int) -> bool:
    return stone != 0 if wall == 0 else stone == wall


@kernel
def find_owners(board: Any, size: int, owners: Any) -> None:
    """Write 1 or 2 where a stone stands or where an empty part touches that colour alone, else 0."""
    n = size * size
    region = np.empty(n, np.int32)
    touches = np.zeros(n + 1, np.uint8)
    find_regions(board, size, 0, region, touches)
    for at in range(n):
        if board[at]:
            owners[at] = board[at]
        else:
            seen = touches[region[at]]
            owners[at] = seen if seen < 3 else 0


@kernel
def find_chains(board: Any, size: int, chain: Any) -> int:
    """Number the chains of both colours from 1 on, 0 on empty points; returns how many."""
    n = size * size
    stack = np.empty(n, np.int32)
    chain[:] = 0
    count = 0
    for first in range(n):
        if board[first] == 0 or chain[first]:
            continue
        count += 1
        chain[first] = count
        stack[0] = first
        held = 1
        while held:
            held -= 1
            here = stack[held]
            column = here % size
            for step in (-size, -1, 1, size):
                there = here + step
                if there < 0 or there >= n or (step == -1 and column == 0) or (step == 1 and column == size - 1):
                    continue
                if board[there] == board[first] and chain[there] == 0:
                    chain[there] = count
                    stack[held] = there
                    held += 1
    return count


@kernel
def count_liberties(board: Any, size: int, out: Any) -> int:
    """Write each stone's chain's liberties, 0 on empty points. Returns how many stones have none."""
    n = size * size
    chain = np.empty(n, np.int32)
    liberties = np.zeros(find_chains(board, size, chain) + 1, np.int32)
    near = np.zeros(4, np.int32)
    for here in range(n):
        if board[here]:
            continue
        column = here % size
        near[0] = chain[here - size] if here >= size else 0
        near[1] = chain[here + size] if here + size < n else 0
        near[2] = chain[here - 1] if column else 0
        near[3] = chain[here + 1] if column < size - 1 else 0
        for at in range(4):
            liberties[near[at]] += not (near[:at] == near[at]).any()
    liberties[0] = 0  # where empty points counted each other
    lost = 0
    for at in range(n):
        out[at] = liberties[chain[at]]
        lost += board[at] != 0 and out[at] == 0
    return lost


@kernel
def _is_eye(board: Any, here: int, wide: int, own: int) -> bool:
    """An empty point with own stones on all sides and too few enemy diagonals to break it."""
    edge, enemies = False, 0
    for step in (-wide, -1, 1, wide):
        if board[here + step] == WALL:
            edge = True
        elif board[here + step] != own:
            return False
    for step in (-wide - 1, -wide + 1, wide - 1, wide + 1):
        enemies += board[here + step] == 3 - own
    return enemies == 0 if edge else enemies < 2


@kernel
def _breathes(board: Any, here: int, wide: int, own: int, stack: Any, seen: Any, mark: int) -> bool:
    """Whether a stone at `here` captures, or ends in a chain with two liberties, or alone with one."""
    free, held = 0, 1
    stack[0] = here
    seen[here] = mark
    at = 0
    while at < held:
        point = stack[at]
        at += 1
        for step in (-wide, -1, 1, wide):
            there = point + step
            if seen[there] == mark:
                continue
            if board[there] == 0:
                seen[there] = mark
                free += 1
                if free == 2:
                    return True
            elif board[there] == own:
                seen[there] = mark
                stack[held] = there
                held += 1
    return free == 1 and held == 1


@kernel
def _captures(board: Any, here: int, wide: int, own: int, stack: Any, seen: Any, mark: int) -> bool:
    """Whether some enemy chain beside `here` has no other liberty. Uses the marks `mark` to `mark` + 3."""
    for step in (-wide, -1, 1, wide):
        if board[here + step] != 3 - own:
            continue
        mark += 1
        first = here + step
        stack[0] = first
        seen[first] = mark
        held, at, free = 1, 0, False
        while at < held and not free:
            point = stack[at]
            at += 1
            for side in (-wide, -1, 1, wide):
                there = point + side
                if there == here or seen[there] == mark:
                    continue
                if board[there] == 0:
                    free = True
                    break
                if board[there] == 3 - own:
                    seen[there] = mark
                    stack[held] = there
                    held += 1
        if not free:
            return True
    return False


@kernel
def _play_out(board: Any, size: int, own: int, state: Any) -> None:
    """Random play to the end, in place. No filling of own eyes, no self-atari of a chain: seki stays."""
    wide, n = size + 2, size * size
    stack = np.empty(MARGINED, np.int32)
    seen = np.zeros(wide * wide, np.int64)
    empties = np.empty(n, np.int32)
    mark, passes, ko = 1, 0, -1
    for _ in range(3 * n):
        count = 0
        for at in range(n):
            empties[count] = at
            count += board[(at // size + 1) * wide + at % size + 1] == 0
        move = -1
        while count:
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            pick = np.int64(state % np.uint64(count))
            at = empties[pick]
            count -= 1
            empties[pick] = empties[count]
            here = (at // size + 1) * wide + at % size + 1
            mark += 6
            if at == ko or _is_eye(board, here, wide, own):
                continue
            if _breathes(board, here, wide, own, stack, seen, mark) or _captures(
                board, here, wide, own, stack, seen, mark
            ):
                move = at
                break
        ko = -1
        if move < 0:
            passes += 1
            if passes == 2:
                return
        else:
            passes = 0
            _, _, _, ko, _ = put_stone(board, size, own, -1, 0, move, stack)
        own = 3 - own


@kernel
def play_out(cells: Any, size: int, own: int, seed: int, playouts: int, black: Any, white: Any) -> None:
    """Add to `black` and `white` (int32[n]) how often each side owned each point after random play."""
    n = size * size
    final = np.empty(n, np.uint8)
    owners = np.empty(n, np.uint8)
    for index in range(playouts):
        board = with_margin(cells, size)
        state = (np.uint64(seed) + np.uint64(index)) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)
        _play_out(board, size, own if index % 2 == 0 else 3 - own, state)
        copy_back(board, size, final)
        find_owners(final, size, owners)
        for at in range(n):
            black[at] += owners[at] == 1
            white[at] += owners[at] == 2
