"""Kernels that say what a Go board shows of each move: what it takes, saves, threatens and gives up, and where it lies.

Boards are those of `hitonami.games.go_rules.field`, with a margin of wall. Liberties are counted up to four,
and ladders are read out as KataGo's networks are told of them.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.go_rules.field import (
    EMPTY,
    FOUR,
    MARGINED,
    WALL,
    count_empty,
    find_chains,
    lay_board,
    make_field,
    put_down,
    take_back,
    to_number,
    walk_chain,
)
from hitonami.games.go_rules.ladders import mark_ladders
from hitonami.kernel import kernel

SHOWN: Final = (
    *("passes", "takes", "takes_any", "saves", "saves_any", "gives_atari", "gives_atari_any", "self_atari"),
    *("self_atari_any", "liberties", "joins", "touches", "weakest_enemy", "weakest_own", "opens_ko", "fills_eye"),
    *("starts_ladder", "runs_in_ladder", "takes_laddered", "retakes"),
    *("near_last", "near_last_steps", "touches_last", "near_own", "near_third"),
    *("line", "other_line", "own_beside", "enemy_beside", "own_diagonal", "enemy_diagonal", "room"),
    *("own_around", "enemy_around", "taken_last", "own_in_atari", "enemy_in_atari", "stones", "middle", "small"),
)
"""The columns that `show_moves` fills, in their order."""
_AROUND: Final = 3
_FAR: Final = 10


@kernel
def show_moves(
    size: int, boards: Any, kos: Any, own: Any, last: Any, took: Any, moves: Any, begins: Any, out: Any
) -> None:
    """Fill out [M, len(SHOWN)] for each move of B positions on boards of `size`.

    boards: uint8 [B, 2, size²], now and two plies ago; kos: [B] the ko point or -1; own: [B] the mover's colour;
    last: [B, 3] the last moves, the latest first, -1 where there was none; took: [B] the stones that the last one
    took; moves [M] ids, by position from `begins` on.
    """
    field, wide = make_field(), size + 2
    chain, liberties = np.zeros(MARGINED, np.int64), np.zeros(size * size + 1, np.int64)
    caught, working = np.zeros((size, size), np.uint8), np.zeros((size, size), np.uint8)
    sizes, held = np.zeros(size * size + 1, np.int64), np.zeros(2, np.int64)
    for row in range(len(boards)):
        mover = to_number(own[row])
        lay_board(field, boards[row, 0], size, to_number(kos[row]))
        chains = find_chains(field, wide, chain, liberties)
        caught[:], working[:], sizes[:], held[:] = 0, 0, 0, 0
        mark_ladders(field, wide, chain, liberties, chains, mover, caught, working)
        stones = 0
        for here in range(wide * wide):
            if chain[here]:
                sizes[chain[here]] += 1
                stones += 1
                if liberties[chain[here]] == 1:
                    held[0 if field.board[here] == mover else 1] += 1
        for at in range(begins[row], begins[row + 1]):
            shown, move = out[at], to_number(moves[at])
            shown[:] = 0
            shown[34] = min(took[row], 4) / 4.0
            shown[35], shown[36] = min(held[0], 4) / 4.0, min(held[1], 4) / 4.0
            shown[37] = stones / (size * size)
            shown[38], shown[39] = 9 < size <= 13, size <= 9
            for age in range(3):
                shown[20 if age == 0 else 22 + age] = 1
            shown[21] = 1
            if move >= size * size:
                shown[0] = 1
                continue
            show_where(field.board, size, mover, move, last[row], shown)
            shown[19] = boards[row, 1, move] == mover
            shown[16] = working[move // size, move % size]
            show_play(field, wide, chain, liberties, sizes, caught, mover, move, shown)


@kernel
def show_where(board: Any, size: int, own: int, move: int, last: Any, shown: Any) -> None:
    """Where the move lies: from the last ones, from the edges, and among the stones."""
    line, column, wide = move // size, move % size, size + 2
    for age in range(3):
        if 0 <= last[age] < size * size:
            down, across = abs(last[age] // size - line), abs(last[age] % size - column)
            shown[20 if age == 0 else 22 + age] = min(max(down, across), _FAR) / _FAR
            if age == 0:
                shown[21] = min(down + across, 2 * _FAR) / (2.0 * _FAR)
                shown[22] = max(down, across) == 1
    one, other = min(line, size - 1 - line), min(column, size - 1 - column)
    shown[25], shown[26] = min(one, other, 6) / 6.0, min(max(one, other), 9) / 9.0
    here = (line + 1) * wide + column + 1
    for step in (-wide, -1, 1, wide):
        shown[27] += (board[here + step] == own) / 4.0
        shown[28] += (board[here + step] == 3 - own) / 4.0
    for step in (-wide - 1, -wide + 1, wide - 1, wide + 1):
        shown[29] += (board[here + step] == own) / 4.0
        shown[30] += (board[here + step] == 3 - own) / 4.0
    for down in range(max(line - _AROUND, 0), min(line + _AROUND + 1, size)):
        for across in range(max(column - _AROUND, 0), min(column + _AROUND + 1, size)):
            stone = board[(down + 1) * wide + across + 1]
            shown[32] += (stone == own) / 10.0
            shown[33] += (stone == 3 - own) / 10.0


@kernel
def show_play(
    field: Any, wide: int, chain: Any, liberties: Any, sizes: Any, caught: Any, own: int, move: int, shown: Any
) -> None:
    """What the stone does to the chains beside it."""
    size = wide - 2
    here = (move // size + 1) * wide + move % size + 1
    board = field.board
    seen = np.zeros(4, np.int64)
    joins, touches, beside_stones, walls = 0, 0, 0, 0
    saved, weakest_own = 0, 4
    for side, step in enumerate((-wide, -1, 1, wide)):
        there = here + step
        stone, number = board[there], chain[there]
        walls += stone == WALL
        beside_stones += stone == own
        known = False
        for each in range(side):
            known = known or (number > 0 and seen[each] == number)
        seen[side] = number
        if stone in (EMPTY, WALL) or known:
            continue
        in_ladder = caught[there // wide - 1, there % wide - 1] > 0
        if stone == own:
            joins += 1
            weakest_own = min(weakest_own, liberties[number])
            saved += sizes[number] if liberties[number] == 1 else 0
            shown[17] = 1 if in_ladder else shown[17]
        else:
            touches += 1
            shown[18] = 1 if in_ladder else shown[18]
            shown[1] += min(sizes[number], 4) / 4.0 if liberties[number] == 1 else 0.0
    shown[2] = shown[1] > 0
    shown[10], shown[11], shown[13] = joins / 3.0, touches / 3.0, weakest_own / 4.0
    shown[15] = beside_stones + walls == 4
    put_down(field, wide, here, own)
    shown[14] = field.ko[0] > 0
    shown[31] = count_empty(field, wide, here) / 4.0
    stones, after = walk_chain(field, wide, here, FOUR)
    shown[9] = after / 4.0
    if after <= 1:
        shown[7], shown[8] = min(stones, 4) / 4.0, 1
    elif saved:
        shown[3], shown[4] = min(saved, 4) / 4.0, 1
    weakest = 4
    for side, step in enumerate((-wide, -1, 1, wide)):
        there = here + step
        if board[there] != 3 - own:
            continue
        _, left = walk_chain(field, wide, there, FOUR)
        weakest = min(weakest, left)
        if left == 1 and liberties[seen[side]] > 1:
            shown[5] = max(shown[5], min(sizes[seen[side]], 4) / 4.0)
            shown[6] = 1
    shown[12] = weakest / 4.0
    take_back(field)
