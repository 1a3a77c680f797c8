"""Kernels over patterns: which hold for which moves, what they weigh, what is learned, and what more would help.

A trie is int32[patterns, 7] (`PatternSet.trie`); a pattern's children are tested only where it holds. `near` is
int32[turns, cells, steps], the cell a step leads to, and `kept` uint8[patterns, turns] is 0 for an image that repeats
another. A pattern that holds in several images counts once for each.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log, sqrt
from typing import Any, Final

import numpy as np

from hitonami.intuition.patterns import CHILD, FROM, NUMBER, PARENT, SIBLING, SIZE, STEP, TEST, A
from hitonami.intuition.views import ORIGIN
from hitonami.kernel import kernel

_ONE: Final = np.uint64(1)
_EASE: Final = 1e-2
"""Keeps the first steps of a weight short."""
_LONGEST: Final = 0.5
"""Of an error that one step may put right, in logarithms of chances: many patterns that hold at once, each by a short
step of its own, would overshoot together."""


@kernel
def holds(trie: Any, near: Any, bits: Any, turn: int, at: int, origin: int, target: int, number: int) -> bool:
    """Whether a pattern's own condition is true, given that its parent holds."""
    anchor = trie[at, A]
    if anchor == NUMBER:
        return bool(turn == 0 and number == trie[at, STEP])
    base = origin if anchor == FROM else target
    if base < 0:
        return False
    cell = near[turn, base, trie[at, STEP]]
    if trie[at, TEST] == ORIGIN:
        return bool(cell == origin)
    return bool((bits[cell] >> np.uint64(trie[at, TEST])) & _ONE)


@kernel
def onward(trie: Any, at: int, held: bool) -> int:
    """The pattern to test after this one, -1 at the end."""
    if held and trie[at, CHILD] >= 0:
        return int(trie[at, CHILD])
    while at >= 0 and trie[at, SIBLING] < 0:
        at = trie[at, PARENT]
    return int(trie[at, SIBLING]) if at >= 0 else -1


@kernel
def number_of(numbers: Any, move: int, target: int) -> int:
    """By which number a move is known: its own in a game without a board, else 0 for one that lands nowhere."""
    if len(numbers):
        return int(numbers[move])
    return 0 if target < 0 else -1


@kernel
def weigh_moves(
    trie: Any, first: int, kept: Any, weights: Any, near: Any, bits: Any, landings: Any, numbers: Any, out: Any
) -> None:
    """Fill out[moves, 2] with the sums of the weights of the patterns that hold: for choosing, and for the result."""
    for move in range(len(landings)):
        chosen, worth = 0.0, 0.0
        origin, target = landings[move, 0], landings[move, 1]
        number = number_of(numbers, move, target)
        for turn in range(near.shape[0]):
            at = first
            while at >= 0:
                held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(
                    trie, near, bits, turn, at, origin, target, number
                )
                if held and kept[at, turn]:
                    chosen += weights[at, 0]
                    worth += weights[at, 1]
                at = onward(trie, at, held)
        out[move, 0], out[move, 1] = chosen, worth


@kernel
def weigh_board(trie: Any, first: int, kept: Any, weights: Any, near: Any, bits: Any) -> float:
    """The sum of the weights of the patterns that hold around the pieces on the board."""
    total = 0.0
    for cell in range(len(bits) - 1):
        if not (bits[cell] >> np.uint64(2)) & np.uint64(3):
            continue
        for turn in range(near.shape[0]):
            at = first
            while at >= 0:
                held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(trie, near, bits, turn, at, -1, cell, -1)
                if held and kept[at, turn]:
                    total += weights[at, 0]
                at = onward(trie, at, held)
    return total


