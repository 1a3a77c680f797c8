"""Whether a dataset, or labels, are still what their manifest says.

Opening looks at what costs a millisecond a shard: that each is there, has its size, and ends in a footer that tells as
many rows. That finds shards that were cut, lost, exchanged or added. `verify` reads them all and compares the hashes,
which finds every changed byte. A folder without a manifest has nothing to be compared with.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hitonami.dataset.shards import shards_in
from hitonami.errors import BadData

MANIFEST, UNFINISHED = "manifest.json", "unfinished"


@dataclass
class Verdict:
    """What came of comparing every byte."""

    shards: int = 0
    rows: int = 0
    problems: list[str] = field(default_factory=list)
    """A line each; a shard has one at most."""


def open_shards(folder: Path) -> list[Path]:
    """The shards of a dataset, in order, looked at. Raises BadData for the first that is not what the manifest says."""
    check_folder(folder)
    return shards_in(folder)


def check_folder(folder: Path) -> None:
    """Look at the shards of a folder. Raises BadData for the first that is not what the manifest says.

    So does work that is not finished; a folder with neither a manifest nor a trace of such work is believed.
    """
    if (folder / MANIFEST).is_file():
        for problem in _look(folder, _read_shards(folder)):
            raise BadData(f"{problem}; `hitonami data verify` looks at all of them")
    elif (folder / UNFINISHED).is_dir():
        raise BadData(f"{folder}: not finished: the command that began it goes on with it")


def verify(folder: Path) -> Verdict:
    """Compare every byte. Raises BadData where there is no manifest to compare with."""
    if not (folder / MANIFEST).is_file():
        raise BadData(f"{folder}: no {MANIFEST} to compare with; `hitonami ingest` and `hitonami label` make them")
    told = _read_shards(folder)
    verdict = Verdict(len(told), problems=[*_look(folder, told)])
    seen = {problem.partition(": ")[0] for problem in verdict.problems}
    for shard in told:
        path = folder / shard["name"]
        if str(path) in seen:
            continue
        with path.open("rb") as file:
            found, wanted = hashlib.file_digest(file, "sha256").hexdigest(), str(shard.get("sha256"))
        if found == wanted:
            verdict.rows += _rows_of(shard) or 0
        else:
            verdict.problems.append(f"{path}: damaged: its sha256 is {found[:16]}…, not {wanted[:16]}…")
    return verdict


def _look(folder: Path, told: list[dict[str, Any]]) -> Iterator[str]:
    for shard in told:
        if problem := _problem_of(folder / shard["name"], shard):
            yield f"{folder / shard['name']}: {problem}"
    known = {shard["name"] for shard in told}
    for path in (*shards_in(folder), *sorted(folder.glob("labels-*.parquet"))):
        if path.name not in known:
            yield f"{path}: not in the manifest"


def _problem_of(path: Path, shard: dict[str, Any]) -> str:
    try:
        size, wanted = path.stat().st_size, shard.get("bytes")
        if wanted is not None and size != wanted:
            return f"damaged: {size:,} bytes, not {wanted:,}"
        rows = pq.read_metadata(path).num_rows
    except FileNotFoundError:
        return "missing"
    except (OSError, pa.ArrowException) as wrong:
        return f"damaged: {str(wrong).partition(chr(10))[0][:200]}"
    told = _rows_of(shard)
    return "" if told in (None, rows) else f"damaged: {rows:,} rows, not {told:,}"


def _rows_of(shard: dict[str, Any]) -> int | None:
    rows = shard.get("games", shard.get("labels"))
    return None if rows is None else int(rows)


def _read_shards(folder: Path) -> list[dict[str, Any]]:
    path = folder / MANIFEST
    try:
        shards: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")).get("shards", [])
        for shard in shards:
            _ = Path(shard["name"]), _rows_of(shard)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise BadData(f"{path}: a damaged manifest: {wrong}") from None
    return shards
