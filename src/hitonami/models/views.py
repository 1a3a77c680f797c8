"""One network asked about the same positions seen in several ways, its answers averaged.

A board of Go that is turned or mirrored is the same position, but a small network does not quite know that: the mean
of what it says of four ways predicts people's moves clearly better than what it says of one (docs/models.md). Logits
of moves are averaged, which is the geometric mean of the chances; chances of results are averaged as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.models.card import Card
from hitonami.models.encoders import Encoder, Turning

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Views:
    """The first `count` ways of an encoder, and the output of a network that is not turned."""

    encoder: Turning
    count: int
    result: str | None

    def average(self, run_pass: Callable[[Arrays], Arrays], inputs: Arrays) -> Arrays:
        """The outputs, all ways in one pass."""
        turned = [inputs, *(self.encoder.turn(inputs, way) for way in range(1, self.count))]
        made = run_pass({name: np.concatenate([each[name] for each in turned]) for name in inputs})
        return {name: self._mean(rows, name == self.result) for name, rows in made.items()}

    def _mean(self, rows: NDArray[Any], is_result: bool) -> NDArray[Any]:
        """Over ways that follow each other, moves turned back."""
        total, *others = np.split(rows, self.count)
        for way, each in enumerate(others, start=1):
            total = total + (each if is_result else each[:, self.encoder.head_turn(each.shape[1], way)])
        mean: NDArray[Any] = total / np.float32(self.count)
        return mean


def open_views(card: Card, encoder: Encoder, asked: int) -> Views | None:
    """The views that are asked for (0: as many as the card wants), or None where one pass is all."""
    count = asked or card.symmetries
    if count == 1:
        return None
    if not isinstance(encoder, Turning):
        raise BadModel(f"model {card.name}: {card.game} has no symmetries that encoder {card.encoder.name} could use")
    if count > encoder.symmetries:
        raise BadModel(f"model {card.name}: {count} symmetries are asked for, a position has {encoder.symmetries}")
    return Views(encoder, count, card.heads.wdl)
