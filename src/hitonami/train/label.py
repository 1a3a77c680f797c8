"""Have a strong mind judge positions of stored games, and keep what it says as labels.

Work is cut into blocks that know nothing of each other. Each becomes a part file of its own, in parallel; then the
parts are joined in order into shards, and the manifest is written last. Killed at any moment and resumed, the shards
are those of an undisturbed run, byte for byte, as long as the mind says the same to the same question: an engine with
one thread and a limit in nodes does, one with a limit in time does not.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from hitonami import __version__, disk
from hitonami.cluster import Workers
from hitonami.dataset.labels import LAYOUT_VERSION, MANIFEST, label_shards, shard_path, table_of, write_labels
from hitonami.dataset.picking import Block, Picking, Pool, blocks_of, pick_positions
from hitonami.dataset.shards import describe_shard, write_json
from hitonami.dataset.verify import UNFINISHED
from hitonami.errors import BadInput, BadSpec, WorkFailed
from hitonami.specs import MindSpec, Room, mind_spec, schema_of
from hitonami.train.labelling import Asking, judge_block, origins_of

BLOCK_POSITIONS: Final = 64
_SHARD_LABELS: Final = 200_000
_LINE_FIELDS: Final = ("multipv", "lines")


@dataclass(frozen=True)
class LabelPlan:
    """What is asked of whom, and where the answers go. Equal plans over equal data give equal labels."""

    mind: MindSpec
    draw: Picking
    out: Path
    asking: Asking = field(default_factory=Asking)
    jobs: int = 1


@dataclass(frozen=True)
class Progress:
    """Positions behind us, in all and in this run, and how many there are."""

    done: int
    fresh: int
    total: int


@dataclass(frozen=True)
class _Part:
    """What came of a block."""

    positions: int
    is_fresh: bool


def with_lines(spec: MindSpec, count: int) -> MindSpec:
    """The same mind with so many variations. Raises BadSpec for a mind that has none."""
    name = next((name for name in _LINE_FIELDS if name in schema_of(spec.kind).model_fields), None)
    if name is None:
        raise BadSpec(f"the mind {spec.kind} has no variations to count: --lines is for engines that search")
    return mind_spec(spec.as_dict() | {name: count})


def label(
    plan: LabelPlan, pool: Pool, *, resume: bool = False, report: Callable[[Progress], None] = lambda progress: None
) -> dict[str, Any]:
    """Label the positions of the plan and return the manifest. Raises BadInput for a folder that is not the plan's."""
    about = _about(plan, pool)
    finished = _finished(plan.out, about)
    if finished is not None:
        return finished
    parts = _open_parts(plan.out, about, resume)
    drawn = pick_positions(pool, plan.draw)
    done = fresh = 0
    work = partial(label_block, spec=plan.mind, asking=plan.asking, parts=parts)
    with disk.holding(parts), _worker_of_this_process(plan), Workers(plan.jobs) as workers:
        for part in workers.map(work, blocks_of(drawn, BLOCK_POSITIONS)):
            done += part.positions
            fresh += part.positions if part.is_fresh else 0
            report(Progress(done, fresh, drawn.positions))
    failed = _join_parts(parts, plan.out)
    shards = [describe_shard(path, "labels") for path in label_shards(plan.out)]
    manifest = {
        "kind": "labels",
        "layout": LAYOUT_VERSION,
        "hitonami": __version__,
        "about": about,
        "games": drawn.games.num_rows,
        "labels": sum(shard["labels"] for shard in shards),
        "failed": failed,
        "shards": shards,
    }
    write_json(plan.out / MANIFEST, manifest)
    disk.forget_tree(parts)
    return manifest


def label_block(block: Block, spec: MindSpec, asking: Asking, parts: Path) -> _Part:
    """Label a block and write its part, unless it is there already."""
    path, note = parts / f"{block.number:08d}.parquet", parts / f"{block.number:08d}.json"
    positions = sum(map(len, block.plies))
    if note.exists():
        return _Part(positions, False)
    judged = judge_block(block, _room(spec).open(prepared(spec)), asking)
    if judged.failed and not judged.labels:
        raise WorkFailed(f"not one of {judged.failed} positions could be labelled: {judged.reason}")
    write_labels(table_of(judged.labels), path)
    write_json(note, {"failed": judged.failed, "reason": judged.reason})  # done from here on
    return _Part(positions, True)


def prepared(spec: MindSpec) -> MindSpec:
    """A network is asked with one thread and no memory: its answers must not depend on what was asked before."""
    if spec.kind != "neural":
        return spec
    return mind_spec({"threads": 1, "cache": 0} | spec.as_dict())


@cache
def _room(spec: MindSpec) -> Room:
    """One a process: an engine starts once and serves all blocks."""
    return Room()


@contextmanager
def _worker_of_this_process(plan: LabelPlan) -> Iterator[None]:
    """Engines that this process starts for itself end with the work."""
    try:
        yield
    finally:
        if plan.jobs == 1:
            _room(plan.mind).close()
            _room.cache_clear()


def _about(plan: LabelPlan, pool: Pool) -> dict[str, Any]:
    """All that the labels depend on. The mind is opened to learn which program and version answers."""
    with Room() as room:
        engines = origins_of(room.open(prepared(plan.mind)))
    return {
        "mind": plan.mind.as_dict(),
        "engines": engines,
        "asking": asdict(plan.asking),
        "draw": asdict(plan.draw),
        "data": hashlib.sha256(pool.mark.encode()).hexdigest(),
        "block": BLOCK_POSITIONS,
    }


def _finished(out: Path, about: dict[str, Any]) -> dict[str, Any] | None:
    path = out / MANIFEST
    if not path.exists():
        return None
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    _refuse_other(out, manifest.get("about", {}), about)
    disk.forget_tree(out / UNFINISHED)
    return manifest


def _open_parts(out: Path, about: dict[str, Any], resume: bool) -> Path:
    """The folder of unfinished work; refused where it belongs to other work, or where nobody said to go on."""
    parts = out / UNFINISHED
    note = parts / "about.json"
    if note.exists():
        _refuse_other(out, json.loads(note.read_text(encoding="utf-8")), about)
        if not resume:
            raise BadInput(f"{out}: holds unfinished labels; go on with --resume, or choose another folder")
        return parts
    if resume:
        raise BadInput(f"{out}: no labels to go on with")
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not parts.exists():
        raise BadInput(f"{out}: not empty and no labels of ours; choose another folder")
    disk.make_chosen_folder(parts, out)
    write_json(note, about)
    return parts


def _refuse_other(out: Path, held: dict[str, Any], wanted: dict[str, Any]) -> None:
    told = json.loads(json.dumps(wanted))  # as a file holds it: tuples are lists there
    for name, value in told.items():
        if held.get(name) != value:
            raise BadInput(f"{out}: holds labels with another {name}; choose another folder or remove it")


def _join_parts(parts: Path, out: Path) -> dict[str, Any]:
    """Write the shards from the parts; return how many positions failed, and why the first did."""
    for old in label_shards(out):
        old.unlink()
    paths = iter(sorted(parts.glob("*.parquet")))
    step = max(1, _SHARD_LABELS // BLOCK_POSITIONS)
    for number in range(1_000_000):
        held = [pq.read_table(path) for path in islice(paths, step)]
        if not held:
            break
        write_labels(pa.concat_tables(held).combine_chunks(), shard_path(out, number))
    notes = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(parts.glob("0*.json"))]
    reasons = [note["reason"] for note in notes if note["reason"]]
    return {"positions": sum(note["failed"] for note in notes), "reason": reasons[0] if reasons else ""}
