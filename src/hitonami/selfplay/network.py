"""A network as self-play asks it: rows of numbers in, logits and chances out, by ONNX Runtime."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.lanes import States
from hitonami.models.encoders.cells import Cells
from hitonami.models.runtime import LARGEST_BATCH
from hitonami.models.sessions import open_session
from hitonami.models.store import load_model
from hitonami.models.views import Arrays, Views

OUTPUTS: Final = ["human", "wdl"]


@dataclass(frozen=True)
class Network:
    """A network that is loaded. It sees the board and the last move: no history, no players."""

    encoder: Cells
    session: Any
    views: Views | None = None
    """Where the answers of several views of a board are averaged."""

    @classmethod
    def open(cls, encoder: Cells, onnx: bytes, threads: int, symmetries: int = 1) -> "Network":
        views = Views(encoder, symmetries, OUTPUTS[1]) if symmetries > 1 else None
        return cls(encoder, open_session(onnx, threads), views)

    @classmethod
    def load(cls, model: Path, threads: int = 1) -> "Network":
        """The network of a model that self-play made. Raises BadModel for any other."""
        held = load_model(model)
        encoder = held.card.open_encoder()
        if not isinstance(encoder, Cells) or encoder.history != 1 or held.card.inputs != ("planes",):
            raise BadModel(f"{model}: not a network of self-play: those see the board alone, by the encoder cells")
        return cls.open(encoder, held.onnx, threads, held.card.symmetries)

    def __call__(
        self, states: States, legal: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        rows = LARGEST_BATCH if self.views is None else LARGEST_BATCH // self.views.count
        parts = [self._ask(states[at : at + rows]) for at in range(0, len(states), rows)]
        if len(parts) == 1:
            return parts[0]["human"], parts[0]["wdl"]
        return np.concatenate([part["human"] for part in parts]), np.concatenate([part["wdl"] for part in parts])

    def _ask(self, states: States) -> Arrays:
        inputs = {"planes": self.encoder.paint(states)}
        return self._pass(inputs) if self.views is None else self.views.average(self._pass, inputs)

    def _pass(self, inputs: Arrays) -> Arrays:
        return dict(zip(OUTPUTS, self.session.run(OUTPUTS, inputs), strict=True))
