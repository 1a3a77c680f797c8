"""Recipes: TOML with all that is needed to train a network again. Unknown keys are refused by name.

Where data lie is not part of a recipe: folders and files begin with a variable (`$DATA/chess`) that
`--data DATA=PATH` or the environment fills in. docs/training.md explains every key.
"""

import os
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)

from hitonami.dataset.filters import parse_filter
from hitonami.dataset.targets import Results
from hitonami.errors import BadInput, BadSpec, alternatives, quote
from hitonami.models.card import NAME_PATTERN, Serves
from hitonami.models.spec import GraftSpec, NetSpec
from hitonami.specs import read_toml
from hitonami.train.schedules import Schedule

_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SamplingSpec(_Part):
    """Thin crowded cells of rating and pool; see dataset/sampling.py."""

    band: float = Field(default=200.0, gt=0)
    power: float = Field(default=0.5, ge=0, le=1)
    full_below: int = Field(default=1_000, ge=1)
    pools: dict[str, float] = Field(default_factory=dict)


class DataSpec(_Part):
    """Which games, and which of their moves."""

    folders: tuple[str, ...] = Field(min_length=1)
    filter: str = "none"
    positions_per_game: int = Field(default=8, ge=1)
    games_per_group: int = Field(default=256, ge=1)
    shares: Literal["90/5/5", "80/10/10"] = "90/5/5"
    sampling: SamplingSpec | None = None
    results: Results | None = None
    """`between-people`: games against bots teach moves and no results. None is `all`, and older runs read the same."""
    turned: bool | None = None
    """Whether positions are seen turned and mirrored at random, in a game with symmetries. None is no."""

    @field_validator("filter")
    @classmethod
    def _known_filter(cls, text: str) -> str:
        parse_filter(text)
        return text


class LossSpec(_Part):
    """How much each part of the loss counts. Where a teacher is present, `hard` and `soft` share the human head."""

    hard: float = Field(default=1.0, ge=0)
    soft: float = Field(default=0.0, ge=0)
    expert: float = Field(default=0.0, ge=0)
    wdl: float = Field(default=0.25, ge=0)


class TrainingSpec(_Part):
    """The optimiser and the machine. `rates` gives parameters whose name matches a pattern another learning rate."""

    steps: int = Field(ge=1)
    batch_size: int = Field(default=256, ge=1)
    """Positions a step and process."""
    optimizer: Literal["adamw", "sgd"] = "adamw"
    rate: float = Field(default=1e-3, gt=0)
    rates: dict[str, float] = Field(default_factory=dict)
    frozen: tuple[str, ...] = ()
    schedule: Schedule = "cosine"
    warm_up: int = Field(default=60, ge=0)
    floor: float = Field(default=0.02, ge=0, le=1)
    weight_decay: float = Field(default=0.01, ge=0)
    betas: tuple[float, float] = (0.9, 0.98)
    momentum: float = Field(default=0.9, ge=0, lt=1)
    clip: float = Field(default=1.0, ge=0)
    """The largest norm of a gradient; 0 clips nothing."""
    average: float | None = Field(default=None, gt=0, lt=1)
    """How much of averaged weights stays at each step. They are what is validated and exported. None: no average."""
    precision: Literal["bf16"] | None = None
    """`bf16`: products are computed in 16 bits, weights and sums stay in 32. None: all in 32."""
    threads: int = Field(default=1, ge=1)
    workers: int = Field(default=1, ge=1)
    """Processes that make batches, for each process that trains."""
    devices: int = Field(default=1, ge=1)
    """Processes that train together."""


