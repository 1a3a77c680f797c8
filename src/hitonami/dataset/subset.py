"""A smaller dataset out of larger ones: so many training games that a filter keeps, and held-out ones beside them.

Which games are taken depends on their content alone: the thousand games of one subset are among the three thousand of
another, so a ladder of sizes is nested, and no game changes its split. A game that several datasets hold is taken once.
"""

import hashlib
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hitonami import disk
from hitonami.dataset.filters import Filter, parse_filter
from hitonami.dataset.groups import splits_of
from hitonami.dataset.ingest import LAYOUT_VERSION
from hitonami.dataset.shards import describe_shard, records_of, shards_in, write_json, write_shard
from hitonami.dataset.verify import open_shards
from hitonami.errors import BadInput

MANIFEST: Final = "manifest.json"
_Entry = tuple[int, int, int]
"""(minus the order, shard, row): in a heap, the game that comes last in the order goes first."""
_SHUFFLE: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
"""Splits are made from the low bits of the hash; multiplied, its order has nothing to do with them."""


@dataclass(frozen=True)
class Taken:
    """How many games of each split."""

    train: int
    validation: int
    test: int


def write_subset(folders: Sequence[Path], out: Path, games: int, chosen: str = "none", held_out: int = 1_000) -> Taken:
    """Write `games` training games and up to `held_out` of each other split. Raises BadInput where there are fewer."""
    for folder in folders:
        if not open_shards(folder):
            raise BadInput(f"no dataset in {folder}: `hitonami ingest` makes them")
    if out.exists() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty: choose another folder with --out")
    paths = [path for folder in folders for path in shards_in(folder)]
    rule = parse_filter(chosen)
    heaps = _choose(paths, rule, (games, held_out, held_out))
    if len(heaps[0]) < games:
        where = ", ".join(map(str, folders))
        raise BadInput(f"{where}: {len(heaps[0]):,} training games pass the filter {chosen!r}, {games:,} are wanted")
    about = {
        "games": games,
        "filter": rule.text,
        "held_out": held_out,
        "of": [hash_manifest(each) for each in folders],
    }
    with disk.building(out) as draft:
        shard = draft / "shard-00000.parquet"
        write_shard(_take(paths, [entry[1:] for heap in heaps for entry in heap]), shard)
        manifest = {"layout": LAYOUT_VERSION, "subset": about, "shards": [describe_shard(shard, "games")]}
        write_json(draft / MANIFEST, manifest)
    return Taken(*map(len, heaps))


def _choose(paths: Sequence[Path], rule: Filter, counts: tuple[int, int, int]) -> tuple[list[_Entry], ...]:
    """For each split, the games that come first in the order of their hashes."""
    heaps: tuple[list[_Entry], ...] = ([], [], [])
    known: set[int] = set()
    for number, path in enumerate(paths):
        table = pq.read_table(path)
        content, identities = table["content"].to_numpy(), table["identity"].to_pylist()
        orders, splits = (content * _SHUFFLE).tolist(), splits_of(content).tolist()
        for row, record in enumerate(records_of(_headers_of(table))):
            heap, order = heaps[splits[row]], orders[row]
            full = len(heap) == counts[splits[row]]
            if identities[row] in known or (full and (not heap or -heap[0][0] <= order)):
                continue
            if rule.keeps_game(record):
                known.add(identities[row])
                push = heapq.heapreplace if full else heapq.heappush
                push(heap, (-order, number, row))
    return heaps


def _headers_of(table: pa.Table) -> pa.Table:
    """The rows without their moves: rules about whole games do not read them, and they are nine tenths of the work."""
    for name in ("moves", "flags", "clocks", "think_seconds"):
        kind = table.schema.field(name).type
        nothing = pa.ListArray.from_arrays(np.zeros(table.num_rows + 1, np.int32), pa.array([], kind.value_type))
        table = table.set_column(table.schema.get_field_index(name), name, nothing)
    return table


def _take(paths: Sequence[Path], places: Sequence[tuple[int, int]]) -> pa.Table:
    tables = []
    for number, path in enumerate(paths):
        rows = sorted(row for shard, row in places if shard == number)
        if rows:
            tables.append(pq.read_table(path).take(rows))
    return pa.concat_tables(tables).unify_dictionaries()


def hash_manifest(folder: Path) -> str | None:
    path = folder / MANIFEST
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
