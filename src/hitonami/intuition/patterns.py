"""Patterns: conditions on cells around a move, written so that people can read them.

`to(0,1)=friend from(-1,0)=empty` holds for a move with an own piece right of where it lands and an empty cell above
where it comes from; rows are counted down, columns right, as the side that moves first sees the board. `to(-1,0)=last`
is a move below the one just made, `to(1,0)=origin` one that comes from below. `move(12)` is a move of that number, in
games without a board, and `move(0)` is a move that lands nowhere, a pass, in others. In patterns of a whole board
`at(0,0)` is each piece in turn. Each pattern is another one and one condition more: it is only looked at where that
other one holds.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput, quote
from hitonami.intuition.lattice import Step, Turn, turn_step

TO: Final = 0
FROM: Final = 1
NUMBER: Final = 2
ANCHORS: Final = ("to", "from", "move")
_TERM: Final = re.compile(
    r"(to|from|at|move)\((-?\d+)(?:,(-?\d+))?\)(?:=([^\s=(),]+(?: [^\s=(),]+)?))?(?= (?:to|from|at|move)\(|$)"
)

A, STEP, TEST, SKIP, PATTERN, SIZE, PARENT, CONDITION, COLUMNS = range(9)
"""Columns of a script: anchor, step, test, the line to go on with where it fails, the pattern that holds (-1: this
image repeats another), how many conditions it has, the line that has to hold before (-1: none), and a number that lines
with the same condition share."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What has to be true of a cell, by its way from where the move lands or comes from."""

    anchor: int
    step: Step
    test: str
    """One of the conditions that the game's `Eyes` see."""

    def turned(self, turn: Turn) -> "Condition":
        return self if self.anchor == NUMBER else Condition(self.anchor, turn_step(turn, self.step), self.test)


Pattern = tuple[Condition, ...]
"""Conditions in the order in which they were found: each beginning of a pattern is a pattern, too."""


def write_pattern(pattern: Pattern, standing: bool = False) -> str:
    return " ".join(_write(each, standing) for each in pattern)


def _write(condition: Condition, standing: bool) -> str:
    down, right = condition.step
    if condition.anchor == NUMBER:
        return f"move({down})"
    name = "at" if standing else ANCHORS[condition.anchor]
    return f"{name}({down},{right})={condition.test}"


def read_pattern(text: str) -> Pattern:
    """The inverse of `write_pattern`. Raises BadInput."""
    found = list(_TERM.finditer(text))
    if " ".join(each[0] for each in found) != text or not found:
        raise BadInput(f"not a pattern: {quote(text)}; patterns are written as in to(0,1)=friend from(-1,0)=empty")
    conditions = []
    for each in found:
        anchor = NUMBER if each[1] == "move" else FROM if each[1] == "from" else TO
        conditions.append(Condition(anchor, (int(each[2]), int(each[3] or 0)), each[4] or ""))
    return tuple(conditions)


@dataclass
class PatternSet:
    """Patterns in order, with their images under a game's turns: none twice."""

    turns: Sequence[Turn]
    patterns: list[Pattern] = field(default_factory=list)
    _known: dict[frozenset[frozenset[Condition]], int] = field(default_factory=dict)

    def images(self, pattern: Pattern) -> list[frozenset[Condition]]:
        return [frozenset(each.turned(turn) for each in pattern) for turn in self.turns]

    def add(self, pattern: Pattern) -> bool:
        """Take a pattern in, unless it or an image of it is there. Its beginning has to be there."""
        key = frozenset(self.images(pattern))
        if key in self._known or len(set(pattern)) < len(pattern):
            return False
        self._known[key] = len(self.patterns)
        self.patterns.append(pattern)
        return True

    def knows(self, pattern: Pattern) -> bool:
        return frozenset(self.images(pattern)) in self._known

    def keeps(self) -> NDArray[np.uint8]:
        """[patterns, turns] 1 for the first of images that are the same."""
        kept = np.zeros((len(self.patterns), len(self.turns)), np.uint8)
        for at, pattern in enumerate(self.patterns):
            images = self.images(pattern)
            kept[at] = [image not in images[:number] for number, image in enumerate(images)]
        return kept

    def scripts(self, steps: Sequence[Step], tests: Sequence[str], most: int) -> list[NDArray[np.int32]]:
        """For each turn the conditions to test one after the other; patterns of more than `most` are left out.

        A line that holds is followed by the next one, its first child; one that fails by what comes after its children.
        Images that repeat others, and lead to nothing else, are not in it.
        """
        step_at = {step: at for at, step in enumerate(steps)}
        test_at = {test: at for at, test in enumerate(tests)}
        children: dict[Pattern, list[int]] = {}
        for at in self._in_order():
            if len(self.patterns[at]) <= most:
                children.setdefault(self.patterns[at][:-1], []).append(at)
        return [self._script(children, step_at, test_at, kept.tolist()) for kept in self.keeps().T]

    def _script(
        self, children: dict[Pattern, list[int]], step_at: dict[Step, int], test_at: dict[str, int], kept: list[int]
    ) -> NDArray[np.int32]:
        lines: list[list[int]] = []
        numbers: dict[Condition, int] = {}

        def write(beginning: Pattern, parent: int) -> bool:
            told = False
            for at in children.get(beginning, ()):
                own, line = self.patterns[at][-1], len(lines)
                step = own.step[0] if own.anchor == NUMBER else step_at[own.step]
                number, size = at if kept[at] else -1, len(self.patterns[at])
                shared = numbers.setdefault(own, len(numbers))
                lines.append([own.anchor, step, test_at.get(own.test, 0), 0, number, size, parent, shared])
                if write(self.patterns[at], line) or kept[at]:
                    lines[line][SKIP] = len(lines)
                    told = True
                else:
                    del lines[line:]
            return told

        write((), -1)
        return np.array(lines, np.int32).reshape(-1, COLUMNS)

    def _in_order(self) -> Iterable[int]:
        """Siblings that ask about the same cell beside each other: the cell is then looked up once."""
        return sorted(range(len(self.patterns)), key=lambda at: _order(self.patterns[at]))


def _order(pattern: Pattern) -> tuple[int, int, Step, str]:
    return len(pattern), pattern[-1].anchor, pattern[-1].step, pattern[-1].test


def join_scripts(scripts: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """[turns, lines, 8] all scripts as one array, and [turns] how many lines each has."""
    ends = np.array([len(script) for script in scripts], np.int32)
    joined = np.zeros((len(scripts), int(ends.max(initial=0)), COLUMNS), np.int32)
    for turn, script in enumerate(scripts):
        joined[turn, : len(script)] = script
    return joined, ends
