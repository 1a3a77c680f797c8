"""One row a human move and mind: what the mind gave the move that was played.

Every mind is asked about the same decisions, in batches; positions are made batch by batch and forgotten. A mind
that fails is named with its reason and left out from there on; the others lose nothing. Rows hold numbers only: no
board, no name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind, Opinion, Query, index_of
from hitonami.dataset.samples import Sample
from hitonami.errors import BadInput, HitonamiError, WorkFailed, quote
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selected
from hitonami.progress import Report, unheard

BATCH: Final = 256
Floats = NDArray[np.float64]
Asked = tuple[Sample, Group, int]


@dataclass(frozen=True)
class Facts:
    """What is known of each decision, whoever is asked. All arrays [n]."""

    game: NDArray[np.uint64]
    """The content hash of the game."""
    group: NDArray[np.int32]
    """The place in `groups`."""
    groups: tuple[Group, ...]
    ply: NDArray[np.int32]
    rating: Floats
    """NaN where unknown, like the opponent's."""
    opponent_rating: Floats
    pool: tuple[str, ...]
    legal: NDArray[np.int32]
    """How many moves were legal."""
    score: Floats
    """The result of the game for the mover, 0..1, NaN where unknown."""

    @property
    def pools(self) -> int:
        return len({group.pool for group in self.groups})


