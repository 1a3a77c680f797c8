"""How people act on what a board shows: the ranker of the mind `foresight`, learned from their moves by likelihood.

One ranker for all pools and ratings of a game, over one base. A pool with few decisions is left out.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hitonami import disk
from hitonami.bases import open_base, origin_of_base
from hitonami.core import Effort, LogProbs, Mind, Query, index_of
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Answers, Columns, DecisionTable, Facts, batches_of, judge, opinions_of
from hitonami.evaluate.metrics import Measured, measure
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.curves import LEAST
from hitonami.fits.ranker import About, Choices, learn
from hitonami.levels.rankers import METHOD, Ranker, as_json
from hitonami.minds.foresight import full_columns, rank_moves
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


@dataclass(frozen=True)
class _Asked:
    """Decisions [n], and what a base thinks of them."""

    facts: Facts
    queries: list[Query]
    inner: list[LogProbs]
    played: list[int]


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
        drawn, asked = _ask(data, plan, mind, watch)
        ranker, counts = fit_ranker(sights, plan, asked, origin, wish.default_pool, watch)
        if wish.out is not None:
            write_ranker(wish.out, ranker)
        held_out = None
        if (other := plan.unseen(wish.held_out)) is not None:
            held_out = check_ranker(ranker, _ask(data, other, mind, watch)[1], plan.seed)
    return ForesightRun(drawn, origin, ranker, counts, held_out)


def _open(room: Room, game: str, wish: ForesightWish) -> tuple[Mind, str]:
    """Whose moves are ranked, and what provenance calls it."""
    if wish.base:
        base = open_base(room, wish.base)
        return base, origin_of_base(base, wish.base)
    mind = room.open(wish.mind or {"kind": "human", "foresight": False, "openings": False})
    return mind, wish.mind or packaged_origin(game)


def _ask(data: Data, plan: Selection, mind: Mind, watch: Watching) -> tuple[Selected, _Asked]:
    drawn = select_with(watch, data, plan)
    columns, asked, inner, played = Columns(), [], [], []
    effort = Effort(np.random.default_rng(plan.seed))
    with watch(drawn.positions, "answers") as meter:
        for each in batches_of(drawn):
            columns.add(each)
            queries = [sample.query for sample, _, _ in each]
            inner += [opinion.log_probs for opinion in opinions_of(mind, queries, effort)]
            played += [index_of(sample.query.position, sample.move) for sample, _, _ in each]
            asked += queries
            meter.show(len(played), len(played))
    if not played:
        raise BadInput("no decision is left")
    return drawn, _Asked(columns.facts(), asked, inner, played)


def fit_ranker(  # noqa: PLR0913, PLR0917
    sights: Sights, plan: Selection, asked: _Asked, origin: str, default_pool: str, watch: Watching
) -> tuple[Ranker, dict[str, int]]:
    """The ranker, and how many decisions it learned from by pool. Raises BadInput where no pool has enough."""
    counted = Counter(asked.facts.pool)
    counts = {str(pool): number for pool, number in counted.most_common() if number >= _PER_POOL}
    if not counts:
        raise BadInput(f"no pool has {_PER_POOL} decisions, which a ranker needs")
    if default_pool and default_pool not in counts:
        raise BadInput(f"no weights were fitted for the pool {default_pool!r}; there are: {', '.join(sorted(counts))}")
    first = default_pool or next(iter(counts))
    pools = (first, *sorted(set(counts) - {first}))
    rows = [at for at, pool in enumerate(asked.facts.pool) if pool in counts]
    low, high, unrated = rate_all(sights, [asked.queries[at] for at in rows])
    made = {
        "minds": [origin],
        **plan.drawn_from,
        "decisions": counts,
        "decisions_sha256": digest(asked.facts, rows),
    }
    about = About(plan.game, columns_of(sights, pools), pools, (low, high), made, unrated)
    with watch(len(rows), "decisions") as meter:
        choices = see_choices(sights, about, asked, rows, meter.show)
    return learn(choices, about, seed=plan.seed), counts


def rate_all(sights: Sights, queries: Sequence[Query]) -> tuple[float, float, bool]:
    """The lowest and the highest rating but a few, and whether a tenth of the players or more have none."""
    told = [rating for query in queries if (rating := sights.rate(query.player)) is not None]
    low, high = (float(round(each)) for each in np.quantile(told or [sights.scale[0]], [0.01, 0.99]))
    return low, high, len(told) <= (1 - _UNRATED) * len(queries)


def digest(facts: Facts, rows: Sequence[int]) -> str:
    """Over the games' hashes and plies: the same decisions give the same digest."""
    pairs = np.stack([facts.game[rows], facts.ply[rows].astype(np.uint64)], axis=1)
    return sha256(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype("<u8").tobytes()).hexdigest()


def see_choices(sights: Sights, about: About, asked: _Asked, rows: Sequence[int], report: Any) -> Choices:
    """What was seen of the moves of these decisions."""
    columns, inner, widths, own = [], [], [], []
    for begin in range(0, len(rows), 256):
        part = rows[begin : begin + 256]
        queries, log_probs = [asked.queries[at] for at in part], [asked.inner[at] for at in part]
        looked = look(sights, queries, log_probs)
        columns.append(full_columns(looked, player_columns(sights, queries, about.pools, about.ratings)))
        inner.append(looked.log_probs)
        widths.append(np.diff(looked.begins))
        starts = np.concatenate([[0], np.cumsum([len(each) for each in log_probs])])
        known = np.full(starts[-1], -1)
        known[looked.places] = np.arange(len(looked.places)) - np.repeat(looked.begins[:-1], widths[-1])
        own.append(known[starts[:-1] + [asked.played[at] for at in part]])
        report(begin + len(part), begin + len(part))
    begins = np.concatenate([[0], np.cumsum(np.concatenate(widths))])
    return Choices(np.concatenate(columns), np.concatenate(inner), begins, np.concatenate(own))


def check_ranker(ranker: Ranker, asked: _Asked, seed: int) -> Measured:
    """Paired against the base as it is, on decisions that the fit never saw."""
    seeing = []
    for begin in range(0, len(asked.played), 256):
        part = slice(begin, begin + 256)
        ranked = rank_moves(ranker, asked.queries[part], asked.inner[part])
        seeing += [judge(each, own) for each, own in zip(ranked, asked.played[part], strict=True)]
    plain = [judge(each, own) for each, own in zip(asked.inner, asked.played, strict=True)]
    return measure(DecisionTable(asked.facts, {METHOD: _answers(seeing), "first mind": _answers(plain)}), seed=seed)


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
