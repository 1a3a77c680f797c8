"""A smaller dataset out of a larger one: so many training games that a filter keeps, and held-out ones beside them.

Which games are taken depends on their content alone: the thousand games of one subset are among the three thousand of
another, so a ladder of sizes is nested, and no game changes its split.
"""

import heapq
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import splits_of
from hitonami.dataset.ingest import LAYOUT_VERSION, read_manifest
from hitonami.dataset.shards import records_of, shards_in, write_json, write_shard
from hitonami.errors import BadInput

_SHUFFLE: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
"""Splits are made from the low bits of the hash; multiplied, its order has nothing to do with them."""


@dataclass(frozen=True)
class Taken:
    """How many games of each split."""

    train: int
    validation: int
    test: int


def write_subset(folder: Path, out: Path, games: int, chosen: str = "none", held_out: int = 1_000) -> Taken:
    """Write `games` training games and up to `held_out` of each other split. Raises BadInput where there are fewer."""
    if not shards_in(folder):
        raise BadInput(f"no dataset in {folder}: `hitonami ingest` makes them")
    if out.exists() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty: choose another folder with --out")
    rule, counts = parse_filter(chosen), (games, held_out, held_out)
    heaps: tuple[list[tuple[int, int, int]], ...] = (
        [],
        [],
        [],
    )  # (minus the order, shard, row): the largest goes first
    paths = shards_in(folder)
    for number, path in enumerate(paths):
        table = pq.read_table(path)
        content = table["content"].to_numpy()
        orders, splits = (content * _SHUFFLE).tolist(), splits_of(content).tolist()
        for row, (order, split, record) in enumerate(zip(orders, splits, records_of(table), strict=True)):
            heap = heaps[split]
            full = len(heap) == counts[split]
            if full and (not heap or -heap[0][0] <= order):
                continue
            if rule.keeps_game(record):
                push = heapq.heapreplace if full else heapq.heappush
                push(heap, (-order, number, row))
    if len(heaps[0]) < games:
        raise BadInput(f"{folder}: {len(heaps[0]):,} training games pass the filter {chosen!r}, {games:,} are wanted")
    _write(paths, [entry[1:] for heap in heaps for entry in heap], out)
    about = {"games": games, "filter": rule.text, "held_out": held_out}
    manifest = {**(read_manifest(folder) or {"layout": LAYOUT_VERSION}), "subset": about}
    write_json(out / "manifest.json", manifest)
    return Taken(*map(len, heaps))


def _write(paths: list[Path], places: list[tuple[int, int]], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tables = []
    for number, path in enumerate(paths):
        rows = sorted(row for shard, row in places if shard == number)
        if rows:
            tables.append(pq.read_table(path).take(rows))
    write_shard(pa.concat_tables(tables), out / "shard-00000.parquet")
