"""A network as self-play asks it: rows of numbers in, logits and chances out, by ONNX Runtime."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import States
from hitonami.errors import BadModel
from hitonami.models.encoders.cells import Cells
from hitonami.models.runtime import LARGEST_BATCH, open_session
from hitonami.models.store import load_model

OUTPUTS: Final = ["human", "wdl"]


@dataclass(frozen=True)
class Network:
    """A network that is loaded. It sees the board and the last move: no history, no players."""

    encoder: Cells
    session: Any

    @classmethod
    def open(cls, encoder: Cells, onnx: bytes, threads: int) -> "Network":
        return cls(encoder, open_session(onnx, threads))

    @classmethod
    def load(cls, model: Path, threads: int = 1) -> "Network":
        """The network of a model that self-play made. Raises BadModel for any other."""
        held = load_model(model)
        encoder = held.card.open_encoder()
        if not isinstance(encoder, Cells) or encoder.history != 1 or held.card.inputs != ("planes",):
            raise BadModel(f"{model}: not a network of self-play: those see the board alone, by the encoder cells")
        return cls.open(encoder, held.onnx, threads)

    def __call__(
        self, states: States, legal: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        parts = [
            self.session.run(OUTPUTS, {"planes": self.encoder.paint(states[at : at + LARGEST_BATCH])})
            for at in range(0, len(states), LARGEST_BATCH)
        ]
        if len(parts) == 1:
            return parts[0][0], parts[0][1]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
