"""Shards: Parquet files of games, never of tensors, so that a new encoding needs no new ingest.

One row is one game. `SCHEMA` is the whole contract; columns of a side end in _0 or _1. Positions that
evaluation leaves out (openings, low clocks) are kept and flagged a move at a time.
"""

import hashlib
import json
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami import disk
from hitonami.core import Player, Position, Setup, open_game
from hitonami.dataset.names import Names
from hitonami.records import Record

OPENING_PLIES: Final = 10
LOW_CLOCK_SECONDS: Final = 30.0
ROW_GROUP_GAMES: Final = 2_000
FLAG_OPENING: Final = 1
FLAG_LOW_CLOCK: Final = 2
FLAG_BOT: Final = 4
FLAG_ASSISTED: Final = 8

_WORD = pa.dictionary(pa.int32(), pa.string())
_SETUP = pa.struct(
    [
        ("start", pa.string()),
        ("size", pa.int16()),
        ("komi", pa.float32()),
        ("handicap", pa.int16()),
        ("rules", pa.string()),
        ("variant", pa.string()),
    ]
)
SCHEMA: Final = pa.schema(
    [
        ("game", _WORD),
        ("setup", _SETUP),
        ("moves", pa.list_(pa.int32())),
        ("flags", pa.list_(pa.uint8())),
        ("clocks", pa.list_(pa.float32())),
        ("think_seconds", pa.list_(pa.float32())),
        *[
            (f"{name}_{side}", kind)
            for side in (0, 1)
            for name, kind in [("rating", pa.float32()), ("pool", _WORD), ("kind", _WORD), ("name", pa.string())]
        ],
        ("score", pa.float32()),
        ("termination", _WORD),
        ("time_control", _WORD),
        ("speed", _WORD),
        ("date", pa.string()),
        ("event", _WORD),
        ("marks", pa.list_(pa.string())),
        ("source", _WORD),
        ("offset", pa.int64()),
        ("content", pa.uint64()),
        ("identity", pa.uint64()),
        ("movers", pa.list_(pa.uint8())),  # null where sides alternate; older shards have no such column
    ]
)
_SHORT_GAME_PLIES = 30


def content_of(record: Record) -> int:
    """64 bits that depend on the game alone: its setup, moves and score. Splits are made from it."""
    return int.from_bytes(_digest(record).digest(), "little")


def identity_of(record: Record, names: Sequence[str | None]) -> int:
    """64 bits that are equal for duplicates.

    Two records of the same moves and score are the same game, except that short games are often played
    twice: there the players (by the names that the shard will hold) and the date must agree too.
    """
    digest = _digest(record)
    if len(record.moves) < _SHORT_GAME_PLIES:
        digest.update("\0".join([*(str(name).lower() for name in names), record.date]).encode())
    return int.from_bytes(digest.digest(), "little")


def _digest(record: Record) -> "hashlib.blake2b":
    digest = hashlib.blake2b(array("i", record.moves).tobytes(), digest_size=8)
    digest.update(f"{record.game}|{record.setup if record.setup != _STANDARD else ''}|{record.score}".encode())
    return digest


_STANDARD = Setup()


def flags_of(record: Record) -> NDArray[np.uint8]:
    """[moves] why evaluation leaves a move out."""
    count = len(record.moves)
    flags = np.zeros(count, dtype=np.uint8)
    flags[:OPENING_PLIES] |= FLAG_OPENING
    if record.clocks:
        flags[clocks_before(record) < LOW_CLOCK_SECONDS] |= FLAG_LOW_CLOCK
    movers = movers_of(record)
    for side, player in enumerate(record.players):
        if player.kind == "bot":
            flags[movers == side] |= FLAG_BOT
        if f"assisted-{side}" in record.marks:
            flags[movers == side] |= FLAG_ASSISTED
    return flags


def clocks_before(record: Record) -> NDArray[np.float64]:
    """[moves] seconds the mover had left before the move, that is after its previous one; infinite where unknown."""
    before = np.full(len(record.moves), np.inf)
    if record.clocks:
        clocks, movers = np.array(record.clocks, dtype=np.float64), movers_of(record)  # None is NaN
        for side in (0, 1):
            own = np.flatnonzero(movers == side)
            before[own[1:]] = clocks[own[:-1]]
    return np.where(np.isnan(before), np.inf, before)


def movers_of(record: Record) -> NDArray[np.int64]:
    """[moves] who makes each move, 0 or 1. The rules know who begins; a standard start needs no rules."""
    if record.movers:
        return np.array(record.movers, dtype=np.int64)
    first = 0 if record.setup == _STANDARD else start_of(record.game, record.setup).to_move
    return (np.arange(len(record.moves)) + first) % 2


