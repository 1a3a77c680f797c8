"""Where twins are kept: a file each in HITONAMI_TWINS, else in the platform's folder for a user's data.

A file holds numbers and marks of positions: no name of a person but the one that the user gave the twin, no game and no
position that could be read. Nothing here reaches a network. Forgetting removes the file and all that was kept on the
way to it.
"""

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from hitonami import disk
from hitonami.core import Player
from hitonami.disk import user_folder
from hitonami.errors import BadInput, BadSpec, alternatives, quote
from hitonami.twins.twin import Floats, Leanings, Memory, Twin

SUFFIX: Final = ".twin"
MOST_BYTES: Final = 300_000
_LARGEST_TEXT: Final = 40 << 20
_LAYOUT: Final = 1
_MAKING: Final = ".making"
_SENT: Final = ".sent"
_NAME: Final = re.compile(r"[^\W_][\w.-]{0,39}")
_DIGITS: Final = 4
_MOST_READY: Final = 20.0


@dataclass(frozen=True)
class Kept:
    """A twin in the store; `problem` says why it cannot be read."""

    name: str
    path: Path
    size_bytes: int
    twin: Twin | None
    problem: str = ""


def twins_store() -> Path:
    """The folder of the user's twins. It need not exist."""
    given = os.environ.get("HITONAMI_TWINS")
    return Path(given).expanduser() if given else user_folder() / "twins"


def check_name(name: str) -> str:
    """Raises BadInput for what cannot be a twin's name."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"a twin's name is up to 40 letters, digits, dots and dashes, got {quote(name)}")
    return name


def path_of(name: str, store: Path | None = None) -> Path:
    return (store or twins_store()) / f"{check_name(name)}{SUFFIX}"


def work_folder(name: str, store: Path | None = None) -> Path:
    """Where a twin that is being made keeps what it has asked."""
    return (store or twins_store()) / f".{check_name(name)}{_MAKING}"


def sent_folder(name: str, store: Path | None = None) -> Path:
    """Where the page keeps what it was sent for a twin that is being made."""
    return (store or twins_store()) / f".{check_name(name)}{_SENT}"


def sent_names(store: Path | None = None) -> list[str]:
    """The twins of which something was sent, and which are not made yet."""
    folders = (store or twins_store()).glob(f".*{_SENT}")
    return sorted(folder.name[1:].removesuffix(_SENT) for folder in folders)


def list_twins(store: Path | None = None) -> Iterator[Kept]:
    """Every twin in the store, by name. A broken one is listed with its problem."""
    for path in sorted((store or twins_store()).glob(f"*{SUFFIX}")):
        try:
            yield Kept(path.stem, path, path.stat().st_size, read_twin(path))
        except BadSpec as wrong:
            yield Kept(path.stem, path, path.stat().st_size, None, str(wrong))


def find_twin(name: str, store: Path | None = None) -> Twin:
    """The twin of that name, or in a file. Raises BadInput that names those there are."""
    if name.endswith(SUFFIX):
        return read_twin(Path(name).expanduser())
    path = path_of(name, store)
    if not path.is_file():
        there = [each.stem for each in sorted((store or twins_store()).glob(f"*{SUFFIX}"))]
        known = alternatives(name, there) if there else "none was made yet"
        raise BadInput(f"there is no twin {quote(name)}; {known}; `hitonami twin GAME FILES --name NAME` makes one")
    return read_twin(path)


def forget_twin(name: str, store: Path | None = None) -> list[Path]:
    """Remove all that is kept of a twin, finished or not; returns what was. Raises BadInput where there is none."""
    path = path_of(name, store)
    draft = path.with_name(path.name + disk.DRAFT_SUFFIX)
    removed = []
    for each in (path, draft):
        if each.is_file():
            each.unlink()
            removed.append(each)
    for folder in (work_folder(name, store), sent_folder(name, store)):
        if folder.is_dir():
            disk.remove_tree(folder)
            removed.append(folder)
    _read_twin.cache_clear()
    if not removed:
        find_twin(name, store)
    return removed


def write_twin(twin: Twin, store: Path | None = None) -> Path:
    """Keep a twin, whole or not at all, in place of one of that name."""
    path = path_of(twin.name, store)
    disk.make_folder(path.parent)
    with disk.replacing(path, 0o600) as file:
        file.write(pack(twin))
    return path


def pack(twin: Twin) -> bytes:
    """The file's bytes: the same for the same twin."""
    held = {
        "layout": _LAYOUT,
        "name": twin.name,
        "game": twin.game,
        "rating": twin.player.rating,
        "pool": twin.player.pool,
        "leanings": None if twin.leanings is None else _leanings_json(twin.leanings),
        "memories": {
            scene: {"doubt": memory.doubt, "counts": memory.counts} for scene, memory in twin.memories.items()
        },
        "readiness": twin.readiness,
        "provenance": dict(twin.provenance),
    }
    text = json.dumps(held, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode(), 9, mtime=0)


