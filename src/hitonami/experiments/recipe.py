"""Recipes of experiments: TOML in recipes/experiments, checked before any work.

title = "…"
about = "…"
differs = ["what differs from the published setting, and why"]

[[steps]]
do = "evaluate"                      # a kind of step, with its options beside
name = "lichess"
title = "…"
game = "chess"
data = ["$DATA/all-chess"]           # $DATA: the root that --data names; sample:GAME; step:NAME of a subset
minds = { human = "human", network = "$HERE/chess-network.toml" }
quick = { data = ["sample:chess"] }  # what the quick size has instead (`without`: keys it has not); false: no such step

[[published]]                        # a published figure, and which of ours stands beside it
source = "S0 figure 4.3"
mind = "Blend of Maia 1900 and Lc0"
people = "Lichess 1900–1999"
quantity = "accuracy gained over Maia 1900"
value = 0.011                        # `to`: the end of a range
unit = "points"
same = true                          # or differs = "what makes ours another quantity"
[published.ours]                     # or not_run = "why there is none"
step = "lichess"
group = "1900"
figure = "gain"
mind = "Blend of Maia 1900 and Lc0 256×10"
people = "Lichess 1900–1999, other months"
quantity = "accuracy gained over Maia 1900"
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from hitonami import disk
from hitonami.dataset.reading import sample_games
from hitonami.errors import BadInput, alternatives, quote
from hitonami.experiments.ace_step import AceStep
from hitonami.experiments.asking import CalibrationStep, Evaluate, Fit, Foresight, WinRate
from hitonami.experiments.likeness_step import LikenessStep
from hitonami.experiments.losses_step import LossesStep
from hitonami.experiments.manners import LosersStep, RefineStep
from hitonami.experiments.playing import EndingsStep, JudgeStep, LadderStep, OpeningsStep, Subset, TournamentStep
from hitonami.experiments.step import Step
from hitonami.experiments.strength_step import StrengthStep
from hitonami.experiments.values import InnerProductStep
from hitonami.outcomes import Size, Unit
from hitonami.specs import read_toml

_IN_PACKAGE: Final = Path(__file__).with_name("recipes")
_IN_SOURCE: Final = Path(__file__).parents[3] / "recipes" / "experiments"
FOLDER: Final = _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_SOURCE
"""A wheel carries the recipes inside of the package."""

AnyStep = Annotated[
    Evaluate | Fit | Foresight | CalibrationStep | WinRate | LikenessStep | JudgeStep | OpeningsStep | EndingsStep
    | TournamentStep | Subset | LadderStep | InnerProductStep | LossesStep | StrengthStep | LosersStep | RefineStep
    | AceStep,
    Field(discriminator="do"),
]  # fmt: skip
_STEP: Final[TypeAdapter[Any]] = TypeAdapter(AnyStep)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ours(_Part):
    """Which of our figures stands beside a published one (step, group, column), and what that is in words."""

    step: str
    group: str
    figure: str
    mind: str = Field(min_length=1)
    people: str = Field(min_length=1)
    quantity: str = Field(min_length=1)


class Published(_Part):
    """A published figure: where it is printed, whose mind, whose moves, which quantity; and ours, or why there is none.

    Beside ours it says what makes it another quantity (`differs`), or that it is the same one (`same`).
    """

    source: str = Field(pattern=r"^(S0|S1|S3|S4|Maia|Maia-2) .+$")
    mind: str = Field(min_length=1)
    people: str = Field(min_length=1)
    quantity: str = Field(min_length=1)
    value: float
    to: float | None = None
    unit: Unit
    ours: Ours | None = None
    same: bool = False
    differs: str = ""
    not_run: str = ""

    @model_validator(mode="after")
    def _says_which(self) -> "Published":
        if (self.ours is None) == (not self.not_run):
            raise ValueError("a published figure has either `ours` beside it or says why it was `not_run`")
        if self.ours is not None and self.same == bool(self.differs):
            raise ValueError("ours is either the `same` quantity or says what `differs`")
        if self.ours is None and (self.same or self.differs):
            raise ValueError("what was not run is neither the same nor different")
        return self


class _Head(_Part):
    title: str
    about: str
    differs: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    steps: tuple[dict[str, Any], ...] = Field(min_length=1)


@dataclass(frozen=True)
class Recipe:
    """An experiment at one size."""

    name: str
    folder: Path
    head: _Head
    size: Size
    steps: tuple[Step, ...]


def find_recipes(folder: Path = FOLDER) -> dict[str, Path]:
    """By name. Files in the folder without steps are parts of experiments: specs of minds, tables of other scripts."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        if "steps" in read_toml(path):
            found[path.stem] = path
    return found


