"""Rule sets of Go, handicap points, and a setup worked out into a start.

A rule set here is: how a finished board is counted, what may not repeat, whether a play may kill its
own stones, and the usual komi. Left out on purpose: pass stones, points for handicap stones (Chinese and
AGA practice gives White some: put them in the komi), Ing's own ko rules (situational superko stands in).
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from hitonami.errors import BadPosition, BadSetup, alternatives, quote
from hitonami.games.go_rules.board import LONE_SUICIDE, SITUATIONAL, SUICIDE, SUPERKO, Cells
from hitonami.games.go_rules.score import count_liberties

SMALLEST: Final = 2
LARGEST: Final = 25
LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Columns from the left; there is no I."""
HANDICAP_KOMI: Final = 0.5
"""The default komi where stones are given: only enough to leave no draw."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set. `flags` are those of the board's kernels."""

    name: str
    scoring: Literal["area", "territory"]
    flags: int
    komi: float = 7.5

    @property
    def superko(self) -> bool:
        return bool(self.flags & SUPERKO)


_ANY_SUICIDE = SUICIDE | LONE_SUICIDE
RULES: Final = {
    rules.name: rules
    for rules in (
        Rules("chinese", "area", SUPERKO),
        Rules("tromp-taylor", "area", SUPERKO | _ANY_SUICIDE),
        Rules("aga", "area", SUPERKO | SITUATIONAL),
        Rules("new-zealand", "area", SUPERKO | SITUATIONAL | _ANY_SUICIDE),
        Rules("ing", "area", SUPERKO | SITUATIONAL | _ANY_SUICIDE),
        # Without superko the trail still notes the side to move: whole-board repetition is then a claim.
        Rules("japanese", "territory", SITUATIONAL, komi=6.5),
        Rules("korean", "territory", SITUATIONAL, komi=6.5),
        # What every rule set has in common, for records that do not say how they were played: the ko may
        # not be retaken at once, longer cycles are let be, and so is the suicide of more than one stone.
        Rules("record", "area", SITUATIONAL | SUICIDE),
    )
}
DEFAULT: Final = "chinese"
_SPELLINGS: Final = {
    "goe": "ing",
    "ingnew": "ing",
    "nz": "new-zealand",
    "newzealand": "new-zealand",
    "tt": "tromp-taylor",
    "tromptaylor": "tromp-taylor",
    "jp": "japanese",
    "japan": "japanese",
    "cn": "chinese",
    "china": "chinese",
    "kr": "korean",
    "korea": "korean",
}


def find_rules(name: str) -> Rules | None:
    """The rule set that files and people call so ("Japanese", "NZ", "GOE", "Tromp-Taylor"), or None."""
    plain = name.strip().lower()
    if plain in RULES:
        return RULES[plain]
    return RULES.get(_SPELLINGS.get("".join(letter for letter in plain if letter.isalpha()), ""))


def named_rules(name: str) -> Rules:
    """As `find_rules`; an empty name is the default. Raises BadSetup."""
    found = find_rules(name or DEFAULT)
    if found is None:
        raise BadSetup(f"unknown Go rules {quote(name)}; {alternatives(name.lower(), RULES)}")
    return found


def check_size(size: int) -> int:
    if not SMALLEST <= size <= LARGEST:
        raise BadSetup(f"a Go board has {SMALLEST} to {LARGEST} lines (usually 9, 13 or 19), not {size}")
    return size


def handicap_points(size: int, stones: int) -> tuple[int, ...]:
    """Where the Go Text Protocol puts a fixed handicap. Raises BadSetup where it has none."""
    most = 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9
    if not 2 <= stones <= most:
        fitting = f"2 to {most}" if most else "none"
        raise BadSetup(f"a fixed handicap on {size}×{size} is {fitting}, not {stones}; others are set up with SGF's AB")
    near = 2 if size < 13 else 3
    far, middle = size - 1 - near, size // 2
    left, right, top, bottom = near, far, near, far
    corners = ((bottom, left), (top, right), (top, left), (bottom, right))
    sides = ((middle, left), (middle, right), (bottom, middle), (top, middle))
    chosen = (*corners, *sides)[: stones - stones % 2 if stones > 4 else stones]
    if stones > 4 and stones % 2:
        chosen = (*chosen, (middle, middle))
    return tuple(sorted(row * size + column for row, column in chosen))


@dataclass(frozen=True, slots=True)
class Start:
    """A setup worked out: nothing in it is left to defaults."""

    size: int
    komi: float
    rules: Rules
    to_move: int = 0
    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    handicap: int = 0

    @property
    def points(self) -> int:
        """How many points the board has; also the id of a pass."""
        return self.size * self.size


def lay_stones(start: Start) -> Cells:
    """The cells of the start. Raises BadPosition where a chain has no liberty."""
    cells = np.zeros(2 * start.points, np.uint8)
    if start.black or start.white:
        cells[list(start.black)] = 1
        cells[list(start.white)] = 2
        cells[start.points :] = cells[: start.points]
        if lost := count_liberties(cells[: start.points], start.size, np.empty(start.points, np.int16)):
            raise BadPosition(f"stones without a liberty: {lost} in the start position")
    return cells
