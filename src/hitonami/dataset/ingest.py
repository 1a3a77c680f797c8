"""Records of any kind into one dataset: a folder of shards with a manifest.

Two steps, each of which can be killed at any moment and goes on where it was: first every block of documents
becomes a part file of its own, in parallel; then the parts are joined in order, without duplicates, into
shards, and the manifest is written last. A folder with a manifest is finished; a second run over the same
input does nothing. The shards do not depend on the number of workers or on interruptions.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami import __version__, disk
from hitonami.cluster import Workers
from hitonami.dataset.duplicates import repeated_rows
from hitonami.dataset.names import Names, key_mark
from hitonami.dataset.shards import describe_shard, shards_in, table_of, write_json, write_shard
from hitonami.dataset.sources import Progress, find_sources
from hitonami.dataset.verify import UNFINISHED
from hitonami.errors import BadInput
from hitonami.progress import Watching
from hitonami.records import Document, Record, open_format

LAYOUT_VERSION = 1
_BLOCK_BYTES = 2 << 20
_BLOCK_DOCUMENTS = 2_000
_SHARD_ROWS = 50_000


@dataclass(frozen=True)
class IngestPlan:
    """What is ingested how. Equal plans over equal inputs give equal shards."""

    game: str
    out: Path
    key: bytes | None = None
    """The key for pseudonyms; None keeps names."""
    jobs: int = 1
    cluster: str | None = None


@dataclass(frozen=True)
class Block:
    """A numbered piece of work."""

    number: int
    documents: tuple[tuple[str, Document], ...]
    """Format name and document."""


@dataclass
class Tally:
    """What came of some documents."""

    accepted: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.accepted += other.accepted
        self.rejected.update(other.rejected)


def blocks_of(documents: Iterable[tuple[str, Document]]) -> Iterator[Block]:
    """Group documents into blocks, by size and number alone."""
    held: list[tuple[str, Document]] = []
    size = number = 0
    for name, document in documents:
        held.append((name, document))
        size += len(document.data)
        if size >= _BLOCK_BYTES or len(held) >= _BLOCK_DOCUMENTS:
            yield Block(number, tuple(held))
            held, size, number = [], 0, number + 1
    if held:
        yield Block(number, tuple(held))


def read_block(block: Block, game: str, key: bytes | None, parts: Path) -> Tally:
    """Read a block and write its part, unless it is there already."""
    note = parts / f"{block.number:08d}.json"
    if note.exists():
        told = json.loads(note.read_text(encoding="utf-8"))
        return Tally(told["accepted"], Counter(told["rejected"]))
    tally, records, sources = Tally(), [], []
    for name, document in block.documents:
        for item in open_format(name).read(document):
            reason = _reason_to_refuse(item, game)
            if reason is not None or not isinstance(item, Record):
                tally.rejected[reason or "unreadable"] += 1
                continue
            records.append(item)
            sources.append(document.source)
    tally.accepted = len(records)
    if records:
        write_shard(table_of(records, sources, Names(key)), parts / f"{block.number:08d}.parquet", compression="lz4")
    write_json(note, {"accepted": tally.accepted, "rejected": tally.rejected})  # done from here on
    return tally


def _reason_to_refuse(item: object, game: str) -> str | None:
    if isinstance(item, Record):
        return None if item.game == game else f"a game of {item.game}"
    return str(getattr(item, "reason", "unreadable"))


def ingest_files(plan: IngestPlan, arguments: Sequence[str], watch: Watching) -> dict[str, Any]:
    """Find the records in files, folders and archives, bring them into `plan.out`, and return the manifest."""
    found, progress = find_sources(arguments, plan.game), Progress()
    inputs = [{"name": source.name, "size": source.size, "mark": source.fingerprint()} for source in found.sources]

    def troubles() -> dict[str, Any]:
        return {
            "passed_over": dict(sorted((Counter(found.skipped) + progress.skipped).items())),
            "broken": [str(broken) for broken in progress.broken],
        }

    with watch(found.bytes_total, "games") as meter:

        def show(tally: Tally) -> None:
            meter.show(progress.bytes_read, tally.accepted + tally.rejected.total())

        return ingest(plan, found.documents(progress), inputs, show, troubles)


def ingest(
    plan: IngestPlan,
    documents: Iterable[tuple[str, Document]],
    inputs: Sequence[dict[str, Any]],
    report: Callable[[Tally], None] = lambda tally: None,
    troubles: Callable[[], dict[str, Any]] = dict,
) -> dict[str, Any]:
    """Bring documents into `plan.out` and return the manifest.

    `inputs` say what the documents are made from, and are compared with those of an earlier run. `troubles` is
    asked at the end what was wrong with the files themselves. Raises WorkFailed where another process is at it.
    """
    about = _about(plan, inputs)
    finished = read_manifest(plan.out)
    if finished is not None:
        _refuse_other(plan.out, finished["about"], about)
        disk.forget_tree(plan.out / UNFINISHED)
        return finished
    parts = _open_parts(plan.out, about)
    with disk.holding(parts):
        total = Tally()
        work = partial(read_block, game=plan.game, key=plan.key, parts=parts)
        with Workers(plan.jobs, plan.cluster) as workers:
            try:
                for tally in workers.map(work, blocks_of(documents)):
                    total.add(tally)
                    report(total)
                if not total.accepted:
                    raise BadInput(_why_nothing(total, troubles().get("broken", [])))
            except BadInput:
                _leave_no_trace(parts, plan.out)
                raise
            duplicates = _join_parts(parts, plan.out, workers)
        manifest = {
            "layout": LAYOUT_VERSION,
            "hitonami": __version__,
            "about": about,
            "accepted": total.accepted - duplicates,
            "rejected": dict(sorted((total.rejected + Counter({"duplicate": duplicates})).items())),
            **troubles(),
            "shards": [describe_shard(path, "games") for path in shards_in(plan.out)],
        }
        write_json(plan.out / "manifest.json", manifest | _without_places(manifest.get("broken", []), Names(plan.key)))
        disk.forget_tree(parts)
        return manifest


def _without_places(broken: Sequence[str], names: Names) -> dict[str, list[str]]:
    """What was broken, as the dataset may tell it; who ran the ingest is told the real names."""
    told = [line.partition(": ") for line in broken]
    return {"broken": [f"{names.source(place)}{mark}{reason}" for place, mark, reason in told]}


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a finished dataset, or None."""
    path = folder / "manifest.json"
    if not path.exists():
        return None
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if manifest.get("layout") != LAYOUT_VERSION:
        raise BadInput(f"{folder}: made by another version (layout {manifest.get('layout')}); ingest it again")
    return manifest