def _leanings_json(leanings: Leanings) -> dict[str, Any]:
    return {
        "columns": list(leanings.columns),
        "shift": _short(leanings.shift),
        "scale": _short(leanings.scale),
        "weights": _short(leanings.weights),
        "kinds": {name: _short(weights) for name, weights in leanings.kinds.items()},
    }


def _short(values: Floats) -> list[float]:
    return [float(f"{value:.{_DIGITS}g}") for value in values.tolist()]


def read_twin(path: Path) -> Twin:
    """The twin in a file, read once while it stays as it is. Raises BadSpec that names the file and what is wrong."""
    try:
        known = path.stat()
    except OSError as wrong:
        raise BadSpec(f"{path}: {wrong.strerror}") from None
    return _read_twin(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=32)
def _read_twin(path: Path, _changed: int, _size_bytes: int) -> Twin:
    try:
        with gzip.open(path) as file:
            text = file.read(_LARGEST_TEXT + 1)
        if len(text) > _LARGEST_TEXT:
            raise BadSpec(f"{path}: no twin: larger than any")
        held = json.loads(text)
        if held["layout"] != _LAYOUT:
            raise BadSpec(f"{path}: a twin of layout {held['layout']!r}; this version reads {_LAYOUT}: make it again")
        player = Player(None if held["rating"] is None else float(held["rating"]), str(held["pool"]))
        leanings = None if held["leanings"] is None else _read_leanings(held["leanings"])
        memories = {str(scene): _read_memory(each) for scene, each in held["memories"].items()}
        readiness = float(held.get("readiness", 0.0))  # twins made before people's manners were read have none
        if not abs(readiness) < _MOST_READY:
            raise ValueError("its readiness to give up is none")
        twin = Twin(
            str(held["name"]), str(held["game"]), player, leanings, memories, dict(held["provenance"]), readiness
        )
    except OSError as wrong:
        raise BadSpec(f"{path}: {wrong.strerror or 'no twin: ' + str(wrong)}") from None
    except (EOFError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        if isinstance(wrong, BadSpec):
            raise
        raise BadSpec(f"{path}: no twin: {wrong}") from None
    return twin


def _read_leanings(held: Any) -> Leanings:
    parts = [np.array(held[name], dtype=np.float32) for name in ("shift", "scale", "weights")]
    kinds = {str(name): np.array(weights, dtype=np.float32) for name, weights in held["kinds"].items()}
    columns = tuple(map(str, held["columns"]))
    if any(part.shape != (len(columns),) for part in parts) or not (parts[1] > 0).all():
        raise ValueError("the sizes of its parts do not fit together")
    if not all(np.isfinite(part).all() and part.ndim == 1 for part in (*parts, *kinds.values())):
        raise ValueError("it holds numbers that are none")
    return Leanings(columns, parts[0], parts[1], parts[2], kinds)


def _read_memory(held: Any) -> Memory:
    counts = {
        str(mark): {str(move): int(count) for move, count in moves.items()} for mark, moves in held["counts"].items()
    }
    doubt = float(held["doubt"])
    if not 0.0 < doubt < np.inf or any(count < 0 for moves in counts.values() for count in moves.values()):
        raise ValueError("its counts are none")
    return Memory(counts, doubt)