def read_recipe(name: str, size: Size, folder: Path = FOLDER) -> Recipe:
    """The recipe of a name, or of a file. Raises BadInput that names what is wrong."""
    path = Path(name) if name.endswith(".toml") else _find(name, folder)
    try:
        head = _Head(**read_toml(path))
        steps = tuple(_STEP.validate_python(raw) for each in head.steps if (raw := _sized(each, size)) is not None)
    except ValidationError as wrong:
        raise BadInput(f"{path}: {_complaint(wrong)}") from None
    names = [step.name for step in steps]
    if len(set(names)) < len(names):
        raise BadInput(f"{path}: two steps are called {max(names, key=names.count)!r}")
    if not steps:
        raise BadInput(f"{path}: no step has a {size} size: it needs --data")
    for each in head.published:
        if each.ours is not None and each.ours.step not in {raw.get("name") for raw in head.steps}:
            raise BadInput(f"{path}: a published figure names the step {each.ours.step!r}, which is not there")
    return Recipe(path.stem, path.parent, head, size, steps)


def _find(name: str, folder: Path) -> Path:
    path = {each.stem: each for each in folder.glob("*.toml")}.get(name)
    if path is None or "steps" not in read_toml(path):
        raise BadInput(f"there is no experiment {quote(name)}; {alternatives(name, find_recipes(folder))}")
    return path


def _complaint(wrong: ValidationError) -> str:
    """An unknown key first: it is why the right one is missing."""
    problems = wrong.errors()
    problem = next((each for each in problems if each["type"] == "extra_forbidden"), problems[0])
    where = ".".join(str(step) for step in problem["loc"])
    return f"{where}: unknown key" if problem["type"] == "extra_forbidden" else f"{where}: {problem['msg']}"


def _sized(raw: Mapping[str, Any], size: Size) -> dict[str, Any] | None:
    """A step as that size has it, None where it has none."""
    plain = dict(raw)
    quick = plain.pop("quick", {})
    if size == "full":
        return plain
    if quick is False:
        return None
    left_out = quick.get("without", ())
    return {name: value for name, value in (plain | quick).items() if name not in ("without", *left_out)}


def place_data(text: str, root: Path | None, made: Mapping[str, Path]) -> Path:
    """Where a recipe's data are on this machine. Raises BadInput where that is not known."""
    kind, _, rest = text.partition(":")
    if kind == "sample":
        return sample_games(rest)
    if kind == "step":
        if rest not in made:
            raise BadInput(f"{quote(text)} names no subset made by an earlier step; {alternatives(rest, made)}")
        return made[rest]
    if text.startswith("$DATA/"):
        if root is None:
            raise BadInput(f"{text} is needed: name the root of the data with --data, or run the --quick size")
        return root / text.removeprefix("$DATA/")
    raise BadInput(f"data of a recipe are $DATA/…, sample:GAME or step:NAME, got {quote(text)}")


def place_mind(text: str, recipe: Recipe, root: Path | None, out: Path) -> str:
    """A mind's text with $HERE and $DATA put in. Raises BadInput where the root is not known.

    A spec's file that itself says $DATA is written anew into `out` with the root in it.
    """
    placed = _with_root(text.replace("$HERE", str(recipe.folder)), root, text)
    path = Path(placed)
    if path.suffix != ".toml" or not path.is_file() or "$DATA" not in (said := path.read_text(encoding="utf-8")):
        return placed
    filled = _with_root(said, root, text)
    copy = out / "minds" / f"{path.stem}-{hashlib.sha256(filled.encode()).hexdigest()[:8]}.toml"
    disk.make_folder(copy.parent)
    disk.write_text(copy, filled)
    return str(copy)


def _with_root(said: str, root: Path | None, mind: str) -> str:
    if "$DATA" in said and root is None:
        raise BadInput(f"the mind {mind} needs --data")
    return said.replace("$DATA", "" if root is None else root.absolute().as_posix())
