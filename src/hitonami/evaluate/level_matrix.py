"""Does a mind know levels? Told each level in turn, it should predict the players of that level best.

Rows are what the mind was told (both players), columns are who moved. The test compares, for one true group, being
told its own level with being told each other one, on the same decisions. Levels of different pools are never crossed.
"""

from dataclasses import dataclass

import numpy as np

from hitonami.evaluate.decisions import DecisionTable, ToldLevels
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.intervals import RESAMPLES, Interval, resample_parts
from hitonami.evaluate.metrics import surprise


@dataclass(frozen=True)
class Cell:
    """Players of the group `true`, predicted as if of the level of the group `told`."""

    told: str
    true: str
    n: int
    accuracy: float
    cross_entropy: float
    accuracy_gain: Interval
    """Of the true level over this one; 0 where they are the same."""
    cross_entropy_gain: Interval
    """Of the true level over this one, in nats saved: above 0 where knowing the level helps."""


@dataclass(frozen=True)
class LevelMatrix:
    mind: str
    pool: str
    levels: tuple[tuple[str, float], ...]
    """Each group and the rating that stands for it."""
    cells: tuple[Cell, ...]
    conditioned: bool
    """False where the mind says the same whatever it is told."""

    @property
    def wins(self) -> tuple[int, int]:
        """(how many groups are predicted best when told their own level, of how many). A tie is no win."""
        names = [name for name, _ in self.levels]
        best = 0
        for true in names:
            column = {cell.told: cell.cross_entropy for cell in self.cells if cell.true == true}
            best += column.pop(true) < min(column.values())
        return best, len(names)


def level_matrices(table: DecisionTable, *, seed: int = 0, resamples: int = RESAMPLES) -> list[LevelMatrix]:
    """One matrix for each mind and pool with at least two levels."""
    levels = table.levels
    if levels is None:
        return []
    found = []
    for mind in table.told:
        for pool in dict.fromkeys(group.pool for group in levels.of_group):
            groups = [group for group in levels.of_group if group.pool == pool and group in table.facts.groups]
            if len(groups) > 1:
                found.append(_Building(table, levels, mind, groups, seed, resamples).matrix())
    return found


@dataclass(frozen=True)
class _Building:
    """One matrix in the making."""

    table: DecisionTable
    levels: ToldLevels
    mind: str
    groups: list[Group]
    seed: int
    resamples: int

    def matrix(self) -> LevelMatrix:
        pools = self.table.facts.pools
        labels = [group.label(pools) for group in self.groups]
        told = self.table.told[self.mind].log_prob[:, self._places()]
        told = told[~np.isnan(told).any(axis=1)]
        return LevelMatrix(
            self.mind,
            self.groups[0].pool,
            tuple(zip(labels, (self.levels.of_group[group] for group in self.groups), strict=True)),
            tuple(cell for true in range(len(labels)) for cell in self._column(true, labels)),
            conditioned=not np.array_equal(told, np.broadcast_to(told[:, :1], told.shape)),
        )

    def _places(self) -> list[int]:
        """The columns of the answers that belong to the groups."""
        return [at for at, group in enumerate(self.levels.of_group) if group in self.groups]

    def _column(self, true: int, labels: list[str]) -> list[Cell]:
        """The cells of one true group."""
        facts, answers = self.table.facts, self.table.told[self.mind]
        rows = np.flatnonzero(facts.group == facts.groups.index(self.groups[true]))
        hits = answers.hit[rows][:, self._places()]
        lost = surprise(answers.log_prob[rows][:, self._places()])
        gains = np.concatenate([hits[:, [true]] - hits, lost - lost[:, [true]]], axis=1)
        [part] = resample_parts(facts.game[rows], gains, [np.arange(len(rows))], self.seed, self.resamples)
        found = []
        for at, told in enumerate(labels):
            means = float(hits[:, at].mean()), float(lost[:, at].mean())
            gained = part.interval(at), part.interval(len(labels) + at)
            found.append(Cell(told, labels[true], len(rows), *means, *gained))
        return found
