"""Encoders, one file each: positions in, arrays for a network out; output logits back to legal moves.

An encoder belongs to a network, not to a game: `lc0` is what Lc0 and Maia networks eat, the `compact_*`
ones are our own. docs/encoders.md has the exact planes of each. An encoder runs no network, and it never
asks what a position is worth.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query

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
