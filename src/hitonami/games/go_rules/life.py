"""Proofs of life by Benson (Life in the game of Go, 1976): safe stones, and the area that KataGo's networks are told.

The area: stones that live even if their side passes for ever, and what they surround, belong to them, dead stones
within included; then empty parts that touch one colour alone; then stones to their own side. Life that needs an answer
is not seen.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any

import numpy as np

from hitonami.games.go_rules.field import EMPTY, WALL, find_chains, lay_board, make_field
from hitonami.kernel import kernel


@kernel
def find_safe(stones: Any, size: int, own: int, safe: Any) -> None:
    """Mark the stones of `own` that live even if their side passes for ever; `stones` and `safe` have size² points."""
    wide = size + 2
    points = wide * wide
    field = make_field()
    lay_board(field, stones, size, -1)
    chain, region, vital = np.zeros(points, np.int64), np.zeros(points, np.int64), np.zeros((points, 4), np.int64)
    chains = find_chains(field, wide, chain, np.zeros(points, np.int64))
    noted = np.zeros(points, np.int64), np.zeros(points, np.bool_)  # what an area needs besides
    regions = _find_regions(field.board, wide, chain, own, False, region, vital, *noted)
    alive = np.zeros(chains + 1, np.bool_)
    _find_alive(field.board, wide, chain, own, region, regions, vital, alive, np.zeros(points, np.bool_))
    for at in range(size * size):
        safe[at] = stones[at] == own and alive[chain[(at // size + 1) * wide + at % size + 1]]


@kernel
def find_area(board: Any, wide: int, chain: Any, chains: int, suicide: bool, area: Any) -> None:
    """Write 1 or 2 to `area` (margined) where a point is Black's or White's, else 0."""
    for here in range(wide * wide):
        area[here] = EMPTY
    for own in range(1, 3):
        _claim(board, wide, chain, chains, own, suicide, area)
    for here in range(wide, wide * (wide - 1)):
        if area[here] == EMPTY and board[here] != WALL:
            area[here] = board[here]


@kernel
def _claim(board: Any, wide: int, chain: Any, chains: int, own: int, suicide: bool, area: Any) -> None:
    """Write what one side can claim. Proven claims overwrite the other side's unproven ones."""
    points = wide * wide
    region = np.zeros(points, np.int64)
    vital = np.zeros((points, 4), np.int64)
    inner = np.zeros(points, np.int64)
    has_enemy = np.zeros(points, np.bool_)
    regions = _find_regions(board, wide, chain, own, suicide, region, vital, inner, has_enemy)
    alive = np.zeros(chains + 1, np.bool_)
    open_ = np.zeros(points, np.bool_)  # touches a chain that is not proven to live
    if not _find_alive(board, wide, chain, own, region, regions, vital, alive, open_):
        return
    for here in range(wide, wide * (wide - 1)):
        if board[here] == own:
            if alive[chain[here]]:
                area[here] = own
        elif region[here]:
            part = region[here]
            proven = not open_[part] and (inner[part] <= 1 or not has_enemy[part])
            if proven or (not has_enemy[part] and area[here] == EMPTY):
                area[here] = own


@kernel
def _find_regions(
    board: Any, wide: int, chain: Any, own: int, suicide: bool, region: Any, vital: Any, inner: Any, has_enemy: Any
) -> int:
    """Number the parts without stones of `own` from 1 on; returns how many.

    vital: up to four chains of `own` that every empty point of the part touches (every point, where suicide is
    legal); inner: points that touch no stone of `own`.
    """
    stack = np.empty(wide * wide, np.int64)
    count = 0
    for first in range(wide, wide * (wide - 1)):
        if board[first] != EMPTY or region[first]:
            continue
        count += 1
        at = 0
        for step in (-wide, -1, 1, wide):
            number = chain[first + step]
            if board[first + step] == own and number not in (vital[count, 0], vital[count, 1], vital[count, 2]):
                vital[count, at] = number
                at += 1
        region[first] = count
        stack[0] = first
        held = 1
        while held:
            held -= 1
            here = stack[held]
            touches = False
            for step in (-wide, -1, 1, wide):
                beside = board[here + step]
                touches |= beside == own
                if beside not in (own, WALL) and not region[here + step]:
                    region[here + step] = count
                    stack[held] = here + step
                    held += 1
            inner[count] += not touches
            has_enemy[count] |= board[here] != EMPTY
            if suicide or board[here] == EMPTY:
                _keep_touching(board, wide, chain, own, here, vital[count])
    return count


@kernel
def _keep_touching(board: Any, wide: int, chain: Any, own: int, here: int, vital: Any) -> None:
    """Drop the chains that do not touch this point."""
    for at in range(4):
        if not vital[at]:
            continue
        touches = False
        for step in (-wide, -1, 1, wide):
            touches |= board[here + step] == own and chain[here + step] == vital[at]
        if not touches:
            vital[at] = 0


@kernel
def _find_alive(
    board: Any, wide: int, chain: Any, own: int, region: Any, regions: int, vital: Any, alive: Any, open_: Any
) -> bool:
    """Mark the chains of `own` with two vital regions that touch living chains alone. False where it has no stones."""
    there = False
    for here in range(wide, wide * (wide - 1)):
        if board[here] == own:
            alive[chain[here]] = True
            there = True
    eyes = np.empty(len(alive), np.int64)
    changed = there
    while changed:
        changed = False
        for number in range(len(alive)):
            eyes[number] = 0
        for part in range(1, regions + 1):
            if not open_[part]:
                for at in range(4):
                    eyes[vital[part, at]] += 1
        for here in range(wide, wide * (wide - 1)):
            if board[here] != own or not alive[chain[here]] or eyes[chain[here]] >= 2:
                continue
            changed = True
            _open_beside(wide, here, region, open_)
        for number in range(1, len(alive)):
            if alive[number] and eyes[number] < 2:
                alive[number] = False
    return there


@kernel
def _open_beside(wide: int, here: int, region: Any, open_: Any) -> None:
    for step in (-wide, -1, 1, wide):
        if region[here + step]:
            open_[region[here + step]] = True
