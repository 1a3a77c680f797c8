"""Population match: where many people met the same position, the share of them who chose the mind's move.

Positions that many people meet are openings, which other figures leave out. Beside the mind's favourite stand what one
gets by drawing from its probabilities, by copying another person at random, and by the move most people chose: nobody
can score more than that.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hitonami.core import Effort, Mind, Player, Position, Query
from hitonami.dataset.filters import Filter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.shards import start_of
from hitonami.evaluate.decisions import opinions_of
from hitonami.evaluate.grouping import Group, group_of
from hitonami.evaluate.selection import Selection
from hitonami.progress import Report, unheard

PLIES: Final = 16
LEAST: Final = 20
_BATCH: Final = 256


@dataclass
class Crossing:
    """A position that several people of one group met: what they chose, and who they are on average."""

    position: Position
    group: Group
    chosen: Counter[int] = field(default_factory=Counter)
    ratings: list[float] = field(default_factory=list)

    @property
    def query(self) -> Query:
        """Players of the mean rating on both sides."""
        rating = float(np.mean(self.ratings)) if self.ratings else None
        player = Player(rating, self.group.pool, kind="human")
        return Query(self.position, player, player)


@dataclass(frozen=True)
class PopulationMatch:
    """One mind in one group: means over people, so that a position counts as often as it was met."""

    mind: str
    group: str
    positions: int
    people: int
    favourite: float
    drawn: float
    another_person: float
    most_popular: float


def find_crossings(data: Data, plan: Selection, *, report: Report = unheard) -> list[Crossing]:
    """Positions of the first plies that LEAST people of a group met, the most met first.

    The filter's rule `plies` is left out: it is there to keep openings away.
    """
    rules, tally = Filter(tuple(rule for rule in plan.rules.rules if rule[0] != "plies")), Tally()
    met: dict[tuple[Group, Hashable], Crossing] = {}
    for found in data.games(tally, plan.split, lambda done: report(done, tally.games)):
        record = found.record
        if not rules.keeps_game(record) or (plan.pool and record.players[0].pool != plan.pool):
            continue
        keep = rules.keeps_moves(record)
        position = start_of(record.game, record.setup)
        for ply, move in enumerate(record.moves[:PLIES]):
            player = record.players[position.to_move]
            if keep[ply] and move in position.legal:
                group = group_of(player, plan.game, plan.by, plan.band)
                crossing = met.setdefault((group, position.key), Crossing(position, group))
                crossing.chosen[move] += 1
                crossing.ratings += [] if player.rating is None else [player.rating]
            position = position.follow(move)
    known = [each for each in met.values() if each.chosen.total() >= LEAST]
    by_group: dict[Group, list[Crossing]] = {}
    for each in sorted(known, key=lambda each: -each.chosen.total()):
        by_group.setdefault(each.group, []).append(each)
    return [each for group in sorted(by_group) for each in by_group[group][: plan.positions]]


def match_population(
    crossings: list[Crossing], minds: Mapping[str, Mind], *, seed: int = 0, report: Report = unheard
) -> list[PopulationMatch]:
    """Every mind in every group, and in all of them together (the group "all")."""
    found: list[PopulationMatch] = []
    if not crossings:
        return found
    for at, (name, mind) in enumerate(minds.items()):
        effort = Effort(np.random.default_rng([seed, at]))
        rows = []
        for begin in range(0, len(crossings), _BATCH):
            part = crossings[begin : begin + _BATCH]
            opinions = opinions_of(mind, [each.query for each in part], effort)
            rows += [_shares(each, opinion.log_probs) for each, opinion in zip(part, opinions, strict=True)]
            report(at * len(crossings) + len(rows), at * len(crossings) + len(rows))
        pools = len({each.group.pool for each in crossings})
        labels = [each.group.label(pools) for each in crossings]
        for label in dict.fromkeys([*labels, "all"]):
            chosen = [row for row, own in zip(rows, labels, strict=True) if label in (own, "all")]
            found.append(_summed(name, label, np.array(chosen)))
    return found


def _shares(crossing: Crossing, log_probs: np.ndarray[tuple[int], np.dtype[np.float32]]) -> tuple[float, ...]:
    """(people, and the four shares) of one position."""
    people = crossing.chosen.total()
    share = np.array([crossing.chosen[int(move)] / people for move in crossing.position.legal])
    probs = np.exp(log_probs.astype(np.float64))
    top = probs >= probs.max()
    another = ((share * people * (share * people - 1)).sum() / (people * (people - 1))) if people > 1 else 1.0
    return people, float(share[top].mean()), float(share @ probs), float(another), float(share.max())


def _summed(mind: str, group: str, rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> PopulationMatch:
    weights = rows[:, 0] / rows[:, 0].sum()
    favourite, drawn, another, popular = (weights @ rows[:, 1:]).tolist()
    return PopulationMatch(mind, group, len(rows), int(rows[:, 0].sum()), favourite, drawn, another, popular)
