"""Counts of people's first moves for the package: python recipes/openings.py DATA GAME…

DATA is a folder of datasets made by `hitonami ingest`, one for each source, without the people who are kept for studies
(`hitonami data people`); which of them, and for whom they stand, says the table below. The training split is counted,
and the weight of the human network behind the counts of each section is chosen on the validation split. The file goes
where the mind `opening` looks for it.

Only moves that the filter keeps are counted, so that one human against a program gives the human's moves. Positions
that few games reached are left out: there the mind knows more.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, Position, Setup, size_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Data, Tally, open_data
from hitonami.dataset.shards import movers_of, start_of
from hitonami.fits.opening_counts import FILTER, fit_weight
from hitonami.levels.opening_counts import (
    CountTable,
    OpeningCounts,
    Section,
    band_in,
    counts_file,
    is_plain,
    view_of,
    write_counts,
)
from hitonami.records import Record
from hitonami.specs import open_mind

_Begun = tuple[tuple[int, ...], dict[int, int]]
"""The first moves of a game, and the bands of those plies of them that are counted."""
_Table = dict[str, dict[int, Counter[str]]]


@dataclass(frozen=True)
class Wanted:
    """One section of a file: whose games, and for whom they stand."""

    pools: tuple[str, ...]
    """Of players who are answered by it; games are taken from the first of them."""
    size: int = 0
    limits: tuple[float, ...] = ()
    filter_text: str = FILTER


@dataclass(frozen=True)
class Depth:
    """How far games are followed: to this ply, and while so many go the same way."""

    plies: int
    least: int


def count_moves(
    data: Data, wanted: Sequence[Wanted], depth: Depth, report: Callable[[int, int], None] = lambda done, games: None
) -> list[Section]:
    """The sections. Only the training split is read."""
    tally, rules = Tally(), [parse_filter(each.filter_text) for each in wanted]
    begun: list[dict[Setup, list[_Begun]]] = [{} for _ in wanted]
    for found in data.games(tally, "train", lambda done: report(done, tally.games)):
        record = found.record
        for each, rule, games in zip(wanted, rules, begun, strict=True):
            kept = _kept_plies(record, each, rule.keeps_moves(record), depth.plies)
            if kept:
                games.setdefault(record.setup, []).append((record.moves[: depth.plies], kept))
    sections = []
    for each, games in zip(wanted, begun, strict=True):
        table: _Table = {}
        for setup, lines in games.items():
            _count(start_of(data.game, setup), lines, table, depth.least)
        often = {name: told for name, told in table.items() if sum(map(Counter.total, told.values())) >= depth.least}
        number = sum(map(len, games.values()))
        sections.append(Section(each.pools, each.size, each.limits, 1.0, number, CountTable.of(often)))
    return sections


def _count(position: Position, games: Sequence[_Begun], table: _Table, least: int) -> None:
    """Count the moves made here and go on with each, as far as several games go the same way: most do not for long."""
    ply, view = position.ply, view_of(position)
    told = table.setdefault(view.name, {})
    going: dict[int, list[_Begun]] = {}
    for moves, kept in games:
        if ply < len(moves):
            going.setdefault(moves[ply], []).append((moves, kept))
            if ply in kept:
                told.setdefault(kept[ply], Counter())[view.move(moves[ply])] += 1
    for move, some in going.items():
        if len(some) >= least:
            _count(position.follow(move), some, table, least)


def _kept_plies(record: Record, wanted: Wanted, keep: NDArray[np.bool_], plies: int) -> dict[int, int]:
    """The plies whose mover the section is about, and the mover's band."""
    if not is_plain(record.setup) or not keep[:plies].any():
        return {}
    if size_of(start_of(record.game, record.setup)) != wanted.size:
        return {}
    bands = [_band_of(wanted, player) for player in record.players]
    movers = movers_of(record)
    plies_of = ((ply, bands[movers[ply]]) for ply in np.flatnonzero(keep[:plies]).tolist())
    return {ply: band for ply, band in plies_of if band is not None}


def _band_of(wanted: Wanted, player: Player) -> int | None:
    return band_in(wanted.limits, player.rating) if player.pool == wanted.pools[0] else None


EVEN = "human,no-handicap,no-provisional"
LICHESS = (
    "chess-lichess_kaggle",
    "chess-lichess_rating_bands",
    "chess-lichess_2013",
    "chess-lichess_classical",
    "chess-lichess_2013_01",
    "chess-lichess_rapid",
    "chess-lichess_elo_bands",
    "chess-lichess_league_slow",
    "chess-lichess_sample_5k",
)
"""Datasets that are counted together."""
SECTIONS: dict[str, list[tuple[tuple[str, ...], Depth, list[Wanted]]]] = {
    "chess": [
        (LICHESS, Depth(40, 3), [Wanted(("lichess", ""), 0, (1400, 1800, 2200))]),
        (("chess-twic_otb",), Depth(60, 2), [Wanted(("fide",), 0, (1800, 2200, 2500))]),
    ],
    "othello": [
        (("othello-wthor",), Depth(48, 2), [Wanted(("wthor", ""), filter_text="human")]),
        (("othello-eothello",), Depth(48, 2), [Wanted(("eothello",), filter_text="human")]),
    ],
    "shogi": [(("shogi-wars",), Depth(40, 3), [Wanted(("shogiwars", ""), filter_text="human")])],
    "go": [
        # 9×9 games part early: with 8, a quarter of the first eight moves were the network's. GoQuest whole: without
        # its 26 most active people, of whom nobody is studied, a quarter of it would be left, and openings were off.
        (("go-goquest",), Depth(12, 3), [Wanted(("goquest",), 9, (1800, 2000), EVEN)]),
        (("go-ogs",), Depth(12, 8), [Wanted(("ogs", ""), size, (20,), EVEN) for size in (9, 19)]),
        (("go-kgs-all",), Depth(30, 3), [Wanted(("kgs",), 19, (), EVEN)]),
        (("go-fox9d",), Depth(30, 3), [Wanted(("fox",), 19, (), EVEN)]),
    ],
}
"""Datasets, how far their games are followed, and for whom they stand."""


def make(root: Path, game: str) -> None:
    sections, found, sources = [], {}, {}
    plies = max(depth.plies for _, depth, _ in SECTIONS[game])
    for names, depth, wanted in SECTIONS[game]:
        data = open_data([str(root / name) for name in names], game)
        for section in count_moves(data, wanted, depth):
            about = "-".join(filter(None, (section.pools[0], str(section.size or ""))))
            print(f"{about}: {section.games:,} games, {len(section.table.names):,} positions", flush=True)
            with open_mind({"kind": "human", "openings": False, "symmetries": 1}) as mind:
                found[about] = fit_weight(data, mind, OpeningCounts(plies, (section,)))
            weight = max(found[about], key=found[about].__getitem__)
            print("mean log-likelihood by weight:", {each: round(gain, 4) for each, gain in found[about].items()})
            sections.append(replace(section, weight=weight))
        for name in names:
            shards = json.loads((root / name / "manifest.json").read_text())["shards"]
            sources[name] = [shard["sha256"] for shard in shards]
    provenance = {"split": "train, the weights on validation", "sources": sources, "log_likelihood": found}
    path = counts_file(game)
    path.write_bytes(write_counts(OpeningCounts(plies, tuple(sections)), provenance))
    print(f"wrote {path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        make(Path(sys.argv[1]), name)
