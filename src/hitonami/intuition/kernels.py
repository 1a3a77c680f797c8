"""Kernels over patterns: which hold for which moves, what they weigh, what is learned, and what more would help.

A script is int32[turns, lines, 8] (`PatternSet.scripts`) with `ends` int32[turns]: conditions in the order in which
they are tested, a pattern's children only where it holds. `near` is int32[turns, cells, steps], the cell that a step
leads to. A pattern that holds in several images counts once for each.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log, sqrt
from typing import Any, Final

import numpy as np

from hitonami.intuition.patterns import CONDITION, FROM, NUMBER, PARENT, PATTERN, SIZE, SKIP, STEP, TEST, A
from hitonami.intuition.views import ORIGIN
from hitonami.kernel import kernel

_ONE: Final = np.uint64(1)
_FIVES, _THREES, _FIFTEENS, _ONES = (np.uint64(int(each * 8, 16)) for each in ("55", "33", "0f", "01"))
"""Of a sum of bits, in two, four and eight places at once."""
_DE_BRUIJN: Final = np.uint64(0x03F79D71B4CB0A89)
_TOP: Final = np.uint64(58)
_PLACES: Final = np.argsort([(0x03F79D71B4CB0A89 << at) >> 58 & 63 for at in range(64)]).astype(np.int64)
_EASE: Final = 1e-2
"""Keeps the first steps of a weight short."""
_LONGEST: Final = 0.5
"""Of an error that one step may put right, in logarithms of chances: many patterns that hold at once, each by a short
step of its own, would overshoot together."""


@kernel
def holds(line: Any, near: Any, bits: Any, origin: int, target: int, number: int) -> bool:
    """Whether a line's condition is true; `near` is that of the turn."""
    anchor = line[A]
    if anchor == NUMBER:
        return bool(number == line[STEP])
    base = origin if anchor == FROM else target
    if base < 0:
        return False
    cell = near[base, line[STEP]]
    if line[TEST] == ORIGIN:
        return bool(cell == origin)
    return bool((bits[cell] >> np.uint64(line[TEST])) & _ONE)


@kernel
def number_of(numbers: Any, move: int, target: int) -> int:
    """By which number a move is known: its own in a game without a board, else 0 for one that lands nowhere."""
    if len(numbers):
        return int(numbers[move])
    return 0 if target < 0 else -1


@kernel
def lowest_bit(mask: Any) -> int:
    """The place of the lowest bit that is set, by de Bruijn's sequence."""
    return int(_PLACES[((mask & (~mask + _ONE)) * _DE_BRUIJN) >> _TOP])


@kernel
def count_bits(mask: Any) -> int:
    mask = mask - ((mask >> _ONE) & _FIVES)
    mask = (mask & _THREES) + ((mask >> np.uint64(2)) & _THREES)
    return int((((mask + (mask >> np.uint64(4))) & _FIFTEENS) * _ONES) >> np.uint64(56))


@kernel
def find_condition(line: Any, near: Any, bits: Any, landings: Any, numbers: Any, out: Any) -> None:
    """Fill out[words] with a bit for each move for which a line's condition is true."""
    out[:] = np.uint64(0)
    anchor, step, test = line[A], line[STEP], np.uint64(line[TEST])
    if anchor == NUMBER or line[TEST] == ORIGIN:
        for move in range(len(landings)):
            number = number_of(numbers, move, landings[move, 1])
            if holds(line, near, bits, landings[move, 0], landings[move, 1], number):
                out[move >> 6] |= _ONE << np.uint64(move & 63)
        return
    column = 0 if anchor == FROM else 1
    for move in range(len(landings)):
        base = landings[move, column]
        if base >= 0:
            out[move >> 6] |= ((bits[near[base, step]] >> test) & _ONE) << np.uint64(move & 63)


@kernel
def match(script: Any, end: int, near: Any, bits: Any, landings: Any, numbers: Any, held: Any) -> None:
    """Fill held[lines, words] with a bit for each move for which a line of one turn holds.

    Each condition is looked up once for all moves. Lines below one that never holds are left as they are.
    """
    found = np.empty(held.shape, np.uint64)
    known = np.zeros(len(held), np.uint8)
    at = 0
    while at < end:
        line = script[at]
        number, parent, some = line[CONDITION], line[PARENT], np.uint64(0)
        if not known[number]:
            find_condition(line, near, bits, landings, numbers, found[number])
            known[number] = 1
        for word in range(held.shape[1]):
            mask = found[number, word]
            if parent >= 0:
                mask &= held[parent, word]
            held[at, word] = mask
            some |= mask
        at = at + 1 if some else line[SKIP]


