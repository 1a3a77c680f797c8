"""The rules that self-play goes by: a game's compiled ones, or any game's own positions behind the same interface."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, open_game
from hitonami.errors import BadPosition, BadSpec
from hitonami.lanes import Lanes, States, ThinGame
from hitonami.models.encoders.cells import Cells

_HANDLE: Final = 2
"""Numbers at the end of a state: which position it stands for."""
_TRIES: Final = 50
"""Openings at random that end too soon, before the start itself is taken."""


class PositionLanes:
    """The rules of any game, by its positions. Moves are their places in the head; one position is played at a time.

    Positions are kept for as long as somebody may ask for them: `forget` all but those of some states.
    """

    view: Final[Literal["same"]] = "same"

    def __init__(self, encoder: Cells) -> None:
        self._encoder = encoder
        start = open_game(encoder.game).start(encoder.setup)
        state = encoder.read_states([start])[0]
        self.rows, self.columns = encoder.shape
        self.kinds: Final = encoder.kinds
        self.width: Final = len(state) + _HANDLE
        self.head_size: Final = encoder.head_size([start])
        self.most_moves: Final = min(self.head_size, 1024)
        self.places: Final = np.stack([np.arange(self.head_size, dtype=np.int32)] * 2)
        self.images: Final = np.arange(self.rows * self.columns, dtype=np.int32)[None]
        self.head_images: Final = self.places[:1]
        self._held: dict[int, Position] = {}
        self._next = 0

    def state_of(self, position: Any) -> NDArray[np.int16]:
        number = self._next
        self._held[number] = position
        self._next = (number + 1) % (1 << 30)
        seen = self._encoder.read_states([position])[0]
        return np.concatenate([seen, np.array([number & 0x7FFF, number >> 15], np.int16)])

    def position_of(self, state: NDArray[np.int16]) -> Position:
        return self._held[int(state[-2]) | int(state[-1]) << 15]

    def legal_of(self, position: Position) -> NDArray[np.int32]:
        return np.sort(self._encoder.head_index(position))

    def advance(  # noqa: PLR0913, PLR0917  (arrays of one batch)
        self,
        states: States,
        moves: NDArray[np.int32],
        after: States,
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
        scores: NDArray[np.float32],
    ) -> None:
        for at, state in enumerate(states):
            before = self.position_of(state)
            places = self._encoder.head_index(before)
            position = before.play(int(before.legal[int(np.flatnonzero(places == moves[at])[0])]))
            after[at] = self.state_of(position)
            answers = self.legal_of(position)
            legal[at, : len(answers)], counts[at] = answers, len(answers)
            scores[at] = -1.0
            if not len(answers):
                scores[at] = 0.5 if position.score is None else position.score

    def forget(self, states: States) -> None:
        """All positions but those of these states."""
        kept = (states[..., -2].astype(np.int64) | states[..., -1].astype(np.int64) << 15).ravel()
        self._held = {number: self._held[number] for number in set(kept.tolist()) if number in self._held}


def open_lanes(encoder: Cells) -> Lanes:
    """The compiled rules where the game has such."""
    return encoder.lanes or PositionLanes(encoder)


def begin(lanes: Lanes, starts: Sequence[Position]) -> tuple[States, NDArray[np.int32], NDArray[np.int32]]:
    """Games that begin at these positions: states, legal moves and their counts."""
    moves = [lanes.legal_of(each) if isinstance(lanes, PositionLanes) else each.legal for each in starts]
    legal = np.zeros((len(starts), lanes.most_moves), np.int32)
    for row, found in zip(legal, moves, strict=True):
        row[: len(found)] = found
    return np.stack([lanes.state_of(each) for each in starts]), legal, np.array([len(each) for each in moves], np.int32)


def thin(start: Position, share: float, rng: np.random.Generator) -> Position:
    """The start without about this share of its men, taken at random from both sides. Raises BadSpec."""
    if not isinstance(start.game, ThinGame):
        raise BadSpec(f"thinned: {start.game.name} cannot be played with fewer men")
    for _ in range(_TRIES):
        taken = rng.random(sum(map(len, start.game.diagram(start).rows))) < share
        try:
            found: Position = start.game.without(start, np.flatnonzero(taken).tolist())
        except BadPosition:
            continue
        if len(found.legal):
            return found
    return start


def draw_openings(
    lanes: Lanes, starts: Sequence[Position], plies: NDArray[np.int64], rng: np.random.Generator
) -> tuple[States, NDArray[np.int32], NDArray[np.int32]]:
    """What stands after so many moves at random from each start, none of them over."""
    states, legal, counts = begin(lanes, starts)
    for row, wanted in enumerate(plies.tolist()):
        for _ in range(_TRIES):
            found = _play_at_random(lanes, states[row], legal[row], int(counts[row]), wanted, rng)
            if found is not None:
                states[row], legal[row], counts[row] = found
                break
    return states, legal, counts


def _play_at_random(  # noqa: PLR0913, PLR0917  (a position and how far)
    lanes: Lanes, state: NDArray[np.int16], legal: NDArray[np.int32], count: int, plies: int, rng: np.random.Generator
) -> tuple[NDArray[np.int16], NDArray[np.int32], int] | None:
    for _ in range(plies):
        move = np.array([legal[int(rng.integers(count))]], np.int32)
        after, answers = np.empty_like(state)[None], np.zeros((1, lanes.most_moves), np.int32)
        counts, scores = np.zeros(1, np.int32), np.zeros(1, np.float32)
        lanes.advance(state[None], move, after, answers, counts, scores)
        if scores[0] >= 0:
            return None
        state, legal, count = after[0], answers[0], int(counts[0])
    return state, legal, count
