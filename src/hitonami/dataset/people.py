"""The people of individual studies, chosen once: datasets without any of their games, and with only theirs.

In each pool those with the most games are targets. What trains, validates or fits a model of everybody reads the
datasets below `base`; only a study of the targets reads those below `people`. A game is theirs if they sit on either
side, and so is every record of the same moves, with whatever names or none: sets without names hold copies.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami import disk
from hitonami.dataset.ingest import LAYOUT_VERSION
from hitonami.dataset.shards import describe_shard, shards_in, write_json, write_shard
from hitonami.dataset.subset import MANIFEST, hash_manifest
from hitonami.dataset.verify import open_shards
from hitonami.errors import BadInput

TARGETS_FILE: Final = "targets.json"
BASE, PEOPLE = "base", "people"
_LAYOUT: Final = 1
_PSEUDONYM = re.compile(r"[0-9a-f]{16}")
_COLUMNS: Final = [f"{name}_{side}" for side in (0, 1) for name in ("pool", "kind", "name")]

Targets = dict[str, tuple[str, ...]]
"""By pool, the pseudonyms of those who are studied, most games first."""


@dataclass(frozen=True)
class Apart:
    """How many games of one dataset went where."""

    name: str
    base: int
    people: int


@dataclass(frozen=True)
class Wanted:
    """How many targets a pool has at most, with how many games at least. `known` pools are chosen already."""

    targets: int = 100
    least_games: int = 100
    known: Path | None = None


def part_people(folders: Sequence[Path], out: Path, wanted: Wanted) -> tuple[Targets, list[Apart]]:
    """Choose the targets, write who they are and each dataset in two halves, whole or not at all. Raises BadInput."""
    _check(folders, out)
    targets = choose_targets(folders, wanted)
    if not any(targets.values()):
        raise BadInput(f"nobody has {wanted.least_games:,} games in {', '.join(map(str, folders))}")
    games = _games_of(folders, targets)
    with disk.building(out) as draft:
        parts = [_part(each, draft, targets, games) for each in folders]
        write_json(draft / TARGETS_FILE, {"layout": _LAYOUT, "pools": targets})
    return targets, parts


def choose_targets(folders: Sequence[Path], wanted: Wanted) -> Targets:
    """By pool, those with the most games. A game that several datasets hold counts once, bots never."""
    known = {} if wanted.known is None else read_targets(wanted.known)
    counts: dict[str, Counter[str]] = {}
    seen: set[int] = set()
    for table in _tables(folders, ["identity", *_COLUMNS]):
        rows = table.to_pydict()
        for at, identity in enumerate(rows["identity"]):
            if identity in seen:
                continue
            seen.add(identity)
            for side in (0, 1):
                pool, kind, name = (rows[f"{what}_{side}"][at] for what in ("pool", "kind", "name"))
                if name and kind != "bot":
                    _check_hidden(name)
                    counts.setdefault(pool or "", Counter())[name] += 1
    chosen = {
        pool: tuple(
            name
            for name in sorted(held, key=lambda each: (-held[each], each))[: wanted.targets]
            if held[name] >= wanted.least_games
        )
        for pool, held in sorted(counts.items())
    }
    return known | {pool: names for pool, names in chosen.items() if names and pool not in known}


def read_targets(path: Path) -> Targets:
    """The targets that were chosen earlier. Raises BadInput that names the file."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        targets = {str(pool): tuple(map(str, names)) for pool, names in held["pools"].items()}
    except (OSError, UnicodeDecodeError, ValueError, KeyError, AttributeError, TypeError) as wrong:
        raise BadInput(f"{path}: no list of targets: {wrong}") from None
    if held.get("layout") != _LAYOUT:
        raise BadInput(f"{path}: layout {held.get('layout')!r}, this version reads {_LAYOUT}")
    return targets


def _check(folders: Sequence[Path], out: Path) -> None:
    for folder in folders:
        if not open_shards(folder):
            raise BadInput(f"no dataset in {folder}: `hitonami ingest` makes them")
    twice = [name for name, count in Counter(folder.resolve().name for folder in folders).items() if count > 1]
    if twice:
        raise BadInput(f"two datasets are called {twice[0]}: their halves would be one; rename one of them")
    if out.exists() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty: choose another folder with --out")


def _check_hidden(name: str) -> None:
    if not _PSEUDONYM.fullmatch(name):
        raise BadInput("a dataset has people's names (`ingest --keep-names`): a list of targets holds pseudonyms only")


def _tables(folders: Sequence[Path], columns: list[str] | None = None) -> Iterator[pa.Table]:
    for folder in folders:
        for path in shards_in(folder):
            yield pq.read_table(path, columns=columns)


def _games_of(folders: Sequence[Path], targets: Mapping[str, Sequence[str]]) -> NDArray[np.uint64]:
    """The contents of all games that a target played, in any of the datasets."""
    found = [
        table["content"].to_numpy()[_is_theirs(table, targets)] for table in _tables(folders, ["content", *_COLUMNS])
    ]
    return np.unique(np.concatenate([np.zeros(0, np.uint64), *found]))


def _is_theirs(table: pa.Table, targets: Mapping[str, Sequence[str]]) -> NDArray[np.bool_]:
    """[games] whether a target sits on either side."""
    marked = {(pool, name) for pool, names in targets.items() for name in names}
    theirs = np.zeros(table.num_rows, dtype=np.bool_)
    for side in (0, 1):
        pools, names = table[f"pool_{side}"].to_pylist(), table[f"name_{side}"].to_pylist()
        theirs |= np.fromiter(((pool or "", name) in marked for pool, name in zip(pools, names, strict=True)), np.bool_)
    return theirs


def _part(folder: Path, out: Path, targets: Targets, games: NDArray[np.uint64]) -> Apart:
    name = folder.resolve().name
    counts = dict.fromkeys((BASE, PEOPLE), 0)
    shards: dict[str, list[Path]] = {BASE: [], PEOPLE: []}
    for path in shards_in(folder):
        table = pq.read_table(path)
        theirs = _is_theirs(table, targets) | np.isin(table["content"].to_numpy(), games)
        for half, keep in ((BASE, ~theirs), (PEOPLE, theirs)):
            if keep.any():
                to = out / half / name / path.name
                to.parent.mkdir(parents=True, exist_ok=True)
                write_shard(table.filter(pa.array(keep)).unify_dictionaries(), to)
                shards[half].append(to)
                counts[half] += int(keep.sum())
    for half, held in shards.items():
        if held:
            about = {
                "half": half,
                "of": hash_manifest(folder),
                "targets": {pool: len(t) for pool, t in targets.items()},
            }
            listed = [describe_shard(path, "games") for path in held]
            write_json(out / half / name / MANIFEST, {"layout": LAYOUT_VERSION, "people": about, "shards": listed})
    return Apart(name, counts[BASE], counts[PEOPLE])