@kernel
def judge_position(
    trie: Any,
    first: int,
    kept: Any,
    weights: Any,
    board_trie: Any,
    board_first: int,
    board_kept: Any,
    board_weights: Any,
    near: Any,
    bits: Any,
    landings: Any,
    numbers: Any,
    out: Any,
) -> None:
    """Fill out[2, moves] with log-chances of the moves, and with the expected score after each."""
    moves = len(landings)
    sums = np.empty((moves, 2))
    weigh_moves(trie, first, kept, weights, near, bits, landings, numbers, sums)
    whole = weigh_board(board_trie, board_first, board_kept, board_weights, near, bits)
    last = len(board_weights) - 1
    whole += board_weights[last - 1, 0] + board_weights[last, 0] * log(1.0 + moves)
    most, total = sums[:, 0].max(), 0.0
    for move in range(moves):
        total += exp(sums[move, 0] - most)
    total = most + log(total)
    for move in range(moves):
        out[0, move] = sums[move, 0] - total
        out[1, move] = 1 / (1 + exp(-whole - sums[move, 1]))


@kernel
def list_for_move(
    trie: Any, first: int, kept: Any, near: Any, bits: Any, origin: int, target: int, number: int, out: Any
) -> int:
    """Fill `out` with the patterns that hold for a move, each as often as it does. Their count."""
    count = 0
    for turn in range(near.shape[0]):
        at = first
        while at >= 0:
            held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(
                trie, near, bits, turn, at, origin, target, number
            )
            if held and kept[at, turn] and count < len(out):
                out[count] = at
                count += 1
            at = onward(trie, at, held)
    return count


@kernel
def count_on_board(trie: Any, first: int, kept: Any, near: Any, bits: Any, out: Any) -> None:
    """Fill out[patterns] with how often each holds around the pieces on the board."""
    out[:] = 0.0
    for cell in range(len(bits) - 1):
        if not (bits[cell] >> np.uint64(2)) & np.uint64(3):
            continue
        for turn in range(near.shape[0]):
            at = first
            while at >= 0:
                held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(trie, near, bits, turn, at, -1, cell, -1)
                if held and kept[at, turn]:
                    out[at] += 1.0
                at = onward(trie, at, held)


@kernel
def plan_step(weights: Any, squares: Any, column: int, gradient: Any, rate: float, decay: float) -> float:
    """Adagrad: a weight that has moved much moves less. What the step would put right, to first order."""
    gain = 0.0
    for at in range(len(gradient)):
        slope = gradient[at]
        if slope != 0.0:
            gain += rate * slope * slope / (sqrt(squares[at, column] + slope * slope) + _EASE)
            gradient[at] = slope - decay * weights[at, column]
            squares[at, column] += slope * slope
    return gain


@kernel
def step_weights(weights: Any, squares: Any, column: int, gradient: Any, rate: float) -> None:
    """Take the step that was planned."""
    for at in range(len(gradient)):
        if gradient[at] != 0.0:
            weights[at, column] += rate * gradient[at] / (sqrt(squares[at, column]) + _EASE)


@kernel
def teach_choice(
    trie: Any,
    first: int,
    kept: Any,
    weights: Any,
    squares: Any,
    near: Any,
    bits: Any,
    landings: Any,
    numbers: Any,
    wanted: Any,
    errors: Any,
    rate: float,
    decay: float,
) -> float:
    """Move the chances of moves towards `wanted`; errors[moves] are wanted less given. The cross-entropy before.

    With a rate of 0 nothing moves.
    """
    moves = len(landings)
    out = np.empty((moves, 2))
    weigh_moves(trie, first, kept, weights, near, bits, landings, numbers, out)
    most, total = out[:, 0].max(), 0.0
    for move in range(moves):
        errors[move] = exp(out[move, 0] - most)
        total += errors[move]
    loss = 0.0
    for move in range(moves):
        given = errors[move] / total
        if wanted[move] > 0:
            loss -= wanted[move] * log(max(given, 1e-12))
        errors[move] = wanted[move] - given
    if rate > 0:
        gradient, held = np.zeros(len(weights)), np.empty(4096, np.int32)
        for move in range(moves):
            origin, target = landings[move, 0], landings[move, 1]
            number = number_of(numbers, move, target)
            count = list_for_move(trie, first, kept, near, bits, origin, target, number, held)
            for at in range(count):
                gradient[held[at]] += errors[move]
        gain = plan_step(weights, squares, 0, gradient, rate, decay)
        step_weights(weights, squares, 0, gradient, rate * min(1.0, _LONGEST * (errors**2).sum() / max(gain, 1e-12)))
    return loss


