"""Which decisions are asked about: the same number from each group, at most a few of a game.

The draw is a pure function of the games, the filter and the seed: every game's moves, and then the moves of every
group, are ordered by hashes of (seed, game, ply) and the first ones taken. The order of the files, and a game that
comes twice, change nothing. Only the decisions drawn so far are held, not the data.
"""

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappush, heapreplace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.customs import customs_of
from hitonami.dataset.filters import Filter, parse_filter
from hitonami.dataset.groups import Split, SplitChoice
from hitonami.dataset.order import GOLDEN, scatter, scramble
from hitonami.dataset.reading import Data, Tally, open_data
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import movers_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import By, Group, group_of
from hitonami.progress import Report, Watching, unheard
from hitonami.records import Record

MOST_OF_A_GAME: Final = 6


@dataclass(frozen=True)
class Selection:
    """What is drawn. `filter_text` is what the caller asked for; `rules` is what it comes to."""

    game: str
    by: By = "rating"
    positions: int = 1_000
    """Of each group; where a group has fewer, all of them."""
    filter_text: str = "maia-like"
    pool: str = ""
    """Where a record names no pool, this one; games of other pools are left out. Where no game is of this pool, all of
    them are taken to be: a record's pool may be a guess, the caller's is not. "" takes all as they are."""
    size: int | None = None
    seed: int = 0
    split: SplitChoice = "all"
    band: float = 200.0
    most_of_a_game: int = MOST_OF_A_GAME

    def __post_init__(self) -> None:
        if self.positions < 1 or not self.band > 0:
            raise BadInput(f"positions and band must be above 0, got {self.positions} and {self.band:g}")
        if self.size is not None and not customs_of(self.game).sizes:
            raise BadInput(f"{self.game} has one board size: leave the size out")
        parse_filter(self.filter_text)

    def unseen(self, held_out: Split | Literal["none"]) -> "Selection | None":
        """The same from another split; None where none is asked for, or where it would not differ."""
        return None if held_out == "none" or self.split in ("all", held_out) else replace(self, split=held_out)

    def open(self, arguments: Sequence[str]) -> Data:
        """The data to draw from, with names where the filter asks for them."""
        return open_data(arguments, self.game, named=self.rules.reads_names)

    @property
    def told(self) -> str:
        """Filter, split and seed in words."""
        split = "" if self.split == "all" else f", {self.split} split"
        return f"filter {self.filter_text or 'none'}{split}, seed {self.seed}"

    @property
    def asked(self) -> dict[str, Any]:
        """What every report says first, as JSON."""
        told = {"game": self.game, "by": self.by, "filter": self.filter_text, "filter_rules": self.rules.text}
        return told | {"split": self.split, "seed": self.seed}

    @property
    def drawn_from(self) -> dict[str, Any]:
        """What the provenance of a fitted curve says of its games."""
        return {"filter": self.rules.text, "split": self.split, "seed": self.seed}

    @property
    def rules(self) -> Filter:
        """The filter, its size replaced by the one that was asked for."""
        return parse_filter(self.filter_text).with_size(self.size)


@dataclass(frozen=True)
class Pick:
    """Decisions of one game, each with its group."""

    content: int
    plies: tuple[int, ...]
    groups: tuple[Group, ...]
    ratings: tuple[float | None, ...]
    """Of the movers, like the pools."""
    pools: tuple[str, ...]
    packed: bytes

    def samples(self) -> Iterator[tuple[Sample, Group]]:
        """Replayed. A decision that the rules leave no choice for is left out."""
        record: Record = pickle.loads(self.packed)  # packed a moment ago, in this process
        groups = dict(zip(self.plies, self.groups, strict=True))
        for sample in samples_at(record, self.plies):
            yield sample, groups[sample.query.position.ply]


@dataclass
class Selected:
    """What was drawn, and what became of the rest."""

    plan: Selection
    picks: list[Pick]
    tally: Tally
    games_kept: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """Games without a decision for us, by the rule that dropped them."""
    available: Counter[Group] = field(default_factory=Counter)
    """Decisions (at most a few a game) that each group had to draw from."""
    renamed: int = 0
    """Games whose records name another pool than the caller, and were taken at the caller's word."""

    @property
    def positions(self) -> int:
        return sum(len(pick.plies) for pick in self.picks)

    def complaints(self) -> Iterator[str]:
        """What a reader of the figures should know."""
        yield from self.tally.complaints()
        if self.renamed:
            yield f"all {self.renamed:,} games name another pool; their ratings are taken as {self.plan.pool}'s"
        unknown = sum(not pool for pick in self.picks for pool in pick.pools)
        if unknown and customs_of(self.plan.game).scale.pools != ("",):  # else there is none to name
            yield (
                f"the pool of {unknown:,} of {self.positions:,} moves is unknown, and ratings of different "
                "pools are different scales: name it with --pool"
            )


def select_with(watch: Watching, data: Data, plan: Selection) -> Selected:
    """`select`, with a progress."""
    with watch(data.bytes_total, "games") as meter:
        return select(data, plan, meter.show)


