"""The folder of one training: what was asked (run.json), how it went (log.csv), checkpoints, the model.

A folder belongs to one recipe, one version of the data and one seed. Going on with anything else is refused, by
the name of what differs: a curve that is half one experiment and half another would be worth nothing.
"""

import csv
import hashlib
import io
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hitonami import __version__, disk
from hitonami.dataset.labels import hash_labels
from hitonami.dataset.shards import shards_in
from hitonami.dataset.targets import LabelSource
from hitonami.errors import BadInput
from hitonami.train.boards import Boards
from hitonami.train.recipe import Recipe, resolve

RUN_FILE, LOG_FILE, MODEL_FOLDER = "run.json", "log.csv", "model"
COLUMNS: Final = (
    "step", "positions", "rate", "loss", "hard", "soft", "expert", "wdl", "gradient", "positions_per_second",
    "validation_cross_entropy", "validation_accuracy", "validation_wdl", "validation_n",
)  # fmt: skip
_MAY_CHANGE = (("training", "workers"), ("save_every",), ("tensorboard",), ("export",))
"""What does not touch the weights."""


@dataclass(frozen=True)
class Run:
    """A recipe with its folders found, and the folder where its run is kept."""

    recipe: Recipe
    folders: tuple[Path, ...]
    start_from: tuple[Path, ...]
    out: Path
    roots: tuple[tuple[str, Path], ...] = ()
    """What the recipe's variables stand for."""

    @property
    def labels(self) -> tuple[LabelSource, ...]:
        """The recipe's labels, found."""
        roots = dict(self.roots)
        return tuple(
            LabelSource(
                resolve(spec.folder, roots),
                "expert" if spec.head == "expert" else "teacher",
                spec.temperature,
                spec.draw,
            )
            for spec in self.recipe.labels
        )

    @property
    def log(self) -> Path:
        return self.out / LOG_FILE

    @property
    def model(self) -> Path:
        return self.out / MODEL_FOLDER


def open_run(recipe: Recipe, roots: Mapping[str, Path], out: Path, *, resume: bool) -> Run:
    """Make the run's folder, or check that what it holds is this run. Raises BadInput."""
    folders = tuple(resolve(text, roots) for text in recipe.data.folders)
    run = Run(recipe, folders, tuple(resolve(text, roots) for text in recipe.warm_start), out, tuple(roots.items()))
    about = {
        "recipe": recipe.as_dict(),
        "seed": recipe.seed,
        "data": {text: hash_dataset(path) for text, path in zip(recipe.data.folders, folders, strict=True)}
        | {label.folder: hash_labels(resolve(label.folder, roots)) for label in recipe.labels},
        "version": __version__,
        "commit": read_commit(),
    }
    path = out / RUN_FILE
    if path.exists() and not resume:
        raise BadInput(f"{out}: holds a run already; go on with --resume, or choose another folder with --out")
    if resume:
        _check_same(path, about)
        return run
    disk.make_chosen_folder(out)
    disk.write_text(path, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
    return run


def _check_same(path: Path, about: dict[str, Any]) -> None:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        raise BadInput(f"{path.parent}: no run to go on with: no readable {path.name}") from None
    differing = [name for name in ("recipe", "data") for name in _differences(held.get(name), about[name], (name,))]
    if differing:
        raise BadInput(f"{path.parent}: this run was begun with another {differing[0]}; choose another folder")


def _differences(held: Any, wanted: Any, where: tuple[str, ...]) -> list[str]:
    if where[1:] in _MAY_CHANGE:
        return []
    if isinstance(held, dict) and isinstance(wanted, dict):
        names = sorted({*held, *wanted})
        return [each for name in names for each in _differences(held.get(name), wanted.get(name), (*where, name))]
    return [] if held == wanted else [".".join(where)]


def hash_dataset(folder: Path) -> str:
    """sha256 of the dataset's manifest, which holds the hashes of its shards; of the shards where there is none."""
    manifest = folder / "manifest.json"
    if manifest.is_file():
        return hashlib.sha256(manifest.read_bytes()).hexdigest()
    shards = shards_in(folder)
    if not shards:
        raise BadInput(f"no shards in {folder}: `hitonami ingest` makes them")
    digest = hashlib.sha256()
    for path in shards:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def read_commit() -> str:
    """The commit of the package's sources, "+" where they differ from it, "" where that cannot be told."""
    here = Path(__file__).parent
    told = []
    for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no", "--", str(here.parent)]):
        try:
            done = subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, check=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            return ""
        told.append(done.stdout.strip())
    return told[0] + ("+" if told[1] else "")


class Log:
    """log.csv: one line every so many steps. Lines after the checkpoint that a run goes on from are dropped.

    With `boards` the same goes to TensorBoard.
    """

    def __init__(self, path: Path, step: int, boards: Boards | None = None) -> None:
        self._path, self._boards = path, boards
        rows = [row for row in _read_rows(path) if int(row["step"]) <= step] if step else []
        disk.write_text(path, _lines_of([dict(zip(COLUMNS, COLUMNS, strict=True)), *rows]))

    def write(self, row: Mapping[str, float | int]) -> None:
        disk.add_text(self._path, _lines_of([{name: _shown(value) for name, value in row.items()}]))
        if self._boards is not None:
            self._boards.write(row)

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        if self._boards is not None:
            self._boards.close()


def _lines_of(rows: list[dict[str, str]]) -> str:
    text = io.StringIO(newline="")
    csv.DictWriter(text, COLUMNS).writerows(rows)
    return text.getvalue()


def _read_rows(path: Path) -> list[dict[str, str]]:
    """The whole lines of a log; one that a crash cut off is none."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if None not in row.values() and None not in row and (row["step"] or "").isdecimal()]


def _shown(value: float | int) -> str:
    return str(value) if isinstance(value, int) else f"{value:.7g}"