def take_spans(begins: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the moves of some decisions begin once only theirs are left, and which of all moves those are."""
    widths = np.diff(begins)[rows]
    left = np.concatenate([[0], np.cumsum(widths)])
    return left, np.arange(left[-1]) + np.repeat(begins[rows] - left[:-1], widths)


def take_facts(facts: Facts, rows: NDArray[np.int64]) -> Facts:
    """The facts of some decisions, with the groups that are left."""
    arrays = ("game", "ply", "rating", "opponent_rating", "legal", "score")
    left, place = np.unique(facts.group[rows], return_inverse=True)
    return replace(
        facts,
        group=place.astype(np.int32),
        groups=tuple(facts.groups[at] for at in left),
        pool=tuple(facts.pool[row] for row in rows.tolist()),
        **{name: getattr(facts, name)[rows] for name in arrays},
    )


@dataclass(frozen=True)
class Answers:
    """What one mind said. All arrays [n], or [n, levels] for a mind that was told several levels."""

    log_prob: Floats
    """Of the move that was played; -inf where the mind excludes it."""
    rank: Floats
    """1 for the likeliest; moves with equal probability share the mean of their places."""
    hit: Floats
    """1 where the likeliest move was played; with k moves equally likely at the top, 1/k for each of them."""
    top: Floats
    """The probability of the likeliest move."""
    wdl: Floats
    """[n, 3] of the mover, NaN where the mind has no view of the result."""


@dataclass(frozen=True)
class ToldLevels:
    """The levels that a mind is told instead of the true ratings, for each pool: the median rating of each group."""

    of_group: Mapping[Group, float]

    def told(self, group: Group) -> list[tuple[int, float]]:
        """(place, rating) of every level of the group's own pool; another pool's ratings are another scale."""
        if group not in self.of_group:
            return []
        return [(at, level) for at, (other, level) in enumerate(self.of_group.items()) if other.pool == group.pool]


@dataclass
class DecisionTable:
    """Everything that was asked and answered."""

    facts: Facts
    answers: dict[str, Answers]
    failed: dict[str, HitonamiError] = field(default_factory=dict)
    levels: ToldLevels | None = None
    told: dict[str, Answers] = field(default_factory=dict)
    """For each mind, [n, levels] what it said when it was told each level; NaN across pools."""


def ask(
    drawn: Selected, minds: Mapping[str, Mind], *, seed: int = 0, level_matrix: bool = False, report: Report = unheard
) -> DecisionTable:
    """Ask every mind about every decision. Raises where all of them failed.

    `report` is told how many positions are behind us, and how many answers came of them.
    """
    levels = _levels(drawn) if level_matrix else None
    columns, rows = Columns(), {name: _Rows() for name in minds}
    matrices = {name: _Matrix(levels) for name in minds} if levels else {}
    efforts = {name: Effort(np.random.default_rng([seed, at])) for at, name in enumerate(minds)}
    failed: dict[str, HitonamiError] = {}
    answers = 0
    for batch in batches_of(drawn):
        columns.add(batch)
        for name, mind in minds.items():
            if name in failed:
                continue
            try:
                rows[name].add(batch, opinions_of(mind, [sample.query for sample, _, _ in batch], efforts[name]))
                answers += len(batch)
                if name in matrices:
                    answers += matrices[name].ask(batch, mind, efforts[name])
            except Exception as wrong:  # engines, ONNX Runtime and users' own minds raise what they like
                failed[name] = wrong if isinstance(wrong, HitonamiError) else WorkFailed(_in_words(wrong))
                if len(failed) == len(minds):
                    raise explain_failures(failed) from wrong
            report(len(columns.ply), answers)
    return DecisionTable(
        columns.facts(),
        {name: row.answers() for name, row in rows.items() if name not in failed},
        failed,
        levels,
        {name: matrix.answers() for name, matrix in matrices.items() if name not in failed},
    )


def explain_failures(failed: Mapping[str, HitonamiError]) -> HitonamiError:
    """One error for all: the caller's where every one of them is."""
    text = "; ".join(f"mind {quote(name)} failed: {wrong}" for name, wrong in failed.items())
    return BadInput(text) if all(isinstance(wrong, BadInput) for wrong in failed.values()) else WorkFailed(text)


def _in_words(wrong: Exception) -> str:
    return f"{type(wrong).__name__}: {str(wrong).strip().partition(chr(10))[0][:300]}"


def batches_of(drawn: Selected) -> Iterator[list[Asked]]:
    """All decisions in order, BATCH at a time: sample, group, and the hash of the game."""
    held: list[Asked] = []
    for pick in drawn.picks:
        held += [(sample, group, pick.content) for sample, group in pick.samples()]
        while len(held) >= BATCH:
            yield held[:BATCH]
            held = held[BATCH:]
    if held:
        yield held


def opinions_of(mind: Mind, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """The mind's opinions, checked: a mind that answers nonsense has failed."""
    opinions = mind(queries, effort)
    if len(opinions) != len(queries):
        raise WorkFailed(f"{len(queries)} positions were asked about, {len(opinions)} answers came")
    for query, opinion in zip(queries, opinions, strict=True):
        if len(opinion.log_probs) != len(query.position.legal) or np.isnan(opinion.log_probs).any():
            raise WorkFailed("an answer is not a distribution over the legal moves")
    return opinions


def judge(log_probs: NDArray[np.float32], played: int) -> tuple[float, float, float, float]:
    """(log-probability, rank, hit, probability of the top) of the move at place `played`."""
    own, top = log_probs[played], log_probs.max()
    above, alike = int((log_probs > own).sum()), int((log_probs == own).sum())
    hit = 1.0 / alike if own == top else 0.0
    return float(own), 1.0 + above + (alike - 1) / 2, hit, float(np.exp(np.float64(top)))


class Columns:
    """Collects the facts."""

    def __init__(self) -> None:
        self.ply: list[int] = []
        self._groups: list[Group] = []
        self._rest: list[tuple[int, float | None, float | None, str, int, float | None]] = []

    def add(self, batch: Sequence[Asked]) -> None:
        for sample, group, content in batch:
            query = sample.query
            self.ply.append(query.position.ply)
            self._groups.append(group)
            known = query.player.rating, query.opponent.rating, query.player.pool
            self._rest.append((content, *known, len(query.position.legal), sample.score))

    def facts(self) -> Facts:
        groups = tuple(sorted(set(self._groups)))
        place = {group: at for at, group in enumerate(groups)}
        content, rating, opponent, pool, legal, score = zip(*self._rest, strict=True)
        return Facts(
            np.array(content, dtype=np.uint64),
            np.array([place[group] for group in self._groups], dtype=np.int32),
            groups,
            np.array(self.ply, dtype=np.int32),
            np.array(rating, dtype=np.float64),  # None becomes NaN
            np.array(opponent, dtype=np.float64),
            tuple(pool),
            np.array(legal, dtype=np.int32),
            np.array(score, dtype=np.float64),
        )


class _Rows:
    """Collects the answers of one mind."""

    def __init__(self) -> None:
        self._judged: list[tuple[float, float, float, float]] = []
        self._wdl: list[tuple[float, ...]] = []

    def add(self, batch: Sequence[Asked], opinions: Sequence[Opinion]) -> None:
        for (sample, _, _), opinion in zip(batch, opinions, strict=True):
            self._judged.append(judge(opinion.log_probs, index_of(sample.query.position, sample.move)))
            self._wdl.append(tuple(map(float, opinion.wdl)) if opinion.wdl is not None else (np.nan,) * 3)

    def answers(self) -> Answers:
        log_prob, rank, hit, top = np.array(self._judged, dtype=np.float64).reshape(-1, 4).T
        return Answers(log_prob, rank, hit, top, np.array(self._wdl, dtype=np.float64).reshape(-1, 3))


class _Matrix:
    """Collects what one mind says when it is told each level in turn."""

    def __init__(self, levels: ToldLevels) -> None:
        self._levels = levels
        self._judged: list[Floats] = []

    def ask(self, batch: Sequence[Asked], mind: Mind, effort: Effort) -> int:
        """Returns the number of answers."""
        block = np.full((len(batch), len(self._levels.of_group), 4), np.nan)
        asked = [(row, at, level) for row, (_, group, _) in enumerate(batch) for at, level in self._levels.told(group)]
        for begin in range(0, len(asked), BATCH):
            part = asked[begin : begin + BATCH]
            queries = [at_level(batch[row][0].query, level) for row, _, level in part]
            for (row, at, _), opinion in zip(part, opinions_of(mind, queries, effort), strict=True):
                sample = batch[row][0]
                block[row, at] = judge(opinion.log_probs, index_of(sample.query.position, sample.move))
        self._judged.append(block)
        return len(asked)

    def answers(self) -> Answers:
        log_prob, rank, hit, top = np.moveaxis(np.concatenate(self._judged), 2, 0)
        return Answers(log_prob, rank, hit, top, np.full((len(hit), 3), np.nan))


def at_level(query: Query, level: float) -> Query:
    """The same situation between two players of that level."""
    return replace(query, player=replace(query.player, rating=level), opponent=replace(query.opponent, rating=level))


def _levels(drawn: Selected) -> ToldLevels:
    """The median rating of the movers of each group that has one."""
    ratings: dict[Group, list[float]] = {}
    for pick in drawn.picks:
        for group, rating in zip(pick.groups, pick.ratings, strict=True):
            if rating is not None:
                ratings.setdefault(group, []).append(rating)
    if len(ratings) == len({group.pool for group in ratings}):
        raise BadInput("a level matrix needs at least two groups of rated players in one pool")
    return ToldLevels({group: float(np.median(ratings[group])) for group in sorted(ratings)})