@kernel
def weigh_moves(
    script: Any, ends: Any, weights: Any, near: Any, bits: Any, landings: Any, numbers: Any, out: Any
) -> None:
    """Fill out[moves, 2] with the sums of the weights of the patterns that hold: for choosing, and for the result."""
    out[:] = 0.0
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
                    move = 64 * word + lowest_bit(mask)
                    mask &= mask - _ONE
                    out[move, 0] += weights[number, 0]
                    out[move, 1] += weights[number, 1]
            at = at + 1 if some else script[turn, at, SKIP]


@kernel
def list_pieces(bits: Any) -> Any:
    """[pieces, 2] the cells with a piece, as moves that land there."""
    found, count = np.full((len(bits), 2), -1, np.int32), 0
    for cell in range(len(bits) - 1):
        if (bits[cell] >> np.uint64(2)) & np.uint64(3):
            found[count, 1] = cell
            count += 1
    return found[:count]


@kernel
def count_on_board(script: Any, ends: Any, near: Any, bits: Any, out: Any) -> None:
    """Fill out[patterns] with how often each holds around the pieces on the board."""
    out[:] = 0.0
    pieces = list_pieces(bits)
    held = np.empty((script.shape[1], (len(pieces) + 63) >> 6), np.uint64)
    for turn in range(near.shape[0]):
        match(script[turn], ends[turn], near[turn], bits, pieces, np.empty(0, np.int32), held)
        at = 0
        while at < ends[turn]:
            count = 0
            for word in range(held.shape[1]):
                count += count_bits(held[at, word])
            if count and script[turn, at, PATTERN] >= 0:
                out[script[turn, at, PATTERN]] += count
            at = at + 1 if count else script[turn, at, SKIP]


@kernel
def judge_position(
    script: Any,
    ends: Any,
    weights: Any,
    board_script: Any,
    board_ends: Any,
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
    weigh_moves(script, ends, weights, near, bits, landings, numbers, sums)
    last = len(board_weights) - 1
    counts = np.empty(last - 1)
    count_on_board(board_script, board_ends, near, bits, counts)
    whole = board_weights[last - 1, 0] + board_weights[last, 0] * log(1.0 + moves)
    for at in range(last - 1):
        whole += counts[at] * board_weights[at, 0]
    most, total = sums[:, 0].max(), 0.0
    for move in range(moves):
        total += exp(sums[move, 0] - most)
    total = most + log(total)
    for move in range(moves):
        out[0, move] = sums[move, 0] - total
        out[1, move] = 1 / (1 + exp(-whole - sums[move, 1]))


@kernel
def draw_move(
    script: Any,
    ends: Any,
    weights: Any,
    near: Any,
    bits: Any,
    landings: Any,
    numbers: Any,
    heat: float,
    chance: float,
) -> int:
    """A move by its chance at a temperature; `chance` is 0..1."""
    sums = np.empty((len(landings), 2))
    weigh_moves(script, ends, weights, near, bits, landings, numbers, sums)
    most, total = sums[:, 0].max(), 0.0
    for move in range(len(landings)):
        total += exp((sums[move, 0] - most) / heat)
        sums[move, 1] = total
    for move in range(len(landings)):
        if chance * total < sums[move, 1]:
            return move
    return len(landings) - 1


@kernel
def list_for_move(script: Any, ends: Any, near: Any, bits: Any, origin: int, target: int, number: int, out: Any) -> int:
    """Fill `out` with the patterns that hold for a move, each as often as it does. Their count."""
    count = 0
    for turn in range(near.shape[0]):
        at, cells = 0, near[turn]
        while at < ends[turn]:
            line = script[turn, at]
            if not holds(line, cells, bits, origin, target, number):
                at = line[SKIP]
                continue
            at += 1
            if line[PATTERN] >= 0 and count < len(out):
                out[count] = line[PATTERN]
                count += 1
    return count


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
