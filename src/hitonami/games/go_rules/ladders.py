"""Ladders as KataGo's networks are told of them: chains that cannot escape a run of ataris.

The search is exact within KataGo's own limits, which are part of what its networks learned: a ko that the attacker
leaves open counts as an escape, two kos that no connection saves count as caught, and a search that passes its budget
says "not caught". Read out is nothing but the run of ataris: nets and other captures are left to the network.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from typing import Any, Final

import numpy as np

from hitonami.games.go_rules.field import (
    EMPTY,
    FOUR,
    MOST_LISTED,
    TAKEN,
    THREE,
    TWO,
    WALL,
    count_empty,
    may_play,
    put_down,
    take_back,
    to_number,
    walk_chain,
)
from hitonami.kernel import kernel

BUDGET: Final = 25_000
"""Plays of one search; no search of a real game comes near it."""
_OPEN, _ESCAPED, _CAUGHT = -1, 0, 1
_FIRST, _COUNT, _TRIED = 0, 1, 2


@kernel
def mark_ladders(
    field: Any, wide: int, chain: Any, liberties: Any, chains: int, own: int, caught: Any, working: Any
) -> None:
    """Mark in `caught` the stones of every chain that a ladder catches, in `working` the points that start one.

    Chains in atari may defend first, chains with two liberties are attacked first. `working` is for the enemies of
    `own` with two liberties; `chain` numbers the `chains` of the board from 1 on, `liberties` are theirs.
    """
    size = wide - 2
    done = np.zeros(chains + 1, np.int64)  # 0 where a chain has not been read out
    board = field.board
    for row in range(size):
        for here in range((row + 1) * wide + 1, (row + 2) * wide - 1):
            number = chain[here]
            if not number or liberties[number] > 2:
                continue
            if done[number] == 0:
                if liberties[number] == 1:
                    done[number] = 1 + _is_caught(field, wide, here)
                else:
                    done[number] = 1 + _attack_first(field, wide, here, board[here] != own, working)
            if done[number] == 1 + _CAUGHT:
                caught[row, here - (row + 1) * wide - 1] = 1


@kernel
def _attack_first(field: Any, wide: int, prey: int, shown: bool, working: Any) -> int:
    """Whether an attacker who moves first catches a chain of two liberties."""
    walk_chain(field, wide, prey, THREE)
    one, other = field.near[0], field.near[1]
    attacker = 3 - to_number(field.board[prey])
    answer = _ESCAPED
    for here in (one, other):
        if not may_play(field, wide, here, attacker):
            continue
        put_down(field, wide, here, attacker)
        works = _is_caught(field, wide, prey)
        take_back(field)
        if works == _CAUGHT:
            answer = _CAUGHT
            if shown:
                working[here // wide - 1, here % wide - 1] = 1
    return answer


@kernel
def _is_caught(field: Any, wide: int, prey: int) -> int:
    """Whether a chain is caught if its owner moves first."""
    levels, size, base = field.levels, wide - 2, field.depth[0]
    deepest = base + size * size * 3 // 2
    saved, field.ko[0] = field.ko[0], 0  # every ko that is open now may be retaken by the defender
    level, plays, caught, owner = base, 0, False, to_number(field.board[prey])
    levels[level, _FIRST], levels[level, _TRIED] = 0, _OPEN
    while level >= base:
        now, defends = levels[level], (level - base) % 2 == 0
        won = False
        if now[_TRIED] == _OPEN:
            verdict = _CAUGHT if level == deepest else _judge(field, wide, prey, level, defends)
            now[_TRIED] = 0
            if verdict != _OPEN:
                caught, won = verdict == _CAUGHT, True
        elif caught != defends:  # the defender has found a way out, or the attacker a way to catch
            won = True
        else:
            now[_TRIED] += 1
        mover = owner if defends else 3 - owner
        if not won and not _find_playable(field, wide, now, mover):
            caught, won = defends, True
        if won:
            level -= 1
            if level >= base:
                take_back(field)
            continue
        put_down(field, wide, field.moves[now[_FIRST] + now[_TRIED]], mover)
        plays += 1
        if plays >= BUDGET or now[_FIRST] > MOST_LISTED or now[TAKEN] > MOST_LISTED:
            while field.depth[0] > base:
                take_back(field)
            caught = False
            break
        level += 1
        levels[level, _FIRST], levels[level, _TRIED] = now[_FIRST] + now[_COUNT], _OPEN
    field.ko[0] = saved
    return _CAUGHT if caught else _ESCAPED


@kernel
def _find_playable(field: Any, wide: int, now: Any, mover: int) -> bool:
    """Go on to the level's next move that is legal; False where there is none."""
    while now[_TRIED] < now[_COUNT]:
        if may_play(field, wide, field.moves[now[_FIRST] + now[_TRIED]], mover):
            return True
        now[_TRIED] += 1
    return False


