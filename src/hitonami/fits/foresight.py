"""How people act on what a board shows: the ranker of the mind `foresight`, learned from their moves by likelihood.

One ranker for all pools and ratings of a game, over one base. A pool with few decisions is left out.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hitonami import disk
from hitonami.bases import open_base, origin_of_base
from hitonami.core import Effort, LogProbs, Mind, Player, Query, index_of
from hitonami.dataset.groups import Split
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Answers, Columns, DecisionTable, Facts, batches_of, judge, opinions_of
from hitonami.evaluate.metrics import Measured, measure
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.curves import LEAST
from hitonami.fits.ranker import About, Choices, Halves, Whole, learn, steps_for
from hitonami.levels.rankers import METHOD, Floats, Ranker, as_json
from hitonami.minds.foresight import rank_moves
from hitonami.models.fitted import packaged_origin
from hitonami.parts import find_parts
from hitonami.progress import Watching
from hitonami.sights import Sights, columns_of, look, player_columns, sights_of
from hitonami.specs import Room

_PER_POOL: Final = 4 * LEAST
_UNRATED: Final = 0.1
"""The share of players without a rating from which on a ranker has learned of them."""


@dataclass(frozen=True)
class ForesightRun:
    """Everything that one run found."""

    drawn: Selected
    mind: str
    ranker: Ranker
    counts: dict[str, int]
    """Decisions by pool."""
    held_out: Measured | None


@dataclass(frozen=True)
class ForesightWish:
    """What is asked for. Without a mind: the base, or the packaged human network, as it is without foresight."""

    mind: str | None = None
    held_out: Split | Literal["none"] = "test"
    out: Path | None = None
    default_pool: str = ""
    """Whose players those of other pools count as; else those of the pool with most decisions."""
    base: str = ""


Batch = tuple[list[Query], list[LogProbs], list[int]]
"""Decisions, what a base thinks of them, and the places of the moves that were played."""


class Seen:
    """What was seen of the moves of decisions, batch by batch. Positions are not kept: memory holds half a million."""

    def __init__(self, sights: Sights) -> None:
        self.players: list[tuple[Player, Player]] = []
        self._sights = sights
        self._parts: list[tuple[Halves, Floats, Whole, Whole]] = []

    def add(self, batch: Batch) -> None:
        queries, inner, played = batch
        looked = look(self._sights, queries, inner)
        widths = np.diff(looked.begins)
        starts = np.concatenate([[0], np.cumsum([len(each) for each in inner])])
        known = np.full(starts[-1], -1)
        known[looked.places] = np.arange(len(looked.places)) - np.repeat(looked.begins[:-1], widths)
        own = known[starts[:-1] + played]
        self._parts.append((looked.columns.astype(np.float16), looked.log_probs, widths, own))
        self.players += [(query.player, query.opponent) for query in queries]

    def rates(self) -> tuple[float, float, bool]:
        """The lowest and the highest rating but a few, and whether a tenth of the players or more have none."""
        told = [rating for player, _ in self.players if (rating := self._sights.rate(player)) is not None]
        low, high = (float(round(each)) for each in np.quantile(told or [self._sights.scale[0]], [0.01, 0.99]))
        return low, high, len(told) <= (1 - _UNRATED) * len(self.players)

    def columns(self, pools: Sequence[str]) -> tuple[str, ...]:
        """All that a ranker of these pools reads."""
        return columns_of(self._sights, pools)

    def choices(self, rows: Whole, pools: Sequence[str], ratings: tuple[float, float]) -> Choices:
        """Those of some decisions."""
        columns, inner, widths, own = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        players = player_columns(self._sights, self.players, pools, ratings)
        every = Choices(columns, players, inner, np.concatenate([[0], np.cumsum(widths)]), own)
        return every if len(rows) == len(own) else every.take(rows)


def run_foresight(plan: Selection, wish: ForesightWish, arguments: Sequence[str], watch: Watching) -> ForesightRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    sights = sights_of(plan.game)
    if sights is None:
        raise BadInput(
            f"nothing is seen of moves in {plan.game}; there are sights for {', '.join(find_parts('sights'))}"
        )
    with Room() as room:
        mind, origin = _open(room, plan.game, wish)
        data = plan.open(arguments)
        drawn, columns, seen = select_with(watch, data, plan), Columns(), Seen(sights)
        for batch in _ask(drawn, mind, columns, watch):
            seen.add(batch)
        ranker, counts = fit_ranker(seen, plan, columns.facts(), origin, wish.default_pool, watch)
        if wish.out is not None:
            write_ranker(wish.out, ranker)
        held_out = None
        if (other := plan.unseen(wish.held_out)) is not None:
            unseen = Columns()
            batches = _ask(select_with(watch, data, other), mind, unseen, watch)
            held_out = check_ranker(ranker, batches, unseen.facts, plan.seed)
    return ForesightRun(drawn, origin, ranker, counts, held_out)


def _open(room: Room, game: str, wish: ForesightWish) -> tuple[Mind, str]:
    """Whose moves are ranked, and what provenance calls it."""
    if wish.base:
        base = open_base(room, wish.base)
        return base, origin_of_base(base, wish.base)
    mind = room.open(wish.mind or {"kind": "human", "foresight": False, "openings": False})
    return mind, wish.mind or packaged_origin(game)


def _ask(drawn: Selected, mind: Mind, columns: Columns, watch: Watching) -> Iterator[Batch]:
    """All decisions of a draw in order; what is known of them goes into `columns`."""
    if not drawn.positions:
        raise BadInput("no decision is left")
    done, effort = 0, Effort(np.random.default_rng(drawn.plan.seed))
    with watch(drawn.positions, "answers") as meter:
        for each in batches_of(drawn):
            columns.add(each)
            queries = [sample.query for sample, _, _ in each]
            inner = [opinion.log_probs for opinion in opinions_of(mind, queries, effort)]
            yield queries, inner, [index_of(sample.query.position, sample.move) for sample, _, _ in each]
            done += len(each)
            meter.show(done, done)


def fit_ranker(  # noqa: PLR0913, PLR0917
    seen: Seen, plan: Selection, facts: Facts, origin: str, default_pool: str, watch: Watching
) -> tuple[Ranker, dict[str, int]]:
    """The ranker, and how many decisions it learned from by pool. Raises BadInput where no pool has enough."""
    counted = Counter(facts.pool)
    counts = {str(pool): number for pool, number in counted.most_common() if number >= _PER_POOL}
    if not counts:
        raise BadInput(f"no pool has {_PER_POOL} decisions, which a ranker needs")
    if default_pool and default_pool not in counts:
        raise BadInput(f"no weights were fitted for the pool {default_pool!r}; there are: {', '.join(sorted(counts))}")
    first = default_pool or next(iter(counts))
    pools = (first, *sorted(set(counts) - {first}))
    rows = np.flatnonzero([pool in counts for pool in facts.pool])
    low, high, unrated = seen.rates()
    made = {
        "minds": [origin],
        **plan.drawn_from,
        "decisions": counts,
        "decisions_sha256": digest(facts, rows),
    }
    about = About(plan.game, seen.columns(pools), pools, (low, high), made, unrated)
    choices = seen.choices(rows, pools, (low, high))
    with watch(steps_for(choices), "steps") as meter:
        ranker = learn(choices, about, seed=plan.seed, report=lambda done: meter.show(done, done))
    return ranker, counts


def digest(facts: Facts, rows: Whole) -> str:
    """Over the games' hashes and plies: the same decisions give the same digest."""
    pairs = np.stack([facts.game[rows], facts.ply[rows].astype(np.uint64)], axis=1)
    return sha256(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype("<u8").tobytes()).hexdigest()


