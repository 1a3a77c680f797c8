"""What a dataset holds: counts and histograms, a shard at a time."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.dataset.ingest import read_manifest
from hitonami.dataset.verify import open_shards
from hitonami.errors import BadInput

_COLUMNS = [
    *("game", "moves", "clocks", "think_seconds", "score", "termination", "speed", "marks", "date"),
    *(f"{name}_{side}" for side in (0, 1) for name in ("rating", "pool", "kind", "name")),
]


@dataclass
class Summary:
    """A dataset in numbers. Histograms are counts by the lower edge of a bin."""

    games: int = 0
    moves: int = 0
    with_clocks: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    ratings: dict[str, Counter[int]] = field(default_factory=dict)
    """By pool: how many sides have a rating from this edge on."""
    unrated_sides: int = 0
    results: Counter[str] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(default_factory=dict)
    """Termination, speed, pool, kind, marks and year: how many games (or sides) have each."""
    players: Counter[str] = field(default_factory=Counter)
    rejected: dict[str, int] = field(default_factory=dict)


LENGTH_BIN = 10


def rating_bin(pool_maximum: float) -> int:
    """Ratings in hundreds, ranks one by one."""
    return 100 if pool_maximum > 100 else 1


def describe(folder: Path) -> Summary:
    """Read every shard of a dataset once."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder")
    shards = open_shards(folder)
    if not shards:
        raise BadInput(f"{folder}: holds no shards; `hitonami ingest` makes them")
    summary = Summary(words={name: Counter() for name in ("termination", "speed", "pool", "kind", "marks", "year")})
    for path in shards:
        for batch in pq.ParquetFile(path).iter_batches(8192, columns=_COLUMNS):
            _add(summary, batch)
    manifest = read_manifest(folder)
    summary.rejected = manifest.get("rejected", {}) if manifest else {}
    return summary


def _add(summary: Summary, batch: pa.RecordBatch) -> None:
    lengths = pc.list_value_length(batch["moves"]).to_numpy(zero_copy_only=False)
    summary.games += batch.num_rows
    summary.moves += int(lengths.sum())
    summary.with_clocks += batch.num_rows - batch["clocks"].null_count
    summary.lengths.update(_binned(lengths, LENGTH_BIN))
    for score in batch["score"].to_pylist():
        summary.results["unknown" if score is None else f"{score:g}"] += 1
    for name in ("termination", "speed"):
        summary.words[name].update(_counts(batch[name]))
    summary.words["year"].update(_counts(pc.utf8_slice_codeunits(batch["date"], 0, 4)))
    summary.words["marks"].update(_counts(pc.list_flatten(batch["marks"])))
    for side in (0, 1):
        for name in ("pool", "kind"):
            summary.words[name].update(_counts(batch[f"{name}_{side}"]))
        summary.players.update({name: n for name, n in _counts(batch[f"name_{side}"]).items() if name})
        _add_ratings(summary, batch, side)


def _add_ratings(summary: Summary, batch: pa.RecordBatch, side: int) -> None:
    ratings = batch[f"rating_{side}"].to_numpy(zero_copy_only=False)
    pools = np.array(batch[f"pool_{side}"].to_pylist(), dtype=object)
    known = ~np.isnan(ratings.astype(np.float64))
    summary.unrated_sides += int((~known).sum())
    for pool in set(pools[known]):
        values = ratings[known & (pools == pool)]
        summary.ratings.setdefault(pool or "unknown", Counter()).update(_binned(values, rating_bin(values.max())))


def _binned(values: NDArray[Any], width: int) -> Counter[int]:
    edges, counts = np.unique((values // width).astype(np.int64) * width, return_counts=True)
    return Counter(dict(zip(edges.tolist(), counts.tolist(), strict=True)))


def _counts(values: pa.Array) -> Counter[str]:
    return Counter({str(item["values"] or ""): item["counts"] for item in values.value_counts().to_pylist()})