class TeacherSpec(_Part):
    """Models to learn from beside the humans' moves; with several, `ratings` says for which level each stands."""

    models: tuple[str, ...] = Field(min_length=1)
    head: Literal["human", "expert"] = "human"
    ratings: tuple[float, ...] = ()
    width: float = Field(default=220.0, gt=0)
    offsets: dict[str, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _rising(self) -> "TeacherSpec":
        if len(self.models) > 1 and len(self.ratings) != len(self.models):
            raise ValueError(f"{len(self.models)} models need as many ratings, got {len(self.ratings)}")
        if any(a >= b for a, b in pairwise(self.ratings)):
            raise ValueError(f"the teachers' ratings must rise, got {list(self.ratings)}")
        return self


class LabelSpec(_Part):
    """What a strong mind said (`hitonami label`), to learn from where a position was labelled."""

    folder: str
    head: Literal["human", "expert"] = "expert"
    temperature: float | None = Field(default=None, gt=0)
    draw: Literal["first", "only", "any"] = "first"


class ValidationSpec(_Part):
    """Every so many steps, on the same positions of the validation split."""

    every: int = Field(default=500, ge=1)
    positions: int = Field(default=4_096, ge=0)
    patience: int = Field(default=0, ge=0)
    """Stop after so many validations in a row without a better cross-entropy; 0 never does."""


class ExportSpec(_Part):
    """What the model's card cannot know by itself."""

    bits: Literal[32, 16, 8] = 16
    """How weights are stored; arithmetic is in 32 bits all the same."""
    licence: str = "GPL-3.0-or-later"
    notes: str = ""
    symmetries: int = Field(default=1, ge=1)
    """Over how many views of a position the model's answers are averaged where nobody says otherwise."""
    serves: Serves = "moves"
    """"ahead": what a look ahead asks below its first position, and no player."""


def _kind_of(given: Any) -> str:
    return str(given.get("kind", "residual") if isinstance(given, dict) else given.kind)


Network = Annotated[
    Annotated[NetSpec, Tag("residual")] | Annotated[GraftSpec, Tag("graft")],
    Discriminator(_kind_of, custom_error_type="kind", custom_error_message="kind must be residual or graft"),
]
_NETWORKS = {"residual": NetSpec, "graft": GraftSpec}


class Recipe(_Part):
    """A whole recipe."""

    name: str = Field(pattern=NAME_PATTERN)
    seed: int = Field(default=0, ge=0)
    network: Network
    data: DataSpec
    training: TrainingSpec
    loss: LossSpec = LossSpec()
    validation: ValidationSpec = ValidationSpec()
    warm_start: tuple[str, ...] = ()
    """Network files, one for each trunk; the one to grow onto, for a graft."""
    teachers: tuple[TeacherSpec, ...] = ()
    labels: tuple[LabelSpec, ...] = ()
    save_every: int = Field(default=500, ge=1)
    log_every: int = Field(default=50, ge=1)
    tensorboard: bool = False
    """Write the log for TensorBoard too."""
    export: ExportSpec = ExportSpec()

    @model_validator(mode="after")
    def _one_source_a_head(self) -> "Recipe":
        taught = {teacher.head for teacher in self.teachers}
        for label in self.labels:
            if label.head in taught:
                raise ValueError(f"both teachers and labels for the {label.head} head: choose one of them")
            if label.head == "expert" and (isinstance(self.network, GraftSpec) or not self.network.expert):
                raise ValueError("labels for the expert head, and the network trains none: set network.expert = true")
        return self

    def as_dict(self) -> dict[str, Any]:
        """As TOML would hold it. Without labels it reads as it did before there were any, so that runs go on."""
        return self.model_dump(mode="json", exclude_none=True, exclude=None if self.labels else {"labels"})


def read_recipe(path: Path) -> Recipe:
    """The recipe in a file. Raises BadSpec that names the file, the key and what is wrong."""
    given = read_toml(path)
    try:
        return Recipe(**given)
    except ValidationError as wrong:
        raise BadSpec(f"{path}: {_explain(wrong)}") from None


def _explain(wrong: ValidationError) -> str:
    problem = wrong.errors()[0]
    steps = [str(step) for at, step in enumerate(problem["loc"]) if not (at == 1 and step in _NETWORKS)]
    where = ".".join(steps) or "recipe"
    if problem["type"] == "extra_forbidden":
        key = str(problem["loc"][-1])
        return f"unknown key {quote(where)}; {alternatives(key, _keys_at(problem['loc'][:-1]))}"
    message = problem["msg"].removeprefix("Value error, ")
    return f"{where}: {message}"


def _keys_at(steps: tuple[int | str, ...]) -> list[str]:
    """The keys that a recipe knows at a place."""
    here: Any = Recipe
    for step in steps:
        if step in _NETWORKS:
            here = _NETWORKS[str(step)]
            continue
        kinds = [here.model_fields[str(step)].annotation]
        kinds += getattr(kinds[0], "__args__", ())
        here = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), here)
    return list(here.model_fields)


def resolve(text: str, roots: Mapping[str, Path]) -> Path:
    """The path that a recipe means, its variables filled in from `roots`, else from the environment."""

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        value = roots.get(name) or os.environ.get(name)
        if not value:
            raise BadInput(f"{quote(text)}: where is ${name}? Say it with --data {name}=PATH")
        return str(value)

    return Path(_VARIABLE.sub(fill, text)).expanduser()
