"""The training loop, on Lightning Fabric: one process, or several that share each step.

A run is a function of its recipe, its data and its seed: killed at any moment and resumed, it ends with the same
weights, bit for bit, on one machine with the same number of threads. It trains and nothing else: how good a network
is on held-out games by level and pool is for `hitonami evaluate` to say.
"""

import copy
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from threading import Event
from time import monotonic
from typing import Any, Literal, cast

import numpy as np
import torch
from lightning_fabric import Fabric
from torch import Tensor, nn

from hitonami.dataset.batches import Batch, Batches, BatchPlan, Place
from hitonami.dataset.sampling import Sampling, count_acceptance
from hitonami.dataset.shards import shards_in
from hitonami.dataset.targets import check_labels
from hitonami.errors import BadInput, BadSpec, WorkFailed, quote
from hitonami.models.graft import Graft
from hitonami.models.net import Net, to_tensors
from hitonami.models.spec import GraftSpec
from hitonami.train.averaging import follow
from hitonami.train.boards import BOARDS_FOLDER, Boards
from hitonami.train.checkpoints import BEST, LAST, Checkpoint, load_checkpoint, save_checkpoint, save_weights
from hitonami.train.feed import Feed
from hitonami.train.losses import losses_of, score_batch
from hitonami.train.recipe import Recipe, TrainingSpec
from hitonami.train.run import Log, Run
from hitonami.train.schedules import rate_factor
from hitonami.train.teachers import open_teachers
from hitonami.train.warm_start import graft_onto, start_from_files

Outcome = Literal["finished", "stopped early", "interrupted"]
_TARGETS = ("legal", "target", "wdl", "teacher", "expert")


@dataclass(frozen=True)
class News:
    """How far a run is. `validation` is empty except just after one."""

    step: int
    steps: int
    positions: int
    losses: dict[str, float]
    validation: dict[str, float]


Report = Callable[[News], None]


def run_training(run: Run, *, resume: bool = False, report: Report | None = None, stop: Event | None = None) -> Outcome:
    """Train to the end of the recipe, or until validation says that it is enough, or until `stop` is set."""
    devices = run.recipe.training.devices
    fabric = Fabric(
        accelerator="cpu",
        devices=devices,
        strategy="ddp_spawn" if devices > 1 else "auto",
        precision="bf16-mixed" if run.recipe.training.precision == "bf16" else "32-true",
    )
    if devices > 1:  # an Event cannot go to another process; those are ended with this one
        try:
            outcome = fabric.launch(partial(_work, run=run, resume=resume, report=report, stop=None))
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()  # else the interpreter waits for them to finish the training
            raise
    else:
        outcome = _work(fabric, run, resume, report, stop)
    return cast("Outcome", outcome)


def _work(fabric: Fabric, run: Run, resume: bool, report: Report | None, stop: Event | None) -> Outcome:
    torch.set_num_threads(run.recipe.training.threads)
    saved = resume and (run.out / LAST).exists()  # a run may be killed before its first checkpoint
    trainer = Trainer(fabric, run, load_checkpoint(run.out / LAST) if saved else None)
    return trainer.train(report if fabric.global_rank == 0 else None, stop)


def build_net(run: Run) -> Net | Graft:
    """The network as it is before the first step."""
    torch.manual_seed(run.recipe.seed)
    spec = run.recipe.network
    net: Net | Graft
    if isinstance(spec, GraftSpec):
        net = graft_onto(spec, run.start_from)
    else:
        net = Net(spec)
        if run.start_from:
            start_from_files(net, run.start_from)
    return net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]


def build_optimizer(net: nn.Module, training: TrainingSpec) -> torch.optim.Optimizer:
    """Parameters by learning rate; those of one axis (biases, norms) do not decay, frozen ones are left out.

    Patterns are shell-like and the first that matches counts. One that matches nothing is refused: it is misspelt.
    """
    unused = {*training.rates, *training.frozen}
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in net.named_parameters():
        frozen = [pattern for pattern in training.frozen if fnmatchcase(name, pattern)]
        rates = [pattern for pattern in training.rates if fnmatchcase(name, pattern)]
        unused -= {*frozen, *rates}
        parameter.requires_grad_(not frozen)
        if not frozen:
            rate = training.rates[rates[0]] if rates else training.rate
            groups.setdefault((rate, training.weight_decay if parameter.ndim > 1 else 0.0), []).append(parameter)
    if unused:
        parts = ", ".join(sorted({name.partition(".")[0] for name, _ in net.named_parameters()}))
        raise BadSpec(f"no parameter is named like {quote(min(unused))}; names begin with: {parts}")
    if not groups:
        raise BadSpec("every parameter is frozen: nothing would be learned")
    listed = [
        {"params": held, "lr": rate, "weight_decay": decay, "base": rate} for (rate, decay), held in groups.items()
    ]
    if training.optimizer == "sgd":
        return torch.optim.SGD(listed, lr=training.rate, momentum=training.momentum, nesterov=training.momentum > 0)
    return torch.optim.AdamW(listed, lr=training.rate, betas=training.betas)