@lru_cache(maxsize=256)
def start_of(game: str, setup: Setup) -> Position:
    """Where a game began. Most games share one start, and positions never change."""
    start: Position = open_game(game).start(setup)
    return start


def table_of(records: Sequence[Record], sources: Sequence[str], names: Names = Names()) -> pa.Table:  # noqa: B008
    """The rows of a shard; `names` says what becomes of people's names."""
    shown = [tuple(names(player) for player in record.players) for record in records]
    columns: dict[str, Any] = {
        "game": [record.game for record in records],
        "setup": pa.array([_setup_row(record.setup) for record in records], type=_SETUP),
        "moves": _lists([record.moves for record in records], pa.int32()),
        "flags": _lists([flags_of(record) for record in records], pa.uint8()),
        "clocks": pa.array([record.clocks or None for record in records], type=pa.list_(pa.float32())),
        "think_seconds": pa.array([record.think_seconds or None for record in records], type=pa.list_(pa.float32())),
        "movers": pa.array([record.movers or None for record in records], type=pa.list_(pa.uint8())),
        "score": [record.score for record in records],
        "marks": [sorted(record.marks) for record in records],
        "source": [names.source(source) for source in sources],
        "offset": [record.offset for record in records],
        "content": np.array([content_of(record) for record in records], dtype=np.uint64),
        "identity": np.array(
            [identity_of(record, own) for record, own in zip(records, shown, strict=True)], dtype=np.uint64
        ),
    }
    for side in (0, 1):
        for name in ("rating", "pool", "kind"):
            columns[f"{name}_{side}"] = [getattr(record.players[side], name) for record in records]
        columns[f"name_{side}"] = [own[side] for own in shown]
    for name in ("termination", "time_control", "speed", "date"):
        columns[name] = [getattr(record, name) for record in records]
    columns["event"] = ["" if names.hides else record.event for record in records]  # events name people too
    return pa.table(
        [
            pa.array(columns[item.name], type=item.type)
            if not isinstance(columns[item.name], pa.Array)
            else columns[item.name]
            for item in SCHEMA
        ],
        schema=SCHEMA,
    )


def _setup_row(setup: Setup) -> dict[str, Any]:
    return {name: getattr(setup, name) for name in ("start", "size", "komi", "handicap", "rules", "variant")}


def _lists(rows: Sequence[Sequence[int] | NDArray[Any]], kind: pa.DataType) -> pa.Array:
    lengths = np.fromiter((len(row) for row in rows), dtype=np.int32, count=len(rows))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    flat: NDArray[Any] = np.concatenate([pa.array([], kind).to_numpy(), *(np.asarray(row) for row in rows)])
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat, type=kind))


def write_shard(table: pa.Table, path: Path, compression: str = "zstd") -> None:
    """A shard is whole or not there."""
    with disk.replacing(path) as file:
        pq.write_table(table, file, row_group_size=ROW_GROUP_GAMES, compression=compression)


def describe_shard(path: Path, rows: str) -> dict[str, Any]:
    """A shard's line in a manifest, by which it is known again; `rows` says what its rows are."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = path.stat().st_size
    return {"name": path.name, rows: pq.read_metadata(path).num_rows, "bytes": size, "sha256": digest}


def write_json(path: Path, data: object) -> None:
    """A manifest is whole or not there."""
    disk.write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def shards_in(folder: Path) -> list[Path]:
    """The shards of a dataset, in order."""
    return sorted(folder.glob("shard-*.parquet"))


def read_records(path: Path) -> Iterator[Record]:
    """The games of a shard, a row group at a time."""
    file = pq.ParquetFile(path)
    for at in range(file.num_row_groups):
        yield from records_of(file.read_row_group(at))


def records_of(table: pa.Table) -> Iterator[Record]:
    """The games of some rows."""
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            yield _record_of(row)


def _record_of(row: dict[str, Any]) -> Record:
    setup = row["setup"]
    return Record(
        game=row["game"],
        setup=Setup(**setup) if any(setup.values()) else _STANDARD,
        moves=tuple(row["moves"]),
        players=(_player_of(row, 0), _player_of(row, 1)),
        score=row["score"],
        clocks=tuple(row["clocks"] or ()),
        think_seconds=tuple(row["think_seconds"] or ()),
        marks=frozenset(row["marks"]),
        offset=row["offset"],
        movers=tuple(row.get("movers") or ()),
        **{name: row[name] or "" for name in ("termination", "time_control", "speed", "date", "event")},
    )


def _player_of(row: dict[str, Any], side: int) -> Player:
    return Player(row[f"rating_{side}"], row[f"pool_{side}"] or "", row[f"name_{side}"], row[f"kind_{side}"])
