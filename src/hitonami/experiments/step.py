"""What all steps share: their schema, the work that they are given, and how figures are picked out of their JSON.

A step is plain data, checked by pydantic. `run` calls the library as the command of the same name does, and returns the
documented JSON of that command; `figures` reads the numbers of the report out of that JSON. A change of `run` that
changes figures raises VERSION: what was kept under the old one is then not used any more. A change of `figures` needs
no new version, because JSON is kept and figures are read again.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from hitonami.dataset.groups import SplitChoice
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import default_by
from hitonami.evaluate.selection import Selection
from hitonami.outcomes import Cloud, Figure, Grid, Unit
from hitonami.progress import Watching

Found = dict[str, Any]
"""A step's JSON."""
JUDGE: Final = "judge"
"""The name of the mind that judges, among a step's minds."""
JUDGED: Final = "judged"
"""The folder, shared by all steps, that keeps what judges said."""
FITTED: Final = "Where fitted"
HELD_OUT: Final = "On games that the fit never saw"
"""Parts of the figures of a fit."""


@dataclass(frozen=True)
class Work:
    """What a step gets: its inputs at their places on this machine, a progress, and a folder to leave things in."""

    data: tuple[str, ...]
    minds: Mapping[str, str]
    watch: Watching
    folder: Path
    """The step's own: what is half done is found again under the same inputs."""
    shared: Path
    """Of all steps: what a judge said."""

    @property
    def asked(self) -> dict[str, str]:
        """All minds but the judge."""
        return {name: text for name, text in self.minds.items() if name != JUDGE}


def without_judge(work: Work, step: str) -> dict[str, str]:
    """The minds that are judged. Raises BadInput where nobody judges."""
    if JUDGE not in work.minds:
        raise BadInput(f"step {step}: one of its minds must be called {JUDGE!r}: an engine that judges the others")
    return work.asked


class Step(BaseModel):
    """One step of a recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    VERSION: ClassVar[int] = 1
    PLAYS: ClassVar[bool] = False

    do: str
    name: str = Field(pattern=r"^[a-z0-9-]+$")
    title: str
    game: str
    data: tuple[str, ...] = ()
    minds: dict[str, str] = Field(default_factory=dict)

    @property
    def plays(self) -> bool:
        """Whether moves are drawn from the minds, by the curves of their level."""
        return self.PLAYS

    @property
    def options(self) -> dict[str, Any]:
        """Everything but the names and the inputs, which count by what they are."""
        return self.model_dump(mode="json", exclude={"do", "name", "title", "data", "minds"})

    @abstractmethod
    def run(self, work: Work) -> Found: ...

    @abstractmethod
    def figures(self, found: Found) -> Iterator[Figure]: ...

    def grids(self, found: Found) -> Iterator[Grid]:
        """Level matrices, where the step has some."""
        yield from ()

    def clouds(self, found: Found) -> Iterator[Cloud]:
        """Scatters, where the step has some."""
        yield from ()


class GroupedStep(Step):
    """A step that compares groups of people."""

    by: Literal["rating", "rank", "none", ""] = ""
    """As the game has, where nothing is said."""
    band: float = Field(default=200.0, ge=1)
    filter: str = "maia-like"
    pool: str = ""
    split: SplitChoice = "test"
    seed: int = Field(default=0, ge=0)


class DrawingStep(GroupedStep):
    """A step that draws people's decisions."""

    positions: int = Field(default=300, ge=1)
    size: int | None = None

    @property
    def plan(self) -> Selection:
        by = self.by or default_by(self.game)
        return Selection(
            self.game, by, self.positions, self.filter, self.pool, self.size, self.seed, self.split, self.band
        )


def figure(row: Mapping[str, Any], key: str, name: str, series: str = "", unit: Unit = "number") -> Iterator[Figure]:
    """The figure under a key of a group's row: an interval, or a plain number. None where it could not be measured."""
    held = row.get(key)
    interval: Mapping[str, Any] = held if isinstance(held, dict) else {"value": held}
    value, low, high = (interval.get(end) for end in ("value", "low", "high"))
    if value is not None:
        yield Figure(str(row["group"]), name, series, int(row["n"]), float(value), low, high, unit)


def in_part(part: str, figures: Iterable[Figure]) -> Iterator[Figure]:
    """The same figures in a table of their own."""
    return (replace(each, part=part) for each in figures)


def grid_of(matrix: Mapping[str, Any]) -> Grid:
    """The cross-entropies of a level matrix's JSON."""
    labels = tuple(each["group"] for each in matrix["levels"])
    held = {(cell["told"], cell["true"]): float(cell["cross_entropy"]) for cell in matrix["cells"]}
    values = tuple(tuple(held[told, true] for true in labels) for told in labels)
    return Grid(f"{matrix['mind']}: cross-entropy by level told", labels, values)
