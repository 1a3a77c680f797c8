"""Do games begin like people's games of the level? Opening lines of a mind against those of people, as distributions.

A *line* is the first moves of a game. At each depth the lines of people and of the mind are compared by the
Jensen–Shannon divergence in bits (0: the same, 1: nothing in common). Small samples differ by chance, and the deeper
the more, so the yardstick is how far two random halves of the people's own games are apart; the mind's lines are
compared with the same halves. In Go a line and its mirror images are the same. Nothing here judges whether a line is
good.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.abilities import SymmetricGame
from hitonami.core import Effort, Mind, Player, Position, Query, Setup, open_game
from hitonami.dataset.filters import Filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import Data, Tally
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import Group, group_of
from hitonami.evaluate.selection import Selection
from hitonami.progress import Report, Watching, unheard
from hitonami.records import Record
from hitonami.specs import open_minds

Line = tuple[int, ...]
FILTER: Final = "human,no-bullet,rated-both,gap:200,no-handicap,size:19"
_ROUNDS = 40
"""Random halves."""


@dataclass(frozen=True)
class RepertoirePlan(Selection):
    """Which games are taken, so many `positions` of each group at most: both players of one group, every one of their
    first moves kept by the filter."""

    filter_text: str = FILTER
    split: SplitChoice = "test"
    plies: int = 10
    least: int = 100
    """A group with fewer is left out: halves of it say nothing."""

    @property
    def rules(self) -> Filter:
        rules = super().rules.rules
        return Filter((*rules, ("pool", self.pool))) if self.pool else Filter(rules)


@dataclass(frozen=True)
class Repertoire:
    """The lines of people of one group. `player` is whom a mind is to play like: the group's median."""

    game: str
    group: Group
    player: Player
    setup: Setup
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Depth:
    """People and a mind after so many plies, each figure a mean over random halves of the people's games."""

    plies: int
    divergence: float
    """Of the mind's lines from a half of the people's, bits."""
    among_people: float
    """Of one half of the people's from the other."""
    among_people_high: float
    """95% of pairs of halves are closer."""
    entropy: float
    entropy_people: float
    distinct: float
    """Different lines in as many games as a half holds."""
    distinct_people: float
    unseen: float
    """Share of the mind's games whose line none of the people's games has."""
    unseen_people: float
    """The same of one half in the other."""


@dataclass(frozen=True)
class Compared:
    """One group: the figures by depth, and the people's commonest lines with both shares."""

    repertoire: Repertoire
    depths: tuple[Depth, ...]
    commonest: tuple[tuple[Line, float, float], ...]


@dataclass(frozen=True)
class Repertoires:
    """What was compared: for each mind every group."""

    game: str
    split: str
    minds: dict[str, tuple[Compared, ...]]


def compare_minds(
    plan: RepertoirePlan, texts: Mapping[str, str], arguments: Sequence[str], depths: Sequence[int], watch: Watching
) -> Repertoires:
    """Read people's games once, let each mind play as many, and compare group by group. Raises BadInput."""
    compared: dict[str, tuple[Compared, ...]] = {}
    with open_minds(texts) as minds:
        data = plan.open(arguments)
        with watch(data.bytes_total, "games") as meter:
            groups = collect(data, plan, meter.show)
        done = 0
        with watch(len(minds) * sum(len(each.lines) for each in groups), "lines") as meter:
            for name, mind in minds.items():
                for each in groups:
                    lines = sample_lines(mind, each, len(each.lines), plan.plies, Effort.seeded(plan.seed))
                    compared[name] = (*compared.get(name, ()), compare(each, lines, depths, plan.seed))
                    done += len(each.lines)
                    meter.show(done, done)
    return Repertoires(plan.game, plan.split, compared)


def collect(data: Data, plan: RepertoirePlan, report: Report = unheard) -> list[Repertoire]:
    """The groups that have enough games, weakest first. Raises BadInput where none has."""
    rules, tally = plan.rules, Tally()
    kept: dict[Group, dict[int, Record]] = {}
    for found in data.games(tally, plan.split, lambda done: report(done, tally.games)):
        group = _group_of(found.record, plan)
        if (
            group is not None
            and len(found.record.moves) >= plan.plies
            and rules.keeps_moves(found.record)[: plan.plies].all()
        ):
            kept.setdefault(group, {})[found.content] = found.record
    enough = {group: games for group, games in kept.items() if len(games) >= plan.least}
    if not enough:
        largest = max((len(games) for games in kept.values()), default=0)
        told = f"no group has {plan.least} games with both players in it: the largest has {largest}"
        raise BadInput(f"{told} (of {tally.games:,} games); the filter was {rules.text}")
    return [_repertoire(group, enough[group], plan) for group in sorted(enough)]