def check_ranker(ranker: Ranker, batches: Iterable[Batch], facts: Callable[[], Facts], seed: int) -> Measured:
    """Paired against the base as it is, on decisions that the fit never saw; `facts` are asked for at the end."""
    seeing, plain = [], []
    for queries, inner, played in batches:
        ranked = rank_moves(ranker, queries, inner)
        seeing += [judge(each, own) for each, own in zip(ranked, played, strict=True)]
        plain += [judge(each, own) for each, own in zip(inner, played, strict=True)]
    return measure(DecisionTable(facts(), {METHOD: _answers(seeing), "first mind": _answers(plain)}), seed=seed)


def _answers(judged: Sequence[tuple[float, float, float, float]]) -> Answers:
    log_prob, rank, hit, top = np.array(judged, dtype=np.float64).reshape(-1, 4).T
    return Answers(log_prob, rank, hit, top, np.full((len(judged), 3), np.nan))


def write_ranker(path: Path, ranker: Ranker) -> None:
    """All or nothing; a row of weights a line."""
    parts = [f" {json.dumps(name)}: {_laid_out(value)}" for name, value in as_json(ranker).items()]
    try:
        disk.write_text(path, "{\n" + ",\n".join(parts) + "\n}\n")
    except OSError as wrong:
        raise BadInput(f"{path}: cannot be written: {wrong.strerror}") from None


def _laid_out(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n ]"
    return json.dumps(value, ensure_ascii=False)
