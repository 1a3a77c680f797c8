"""A network's input for any game: what stands on the squares of its board, the last move, and who is to move.

Games with compiled rules (abilities.LaneGame) hand their boards over as rows of numbers, which are painted at once; all
others are read off their diagrams. docs/encoders.md has the planes. What a diagram does not show (rights to castle, a
ko, how often a position stood) no network of this encoder sees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query, Setup, open_game, walk_back
from hitonami.errors import BadInput
from hitonami.lanes import LaneGame, Lanes
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._cell_planes import MARKS, paint_states
from hitonami.models.encoders._drawn_board import DrawnBoard, count_hand, read_board
from hitonami.models.players import encode_players

_HELD_SCALE: Final = 4.0


@dataclass(frozen=True)
class Cells:
    """{"planes": uint8 [B, P, rows, columns], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `game` with its `size` and `variant` fixes the board. With `history` above 1 the pieces of so many positions are
    shown, the present first. `hands` adds {"scalars": float32 [B, 2·kinds]}, what both sides hold. `alternates` is how
    many moves may touch the same squares, in a game that is read off its diagrams; 0 finds it out. `pools` are the
    rating pools that the network knows; `clock` adds the mover's remaining time.
    """

    game: str
    size: int = 0
    variant: str = ""
    history: int = 1
    hands: bool = False
    alternates: int = 0
    pools: tuple[str, ...] = ()
    clock: bool = False

    def __post_init__(self) -> None:
        if self.history < 1:
            raise BadInput(f"a history of {self.history} positions: it has the present at least")

    @property
    def setup(self) -> Setup:
        """How a game on this board starts."""
        return Setup(size=self.size, variant=self.variant)

    @cached_property
    def lanes(self) -> Lanes | None:
        """The game's compiled rules for this board, where it has such."""
        game = open_game(self.game)
        return game.lanes(self.setup) if isinstance(game, LaneGame) else None

    @cached_property
    def _drawn(self) -> DrawnBoard:
        return read_board(self.game, self.size, self.variant, self.alternates)

    @property
    def _board(self) -> Lanes | DrawnBoard:
        return self.lanes or self._drawn

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = [query.position for query in queries]
        self._refuse_strangers(positions)
        arrays: dict[str, NDArray[Any]] = {"planes": self._paint(positions)}
        if self.hands:
            arrays["scalars"] = self._count_hands(positions)
        return arrays | encode_players(queries, self.pools, clock=self.clock)

    def paint(self, states: NDArray[np.int16]) -> NDArray[np.uint8]:
        """[B, P, rows, columns] of states that hold one position each."""
        board = self._board
        return paint_states(states, board.rows, board.columns, board.kinds, board.view)

    def _paint(self, positions: Sequence[Position]) -> NDArray[np.uint8]:
        now = self.paint(self.read_states(positions))
        if self.history == 1:
            return now
        kinds = self._board.kinds
        pasts = [list(_recent(position, self.history)) for position in positions]
        earlier = [here for past in pasts for here in past[1:]]
        states = self.read_states(earlier)
        states[:, self._points] = [
            position.to_move for position, past in zip(positions, pasts, strict=True) for _ in past[1:]
        ]
        seen = self.paint(states)[:, : 2 * kinds]
        planes = np.zeros((len(now), 2 * kinds * self.history + MARKS, *now.shape[2:]), np.uint8)
        planes[:, : 2 * kinds], planes[:, -MARKS:] = now[:, : 2 * kinds], now[:, 2 * kinds :]
        at = 0
        for row, past in enumerate(pasts):
            count = len(past) - 1
            planes[row, 2 * kinds : 2 * kinds * (count + 1)] = seen[at : at + count].reshape(-1, *now.shape[2:])
            at += count
        return planes

    @property
    def _points(self) -> int:
        return self._board.rows * self._board.columns

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._board.rows, self._board.columns

    @property
    def kinds(self) -> int:
        """Of pieces."""
        return self._board.kinds

    def read_states(self, positions: Sequence[Position]) -> NDArray[np.int16]:
        """[B, width] as `paint` takes them."""
        lanes = self.lanes
        if lanes is None:
            return self._drawn.states_of(positions)
        states = [lanes.state_of(position) for position in positions]
        if any(len(state) != lanes.width for state in states):
            raise BadInput(f"this encoder takes boards of {self.game} of {lanes.rows}×{lanes.columns}")
        return np.stack(states) if states else np.zeros((0, lanes.width), np.int16)

    def _count_hands(self, positions: Sequence[Position]) -> NDArray[np.float32]:
        drawn = self._drawn
        rows = np.zeros((len(positions), 2 * drawn.kinds), np.float32)
        for row, position in zip(rows, positions, strict=True):
            held = position.game.diagram(position).hands
            for at, side in enumerate((position.to_move, 1 - position.to_move)):
                row[at * drawn.kinds : (at + 1) * drawn.kinds] = count_hand(held[side], drawn.signs[side], drawn.kinds)
        return rows / np.float32(_HELD_SCALE)

    def _refuse_strangers(self, positions: Sequence[Position]) -> None:
        for position in positions:
            if position.game.name != self.game:
                raise BadInput(f"this encoder takes positions of {self.game}, got one of {position.game.name}")

    def head_size(self, positions: Sequence[Position]) -> int:
        return self._board.head_size

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        self._refuse_strangers(positions)
        lanes = self.lanes
        if lanes is None:
            return [self._drawn.places_of(position) for position in positions]
        return [lanes.places[position.to_move][position.legal] for position in positions]

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]

    @property
    def symmetries(self) -> int:
        return 1 if self.lanes is None else len(self.lanes.images)

    def turn(self, arrays: Mapping[str, NDArray[Any]], way: int) -> dict[str, NDArray[Any]]:
        return {name: self._turned(array, way) if array.ndim == 4 else array for name, array in arrays.items()}

    def _turned(self, planes: NDArray[Any], way: int) -> NDArray[Any]:
        if self.lanes is None or not way:
            return planes
        flat = planes.reshape(*planes.shape[:2], -1)
        turned = np.empty_like(flat)
        turned[:, :, self.lanes.images[way]] = flat
        return turned.reshape(planes.shape)

    def head_turn(self, size: int, way: int) -> HeadIndex:
        if self.lanes is None:
            return np.arange(size, dtype=np.int32)
        return self.lanes.head_images[way]


def _recent(position: Position, count: int) -> list[Position]:
    found = []
    for here in walk_back(position):
        found.append(here)
        if len(found) == count:
            break
    return found
