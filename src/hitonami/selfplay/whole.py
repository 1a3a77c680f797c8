"""A whole run of self-play: a recipe's file to a model. Prints nothing.

A run's folder holds `run.json` (recipe, seed, commit), `games/` (a file a generation), `nets/` (a network a
generation), `last.pt` (the learner), `state.json` (how far it is, its log) and in the end `model/`. Each is written
whole: a run that is killed at any moment goes on where it was, and ends as an undisturbed one does.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Final

import numpy as np
from pydantic import ValidationError

from hitonami import __version__, disk
from hitonami.cluster import Workers
from hitonami.errors import BadInput, BadSpec, WorkFailed
from hitonami.matches.sprt import Sprt
from hitonami.models.card import Card, Heads, Source
from hitonami.models.encoders.cells import Cells
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.store import Model, load_model, write_model
from hitonami.progress import stoppable
from hitonami.selfplay.arena import Arena, Entrant
from hitonami.selfplay.forest import Looking
from hitonami.selfplay.network import Network
from hitonami.selfplay.pieces import piece_path, read_piece, read_window, write_piece
from hitonami.selfplay.playing import Generation, Played, join
from hitonami.selfplay.recipe import PlaySpec, Recipe, read_recipe
from hitonami.train.run import read_commit

RUN, STATE, MODEL = "run.json", "state.json", "model"
_MINIMA: Final = 2_000
"""Of sides that did not lose, the latest: what giving up may cost is told from these."""


@dataclass(frozen=True)
class News:
    """What a run tells while it goes on: a line of its log where a generation is over, else how many games are."""

    generation: int
    generations: int
    games: int
    wanted: int
    row: dict[str, float] | None = None
    rows: tuple[dict[str, float], ...] = ()
    """All lines so far."""
    folder: Path | None = None


@dataclass
class Progress:
    """state.json."""

    generation: int = 0
    champion: int = 0
    """The generation of the network that plays."""
    resign_below: float = 0.0
    minima: list[float] = field(default_factory=list)
    rows: list[dict[str, float]] = field(default_factory=list)


Report = Callable[[News], None]


def play_recipe(  # noqa: PLR0913  (a command's options)
    recipe: Path,
    out: Path | None,
    report: Report,
    *,
    resume: bool = False,
    jobs: int = 1,
    cluster: str | None = None,
) -> Path:
    """Play and learn to the end of the recipe, or go on. The model's folder.

    The parts of a generation are played by `jobs` processes of this machine, or on a Ray cluster.
    """
    asked = read_recipe(recipe)
    folder = out or Path("runs") / asked.name
    with Workers(jobs, cluster) as workers:
        run = Run(asked, folder, report, workers)
        run.open(resume=resume)
        with disk.holding(folder), stoppable() as stop:
            return run.go_on(stop)


@dataclass(frozen=True)
class Part:
    """A part of a generation's games, to be played anywhere."""

    encoder: Cells
    play: PlaySpec
    onnx: bytes
    seed: tuple[int, ...]
    resign_below: float
    threads: int
    is_counted: bool


def play_part(part: Part, tell: Callable[[int, int], None] | None = None) -> Played:
    games = Generation(part.encoder, part.play, list(part.seed), part.resign_below, is_counted=part.is_counted)
    return games.play(Network.open(part.encoder, part.onnx, part.threads), tell)


def export_generation(recipe: Path, out: Path | None, number: int) -> Path:
    """The network of a run's generation as a model; nothing is played. Raises BadInput."""
    asked = read_recipe(recipe)
    with Workers(1, None) as workers:
        run = Run(asked, out or Path("runs") / asked.name, lambda news: None, workers)
        run.open(resume=True)
        return run.write_generation(number)


