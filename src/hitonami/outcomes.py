"""What an experiment found: figures of its steps, and beside them what was published.

An outcome holds all that its report needs, so the page and the section of docs/results.md come from its JSON alone.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

from hitonami.errors import BadData

Unit = Literal["share", "points", "nats", "nats more", "more", "number"]
"""Points are differences of shares; "more" is a difference of plain numbers."""
Size = Literal["quick", "full"]
ALL: Final = "all"
Agreement = Literal["yes", "no", "unclear"]
_DIFFERENCES: Final = ("points", "nats more", "more")
_WIDE_SHARE: Final = 0.10


@dataclass(frozen=True)
class Figure:
    """One number. `series` says whose it is, `name` what it is; without an interval `low` and `high` are None.

    Figures of one `part` stand in one table.
    """

    group: str
    name: str
    series: str
    n: int
    value: float
    low: float | None
    high: float | None
    unit: Unit
    part: str = ""

    @property
    def column(self) -> str:
        return f"{self.series}: {self.name}" if self.series else self.name


@dataclass(frozen=True)
class Grid:
    """A level matrix: `values[told][true]` is the cross-entropy of a group's moves, told the level of another."""

    title: str
    labels: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Cloud:
    """Points of a scatter."""

    title: str
    x_label: str
    y_label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class StepFound:
    """One step: what was asked, by which inputs, under which key it is kept, its figures, what only plots show."""

    name: str
    title: str
    kind: str
    key: str
    inputs: dict[str, Any]
    figures: tuple[Figure, ...]
    grids: tuple[Grid, ...] = ()
    clouds: tuple[Cloud, ...] = ()


@dataclass(frozen=True)
class Claim:
    """Who, of whom, what: whose mind it is, whose moves or games they are, and which quantity."""

    mind: str
    people: str
    quantity: str


@dataclass(frozen=True)
class Beside:
    """A published figure and ours.

    `to` is the end of a published range. `differs` says what makes ours another quantity, "" where it is the same one.
    `ours` is None where this run has no such figure; where nothing of the kind was run, `not_run` says why, and there
    is no claim of ours.
    """

    source: str
    claim: Claim
    published: float
    to: float | None
    unit: Unit
    step: str
    our_claim: Claim | None
    differs: str
    not_run: str
    ours: Figure | None

    @property
    def agreement(self) -> Agreement | None:
        """Whether our interval agrees with what was published; None where no agreement is claimed.

        No: the interval holds nothing of what was published. Yes: it does, and it is narrow enough to have said no: a
        difference whose interval leaves out 0, a share within 10 points, any other number within half of itself.
        """
        ours = self.ours
        if ours is None or self.differs or self.our_claim is None:
            return None
        if ours.low is None or ours.high is None:
            return "unclear"
        low, high = sorted((self.published, self.published if self.to is None else self.to))
        if ours.high < low or ours.low > high:
            return "no"
        if ours.unit in _DIFFERENCES:
            return "yes" if ours.low > 0 or ours.high < 0 else "unclear"
        wide = _WIDE_SHARE if ours.unit == "share" else max(abs(low), abs(high)) / 2
        return "yes" if ours.high - ours.low <= wide else "unclear"


@dataclass(frozen=True)
class Outcome:
    """A whole experiment."""

    name: str
    title: str
    about: str
    size: Size
    version: str
    steps: tuple[StepFound, ...]
    beside: tuple[Beside, ...]
    differs: tuple[str, ...]


_OUTCOME: Final = TypeAdapter(Outcome)


def write_outcome(outcome: Outcome) -> bytes:
    """As JSON; equal outcomes give equal bytes."""
    return _OUTCOME.dump_json(outcome, indent=1) + b"\n"


def read_outcome(text: bytes, where: str) -> Outcome:
    """Raises BadData that names the file."""
    try:
        return _OUTCOME.validate_json(text)
    except ValidationError as wrong:
        problem = wrong.errors()[0]
        place = ".".join(str(step) for step in problem["loc"])
        raise BadData(
            f"{where}: not an outcome of `hitonami experiment`: {place or 'JSON'}: {problem['msg']}"
        ) from None
