"""A network as self-play asks it: rows of numbers in, logits and chances out, by ONNX Runtime."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import States
from hitonami.models.encoders.cells import Cells
from hitonami.models.runtime import open_session

LARGEST_BATCH = 256


@dataclass(frozen=True)
class Network:
    """A network that is loaded. It sees the board and the last move: no history, no players."""

    encoder: Cells
    session: Any

    @classmethod
    def open(cls, encoder: Cells, onnx: bytes, threads: int) -> "Network":
        return cls(encoder, open_session(onnx, threads))

    def __call__(self, states: States) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        parts = [
            self.session.run(["human", "wdl"], {"planes": self.encoder.paint(states[at : at + LARGEST_BATCH])})
            for at in range(0, len(states), LARGEST_BATCH)
        ]
        if len(parts) == 1:
            return parts[0][0], parts[0][1]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
