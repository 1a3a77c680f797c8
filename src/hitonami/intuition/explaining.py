"""Why a move: the patterns that hold around it, and how much each speaks for it or against it.

A pattern that holds for every move says nothing about the choice. So what a pattern says of a move is its weight times
how often it holds, less the mean of that over all legal moves: a number that is added to the logarithm of the chance.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Square
from hitonami.intuition import kernels as k
from hitonami.intuition.knowledge import Knowledge
from hitonami.intuition.patterns import FROM, NUMBER, Pattern, write_pattern
from hitonami.intuition.views import View

_LEAST = 0.02
"""What says less is not worth a picture."""


@dataclass(frozen=True)
class Placed:
    """A condition where it holds on the board; squares off the board lie beyond its rows and columns."""

    square: Square
    test: str


@dataclass(frozen=True)
class Reason:
    """A pattern that speaks for a move, or against it."""

    pattern: str
    weight: float
    times: int
    effect: float
    cells: tuple[Placed, ...]


@dataclass(frozen=True)
class Explained:
    """A move with its chance, the score that is expected of it, and why."""

    move: int
    chance: float
    expected: float
    reasons: tuple[Reason, ...]


def explain(knowledge: Knowledge, position: Position, moves: int = 3, reasons: int = 5) -> list[Explained]:
    """The likeliest moves, each with the patterns that say most about it."""
    view = knowledge.eyes.look(position)
    chances, expected = knowledge.judge_view(view)
    held = [_count(knowledge, view, at) for at in range(len(chances))]
    weights = knowledge.moves.weights[:, 0]
    mean: Counter[int] = Counter()
    for counts in held:
        for pattern, times in counts.items():
            mean[pattern] += times * weights[pattern] / len(held)
    order = np.argsort(-chances, kind="stable")[: moves or None]
    return [
        Explained(
            int(position.legal[at]),
            float(np.exp(chances[at])),
            float(expected[at]),
            tuple(_reasons(knowledge, view, int(at), held[at], mean)[:reasons]),
        )
        for at in order
    ]


def _count(knowledge: Knowledge, view: View, at: int) -> Counter[int]:
    """How often each pattern holds for a move."""
    made, out = knowledge.compiled_moves, np.empty(4096, np.int32)
    origin, target = view.landings[at].tolist()
    count = k.list_for_move(
        made.script,
        made.ends,
        knowledge.near_in(view),
        view.bits,
        origin,
        target,
        int(k.number_of(view.numbers, at, target)),
        out,
    )
    return Counter(out[:count].tolist())


def _reasons(knowledge: Knowledge, view: View, at: int, counts: Counter[int], mean: Counter[int]) -> list[Reason]:
    found, kept = [], knowledge.moves.known.keeps()
    for number, times in counts.items():
        weight = float(knowledge.moves.weights[number, 0])
        effect = float(weight * times - mean[number])
        if abs(effect) >= _LEAST:
            pattern = knowledge.moves.known.patterns[number]
            cells = _place(knowledge, view, at, pattern, kept[number])
            found.append(Reason(write_pattern(pattern), weight, times, effect, cells))
    return sorted(found, key=lambda reason: -abs(reason.effect))


def _place(knowledge: Knowledge, view: View, at: int, pattern: Pattern, kept: NDArray[np.uint8]) -> tuple[Placed, ...]:
    """Every condition of a pattern, in every image of it that holds for the move."""
    origin, target = view.landings[at].tolist()
    near, placed = knowledge.near_in(view), {}
    for turn in np.flatnonzero(kept).tolist():
        cells = []
        for condition in pattern:
            if condition.anchor == NUMBER:
                continue
            base = origin if condition.anchor == FROM else target
            step = knowledge.steps.index(condition.step)
            if base < 0 or not _is_true(view, int(near[turn, base, step]), condition.test, origin, knowledge):
                break
            cells.append((_square(knowledge, view, turn, base, condition.step), condition.test))
        else:
            placed.update(dict.fromkeys(cells))
    return tuple(Placed(square, test) for square, test in placed)


def _is_true(view: View, cell: int, test: str, origin: int, knowledge: Knowledge) -> bool:
    if test == "origin":
        return cell == origin
    return bool(int(view.bits[cell]) >> knowledge.tests.index(test) & 1)


def _square(knowledge: Knowledge, view: View, turn: int, base: int, step: tuple[int, int]) -> Square:
    """Row and column, also where they lie off the board."""
    down, right = knowledge.turned(view.to_move, turn, step)
    return base // view.wide + down, base % view.wide + right