@kernel
def teach_result(
    trie: Any,
    first: int,
    kept: Any,
    weights: Any,
    squares: Any,
    board_weights: Any,
    board_squares: Any,
    counts: Any,
    near: Any,
    bits: Any,
    origin: int,
    target: int,
    number: int,
    result: float,
    rate: float,
    decay: float,
) -> float:
    """Move the expected result of a move towards `result`. What was missing before. With a rate of 0 nothing moves."""
    held = np.empty(4096, np.int32)
    count = list_for_move(trie, first, kept, near, bits, origin, target, number, held)
    total = 0.0
    for at in range(len(counts)):
        total += counts[at] * board_weights[at, 0]
    for at in range(count):
        total += weights[held[at], 1]
    error = result - 1 / (1 + exp(-total))
    if rate > 0:
        gradient = np.zeros(len(weights))
        for at in range(count):
            gradient[held[at]] += error
        board_gradient = np.empty(len(counts))
        for at in range(len(counts)):
            board_gradient[at] = error * counts[at]
        gain = plan_step(weights, squares, 1, gradient, rate, decay)
        gain += plan_step(board_weights, board_squares, 0, board_gradient, rate, decay)
        short = rate * min(1.0, _LONGEST * error**2 / max(gain, 1e-12))
        step_weights(weights, squares, 1, gradient, short)
        step_weights(board_weights, board_squares, 0, board_gradient, short)
    return error


@kernel
def tally_cells(near: Any, bits: Any, turn: int, origin: int, target: int, tests: int, error: float, row: Any) -> None:
    """Credit an error to every condition that holds around a move: row[anchors, steps, tests, 3]."""
    for anchor in range(row.shape[0]):
        base = target if anchor == 0 else origin
        if base < 0:
            continue
        for step in range(near.shape[2]):
            cell = near[turn, base, step]
            for test in range(tests):
                if cell == origin if test == ORIGIN else bool((bits[cell] >> np.uint64(test)) & _ONE):
                    row[anchor, step, test, 0] += error
                    row[anchor, step, test, 1] += error * error
                    row[anchor, step, test, 2] += 1.0


@kernel
def tally_moves(
    trie: Any,
    first: int,
    kept: Any,
    near: Any,
    bits: Any,
    landings: Any,
    numbers: Any,
    errors: Any,
    most: int,
    tests: int,
    out: Any,
) -> None:
    """Credit each move's error to every pattern that holds with one condition more: out[patterns + 1, …], 0 is none."""
    for move in range(len(landings)):
        origin, target = landings[move, 0], landings[move, 1]
        number = number_of(numbers, move, target)
        for turn in range(near.shape[0]):
            tally_cells(near, bits, turn, origin, target, tests, errors[move], out[0])
            at = first
            while at >= 0:
                held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(
                    trie, near, bits, turn, at, origin, target, number
                )
                if held and kept[at, turn] and trie[at, SIZE] < most:
                    tally_cells(near, bits, turn, origin, target, tests, errors[move], out[at + 1])
                at = onward(trie, at, held)


@kernel
def tally_board(
    trie: Any, first: int, kept: Any, near: Any, bits: Any, error: float, most: int, tests: int, out: Any
) -> None:
    """The same for patterns of the whole board."""
    for cell in range(len(bits) - 1):
        if not (bits[cell] >> np.uint64(2)) & np.uint64(3):
            continue
        for turn in range(near.shape[0]):
            at = first
            while at >= 0:
                held = (kept[at, turn] or trie[at, CHILD] >= 0) and holds(trie, near, bits, turn, at, -1, cell, -1)
                if held and kept[at, turn] and trie[at, SIZE] < most:
                    tally_cells(near, bits, turn, -1, cell, tests, error, out[at + 1])
                at = onward(trie, at, held)
