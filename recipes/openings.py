"""Counts of people's first moves for the package: python recipes/openings.py DATA GAME…

DATA is a folder of datasets made by `hitonami ingest`, one for each source; which of them, and for whom they stand,
says the table below. The training split is counted, and the weight of the human network behind the counts is chosen on
the validation split. The file goes where the mind `opening` looks for it.

Only moves that the filter keeps are counted, so that one human against a program gives the human's moves. Positions
that few games reached are left out: there the mind knows more.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, Position, Setup, size_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Data, Tally, open_data
from hitonami.dataset.shards import movers_of, start_of
from hitonami.fits.opening_counts import fit_weight
from hitonami.levels.opening_counts import MoveCounts, OpeningCounts, Section, counts_file, is_plain, view_of
from hitonami.records import Record
from hitonami.specs import open_mind

_Begun = tuple[tuple[int, ...], frozenset[int]]
"""The first moves of a game, and those plies of them that are counted."""
_TOGETHER = 3
"""Games that go the same way, below which nobody follows them."""


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


PLIES = 12
EVEN = "human,no-handicap,no-provisional"
LICHESS = ("chess-lichess_kaggle", "chess-lichess_rating_bands", "chess-lichess_2013", "chess-lichess_classical")
"""Datasets that are counted together."""
SECTIONS: dict[str, list[tuple[tuple[str, ...], int, list[Wanted]]]] = {
    "chess": [
        (
            LICHESS,
            8,
            [Wanted(("lichess", ""), 0, span) for span in ((0, 1400), (1400, 1800), (1800, 2200), (2200, 4000))],
        ),
        (
            ("chess-twic_otb",),
            40,
            [Wanted(("fide",), 0, span) for span in ((0, 1800), (1800, 2200), (2200, 2500), (2500, 4000))],
        ),
    ],
    "shogi": [(("shogi-wars",), 8, [Wanted(("shogiwars", ""), filter_text="human")])],
    "go": [
        (
            ("go-goquest",),
            3,  # 9×9 games part early: with 8, a quarter of the first eight moves were the network's
            [Wanted(("goquest",), 9, span, EVEN) for span in ((0, 1800), (1800, 2000), (2000, 4000))],
        ),
        (("go-ogs",), 8, [Wanted(("ogs", ""), size, span, EVEN) for size in (9, 19) for span in ((0, 20), (20, 40))]),
        (("go-kgs",), 12, [Wanted(("kgs",), 19, (30, 50), EVEN)]),
        (("go-fox9d",), 12, [Wanted(("fox",), 19, (30, 50), EVEN)]),
    ],
}
"""Datasets, in how many games a position must have come up, and for whom they stand."""


def make(root: Path, game: str) -> None:
    sections, games, sources = [], [], {}
    for names, least, wanted in SECTIONS[game]:
        for section, number in count_moves(open_data([str(root / name) for name in names], game), wanted, PLIES, least):
            about = f"{section.pools} {section.size} {section.ratings}"
            print(f"{about}: {number:,} games, {len(section.table):,} positions", flush=True)
            sections.append(section)
            games.append(number)
        for name in names:
            shards = json.loads((root / name / "manifest.json").read_text())["shards"]
            sources[name] = [shard["sha256"] for shard in shards]
    counts = OpeningCounts(PLIES, 1.0, tuple(sections))
    with open_mind({"kind": "human", "openings": False, "symmetries": 1}) as mind:
        gains = fit_weight(open_data([str(root / source) for source in sources], game), mind, counts)
    weight = max(gains, key=gains.__getitem__)
    print("mean log-likelihood by weight:", {each: round(gain, 4) for each, gain in gains.items()})
    provenance = {
        "split": "train, the weight on validation",
        "sources": sources,
        "log_likelihood": gains,
    }
    path = counts_file(game)
    path.write_bytes(write_counts(replace(counts, weight=weight), game, games, provenance))
    print(f"wrote {path.name}: {path.stat().st_size:,} bytes, weight {weight:g}")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        make(Path(sys.argv[1]), name)