def _about(plan: IngestPlan, inputs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = f"pseudonyms by key {key_mark(plan.key)}" if plan.key else "kept"
    shown = Names(plan.key)
    return {
        "game": plan.game,
        "names": names,
        "inputs": [each | {"name": shown.source(each["name"])} for each in inputs],
    }


def _open_parts(out: Path, about: dict[str, Any]) -> Path:
    """The folder of unfinished work; refused where it belongs to other inputs."""
    parts = out / UNFINISHED
    note = parts / "about.json"
    if note.exists():
        _refuse_other(out, json.loads(note.read_text(encoding="utf-8")), about)
    elif out.exists() and any(out.iterdir()) and not parts.exists():
        raise BadInput(f"{out}: not empty and not a dataset of ours; choose another folder")
    disk.make_chosen_folder(parts, out)
    write_json(note, about)
    return parts


def _why_nothing(total: Tally, broken: Sequence[str]) -> str:
    if broken:
        return broken[0] + (f" (and {len(broken) - 1} more)" if len(broken) > 1 else "")
    reasons = ", ".join(f"{reason} ({count})" for reason, count in total.rejected.most_common(5))
    return f"no game could be used: {reasons or 'no game found'}"


def _leave_no_trace(parts: Path, out: Path) -> None:
    """Remove what was begun for an input that turned out to hold nothing."""
    if not any(parts.glob("*.parquet")):
        disk.remove_tree(parts)
        if not any(out.iterdir()):
            out.rmdir()


def _refuse_other(out: Path, held: dict[str, Any], wanted: dict[str, Any]) -> None:
    held, wanted = (about | {"inputs": [each["mark"] for each in about.get("inputs", [])]} for about in (held, wanted))
    for name in ("game", "names", "inputs"):  # of inputs only the marks, which change with names and contents alike
        if held.get(name) != wanted[name]:
            raise BadInput(f"{out}: already holds a dataset with other {name}; choose another folder or remove it")


@dataclass(frozen=True)
class Joining:
    """A shard to write: its parts, and which rows of each repeat an earlier one."""

    path: Path
    parts: tuple[tuple[Path, NDArray[np.int64]], ...]


def _join_parts(parts: Path, out: Path, workers: Workers) -> int:
    """Write the shards from the parts, without duplicates; return how many those were."""
    for old in shards_in(out):
        old.unlink()
    paths = sorted(parts.glob("*.parquet"))
    counts = [pq.read_metadata(path).num_rows for path in paths]
    marks = (pq.read_table(path, columns=["identity"])["identity"].to_numpy() for path in paths)
    repeated = repeated_rows(marks, sum(counts))
    for _ in workers.map(write_joined, _plan_shards(paths, counts, repeated, out)):
        pass
    return len(repeated)


def _plan_shards(
    paths: Sequence[Path], counts: Sequence[int], repeated: NDArray[np.int64], out: Path
) -> Iterator[Joining]:
    """Parts in order, as many to a shard as make it full; parts of nothing but duplicates are left out."""
    held: list[tuple[Path, NDArray[np.int64]]] = []
    rows = number = first = 0
    for path, count in zip(paths, counts, strict=True):
        begin, end = np.searchsorted(repeated, [first, first + count])
        if end - begin < count:
            held.append((path, repeated[begin:end] - first))
            rows += count - (end - begin)
        first += count
        if rows >= _SHARD_ROWS:
            yield Joining(out / f"shard-{number:05d}.parquet", tuple(held))
            held, rows, number = [], 0, number + 1
    if held:
        yield Joining(out / f"shard-{number:05d}.parquet", tuple(held))


def write_joined(shard: Joining) -> None:
    """Join the parts of one shard."""
    tables = []
    for path, repeated in shard.parts:
        table = pq.read_table(path)
        keep = np.ones(table.num_rows, dtype=bool)
        keep[repeated] = False
        tables.append(table if keep.all() else table.filter(pa.array(keep)))
    write_shard(pa.concat_tables(tables).unify_dictionaries().combine_chunks(), shard.path)