def select(data: Data, plan: Selection, report: Report = unheard) -> Selected:
    """Read the data once and draw. Raises BadInput where nothing is left. `report` is told bytes and games read."""
    tally, fitting, others = Tally(), _Pots(plan), _Pots(plan)
    for found in data.games(tally, plan.split, lambda done: report(done, tally.games)):
        fits = not plan.pool or all(player.pool in ("", plan.pool) for player in found.record.players)
        (fitting if fits else others).offer(_in_pool(found.record, plan.pool), found.content)
    taken = fitting if fitting.offered else others
    drawn = Selected(plan, _by_game(taken.pots), tally, taken.kept, taken.left_out, taken.available)
    if taken is fitting:
        drawn.left_out.update({"pool": others.offered} if others.offered else {})
    else:
        drawn.renamed = others.offered
    if not drawn.picks:
        raise BadInput(_why_nothing(drawn))
    return drawn


def _in_pool(record: Record, pool: str) -> Record:
    if not pool:
        return record
    first, second = (replace(player, pool=pool) for player in record.players)
    return replace(record, players=(first, second))


class _Pots:
    """What has been drawn so far of the games that were offered."""

    def __init__(self, plan: Selection) -> None:
        self._plan, self._filter = plan, plan.rules
        self.pots: dict[Group, _Pot] = {}
        self.offered = self.kept = 0
        self.left_out: Counter[str] = Counter()
        self.available: Counter[Group] = Counter()

    def offer(self, record: Record, content: int) -> None:
        self.offered += 1
        keep = self._filter.keeps_moves(record)
        if not keep.any():
            self.left_out[self._filter.reason_against(record) or "no move left"] += 1
            return
        self.kept += 1
        packed = b""
        for group, ply, mark in _candidates(record, content, keep, self._plan):
            self.available[group] += 1
            pot = self.pots.setdefault(group, _Pot(self._plan.positions))
            if pot.wants(mark, content, ply):
                packed = packed or pickle.dumps(record)
                pot.put(mark, content, ply, packed)


def _candidates(
    record: Record, content: int, keep: NDArray[np.bool_], plan: Selection
) -> Iterator[tuple[Group, int, int]]:
    """At most `most_of_a_game` of the moves that the filter keeps: group, ply, and the mark that they are drawn by."""
    plies = np.flatnonzero(keep)
    own = scatter(np.array([content], dtype=np.uint64), plan.seed)
    keys = scramble(plies.astype(np.uint64) * np.uint64(GOLDEN) + own)
    taken = np.argsort(keys, kind="stable")[: plan.most_of_a_game]
    marks = scramble(keys[taken] ^ np.uint64(GOLDEN))  # a long game's first keys are small: its marks must not be
    movers = movers_of(record)
    groups = [_group(player, plan) for player in record.players]
    for ply, mark in zip(plies[taken].tolist(), marks.tolist(), strict=True):
        yield groups[movers[ply]], ply, mark


def _group(player: Player, plan: Selection) -> Group:
    return group_of(player, plan.game, plan.by, plan.band)


class _Pot:
    """The decisions of one group with the smallest marks."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: list[tuple[int, int, int, bytes]] = []
        self._known: set[tuple[int, int]] = set()

    def wants(self, mark: int, content: int, ply: int) -> bool:
        return (content, ply) not in self._known and (len(self._held) < self._size or -mark > self._held[0][0])

    def put(self, mark: int, content: int, ply: int, packed: bytes) -> None:
        item = (-mark, content, ply, packed)
        self._known.add((content, ply))
        if len(self._held) < self._size:
            heappush(self._held, item)
        else:
            _, old_content, old_ply, _ = heapreplace(self._held, item)
            self._known.discard((old_content, old_ply))

    def __iter__(self) -> Iterator[tuple[int, int, bytes]]:
        return ((content, ply, packed) for _, content, ply, packed in self._held)


def _by_game(pots: dict[Group, _Pot]) -> list[Pick]:
    """The decisions of each game together, so that it is replayed once; in the order of the games' hashes."""
    games: dict[int, tuple[bytes, dict[int, Group]]] = {}
    for group, pot in pots.items():
        for content, ply, packed in pot:
            games.setdefault(content, (packed, {}))[1][ply] = group
    return [_pick(content, *games[content]) for content in sorted(games)]


def _pick(content: int, packed: bytes, groups: dict[int, Group]) -> Pick:
    record: Record = pickle.loads(packed)
    plies = sorted(groups)
    movers = [record.players[side] for side in movers_of(record)[plies].tolist()]
    ratings, pools = tuple(player.rating for player in movers), tuple(player.pool for player in movers)
    return Pick(content, tuple(plies), tuple(groups[ply] for ply in plies), ratings, pools, packed)


def _why_nothing(drawn: Selected) -> str:
    split = "" if drawn.plan.split == "all" else f" of the {drawn.plan.split} split"
    rules = ", ".join(f"{rule} ({count:,})" for rule, count in drawn.left_out.most_common(5))
    return (
        f"no decision is left of {drawn.tally.games:,} games{split}; games left out by rule: {rules or 'none'}; "
        f"the filter was {drawn.plan.rules.text or 'none'}"
    )
