"""Encoders, one file each: positions in, arrays for a network out; output logits back to legal moves.

An encoder belongs to a network, not to a game: `lc0` is what Lc0 and Maia networks eat, `compact_chess`
and `cells` are our own. docs/encoders.md has the exact planes of each. An encoder runs no network, and it never
asks what a position is worth.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query, Setup, open_game

HeadIndex = NDArray[np.int32]
"""[L] where each legal move stands among a network's output logits, aligned with Position.legal."""


class Encoder(Protocol):
    """Batch first, and always from the side of the player to move. Positions of another game raise BadInput."""

    @property
    def game(self) -> str: ...
    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        """The network's inputs by name, each with the batch as its first axis."""

    def head_size(self, positions: Sequence[Position]) -> int:
        """How many move logits a network gives for this batch. Only mixed board sizes make it vary."""

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        """For each position, its legal moves' places among the `head_size(positions)` logits; no two alike."""

    def head_index(self, position: Position) -> HeadIndex:
        """The same for a batch of one."""


def start_for(encoder: Encoder) -> Position:
    """The start of a game on the board that the encoder is for."""
    setup = Setup(size=getattr(encoder, "size", 0), variant=getattr(encoder, "variant", ""))
    start: Position = open_game(encoder.game).start(setup)
    return start


@runtime_checkable
class Turning(Protocol):
    """What an encoder of a game with symmetries has besides: the same position, seen in another way.

    Way 0 is the position as it is. Rules, ratings and results do not depend on the way; moves turn with the board.
    """

    @property
    def symmetries(self) -> int:
        """How many ways there are."""

    def turn(self, arrays: Mapping[str, NDArray[Any]], way: int) -> dict[str, NDArray[Any]]:
        """The inputs of the same positions seen in one of the ways."""

    def head_turn(self, size: int, way: int) -> HeadIndex:
        """[size] for each output logit of the position as it is, its place among those of the turned one."""