def plan_batches(recipe: Recipe, run: Run) -> BatchPlan:
    """What a recipe draws for training."""
    data, encoder = recipe.data, recipe.network.encoder
    fields = tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in sorted(encoder.fields.items()))
    plan = BatchPlan(
        encoder.name, fields, recipe.training.batch_size, data.positions_per_game, data.games_per_group, data.filter,
        shares=data.shares, seed=recipe.seed, labels=run.labels, results=data.results or "all",
        turned=bool(data.turned),
    )  # fmt: skip
    shards = [path for folder in run.folders for path in shards_in(folder)]
    check_labels(run.labels, recipe.network.open_encoder().game, shards, data.shares)
    if data.sampling is None:
        return plan
    given = data.sampling
    sampling = Sampling(given.band, given.power, given.full_below, tuple(sorted(given.pools.items())))
    return replace(plan, accept=count_acceptance(shards, sampling))


def to_batch(arrays: Batch, names: tuple[str, ...]) -> dict[str, Tensor]:
    """The inputs and the targets of a batch as tensors."""
    return to_tensors(arrays, (*names, *(name for name in _TARGETS if name in arrays)))


@dataclass
class Trainer:
    """One process of a run."""

    fabric: Fabric
    run: Run
    begun: Checkpoint | None
    step: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        recipe = self.run.recipe
        self._net = build_net(self.run)
        optimizer = build_optimizer(self._net, recipe.training)
        self._totals: dict[str, float] = {}
        self._best: float | None = None
        self._stale, self._place = 0, Place()
        self._judged = self._net if recipe.training.average is None else copy.deepcopy(self._net)
        if self.begun is not None:
            self._restore(self.begun, optimizer)
        self._model, self._optimizer = self.fabric.setup(self._net, optimizer)
        plan = plan_batches(recipe, self.run)
        self._batches = Batches(self.run.folders, plan, part=self.fabric.global_rank, parts=self.fabric.world_size)
        roots, threads = dict(self.run.roots), recipe.training.threads
        self._teachers = open_teachers(recipe.teachers, recipe.network, roots, threads)
        self._checks = self._draw_checks(plan)
        boards = Boards(self.run.out / BOARDS_FOLDER, self.step) if recipe.tensorboard else None
        self._log = Log(self.run.log, self.step, boards) if self.fabric.global_rank == 0 else None

    def _restore(self, begun: Checkpoint, optimizer: torch.optim.Optimizer) -> None:
        if len(begun.places) != self.fabric.world_size:
            raise BadInput(f"{self.run.out}: begun with {len(begun.places)} processes, not {self.fabric.world_size}")
        self._net.load_state_dict(begun.model)
        if begun.average is not None:
            self._judged.load_state_dict(begun.average)
        optimizer.load_state_dict(begun.optimizer)
        torch.set_rng_state(begun.rng)
        self.step, self._totals, self._best, self._stale = begun.step, dict(begun.totals), begun.best, begun.stale
        self._place = Place(*begun.places[self.fabric.global_rank])

    def _draw_checks(self, plan: BatchPlan) -> list[Batch]:
        """The validation positions: the same at every validation, and the same for every process."""
        wanted = self.run.recipe.validation.positions
        size = min(plan.batch_size, wanted)
        if not wanted:
            return []
        bare = replace(plan, split="validation", batch_size=size, accept=None, seed=0, labels=(), turned=False)
        checks = Batches(self.run.folders, bare)
        return list(islice(checks, wanted // size))

    def train(self, report: Report | None, stop: Event | None) -> Outcome:
        recipe = self.run.recipe
        if self._enough():  # ended after the last checkpoint
            self._keep_last()
            return "finished" if self.step >= recipe.training.steps else "stopped early"
        with Feed(self._batches, self._place, recipe.training.workers) as feed, self._log or nullcontext():
            outcome = self._steps(iter(feed), report, stop)
        if outcome != "interrupted":
            self._keep_last()
        return outcome

    def _keep_last(self) -> None:
        """Without validation the last weights count as the best."""
        if self._best is None and self.fabric.global_rank == 0:
            save_weights(self._judged.state_dict(), self.run.out / BEST)

    def _enough(self) -> bool:
        patience = self.run.recipe.validation.patience
        return self.step >= self.run.recipe.training.steps or bool(patience and self._stale >= patience)

    def _steps(self, stream: Iterator[tuple[Batch, Place]], report: Report | None, stop: Event | None) -> Outcome:
        recipe = self.run.recipe
        total, size = recipe.training.steps, recipe.training.batch_size * self.fabric.world_size
        began, since = monotonic(), self.step  # of the line of the log that is being filled
        while not self._enough():
            batch, self._place = next(stream)
            losses = self._take_step(batch)
            checked: dict[str, float] = {}
            if self._checks and (self.step % recipe.validation.every == 0 or self.step == total):
                checked = self._validate()
            if checked or self.step % recipe.log_every == 0 or self.step == total:
                self._write_row(checked, size * (self.step - since) / max(monotonic() - began, 1e-9))
                began, since = monotonic(), self.step
            interrupted = stop is not None and stop.is_set()
            if interrupted or self._enough() or self.step % recipe.save_every == 0:
                self._save()
            if report is not None:
                report(News(self.step, total, size * self.step, losses, checked))
            if interrupted and not self._enough():
                return "interrupted"
        return "finished" if self.step >= total else "stopped early"

    def _take_step(self, arrays: Batch) -> dict[str, float]:
        training = self.run.recipe.training
        rng = np.random.default_rng([self.run.recipe.seed, 2, self.step, self.fabric.global_rank])
        for teachers in self._teachers:
            teachers.teach(arrays, rng)
        batch = to_batch(arrays, self._net.shape.names)
        self._model.train()
        losses = losses_of(self._model(batch), batch, self.run.recipe.loss)
        if not torch.isfinite(losses["loss"]):
            raise WorkFailed(f"the loss is {losses['loss'].item()} at step {self.step + 1}: try a lower learning rate")
        self.fabric.backward(losses["loss"])
        norm = self.fabric.clip_gradients(self._model, self._optimizer, max_norm=training.clip or torch.inf)
        factor = rate_factor(
            training.schedule, self.step, training.steps, warm_up=training.warm_up, floor=training.floor
        )
        for group in self._optimizer.param_groups:
            group["lr"] = group["base"] * factor
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.step += 1
        if training.average is not None:
            follow(self._judged, self._net, training.average, self.step)
        told = {name: loss.item() for name, loss in losses.items()} | {"gradient": float(cast("Tensor", norm))}
        for name, value in told.items():
            self._totals[name] = self._totals.get(name, 0.0) + value
        self._totals["count"] = self._totals.get("count", 0.0) + 1
        return told

    @torch.no_grad()
    def _validate(self) -> dict[str, float]:
        self._judged.eval()
        sums: dict[str, float] = {}
        for arrays in self._checks:
            batch = to_batch(arrays, self._net.shape.names)
            for name, value in score_batch(self._judged(batch), batch).items():
                sums[name] = sums.get(name, 0.0) + value
        found = {name: sums[name] / sums["n"] for name in ("cross_entropy", "accuracy")}
        found |= {"wdl": sums["wdl"] / max(sums["n_wdl"], 1.0), "n": sums["n"]}
        if self._best is None or found["cross_entropy"] < self._best:
            self._best, self._stale = found["cross_entropy"], 0
            if self.fabric.global_rank == 0:
                save_weights(self._judged.state_dict(), self.run.out / BEST)
        else:
            self._stale += 1
        return found

    def _write_row(self, checked: dict[str, float], speed: float) -> None:
        count = self._totals.pop("count", 1.0)
        means = {name: value / count for name, value in self._totals.items()}
        self._totals = {}
        if self._log is None:
            return
        training = self.run.recipe.training
        row: dict[str, Any] = {"step": self.step, "positions_per_second": speed, **means}
        row["positions"] = self.step * training.batch_size * self.fabric.world_size
        first = self._optimizer.param_groups[0]
        row["rate"] = training.rate * first["lr"] / first["base"]
        self._log.write(row | {f"validation_{name}": int(v) if name == "n" else v for name, v in checked.items()})

    def _save(self) -> None:
        here = torch.tensor([self._place.group, self._place.batch])
        places = cast("Tensor", self.fabric.all_gather(here)).reshape(-1, 2).tolist()
        if self.fabric.global_rank == 0:
            state = self._net.state_dict(), self._optimizer.state_dict()
            checkpoint = Checkpoint(self.step, places, *state, rng=torch.get_rng_state())
            if self._judged is not self._net:
                checkpoint.average = self._judged.state_dict()
            checkpoint.totals, checkpoint.best, checkpoint.stale = self._totals, self._best, self._stale
            save_checkpoint(checkpoint, self.run.out / LAST)
        self.fabric.barrier()
