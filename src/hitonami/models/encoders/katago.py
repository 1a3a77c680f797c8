"""KataGo's input of version 7: 22 planes with ladders and area, 19 scalars with the rules. For its networks of 2020.

Equal, number for number, to what KataGo feeds such a network for the same start, rules and moves. Boards of different
sizes share a batch: smaller ones stand in the top left corner and plane 0 says which points are on the board. Rules
that KataGo does not have are told as its nearest (`_RULES`). Never told, because our games have none of it: a button,
a group tax, the phases after the first two passes, a player who is given more time to think. Ratings and clocks are
not part of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import floor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query, walk_back
from hitonami.games.go import GoPosition
from hitonami.games.go_rules.board import SITUATIONAL, SUICIDE
from hitonami.games.go_rules.rulesets import RULES, Rules
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._go_head import GoHead
from hitonami.models.encoders._katago_planes import BOARDS, MOVES, PLANES, paint

SCALARS: Final = 19
_PASSES, _KOMI, _KO, _SUICIDE, _TERRITORY, _SEKI_TAX, _PASS_ENDS, _PARITY = 0, 5, 6, 8, 9, 10, 14, 18
_KOMI_SCALE, _KOMI_MARGIN = 20.0, 20.0


class _Told(NamedTuple):
    """What the network is told of the rules."""

    superko: float
    situational: float
    suicide: bool
    territory: bool


def _tell(rules: Rules) -> _Told:
    """The rules by which the moves are legal. A record of unknown rules is told as Chinese: no suicide."""
    situational = -0.5 if rules.flags & SITUATIONAL else 0.5
    suicide = bool(rules.flags & SUICIDE) and rules.name != "record"
    superko = float(rules.superko)
    return _Told(superko, superko * situational, suicide, rules.scoring == "territory")


_RULES: Final = {name: _tell(rules) for name, rules in RULES.items()}


@dataclass(frozen=True)
class Katago(GoHead):
    """{"planes": uint8 [B, 22, H, H], "scalars": float32 [B, 19]}; docs/encoders.md lists them.

    `board` fixes H for networks that need it; 0 takes the largest board of each batch.
    """

    board: int = 0

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(GoPosition, self.game, [query.position for query in queries])
        side = self._side(positions)
        planes = np.zeros((len(positions), PLANES, side, side), dtype=np.uint8)
        sizes = np.array([position.size for position in positions], dtype=np.intp)
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            group = [positions[row] for row in rows.tolist()]
            if len(group) == len(positions):
                _paint(group, size, planes)
                break
            part = np.zeros((len(group), PLANES, side, side), dtype=np.uint8)
            _paint(group, size, part)
            planes[rows] = part
        scalars = np.zeros((len(positions), SCALARS), dtype=np.float32)
        for row, position in zip(scalars, positions, strict=True):
            _fill_scalars(row, position)
        return {"planes": planes, "scalars": scalars}


def _paint(positions: Sequence[GoPosition], size: int, planes: NDArray[np.uint8]) -> None:
    count, points = len(positions), size * size
    boards = np.empty((count, BOARDS, points), dtype=np.uint8)
    kos = np.empty((count, BOARDS), dtype=np.int32)
    moves = np.full((count, MOVES), -1, dtype=np.int32)
    legal = np.zeros((count, points + 1), dtype=np.bool_)
    for row, position in enumerate(positions):
        line = list(islice(walk_back(position), MOVES))
        for age in range(BOARDS):
            past = line[min(age, len(line) - 1)]  # before the start of the record stands the start
            boards[row, age], kos[row, age] = past.board, past.ko_point
        moves[row, : len(line)] = [-1 if past.last_move is None else past.last_move for past in line]
        legal[row, position.legal] = True
    told = [_RULES[position.rules.name] for position in positions]
    own = np.array([1 + position.to_move for position in positions], dtype=np.uint8)
    suicide = np.array([each.suicide for each in told], dtype=np.bool_)
    area = np.array([not each.territory for each in told], dtype=np.bool_)
    paint(size, boards, kos, own, moves, legal, suicide, area, planes)


def _fill_scalars(row: NDArray[np.float32], position: GoPosition) -> None:
    told, points = _RULES[position.rules.name], position.size**2
    for age, past in enumerate(islice(walk_back(position), MOVES)):
        row[_PASSES + age] = past.last_move == points
    komi = _komi_of_mover(position, told)
    bounded = min(max(komi, -points - _KOMI_MARGIN), points + _KOMI_MARGIN)
    row[_KOMI] = bounded / _KOMI_SCALE
    row[_KO], row[_KO + 1] = told.superko, told.situational
    row[_SUICIDE] = told.suicide
    row[_TERRITORY] = row[_SEKI_TAX] = told.territory  # the two go together in Japanese and Korean rules
    row[_PASS_ENDS] = _pass_ends(position)
    if not told.territory:
        row[_PARITY] = _parity_wave(bounded, points)


def _komi_of_mover(position: GoPosition, told: _Told) -> float:
    """Points that the mover is given. Under territory scoring each stone played costs its side one point:

    area less the stones played is territory and prisoners, and so one network can count both ways.
    """
    komi = position.komi
    if told.territory:
        taken_by_black, taken_by_white = position.captures
        black = np.count_nonzero(position.board == 1) + taken_by_white
        white = np.count_nonzero(position.board == 2) + taken_by_black
        komi += float(black - white)
    return komi if position.to_move else -komi


def _parity_wave(komi: float, points: int) -> float:
    """A triangle wave over the komi, zero and rising where a draw is possible: there half a point decides most."""
    first = points % 2
    above = komi - (floor((komi - first) / 2) * 2 + first)
    if above < 0.5:
        return above
    return 1 - above if above < 1.5 else above - 2


def _pass_ends(position: GoPosition) -> bool:
    """Whether passing now ends play: after a pass, or where the mover passed before in this very situation."""
    if position.passes:
        return True
    if position.rules.superko or not position.repeats:
        return False
    later: GoPosition | None = None
    for past in walk_back(position):
        passed = later is not None and later.last_move == position.size**2
        if passed and past.to_move == position.to_move and np.array_equal(past.board, position.board):
            return True
        later = past
    return False