def _group_of(record: Record, plan: RepertoirePlan) -> Group | None:
    first, second = (group_of(player, plan.game, plan.by, plan.band) for player in record.players)
    return first if first == second else None


def _repertoire(group: Group, games: dict[int, Record], plan: RepertoirePlan) -> Repertoire:
    """The games of lowest content hash, which is as good as a draw and needs none."""
    records = [games[content] for content in sorted(games)[: plan.positions]]
    ratings = [player.rating for record in records for player in record.players if player.rating is not None]
    player = replace(records[0].players[0], rating=float(np.median(ratings)) if ratings else None, kind="human")
    setup = Counter(record.setup for record in records).most_common(1)[0][0]
    lines = tuple(fold(record.moves[: plan.plies], plan.game, setup) for record in records)
    return Repertoire(plan.game, group, player, setup, lines)


def sample_lines(mind: Mind, repertoire: Repertoire, count: int, plies: int, effort: Effort) -> list[Line]:
    """The first plies of so many games of the mind against itself. A position is asked about once for all of them."""
    game = repertoire.game
    start: Position = open_game(game).start(repertoire.setup)
    reached: dict[Line, tuple[Position, int]] = {(): (start, count)}
    for _ in range(plies):
        going = {line: here for line, here in reached.items() if len(here[0].legal)}
        ended = {line: here for line, here in reached.items() if line not in going}
        player = repertoire.player
        opinions = mind([Query(position, player, player) for position, _ in going.values()], effort) if going else []
        reached = ended
        for (line, (position, games)), opinion in zip(going.items(), opinions, strict=True):
            shares = np.exp(opinion.log_probs.astype(np.float64))
            drawn = effort.rng.multinomial(games, shares / shares.sum())
            for at in np.flatnonzero(drawn).tolist():
                move = int(position.legal[at])
                reached[*line, move] = position.play(move), int(drawn[at])
    return [fold(line, game, repertoire.setup) for line, (_, games) in reached.items() for _ in range(games)]


def compare(repertoire: Repertoire, own: Sequence[Line], depths: Sequence[int], seed: int = 0) -> Compared:
    """Figures at each depth. `own` are the mind's lines, at least half as many as the people's."""
    half = min(len(repertoire.lines) // 2, len(own))
    found = []
    for depth in depths:
        people = _numbered([line[:depth] for line in (*repertoire.lines, *own)])
        rng = np.random.default_rng([seed, depth])
        found.append(_compare_at(depth, people[: len(repertoire.lines)], people[len(repertoire.lines) :], half, rng))
    shown = min(4, max(depths))
    told = Counter(line[:shown] for line in repertoire.lines).most_common(8)
    mine = Counter(line[:shown] for line in own)
    commonest = tuple((line, count / len(repertoire.lines), mine[line] / len(own)) for line, count in told)
    return Compared(repertoire, tuple(found), commonest)


def _numbered(lines: Sequence[Line]) -> NDArray[np.int64]:
    numbers: dict[Line, int] = {}
    return np.array([numbers.setdefault(line, len(numbers)) for line in lines], dtype=np.int64)


def _compare_at(
    depth: int, people: NDArray[np.int64], own: NDArray[np.int64], half: int, rng: np.random.Generator
) -> Depth:
    kinds = int(max(people.max(), own.max())) + 1
    rows = []
    for _ in range(_ROUNDS):
        order = rng.permutation(len(people))
        one, other = (_shares(people[part], kinds) for part in (order[:half], order[half : 2 * half]))
        mine = _shares(rng.choice(own, half, replace=False), kinds)
        rows.append(
            [
                *(divergence(mine, one), divergence(one, other)),
                *(entropy(mine), entropy(one)),
                *(np.count_nonzero(mine), np.count_nonzero(one)),
                *(mine[one == 0].sum(), other[one == 0].sum()),
            ]
        )
    mean = np.mean(rows, axis=0).tolist()
    high = float(np.quantile(np.array(rows)[:, 1], 0.95))
    return Depth(depth, mean[0], mean[1], high, *mean[2:])


def _shares(numbers: NDArray[np.int64], kinds: int) -> NDArray[np.float64]:
    return np.bincount(numbers, minlength=kinds) / len(numbers)


def entropy(shares: NDArray[np.float64]) -> float:
    """In bits."""
    held = shares[shares > 0]
    return float(-(held * np.log2(held)).sum())


def divergence(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Jensen–Shannon, in bits: 0 for equal shares, 1 for shares of different things."""
    return max(entropy((one + other) / 2) - (entropy(one) + entropy(other)) / 2, 0.0)


def fold(line: Sequence[int], game: str, setup: Setup) -> Line:
    """One of a line's mirror images, the same for all of them; itself where boards have none."""
    rules = open_game(game)
    if not isinstance(rules, SymmetricGame):
        return tuple(line)
    return min(tuple(image) for image in rules.images(setup.size)[:, list(line)].tolist())
