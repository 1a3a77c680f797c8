"""The network of a self-play run learns from the last generations of games. With `beginning` the one place
here that needs torch.

A generation's steps are a function of the state before, the games and the seed; the state after is written whole.
"""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from hitonami.errors import WorkFailed
from hitonami.models.encoders.cells import Cells
from hitonami.models.net import Net
from hitonami.models.store import load_model
from hitonami.selfplay.beginning import go_on_from
from hitonami.selfplay.playing import Played, widen
from hitonami.selfplay.recipe import LearnSpec, Recipe
from hitonami.train.averaging import follow
from hitonami.train.checkpoints import Checkpoint, load_checkpoint, save_checkpoint
from hitonami.train.export import export_net
from hitonami.train.loop import build_optimizer, to_batch
from hitonami.train.losses import losses_of
from hitonami.train.recipe import LossSpec, TrainingSpec
from hitonami.train.schedules import rate_factor

STATE: Final = "last.pt"


class Learner:
    """The weights of a run, those that were averaged, and the optimiser."""

    def __init__(self, recipe: Recipe, encoder: Cells) -> None:
        torch.set_num_threads(recipe.threads)
        torch.manual_seed(recipe.seed)
        self._recipe, self._encoder = recipe, encoder
        self._net = Net(recipe.network).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._judged = copy.deepcopy(self._net)
        self._optimizer = build_optimizer(self._net, _training(recipe.learn))
        self.generation = 0

    def begin(self) -> None:
        """Take the weights of the model that the recipe goes on from, where it names one."""
        if self._recipe.learn.begin:
            go_on_from(self._net, load_model(self._recipe.learn.begin))
            self._judged = copy.deepcopy(self._net)

    def save(self, folder: Path) -> None:
        state = Checkpoint(
            self.generation, [], self._net.state_dict(), self._optimizer.state_dict(), torch.get_rng_state()
        )
        state.average = self._judged.state_dict()
        save_checkpoint(state, folder / STATE)

    def restore(self, folder: Path) -> None:
        state = load_checkpoint(folder / STATE)
        self._net.load_state_dict(state.model)
        self._judged.load_state_dict(state.average or state.model)
        self._optimizer.load_state_dict(state.optimizer)
        torch.set_rng_state(state.rng)
        self.generation = state.step

    def export(self, bits: int) -> bytes:
        """The averaged network as ONNX."""
        return export_net(self._judged, bits=bits)

    def learn(self, window: Sequence[Played]) -> dict[str, float]:
        """The steps of one generation, on the games of the last ones. Mean losses."""
        spec = self._recipe.learn
        deck = _Deck(self._encoder, window, spec)
        rng = np.random.default_rng([self._recipe.seed, 2, self.generation])
        weights = LossSpec(hard=0.0, soft=1.0, wdl=spec.wdl)
        sums: dict[str, float] = {}
        self._net.train()
        for at in range(spec.steps):
            batch = to_batch(deck.draw(rng), self._net.shape.names)
            losses = losses_of(self._net(batch), batch, weights)
            if not torch.isfinite(losses["loss"]):
                raise WorkFailed(f"the loss is {losses['loss'].item()}: try a lower learning rate")
            losses["loss"].backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
            step = self.generation * spec.steps + at
            factor = rate_factor("cosine", step, spec.generations * spec.steps, warm_up=spec.warm_up, floor=spec.floor)
            for group in self._optimizer.param_groups:
                group["lr"] = group["base"] * factor
            self._optimizer.step()
            self._optimizer.zero_grad(set_to_none=True)
            follow(self._judged, self._net, spec.average, step + 1)
            for name in ("soft", "wdl"):
                sums[name] = sums.get(name, 0.0) + losses[name].item()
        self.generation += 1
        return {"policy_loss": sums["soft"] / spec.steps, "result_loss": sums["wdl"] / spec.steps}


def _training(spec: LearnSpec) -> TrainingSpec:
    return TrainingSpec(
        steps=spec.generations * spec.steps,
        batch_size=spec.batch_size,
        rate=spec.rate,
        weight_decay=spec.weight_decay,
    )


def fade(piece: Played, discount: float) -> NDArray[np.float32]:
    """[n, 3] how each game ended for the mover, a little more of a draw with each ply that it took to its end."""
    ended = piece.wdl.astype(np.float32)
    if discount == 1.0:
        return ended
    plies = np.concatenate([np.arange(length - 1, -1, -1) for length in piece.lengths.tolist()])
    left = (discount**plies).astype(np.float32)[:, None]
    return left * ended + (np.float32(1.0) - left) * np.array([0.0, 1.0, 0.0], np.float32)


class _Deck:
    """The positions of a window, to draw batches from."""

    def __init__(self, encoder: Cells, window: Sequence[Played], spec: LearnSpec) -> None:
        self._encoder, self._spec = encoder, spec
        most = max(piece.places.shape[1] for piece in window)
        self._states = np.concatenate([piece.states for piece in window])
        self._places = np.concatenate([widen(piece.places, most, -1) for piece in window])
        self._policy = np.concatenate([widen(piece.policy, most, 0) for piece in window])
        ended = np.concatenate([fade(piece, spec.discount) for piece in window])
        searched = np.concatenate([piece.expected[:, 0] for piece in window]).astype(np.float32)
        share = np.float32(spec.search_value)
        found = np.stack([searched, np.zeros_like(searched), 1.0 - searched], axis=1)
        self._wdl = (1.0 - share) * ended + share * found

    def draw(self, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
        rows = rng.integers(len(self._states), size=self._spec.batch_size)
        planes = self._encoder.paint(self._states[rows])
        legal, policy = self._places[rows], self._policy[rows].astype(np.float32)
        if self._spec.turned:
            self._turn(planes, legal, rng.integers(self._encoder.symmetries, size=len(rows)))
        target = legal[np.arange(len(rows)), policy.argmax(1)].astype(np.int64)
        policy /= np.maximum(policy.sum(1, keepdims=True), 1e-6)
        return {"planes": planes, "legal": legal, "target": target, "teacher": policy, "wdl": self._wdl[rows]}

    def _turn(self, planes: NDArray[np.uint8], legal: NDArray[np.int32], ways: NDArray[np.int64]) -> None:
        for way in range(1, self._encoder.symmetries):
            rows = np.flatnonzero(ways == way)
            planes[rows] = self._encoder.turn({"planes": planes[rows]}, way)["planes"]
            places = self._encoder.head_turn(0, way)
            legal[rows] = np.where(legal[rows] < 0, -1, places[legal[rows]])