class Run:
    """A run in its folder."""

    def __init__(self, recipe: Recipe, folder: Path, report: Report, workers: Workers) -> None:
        self.recipe, self.folder, self._report, self._workers = recipe, folder, report, workers
        encoder = recipe.network.open_encoder()
        if not isinstance(encoder, Cells) or encoder.history != 1 or encoder.hands:
            raise BadSpec("self-play takes the encoder cells, without history and hands")
        self.encoder: Final = encoder
        self.progress = Progress(resign_below=recipe.play.resign_below)

    def open(self, *, resume: bool) -> None:
        """Make the folder, or check that what it holds is this run. Raises BadInput."""
        about = {"recipe": self.recipe.as_dict(), "version": __version__, "commit": read_commit()}
        path = self.folder / RUN
        if path.exists() and not resume:
            raise BadInput(f"{self.folder}: holds a run already; go on with --resume, or choose another with --out")
        if not resume:
            disk.make_chosen_folder(self.folder)
            disk.write_text(path, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
            return
        held = _read_json(path)
        if _comparable(_completed(held.get("recipe", {}))) != _comparable(about["recipe"]):
            raise BadInput(f"{self.folder}: this run was begun with another recipe; choose another folder")
        if (self.folder / STATE).exists():
            self.progress = Progress(**_read_json(self.folder / STATE))

    def go_on(self, stop: Event) -> Path:
        if (self.folder / MODEL).exists() and self.progress.generation >= self.recipe.learn.generations:
            return self.folder / MODEL
        try:
            from hitonami.selfplay.learner import STATE as LEARNED
            from hitonami.selfplay.learner import Learner  # torch: seconds, and not everybody has it
        except ModuleNotFoundError as missing:
            raise WorkFailed(f"self-play needs {missing.name}: pip install 'hitonami[train]'") from None
        learner = Learner(self.recipe, self.encoder)
        if (self.folder / LEARNED).exists():
            learner.restore(self.folder)
        else:
            learner.begin()
            self._keep_network(0, learner.export(self.recipe.model.bits))
            learner.save(self.folder)
        while self.progress.generation < self.recipe.learn.generations:
            if stop.is_set():
                raise WorkFailed(f"interrupted; {self.folder} is saved, go on with --resume")
            self._generation(learner)
        return self._export(learner)

    def _generation(self, learner: Any) -> None:
        number = self.progress.generation
        played = self._play(number)
        row = {"generation": float(number), **played.figures}
        if learner.generation == number:
            row |= learner.learn(list(read_window(self.folder, number, self.recipe.learn.window)))
            self._keep_network(number + 1, learner.export(self.recipe.model.bits))
            learner.save(self.folder)
        row |= self._gate(number + 1)
        self._note_resignations(played)
        row["resign_below"] = self.progress.resign_below
        self.progress.rows.append(row)
        self.progress.generation = number + 1
        disk.write_text(self.folder / STATE, json.dumps(vars(self.progress)) + "\n")
        games = self.recipe.play.games
        rows = tuple(self.progress.rows)
        self._report(News(number, self.recipe.learn.generations, games, games, row, rows, self.folder))

    def _play(self, number: int) -> Played:
        path = piece_path(self.folder, number)
        if path.exists():
            return read_piece(path)
        recipe = self.recipe
        share = recipe.play.model_copy(update={"games": recipe.play.games // recipe.play.parts, "parts": 1})
        onnx = self.network_path(self.progress.champion).read_bytes()
        below, counted = self.progress.resign_below, number < recipe.play.counted
        parts = [
            Part(self.encoder, share, onnx, (recipe.seed, 1, number, at), below, recipe.threads, counted)
            for at in range(recipe.play.parts)
        ]
        if len(parts) == 1:
            played = play_part(parts[0], partial(self._tell_games, number))
        else:
            played = join(list(self._told(number, self._workers.map(play_part, parts))))
        write_piece(played, path)
        return played

    def _told(self, number: int, parts: Iterator[Played]) -> Iterator[Played]:
        done = 0
        for part in parts:
            done += len(part.scores)
            self._tell_games(number, done, self.recipe.play.games)
            yield part

    def _tell_games(self, number: int, done: int, wanted: int) -> None:
        self._report(News(number, self.recipe.learn.generations, done, wanted))

    def network_path(self, generation: int) -> Path:
        return self.folder / "nets" / f"{generation:05d}.onnx"

    def network(self, generation: int) -> Network:
        return Network.open(self.encoder, self.network_path(generation).read_bytes(), self.recipe.threads)

    def _keep_network(self, generation: int, onnx: bytes) -> None:
        path = self.network_path(generation)
        disk.make_folder(path.parent)
        disk.write_bytes(path, onnx)

    def _gate(self, number: int) -> dict[str, float]:
        """Whether the newest network plays from now on."""
        gate = self.recipe.gate
        if not gate.every:
            self.progress.champion = number
            return {}
        if number % gate.every:
            return {}
        looking = Looking(gate.simulations, self.recipe.play.c_puct, self.recipe.play.fpu)
        arena = Arena(self.encoder, gate.opening_plies, self.recipe.play.most_plies, (self.recipe.seed, 3, number))
        new, old = (Entrant(self.network(at), looking) for at in (number, self.progress.champion))
        verdict = arena.contest(new, old, Sprt(gate.elo0, gate.elo1), gate.games)
        passed = verdict.state.verdict == "H1" or (verdict.state.verdict == "open" and verdict.score > 0.5)
        if passed:
            self.progress.champion = number
        return {"gate_score": verdict.score, "gate_games": float(verdict.games), "gate_passed": float(passed)}

    def _note_resignations(self, played: Played) -> None:
        """Lower what is given up, so that few of those who did not lose would have given up."""
        play = self.recipe.play
        if not play.resign_below:
            return
        own = np.stack([played.scores, 1.0 - played.scores], axis=1)
        saved = played.lowest[(own > 0.0) & ~np.isnan(played.lowest)]
        self.progress.minima = [*self.progress.minima, *saved.tolist()][-_MINIMA:]
        if self.progress.minima:
            least = float(np.quantile(self.progress.minima, play.thrown_away))
            self.progress.resign_below = min(play.resign_below, least)

    def _export(self, learner: Any) -> Path:
        if (self.folder / MODEL).exists():  # of fewer generations; their networks are all kept in `nets`
            shutil.rmtree(self.folder / MODEL)
        return self._write_model(self.recipe.name, learner.export(self.recipe.model.bits), MODEL)

    def write_generation(self, number: int) -> Path:
        """The network as it was after so many generations, as a model beside the run's. Raises BadInput."""
        if not (path := self.network_path(number)).exists():
            raise BadInput(
                f"{self.folder}: holds no network of generation {number}; the last is {self.progress.generation}"
            )
        return self._write_model(f"{self.recipe.name}-{number}", path.read_bytes(), f"{MODEL}-{number}", number)

    def _write_model(self, name: str, onnx: bytes, folder: str, generations: int | None = None) -> Path:
        recipe = self.recipe
        games = sum(int(row["games"]) for row in self.progress.rows[:generations])
        card = Card(
            name=name,
            game=self.encoder.game,
            encoder=recipe.network.encoder,
            inputs=("planes",),
            heads=Heads(expert="human", wdl="wdl"),
            symmetries=recipe.model.symmetries,
            licence=recipe.model.licence,
            provenance=(Source(what=f"self-play from the rules alone, {games:,} games"), *_begun(recipe.learn.begin)),
            recipe=json.dumps(recipe.as_dict(), ensure_ascii=False),
            commit=read_commit(),
            notes=recipe.model.notes,
            model_sha256=hashlib.sha256(onnx).hexdigest(),
        )
        with Runtime(card, onnx, Settings(threads=1, cache_rows=0)):
            return write_model(Model(card, onnx, self.folder), self.folder / folder)


def _begun(begin: str) -> tuple[Source, ...]:
    """What the model that a run went on from was made from."""
    if not begin:
        return ()
    card = load_model(begin).card
    weights = Source(what=f"weights to start from: {card.name}", sha256=card.model_sha256, licence=card.licence)
    return weights, *card.provenance


def _completed(recipe: Any) -> Any:
    """A recipe as an earlier version wrote it, with the keys that came later at what they were then."""
    try:
        return Recipe(**recipe).as_dict()
    except (TypeError, ValidationError):
        return recipe


def _comparable(recipe: Any) -> Any:
    """A recipe without what may change: the card's words, and how many generations there are to be."""
    kept = {name: value for name, value in recipe.items() if name != "model"}
    return kept | {"learn": {name: value for name, value in kept.get("learn", {}).items() if name != "generations"}}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        raise BadInput(f"{path.parent}: no run to go on with: no readable {path.name}") from None
    if not isinstance(held, dict):
        raise BadInput(f"{path.parent}: no run to go on with: no readable {path.name}")
    return held
