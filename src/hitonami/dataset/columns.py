"""Games laid out in flat arrays, for kernels that walk thousands of them at once: no object a game, none a move.

Shards are read column by column; records of any other kind are first turned into the rows of a shard, so that there is
one way in. Names stay as the data has them: who groups by them asks for data that keeps them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.core import Player, Position, Setup
from hitonami.dataset.groups import SplitChoice, in_split
from hitonami.dataset.reading import Data, Tally, is_game
from hitonami.dataset.shards import SCHEMA, start_of, table_of

_BLOCK: Final = 2_000
_WANTED: Final = tuple(
    name for name in SCHEMA.names if name not in {"flags", "termination", "event", "marks", "source", "offset", "score"}
)
_CONTROL = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Columns:
    """Games [n] and their moves [M], a game's from `begins` [n + 1] on."""

    game: str
    moves: Whole
    begins: Whole
    movers: NDArray[np.int8]
    """[M] who made each move."""
    setups: tuple[Setup, ...]
    setup: Whole
    """[n] which of `setups` the game began with."""
    think_seconds: Floats
    """[M] NaN where nothing is known."""
    content: NDArray[np.uint64]
    ratings: Floats
    """[n, 2] NaN where there is none."""
    pools: NDArray[np.object_]
    """[n, 2], as `names` and `kinds`."""
    names: NDArray[np.object_]
    kinds: NDArray[np.object_]
    dates: NDArray[np.object_]
    speeds: NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.setup)

    @property
    def plies(self) -> Whole:
        """[n] how long each game is."""
        return np.diff(self.begins)

    @property
    def game_of_move(self) -> Whole:
        """[M]."""
        return np.repeat(np.arange(len(self)), self.plies)

    def starts(self) -> list[Position]:
        """Where each of `setups` begins."""
        return [start_of(self.game, each) for each in self.setups]

    def player(self, at: int, side: int) -> Player:
        rating = float(self.ratings[at, side])
        return Player(None if np.isnan(rating) else rating, self.pools[at, side], self.names[at, side])

    def keep(self, rows: NDArray[np.bool_]) -> "Columns":
        """Only these games."""
        moves = np.repeat(rows, self.plies)
        parts = {
            each.name: getattr(self, each.name)[moves if each.name in {"moves", "movers", "think_seconds"} else rows]
            for each in fields(self)
            if each.name not in {"game", "setups", "begins"}
        }
        begins = np.concatenate([[0], np.cumsum(self.plies[rows])])
        return Columns(game=self.game, setups=self.setups, begins=begins, **parts)


def join(parts: Sequence[Columns]) -> Columns:
    """All games of several, in order."""
    setups = tuple(dict.fromkeys(each for part in parts for each in part.setups))
    at = {setup: number for number, setup in enumerate(setups)}
    renumbered = [np.array([at[each] for each in part.setups], dtype=np.int64)[part.setup] for part in parts]
    firsts = np.cumsum([0, *(len(part.moves) for part in parts)])
    begins = [part.begins[:-1] + first for part, first in zip(parts, firsts[:-1], strict=True)]
    held: dict[str, Any] = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(Columns)
        if each.name not in {"game", "setups", "setup", "begins"}
    }
    return Columns(
        game=parts[0].game,
        begins=np.append(np.concatenate(begins), firsts[-1]),
        setups=setups,
        setup=np.concatenate(renumbered),
        **held,
    )


def read_columns(
    data: Data, tally: Tally, split: SplitChoice = "all", report: Callable[[int], None] = lambda done: None
) -> Iterator[Columns]:
    """The games of `data` in blocks. What cannot be read is counted in `tally`. Raises BadData where nothing can."""
    done = 0
    for path in data.shards:
        try:
            file = pq.ParquetFile(path)
            there = [name for name in _WANTED if name in file.schema_arrow.names]
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns=there)
                ours = is_game(table, data.game)
                tally.games += int(ours.sum())
                table = table.filter(pa.array(ours & in_split(table["content"].to_numpy(), split)))
                if table.num_rows:
                    yield columns_of(table, data.game)
        except (pa.ArrowException, OSError, KeyError) as wrong:
            tally.broken.append(f"{path}: a damaged shard: {str(wrong).partition(chr(10))[0][:200]}")
        done += path.stat().st_size
        report(done)
    if data.sources is not None:
        before = done
        rows = (each.record for each in data.recorded(tally, split, lambda part: report(before + part)))
        while block := list(islice(rows, _BLOCK)):
            yield columns_of(table_of(block, [""] * len(block)), data.game)


