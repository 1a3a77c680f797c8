"""Labels: what a strong mind thinks of positions of stored games, in Parquet shards beside a manifest.

A label is found by the game's content hash and the ply, so it fits the game in whatever dataset it lies. It holds the
candidate moves of a search with their scores as the engine gave them, or the full distribution over the legal moves,
or both, and the chances of the side to move. It holds no position and no tensor: the game has those. Every score is of
the side to move.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Moves, Wdl
from hitonami.dataset.verify import check_folder
from hitonami.errors import BadData, BadInput

LAYOUT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
DEFAULT_TEMPERATURE: Final = 0.02
"""Of the softmax over expected scores: a move that expects 0.02 less has 1/e of the share."""
Key = tuple[int, int]
"""A game's content hash, and how many moves were played before the position."""
SCHEMA: Final = pa.schema(
    [
        ("content", pa.uint64()),
        ("ply", pa.int32()),
        ("played", pa.int32()),
        ("wdl", pa.list_(pa.float32())),
        ("moves", pa.list_(pa.int32())),
        ("expected", pa.list_(pa.float32())),
        ("centipawns", pa.list_(pa.int32())),
        ("mate_in", pa.list_(pa.int32())),
        ("visits", pa.list_(pa.int32())),
        ("lines", pa.list_(pa.list_(pa.int32()))),
        ("policy", pa.list_(pa.float16())),
        ("played_expected", pa.float32()),
        ("played_centipawns", pa.int32()),
        ("played_mate_in", pa.int32()),
    ]
)
_FOR_TARGETS: Final = ["content", "ply", "played", "moves", "expected", "policy"]
_PATTERN: Final = "labels-*.parquet"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move and its score. `expected` is win + draw / 2 of the side that plays it; `line` begins with the move."""

    move: int
    expected: float | None = None
    centipawns: int | None = None
    mate_in: int | None = None
    visits: int | None = None
    line: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """One position judged."""

    played: int
    """What the human played there."""
    wdl: Wdl | None = None
    candidates: tuple[Candidate, ...] = ()
    """Best first."""
    policy: NDArray[np.float16] | None = None
    """[L] probabilities of the legal moves."""
    own: Candidate | None = None
    """The played move's score: one of the candidates, or searched for on its own."""

    @property
    def loss(self) -> float | None:
        """How much less the played move expects than the best known, 0..1; None where a score is missing."""
        known = [each.expected for each in self.candidates if each.expected is not None]
        if self.own is None or self.own.expected is None or not known:
            return None
        return max(0.0, max(known) - self.own.expected)

    def target(self, legal: Moves, temperature: float | None = None) -> NDArray[np.float32]:
        """[L] a distribution to learn, aligned with the legal moves; zeros where the label holds none.

        A stored distribution p becomes p^(1/temperature), as it is by default. Candidates become the softmax of their
        expected scores over the temperature, DEFAULT_TEMPERATURE by default; moves beside them get nothing.
        """
        wanted = np.zeros(len(legal), dtype=np.float64)
        if self.policy is not None:
            if len(self.policy) != len(legal):
                raise BadInput(f"a label has {len(self.policy)} moves where {len(legal)} are legal: another rule set?")
            wanted[:] = self.policy.astype(np.float64) ** (1.0 / (1.0 if temperature is None else temperature))
        else:
            scores = {each.move: each.expected for each in self.candidates if each.expected is not None}
            held = np.isin(legal, list(scores))
            if held.sum() != len(scores):
                raise BadInput("a label names moves that are not legal: another rule set?")
            values = np.array([scores[move] for move in legal[held].tolist()])
            heat = DEFAULT_TEMPERATURE if temperature is None else temperature
            wanted[held] = np.exp((values - values.max(initial=-np.inf)) / heat) if len(values) else ()
        total = wanted.sum()
        return (wanted / total if total > 0 else wanted).astype(np.float32)


def table_of(labels: Sequence[tuple[Key, Label]]) -> pa.Table:
    """The rows of a shard."""
    rows = [label for _, label in labels]
    columns: dict[str, list[Any]] = {
        "content": [content for (content, _), _ in labels],
        "ply": [ply for (_, ply), _ in labels],
        "played": [label.played for label in rows],
        "wdl": [label.wdl for label in rows],
        "moves": [[each.move for each in label.candidates] for label in rows],
        "lines": [[each.line for each in label.candidates] for label in rows],
        "policy": [label.policy for label in rows],
    }
    for name in ("expected", "centipawns", "mate_in", "visits"):
        columns[name] = [[getattr(each, name) for each in label.candidates] for label in rows]
    for name in ("expected", "centipawns", "mate_in"):
        columns[f"played_{name}"] = [None if label.own is None else getattr(label.own, name) for label in rows]
    return pa.table([pa.array(columns[item.name], type=item.type) for item in SCHEMA], schema=SCHEMA)