@kernel
def _judge(field: Any, wide: int, prey: int, level: int, defends: bool) -> int:
    """Who has won already, or _OPEN with the moves to try listed."""
    now = field.levels[level]
    now[_COUNT] = 0
    stones, liberties = walk_chain(field, wide, prey, TWO if defends else THREE)
    if defends:
        if liberties >= 2 or field.ko[0]:
            return _ESCAPED
        return _list_defence(field, wide, stones, now)
    if liberties <= 1:
        return _CAUGHT
    if liberties >= 3:
        return _ESCAPED
    return _list_attack(field, wide, prey, now)


@kernel
def _list_defence(field: Any, wide: int, stones: int, now: Any) -> int:
    """Captures of neighbours in atari, then the only liberty. The chain of the prey was walked just now."""
    board, moves = field.board, field.moves
    first, exit_ = now[_FIRST], field.near[0]
    enemy = 3 - to_number(board[field.stack[0]])
    count = now[_COUNT]
    start = len(field.taken) - stones  # the walk of a neighbour overwrites the prey's stones
    for at in range(stones):
        field.taken[start + at] = field.stack[at]
    for at in range(start, start + stones):
        for step in (-wide, -1, 1, wide):
            there = field.taken[at] + step
            if board[there] != enemy:
                continue
            _, liberties = walk_chain(field, wide, there, TWO)
            if liberties == 1 and not _listed(moves, first, count, field.near[0]):
                moves[first + count] = field.near[0]
                count += 1
    if not _listed(moves, first, count, exit_):
        moves[first + count] = exit_
        count += 1
    now[_COUNT] = count
    return _ESCAPED if count_empty(field, wide, exit_) >= 3 else _OPEN


@kernel
def _listed(moves: Any, first: int, count: int, move: int) -> bool:
    for at in range(first, first + count):  # noqa: SIM110  (numba has no any() over a generator)
        if moves[at] == move:
            return True
    return False


@kernel
def _list_attack(field: Any, wide: int, prey: int, now: Any) -> int:
    """The two liberties of the prey, the one with more room around it first; only one where the other cannot work."""
    moves, first = field.moves, now[_FIRST]
    one, other = field.near[0], field.near[1]
    room, other_room = count_empty(field, wide, one), count_empty(field, wide, other)
    if room == 0 and other_room == 0 and _dies_in_two_kos(field, wide, prey, one, other):
        return _CAUGHT
    apart = abs(one - other) not in (1, wide)  # else filling one takes room from the other
    if apart and room >= 3 and other_room >= 3:
        return _ESCAPED
    if other_room > room:
        one, other, room, other_room = other, one, other_room, room
    moves[first], moves[first + 1] = one, other
    now[_COUNT] = 1 if apart and room >= 3 else 2
    return _OPEN


@kernel
def _dies_in_two_kos(field: Any, wide: int, prey: int, one: int, other: int) -> bool:
    """Both liberties are mouths of kos, connecting either gains nothing, and no neighbour can be captured."""
    defender = to_number(field.board[prey])
    if not (_is_ko_mouth(field, wide, one, defender) and _is_ko_mouth(field, wide, other, defender)):
        return False
    for here in (one, other):
        field.board[here] = defender
        _, liberties = walk_chain(field, wide, here, THREE)
        field.board[here] = EMPTY
        if liberties >= 3:
            return False
    return not _can_capture(field, wide, prey)


@kernel
def _is_ko_mouth(field: Any, wide: int, here: int, defender: int) -> bool:
    """Whether the attacker who plays here takes a single stone and nothing else of the defender, and joins nothing."""
    board = field.board
    found = False
    for step in (-wide, -1, 1, wide):
        beside = board[here + step]
        if beside == WALL:
            continue
        if beside != defender:
            return False
        stones, liberties = walk_chain(field, wide, here + step, TWO)
        if liberties == 1:
            if found or stones != 1:
                return False
            found = True
    return found


@kernel
def _can_capture(field: Any, wide: int, prey: int) -> bool:
    """Whether some enemy chain beside the prey is in atari."""
    board = field.board
    enemy = 3 - to_number(board[prey])
    stones, _ = walk_chain(field, wide, prey, FOUR)
    start = len(field.taken) - stones
    for at in range(stones):
        field.taken[start + at] = field.stack[at]
    for at in range(start, start + stones):
        for step in (-wide, -1, 1, wide):
            if board[field.taken[at] + step] == enemy:
                _, liberties = walk_chain(field, wide, field.taken[at] + step, TWO)
                if liberties == 1:
                    return True
    return False
