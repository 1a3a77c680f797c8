"""What a run of all measures of likeness found: moves, levels, crowds, and what a judge says of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hitonami.evaluate.level_matrix import LevelMatrix
from hitonami.evaluate.likeness import Likeness
from hitonami.evaluate.population import PopulationMatch
from hitonami.evaluate.selection import Selected
from hitonami.judging.blunders import Blunders
from hitonami.judging.losses import Losses


@dataclass(frozen=True)
class JudgedLikeness:
    """What a judge adds: losses, the points of their scatter (person's, favourite's), and who finds what."""

    losses: Losses
    points: Mapping[str, Sequence[tuple[float, float]]]
    blunders: Blunders


@dataclass(frozen=True)
class LikenessRun:
    """Everything that one run found."""

    drawn: Selected
    minds: Sequence[Likeness]
    population: Sequence[PopulationMatch]
    """Empty where no position was met by enough people."""
    matrices: Sequence[LevelMatrix] = ()
    judged: JudgedLikeness | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """The minds as they were given, by their names here."""
