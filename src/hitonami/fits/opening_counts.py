"""Counts of people's first moves, and the weight of a mind behind them: made from games, read by the mind `opening`.

Only moves that the filter keeps are counted, so that one human against a program gives the human's moves. Positions
that few games reached are left out: there the mind knows more. The weight is the one of a few that gives people's moves
in other games (the validation split) the highest likelihood.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind, Player, Position, Setup, index_of, size_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.samples import samples_at
from hitonami.dataset.shards import movers_of, start_of
from hitonami.levels.opening_counts import MoveCounts, OpeningCounts, Section, is_plain, view_of
from hitonami.records import Record

_Begun = tuple[tuple[int, ...], frozenset[int]]
"""The first moves of a game, and those plies of them that are counted."""
_TOGETHER = 3
"""Games that go the same way, below which nobody follows them."""
WEIGHTS: Final = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


@dataclass(frozen=True)
class Wanted:
    """One section of a file: whose games, and for whom they stand."""

    pools: tuple[str, ...]
    """Of players who are answered by it; games are taken from the first of them."""
    size: int = 0
    ratings: tuple[float, float] | None = None
    filter_text: str = "human,no-bullet,no-handicap"


def count_moves(
    data: Data,
    wanted: Sequence[Wanted],
    plies: int,
    least: int,
    report: Callable[[int, int], None] = lambda done, games: None,
) -> list[tuple[Section, int]]:
    """The sections, each with the number of games that it was made from. Only the training split is read."""
    tally, rules = Tally(), [parse_filter(each.filter_text) for each in wanted]
    begun: list[dict[Setup, list[_Begun]]] = [{} for _ in wanted]
    for found in data.games(tally, "train", lambda done: report(done, tally.games)):
        record = found.record
        for each, rule, games in zip(wanted, rules, begun, strict=True):
            kept = _kept_plies(record, each, rule.keeps_moves(record), plies)
            if kept:
                games.setdefault(record.setup, []).append((record.moves[:plies], kept))
    sections = []
    for each, games in zip(wanted, begun, strict=True):
        table: dict[str, Counter[str]] = {}
        for setup, lines in games.items():
            _count(start_of(data.game, setup), lines, table)
        often: MoveCounts = {
            name: dict(told.most_common()) for name, told in sorted(table.items()) if told.total() >= least
        }
        sections.append((Section(each.pools, each.size, each.ratings, often), sum(map(len, games.values()))))
    return sections


def _count(position: Position, games: Sequence[_Begun], table: dict[str, Counter[str]]) -> None:
    """Count the moves made here and go on with each, as far as several games go the same way: most do not for long."""
    ply, view = position.ply, view_of(position)
    told = table.setdefault(view.name, Counter())
    going: dict[int, list[_Begun]] = {}
    for moves, kept in games:
        if ply < len(moves):
            going.setdefault(moves[ply], []).append((moves, kept))
            if ply in kept:
                told[view.move(moves[ply])] += 1
    for move, some in going.items():
        if len(some) >= _TOGETHER:
            _count(position.follow(move), some, table)


def _kept_plies(record: Record, wanted: Wanted, keep: NDArray[np.bool_], plies: int) -> frozenset[int]:
    """The plies whose mover the section is about."""
    if not is_plain(record.setup) or not keep[:plies].any():
        return frozenset()
    start = start_of(record.game, record.setup)
    if size_of(start) != wanted.size:
        return frozenset()
    sides = {side for side, player in enumerate(record.players) if _is_about(wanted, player)}
    movers = movers_of(record)
    return frozenset(ply for ply in np.flatnonzero(keep[:plies]).tolist() if movers[ply] in sides)


def _is_about(wanted: Wanted, player: Player) -> bool:
    rating = player.rating
    rated = wanted.ratings is None or (rating is not None and wanted.ratings[0] <= rating < wanted.ratings[1])
    return rated and player.pool == wanted.pools[0]


def fit_weight(data: Data, mind: Mind, counts: OpeningCounts, most: int = 400) -> dict[float, float]:
    """Mean log-likelihood of people's moves in games of the validation split, by weight. At most so many games."""
    rules, gains = parse_filter("human,no-bullet,no-handicap"), {weight: list[float]() for weight in WEIGHTS}
    games = 0
    for found in sorted(data.games(Tally(), "validation"), key=lambda each: each.content):
        keep = np.flatnonzero(rules.keeps_moves(found.record)[: counts.plies]).tolist()
        samples = list(samples_at(found.record, keep))
        known = [(each, counts.find(each.query.position, each.query.player)) for each in samples]
        asked = [(each, share) for each, share in known if share is not None]
        if not asked:
            continue
        opinions = mind([each.query for each, _ in asked], Effort.seeded())
        for (sample, share), opinion in zip(asked, opinions, strict=True):
            at = index_of(sample.query.position, sample.move)
            for weight in WEIGHTS:
                mixed = (share[at] + weight * np.exp(opinion.log_probs[at])) / (share.sum() + weight)
                gains[weight].append(float(np.log(max(mixed, 1e-12))))
        games += 1
        if games >= most:
            break
    return {weight: float(np.mean(values)) for weight, values in gains.items() if values}


def write_counts(counts: OpeningCounts, game: str, games: Sequence[int], provenance: dict[str, Any]) -> bytes:
    """The file. The same counts give the same bytes."""
    sections = [asdict(section) | {"games": number} for section, number in zip(counts.sections, games, strict=True)]
    data = {
        "game": game,
        "plies": counts.plies,
        "weight": counts.weight,
        "provenance": provenance,
        "sections": sections,
    }
    return gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)
