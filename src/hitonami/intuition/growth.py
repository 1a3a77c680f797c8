"""Growth: patterns of one condition more, chosen by how much of what is still wrong they would put right.

For every pattern that holds around a move and every further condition that is true there, the error of the move is
summed: what was wanted less what intuition gave. Where such a sum is large against its spread, moves with that
condition are chosen too rarely, or too often, whatever the other patterns say: the condition is worth a weight. Simple
patterns come before complex ones, by the square root of their size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.intuition import gradients as g
from hitonami.intuition import kernels as k
from hitonami.intuition.knowledge import Knowledge, Sheet, mobility
from hitonami.intuition.patterns import NUMBER, TO, Condition, Pattern
from hitonami.intuition.views import View

_LEAST_SEEN: Final = 40
_LEAST_CLEAR: Final = 4.0
"""Standard errors."""
_MOST_OFTEN: Final = 0.8
"""A condition that nearly always holds with its pattern would only repeat it."""
_STATES: Final = 4
"""Off the board, empty, friend, enemy."""
_OF_NONE: Final = 12
"""New patterns of one condition at a time; other patterns get one child at a time: the best ones say the same."""
_TRIED: Final = 4000


@dataclass(frozen=True, slots=True)
class Sample:
    """A decision to learn from."""

    view: View
    wanted: NDArray[np.float64]
    """[moves] chances that the analysis gave."""
    chosen: int
    result: float
    """0..1 of the side that moved."""
    score: float
    """0..1 as the analysis expected it."""


def grow_moves(knowledge: Knowledge, samples: Sequence[Sample], count: int, most: int) -> int:
    """Add up to `count` patterns around moves, of at most `most` conditions. How many came in."""
    made = knowledge.compiled_moves
    anchors = 2 if any((sample.view.landings[:, 0] >= 0).any() for sample in samples) else 1
    shape = (len(knowledge.moves.known.patterns) + 1, anchors, len(knowledge.steps), len(knowledge.tests), 3)
    sums = np.zeros(shape)
    numbers: dict[int, list[float]] = {}
    for sample in samples:
        view, near = sample.view, knowledge.near_in(sample.view)
        errors = np.empty(len(view.landings))
        fixed = made.script, made.ends
        g.teach_choice(
            *fixed,
            knowledge.moves.weights,
            knowledge.moves.squares,
            near,
            view.bits,
            view.landings,
            view.numbers,
            sample.wanted,
            errors,
            0.0,
            0.0,
        )
        if view.wide:
            g.tally_moves(
                *fixed, near, view.bits, view.landings, view.numbers, errors, most, len(knowledge.tests), sums
            )
        else:
            for number, error in zip(view.numbers.tolist(), errors.tolist(), strict=True):
                numbers.setdefault(number, []).append(error)
    if numbers:
        return _take_numbers(knowledge, numbers, count)
    return _take_best(knowledge, knowledge.moves, sums, count)


def _take_numbers(knowledge: Knowledge, numbers: dict[int, list[float]], count: int) -> int:
    """In a game without a board: moves by their numbers."""
    clear = {number: abs(sum(each)) for number, each in numbers.items() if len(each) >= _LEAST_SEEN}
    best = sorted(clear, key=lambda number: -clear[number])
    added = 0
    for number in best:
        if added == count:
            break
        added += knowledge.moves.add((Condition(NUMBER, (number, 0), ""),))
    knowledge.compile()
    return added


def grow_board(knowledge: Knowledge, samples: Sequence[Sample], count: int, most: int) -> int:
    """Add up to `count` patterns around pieces, by what results are not explained."""
    made = knowledge.compiled_board
    sums = np.zeros((len(knowledge.board.known.patterns) + 1, 1, len(knowledge.steps), len(knowledge.tests), 3))
    for sample in samples:
        if not sample.view.wide:
            return 0
        error = teach_result(knowledge, sample, 0.0)
        near, bits = knowledge.near_in(sample.view), sample.view.bits
        g.tally_board(made.script, made.ends, near, bits, error, most, len(knowledge.tests), sums)
    return _take_best(knowledge, knowledge.board, sums, count)


def _take_best(knowledge: Knowledge, sheet: Sheet, sums: NDArray[Any], count: int) -> int:
    total, squares, seen = sums[..., 0], sums[..., 1], sums[..., 2]
    parents = seen[:, 0, 0, :_STATES].sum(axis=-1)[:, None, None, None]  # every cell is in one of the states
    known = list(sheet.known.patterns)
    sizes = np.array([1, *(1 + len(pattern) for pattern in known)])[:, None, None, None]
    telling = (seen >= _LEAST_SEEN) & (seen <= _MOST_OFTEN * parents)
    clear = np.where(telling, np.abs(total) / np.sqrt(squares + 1e-9), 0.0)
    clear = np.where(clear >= _LEAST_CLEAR, clear, 0.0) / np.sqrt(sizes)
    children: dict[int, int] = {}
    added = 0
    for flat in np.argsort(-clear, axis=None)[:_TRIED].tolist():
        if added == count or clear.flat[flat] == 0:
            break
        parent, anchor, step, test = (int(each) for each in np.unravel_index(flat, clear.shape))
        if children.get(parent, 0) >= (1 if parent else _OF_NONE):
            continue
        beginning: Pattern = known[parent - 1] if parent else ()
        condition = Condition(TO + anchor, knowledge.steps[step], knowledge.tests[test])
        if sheet.add((*beginning, condition)):
            children[parent] = children.get(parent, 0) + 1
            added += 1
    knowledge.compile()
    return added


def teach_choice(knowledge: Knowledge, sample: Sample, rate: float, decay: float = 1e-4) -> float:
    """Learn what the analysis chose. The cross-entropy before."""
    view, made = sample.view, knowledge.compiled_moves
    errors = np.empty(len(view.landings))
    return float(
        g.teach_choice(
            made.script,
            made.ends,
            knowledge.moves.weights,
            knowledge.moves.squares,
            knowledge.near_in(view),
            view.bits,
            view.landings,
            view.numbers,
            sample.wanted,
            errors,
            rate,
            decay,
        )
    )


def teach_result(knowledge: Knowledge, sample: Sample, rate: float, share: float = 1.0, decay: float = 1e-4) -> float:
    """Learn how the game ended, mixed with what was expected by `share`. What was missing before."""
    view, made, board = sample.view, knowledge.compiled_moves, knowledge.compiled_board
    near = knowledge.near_in(view)
    counts = np.empty(len(knowledge.board.weights))
    k.count_on_board(board.script, board.ends, near, view.bits, counts[:-2])
    counts[-2], counts[-1] = 1.0, mobility(view)
    origin, target = view.landings[sample.chosen]
    return float(
        g.teach_result(
            made.script,
            made.ends,
            knowledge.moves.weights,
            knowledge.moves.squares,
            knowledge.board.weights,
            knowledge.board.squares,
            counts,
            near,
            view.bits,
            int(origin),
            int(target),
            _number(view, sample.chosen),
            share * sample.result + (1 - share) * sample.score,
            rate,
            decay,
        )
    )


def _number(view: View, move: int) -> int:
    """By which number a move is known (`kernels.number_of`)."""
    return int(k.number_of(view.numbers, move, int(view.landings[move, 1])))
