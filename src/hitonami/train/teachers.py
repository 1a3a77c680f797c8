"""Teachers: networks whose opinions are learned beside the humans' moves (distillation), asked while training.

Of several teachers that each stand for a rating, one is drawn for each position by a bell curve around the mover's
rating: on average that teaches their mixture, and costs one pass a position instead of one a teacher. Draws depend
on the seed and the step alone, so a resumed run hears the same teachers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.batches import Batch
from hitonami.errors import BadSpec
from hitonami.models.card import Card
from hitonami.models.sessions import open_session
from hitonami.models.spec import GraftSpec, NetSpec
from hitonami.models.store import load_model
from hitonami.train.recipe import TeacherSpec, resolve

_SAME_PLANES: Final = {("lc0-rated", "lc0"), ("lc0", "lc0-rated")}
"""(network's encoder, teacher's encoder) that differ only in type or in what they say of the players."""


@dataclass(frozen=True)
class _Pupil:
    """What a batch of the network in training looks like."""

    encoder: str
    pools: tuple[str, ...]


class Teachers:
    """The teachers of one head, loaded. `target` is the name under which a batch holds their opinions."""

    def __init__(
        self, spec: TeacherSpec, network: NetSpec | GraftSpec, roots: Mapping[str, Path], threads: int
    ) -> None:
        self._spec, self._pupil = spec, _Pupil(network.encoder.name, network.pools)
        self.target: Final = "teacher" if spec.head == "human" else "expert"
        if spec.head == "expert" and (isinstance(network, GraftSpec) or not network.expert):
            raise BadSpec("teachers for the expert head, and the network has none: set network.expert = true")
        self._cards: list[Card] = []
        self._sessions: list[Any] = []
        for text in spec.models:
            model = load_model(resolve(text, roots))
            self._check(text, model.card)
            self._cards.append(model.card)
            self._sessions.append(open_session(model.onnx, threads))

    def _check(self, text: str, card: Card) -> None:
        own = self._pupil.encoder
        if card.encoder.name != own and (own, card.encoder.name) not in _SAME_PLANES:
            raise BadSpec(f"teacher {text} is fed by encoder {card.encoder.name}, the network by {own}")
        if {"player", "pool"} & set(card.inputs) and tuple(card.encoder.fields.get("pools", ())) != self._pupil.pools:
            raise BadSpec(f"teacher {text} knows other pools than the network")

    def teach(self, batch: Batch, rng: np.random.Generator) -> None:
        """Add the teachers' distributions over the legal moves to a batch, padded with zeros."""
        legal = batch["legal"]
        probs = np.zeros(legal.shape, dtype=np.float32)
        drawn = self._draw(batch, rng)
        for at, (card, session) in enumerate(zip(self._cards, self._sessions, strict=True)):
            rows = np.flatnonzero(drawn == at)
            if len(rows):
                probs[rows] = _ask(card, session, {name: values[rows] for name, values in batch.items()})
        batch[self.target] = probs

    def _draw(self, batch: Batch, rng: np.random.Generator) -> NDArray[np.intp]:
        """[B] which teacher is asked about each position."""
        count = len(batch["target"])
        if len(self._cards) == 1:
            return np.zeros(count, dtype=np.intp)
        spec = self._spec
        offsets = np.array([0.0, *(spec.offsets.get(pool, 0.0) for pool in self._pupil.pools)])
        levels = (
            batch["rating"].astype(np.float64) + offsets[batch["pool"] if "pool" in batch else np.zeros(count, int)]
        )
        levels = np.clip(levels, spec.ratings[0], spec.ratings[-1])
        bell = -0.5 * ((levels[:, None] - np.array(spec.ratings)) / spec.width) ** 2
        shares = np.exp(np.nan_to_num(bell - bell.max(axis=1, keepdims=True)))  # equal where the rating is unknown
        edges = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)
        return np.minimum((rng.random(count)[:, None] > edges).sum(axis=1), len(self._cards) - 1)


def _ask(card: Card, session: Any, batch: Batch) -> NDArray[np.float32]:
    types = {"tensor(float)": np.float32, "tensor(uint8)": np.uint8, "tensor(int64)": np.int64}
    inputs = {each.name: batch[each.name].astype(types[each.type], copy=False) for each in session.get_inputs()}
    (logits,) = session.run([card.output_of(None)], inputs)
    legal = batch["legal"]
    chosen = np.where(legal >= 0, np.take_along_axis(logits, np.maximum(legal, 0), axis=1), -np.inf)
    shifted = np.exp(chosen - chosen.max(axis=1, keepdims=True))
    found: NDArray[np.float32] = shifted / shifted.sum(axis=1, keepdims=True)
    return found


def open_teachers(
    specs: Sequence[TeacherSpec], network: NetSpec | GraftSpec, roots: Mapping[str, Path], threads: int
) -> list[Teachers]:
    """All teachers of a recipe. Raises BadSpec or BadModel for one that cannot teach this network."""
    return [Teachers(spec, network, roots, threads) for spec in specs]
