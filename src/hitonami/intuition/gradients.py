"""Kernels of learning: steps of weights, and what a condition more would put right. Arrays are as in `kernels`."""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log, sqrt
from typing import Any, Final

import numpy as np

from hitonami.intuition.kernels import holds, list_for_move, lowest_bit, match, number_of, weigh_moves
from hitonami.intuition.patterns import PATTERN, SIZE, SKIP
from hitonami.intuition.views import ORIGIN
from hitonami.kernel import kernel

_ONE: Final = np.uint64(1)
_EASE: Final = 1e-2
"""Keeps the first steps of a weight short."""
_LONGEST: Final = 0.5
"""Of an error that one step may put right, in logarithms of chances: many patterns that hold at once, each by a short
step of its own, would overshoot together."""


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
def sum_errors(
    script: Any, ends: Any, near: Any, bits: Any, landings: Any, numbers: Any, errors: Any, gradient: Any
) -> None:
    """Add to gradient[patterns] the errors of the moves for which each holds."""
    held = np.empty((script.shape[1], (len(landings) + 63) >> 6), np.uint64)
    for turn in range(near.shape[0]):
        match(script[turn], ends[turn], near[turn], bits, landings, numbers, held)
        at = 0
        while at < ends[turn]:
            number, some = script[turn, at, PATTERN], False
            for word in range(held.shape[1]):
                mask = held[at, word]
                some |= mask != 0
                while mask and number >= 0:
                    gradient[number] += errors[64 * word + lowest_bit(mask)]
                    mask &= mask - _ONE
            at = at + 1 if some else script[turn, at, SKIP]


@kernel
def teach_choice(
    script: Any,
    ends: Any,
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
    weigh_moves(script, ends, weights, near, bits, landings, numbers, out)
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
        gradient = np.zeros(len(weights))
        sum_errors(script, ends, near, bits, landings, numbers, errors, gradient)
        gain = plan_step(weights, squares, 0, gradient, rate, decay)
        step_weights(weights, squares, 0, gradient, rate * min(1.0, _LONGEST * (errors**2).sum() / max(gain, 1e-12)))
    return loss


@kernel
def teach_result(
    script: Any,
    ends: Any,
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
    count = list_for_move(script, ends, near, bits, origin, target, number, held)
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
    script: Any,
    ends: Any,
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
            at, cells = 0, near[turn]
            while at < ends[turn]:
                line = script[turn, at]
                if not holds(line, cells, bits, origin, target, number):
                    at = line[SKIP]
                    continue
                at += 1
                if line[PATTERN] >= 0 and line[SIZE] < most:
                    tally_cells(near, bits, turn, origin, target, tests, errors[move], out[line[PATTERN] + 1])


@kernel
def tally_board(script: Any, ends: Any, near: Any, bits: Any, error: float, most: int, tests: int, out: Any) -> None:
    """The same for patterns of the whole board."""
    for cell in range(len(bits) - 1):
        if not (bits[cell] >> np.uint64(2)) & np.uint64(3):
            continue
        for turn in range(near.shape[0]):
            at, cells = 0, near[turn]
            while at < ends[turn]:
                line = script[turn, at]
                if not holds(line, cells, bits, -1, cell, -1):
                    at = line[SKIP]
                    continue
                at += 1
                if line[PATTERN] >= 0 and line[SIZE] < most:
                    tally_cells(near, bits, turn, -1, cell, tests, error, out[line[PATTERN] + 1])
