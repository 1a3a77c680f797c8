"""Kernels over patterns: which hold for which moves, and what they weigh.

A script is int32[turns, lines, 8] (`PatternSet.scripts`) with `ends` int32[turns]: conditions in the order in which
they are tested, a pattern's children only where it holds. `near` is int32[turns, cells, steps], the cell that a step
leads to. A pattern that holds in several images counts once for each.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments: numba passes arrays, not objects)

from math import exp, log
from typing import Any, Final

import numpy as np

from hitonami.intuition.patterns import CONDITION, FROM, NUMBER, PARENT, PATTERN, SKIP, STEP, TEST, A
from hitonami.intuition.views import ORIGIN
from hitonami.kernel import kernel

_ONE: Final = np.uint64(1)
_FIVES, _THREES, _FIFTEENS, _ONES = (np.uint64(int(each * 8, 16)) for each in ("55", "33", "0f", "01"))
"""Of a sum of bits, in two, four and eight places at once."""
_DE_BRUIJN: Final = np.uint64(0x03F79D71B4CB0A89)
_TOP: Final = np.uint64(58)
_PLACES: Final = np.argsort([(0x03F79D71B4CB0A89 << at) >> 58 & 63 for at in range(64)]).astype(np.int64)


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
