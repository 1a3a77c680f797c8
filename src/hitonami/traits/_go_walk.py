"""Kernels that walk games of Go and note what shows how each side plays: lines, distances, contact, captures."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.go_rules.board import LONE_SUICIDE, MARGINED, SUICIDE, WALL, put_stone, with_margin
from hitonami.kernel import kernel

MADE: Final = (
    *("line", "first_line", "second_line", "third_line", "fourth_line", "centre"),
    *("contact", "solid", "diagonal", "captures", "stones_taken", "atari", "liberties"),
)
"""What `play` fills, means over the side's stones."""
APART: Final = ("from_last", "from_own_last", "tenuki")
"""What needs an earlier move: means over the stones that have one."""
ONCE: Final = ("star", "komoku", "san_san", "takamoku", "mokuhazushi", "passes", "own_moves")
_APART_AT: Final = len(MADE)
_ONCE_AT: Final = len(MADE) + len(APART)
WIDTH: Final = _ONCE_AT + len(ONCE)
_FREELY: Final = SUICIDE | LONE_SUICIDE
_CORNERS: Final = np.array([[4, 4], [3, 4], [3, 3], [4, 5], [3, 5]])
"""Lines of the corner points that have names, the lower first; in the order of ONCE."""
_FIRST: Final = 2
_LEAST_SIZE: Final = 13


@kernel
def _count_liberties(board: Any, first: int, wide: int, stack: Any, seen: Any) -> Any:
    """Of the chain at `first`; `seen` is left as it was found, all 0."""
    colour, held, at, liberties = board[first], 1, 0, 0
    stack[0] = first
    seen[first] = 1
    while at < held:
        here = stack[at]
        at += 1
        for step in (-wide, -1, 1, wide):
            there = here + step
            if seen[there]:
                continue
            if board[there] == 0:
                seen[there] = 1
                liberties += 1
                stack[len(stack) - liberties] = there
            elif board[there] == colour:
                seen[there] = 1
                stack[held] = there
                held += 1
    for index in range(held):
        seen[stack[index]] = 0
    for index in range(liberties):
        seen[stack[len(stack) - 1 - index]] = 0
    return liberties


@kernel
def play(board: Any, size: int, own: int, move: int, stack: Any, seen: Any, out: Any) -> Any:
    """Put a stone and fill out[:len(MADE)]. Below 0 where the point is taken."""
    row, column, wide = move // size, move % size, size + 2
    here = (row + 1) * wide + column + 1
    out[: len(MADE)] = 0.0
    for step in (-wide, -1, 1, wide):
        out[6] = max(out[6], board[here + step] == 3 - own)
        out[7] = max(out[7], board[here + step] == own)
    if out[7] == 0:
        for step in (-wide - 1, -wide + 1, wide - 1, wide + 1):
            out[8] = max(out[8], board[here + step] == own)
    answer, captured, _, _, _ = put_stone(board, size, own, -1, _FREELY, move, stack)
    if answer < 0:
        return answer
    line = 1 + min(row, column, size - 1 - row, size - 1 - column)
    out[0], out[min(line, 5)] = line, 1.0
    out[9], out[10] = captured > 0, captured
    for step in (-wide, -1, 1, wide):
        there = here + step
        if board[there] == 3 - own and board[there] != WALL:
            out[11] = max(out[11], _count_liberties(board, there, wide, stack, seen) == 1)
    if board[here] == own:
        out[12] = _count_liberties(board, here, wide, stack, seen)
    return 0


@kernel
def _note_apart(size: int, move: int, last: int, own_last: int, known: Any, out: Any) -> None:
    """Rémi distances, and whether the stone is further than a third of the board from the opponent's last one."""
    for at in range(2):
        other = last if at == 0 else own_last
        if other < 0:
            continue
        across, along = abs(move % size - other % size), abs(move // size - other // size)
        out[_APART_AT + at] += across + along + max(across, along)
        known[at] += 1
        if at == 0:
            out[_APART_AT + 2] += max(across, along) > size / 3


@kernel
def _note_corner(size: int, move: int, out: Any) -> None:
    row, column = move // size, move % size
    lines = 1 + min(row, size - 1 - row), 1 + min(column, size - 1 - column)
    for at in range(len(_CORNERS)):
        if min(lines) == _CORNERS[at, 0] and max(lines) == _CORNERS[at, 1]:
            out[_ONCE_AT + at] += 1.0 / _FIRST


@kernel
def _finish(size: int, stones: int, known: Any, out: Any) -> None:
    """Sums into means."""
    if out[WIDTH - 1] == 0:
        out[:] = np.nan
        return
    out[WIDTH - 2] /= out[WIDTH - 1]
    if stones:
        out[:_APART_AT] /= stones
    else:
        out[:_APART_AT] = np.nan
    out[_APART_AT] = out[_APART_AT] / known[0] if known[0] else np.nan
    out[_APART_AT + 2] = out[_APART_AT + 2] / known[0] if known[0] else np.nan
    out[_APART_AT + 1] = out[_APART_AT + 1] / known[1] if known[1] else np.nan
    if size < _LEAST_SIZE or stones < _FIRST:
        out[_ONCE_AT : _ONCE_AT + len(_CORNERS)] = np.nan


@kernel
def walk(starts: Any, sizes: Any, setup: Any, moves: Any, movers: Any, begins: Any, out: Any) -> None:
    """Fill out [games, 2, WIDTH] from starts uint8 [setups, points]."""
    stack, seen = np.empty(2 * MARGINED, np.int32), np.zeros(MARGINED, np.int8)
    noted = np.zeros(WIDTH)
    for game in range(len(setup)):
        size = sizes[setup[game]]
        board = with_margin(starts[setup[game]], size)
        here, known = out[game], np.zeros((2, 2))
        here[:] = 0.0
        last, stones = np.full(2, -1), np.zeros(2, np.int64)
        for at in range(begins[game], begins[game + 1]):
            mover, move = movers[at], moves[at]
            own = here[mover]
            own[WIDTH - 1] += 1
            if move == size * size:
                own[WIDTH - 2] += 1
                last[mover] = -1
                continue
            if play(board, size, mover + 1, move, stack, seen, noted) < 0:
                break
            own[:_APART_AT] += noted[:_APART_AT]
            _note_apart(size, move, last[1 - mover], last[mover], known[mover], own)
            if stones[mover] < _FIRST:
                _note_corner(size, move, own)
            stones[mover] += 1
            last[mover] = move
        for mover in range(2):
            _finish(size, stones[mover], known[mover], here[mover])
