"""A network as a mind: one forward pass gives the moves and the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.models.card import Head
from hitonami.models.runtime import DEFAULT_CACHE_ROWS, LARGEST_BATCH, Runtime, Settings
from hitonami.models.store import find_model, load_model
from hitonami.specs import Room


@dataclass(frozen=True)
class Neural:
    """A network: a model's name (`hitonami models list`), its folder, or a file (`.onnx`, Lc0 and Maia `.pb.gz`).

    `head` is whose moves are meant where the network has both; without it, the human's if there are such. `cache`
    is how many positions are remembered, `threads` how many are used (0: HITONAMI_THREADS, else the physical cores).
    `symmetries` is over how many views of a position (turned, mirrored) the answers are averaged, a pass each; 0 leaves
    that to the model's card. Minds of one model share its session and its cache, so both heads cost one pass.
    """

    model: str
    head: Literal["human", "expert"] | None = None
    cache: int = DEFAULT_CACHE_ROWS
    threads: int = 0
    symmetries: int = 0

    GAMES: ClassVar[tuple[str, ...]] = ("chess",)
    """The games of the sample network, for the contract tests; a model's own game is in its card."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"model": str(Path(__file__).with_name("_sample_network.pb.gz"))},
        {"model": str(Path(__file__).with_name("_sample_network.pb.gz")), "head": "expert", "cache": 0, "threads": 1},
    )

    def open(self, room: Room) -> Mind:
        """Load the network, or join in where it is loaded already."""
        settings = Settings(self.threads, self.cache, self.symmetries)
        path = find_model(self.model)
        runtime = room.share(("model", path.resolve(), settings), partial(_open_runtime, path, settings))
        return NetworkMind(runtime, self.head)


def _open_runtime(path: Path, settings: Settings) -> Runtime:
    model = load_model(path)
    return Runtime(model.card, model.onnx, settings)


class NetworkMind:
    """The mind over a network that is loaded."""

    def __init__(self, runtime: Runtime, head: Head | None = None) -> None:
        self._runtime = runtime
        self._moves = runtime.card.output_of(head)
        self._result = runtime.card.heads.wdl
        # who asks an expert asks the human beside it, from the same pass; who asks the human may well be alone
        human = self._moves == runtime.card.heads.human
        self._wanted = tuple(name for name in (self._moves, self._result) if name) if human else runtime.outputs
        self.origin: Final = f"network {runtime.card.name}, sha256 {runtime.card.model_sha256}"

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: list[Opinion] = []
        for begin in range(0, len(queries), LARGEST_BATCH):
            opinions += self._judge(queries[begin : begin + LARGEST_BATCH])
        return opinions

    def _judge(self, queries: Sequence[Query]) -> list[Opinion]:
        outputs = self._runtime.evaluate(queries, self._wanted)
        logits = outputs[self._moves]
        results = None if self._result is None else outputs[self._result]
        places = self._runtime.encoder.head_indices([query.position for query in queries])
        return [
            Opinion(log_probs, None if results is None else results[at])
            for at, log_probs in enumerate(dist.normalise_rows(logits, places))
        ]