def columns_of(table: pa.Table, game: str) -> Columns:
    """The rows of a shard as arrays."""
    lengths = _lengths(table["moves"])
    begins = np.concatenate([[0], np.cumsum(lengths)])
    setups, setup = _setups(table["setup"].to_pylist())
    first = np.array([0 if each == Setup() else start_of(game, each).to_move for each in setups], dtype=np.int64)
    row = np.repeat(np.arange(len(lengths)), lengths)
    movers = (np.arange(begins[-1]) - begins[row] + first[setup[row]]) % 2
    if "movers" in table.column_names:
        told = _aligned(table["movers"], lengths, begins)
        movers = np.where(np.isnan(told), movers, told)
    movers = movers.astype(np.int8)
    think = _aligned(table["think_seconds"], lengths, begins)
    clocks = _aligned(table["clocks"], lengths, begins)
    if not np.isnan(clocks).all():
        control = [_CONTROL.fullmatch(text or "") for text in table["time_control"].to_pylist()]
        added = np.array([float(each[2] or 0) if each else 0.0 for each in control])
        think = np.where(np.isnan(think), _spent(clocks, row, movers, added), think)
    return Columns(
        game=game,
        moves=_flat(table["moves"]).astype(np.int64),
        begins=begins,
        movers=movers,
        setups=setups,
        setup=setup,
        think_seconds=think.astype(np.float32),
        content=table["content"].to_numpy().astype(np.uint64),
        ratings=np.stack([_numbers(table[f"rating_{side}"]) for side in (0, 1)], axis=1).astype(np.float32),
        pools=_words(table, "pool"),
        names=_words(table, "name"),
        kinds=_words(table, "kind"),
        dates=np.array([each or "" for each in table["date"].to_pylist()], dtype=object),
        speeds=np.array([each or "" for each in table["speed"].to_pylist()], dtype=object),
    )


def _spent(
    clocks: NDArray[np.float64], row: Whole, movers: NDArray[np.int8], added: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[M] by how the mover's clock stood after its move before: sides alternate where clocks are kept."""
    spent = np.full(len(clocks), np.nan)
    same = (row[2:] == row[:-2]) & (movers[2:] == movers[:-2])
    spent[2:] = np.where(same, np.maximum(clocks[:-2] - clocks[2:] + added[row[2:]], 0.0), np.nan)
    return spent


def _setups(rows: Sequence[dict[str, Any]]) -> tuple[tuple[Setup, ...], Whole]:
    known: dict[tuple[Any, ...], int] = {}
    at = np.array([known.setdefault(tuple(row.values()), len(known)) for row in rows], dtype=np.int64)
    keys = list(rows[0]) if rows else []
    empty = Setup()
    setups = tuple(
        Setup(**{key: getattr(empty, key) if value is None else value for key, value in zip(keys, values, strict=True)})
        for values in known
    )
    return setups, at


def _lengths(column: pa.ChunkedArray) -> Whole:
    return np.asarray(pc.fill_null(pc.list_value_length(column), 0).to_numpy(), dtype=np.int64)


def _flat(column: pa.ChunkedArray) -> NDArray[Any]:
    return np.asarray(pc.list_flatten(column).to_numpy())


def _aligned(column: pa.ChunkedArray, lengths: Whole, begins: Whole) -> NDArray[np.float64]:
    """[M] numbers that some games have for each move, NaN elsewhere."""
    out = np.full(int(begins[-1]), np.nan)
    own = _lengths(column)
    whole = own == lengths
    values = pc.list_flatten(column).to_numpy().astype(np.float64)
    kept = np.repeat(whole, own)
    out[np.repeat(whole, lengths)] = values[kept]
    return out


def _numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _words(table: pa.Table, name: str) -> NDArray[np.object_]:
    sides = [[each or "" for each in table[f"{name}_{side}"].to_pylist()] for side in (0, 1)]
    return np.array(sides, dtype=object).reshape(2, -1).T