def label_shards(folder: Path) -> list[Path]:
    """The shards of labels in a folder, in order."""
    return sorted(folder.glob(_PATTERN))


def shard_path(folder: Path, number: int) -> Path:
    return folder / f"labels-{number:05d}.parquet"


def write_labels(table: pa.Table, path: Path) -> None:
    """A shard is whole or not there."""
    with disk.replacing(path) as file:
        pq.write_table(table, file, compression="zstd")


def read_label_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of finished labels. Raises BadData that says what is there instead."""
    path = folder / MANIFEST
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        begun = " (they are not finished: go on with --resume)" if (folder / "unfinished").exists() else ""
        raise BadData(f"no labels in {folder}: `hitonami label` makes them{begun}") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as wrong:
        raise BadData(f"{path} cannot be read: {wrong}") from None
    if manifest.get("kind") != "labels":
        raise BadData(f"{folder} holds no labels: `hitonami label` makes them")
    if manifest.get("layout") != LAYOUT_VERSION:
        raise BadData(f"{folder}: labels of another version (layout {manifest.get('layout')}); make them again")
    return manifest


def hash_labels(folder: Path) -> str:
    """sha256 of the manifest, which holds the hashes of the shards."""
    read_label_manifest(folder)
    return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()


class Labels(Mapping[Key, Label]):
    """The labels of a folder, in memory as columns; a Label is made when it is asked for.

    Where a position was labelled twice, the last one counts.
    """

    def __init__(self, table: pa.Table) -> None:
        content, ply = table["content"].to_numpy(), table["ply"].to_numpy()
        order = np.lexsort((np.arange(len(ply)), ply, content))
        content, ply = content[order], ply[order]
        last = np.ones(len(ply), dtype=bool)
        last[:-1] = (content[1:] != content[:-1]) | (ply[1:] != ply[:-1])
        self._content, self._ply, self._rows = content[last], ply[last], order[last]
        self._columns = {name: table[name].combine_chunks() for name in table.column_names}

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Key]:
        return zip(self._content.tolist(), self._ply.tolist(), strict=True)

    def __getitem__(self, key: Key) -> Label:
        content, ply = key
        first, end = self._span(content)
        at = first + int(np.searchsorted(self._ply[first:end], ply))
        if at == end or self._ply[at] != ply:
            raise KeyError(key)
        return self._label(int(self._rows[at]))

    def plies_of(self, content: int) -> list[int]:
        """Where the game was labelled, in order."""
        first, end = self._span(content)
        return [int(ply) for ply in self._ply[first:end]]

    def _span(self, content: int) -> tuple[int, int]:
        wanted = np.uint64(content)
        return int(np.searchsorted(self._content, wanted)), int(np.searchsorted(self._content, wanted, side="right"))

    def _label(self, row: int) -> Label:
        def value(name: str) -> Any:
            return self._columns[name][row].as_py() if name in self._columns else None

        wdl, policy = value("wdl"), self._columns["policy"][row]
        moves = value("moves")
        blank = [None] * len(moves)
        columns = [value(name) or blank for name in ("expected", "centipawns", "mate_in", "visits")]
        lines = [tuple(line) for line in value("lines") or ()] or [(move,) for move in moves]
        candidates = tuple(Candidate(*each) for each in zip(moves, *columns, lines, strict=True))
        own = [value(f"played_{name}") for name in ("expected", "centipawns", "mate_in")]
        return Label(
            played=value("played"),
            wdl=None if wdl is None else np.array(wdl, dtype=np.float32),
            candidates=candidates,
            policy=policy.values.to_numpy(zero_copy_only=False) if policy.is_valid else None,
            own=None if own == [None] * 3 else Candidate(value("played"), *own),
        )


def labels_of(folder: Path, *, for_targets: bool = False) -> Labels:
    """(game, ply) -> Label. `for_targets` reads only what a target is made from, a fraction of the memory.

    Raises BadData where the folder holds no finished labels, or a shard is damaged.
    """
    manifest = read_label_manifest(folder)
    check_folder(folder)
    tables = []
    for told in manifest["shards"]:
        path = folder / told["name"]
        try:
            tables.append(pq.read_table(path, columns=_FOR_TARGETS if for_targets else None))
        except (OSError, pa.ArrowException) as wrong:
            raise BadData(f"{path}: a damaged or missing shard: {str(wrong).partition(chr(10))[0][:200]}") from None
    return Labels(pa.concat_tables(tables) if tables else SCHEMA.empty_table())
