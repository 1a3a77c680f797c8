"""Positions drawn from DATA: which games, and which of their moves, decided by a seed and the games alone.

Games are taken in the order of a hash of their content, so a smaller draw is a part of a larger one, and the same games
are drawn from whatever files they come. Games are held as rows of a table, not replayed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hitonami.dataset.filters import Filter, parse_filter
from hitonami.dataset.groups import SplitChoice, in_split
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Tally, is_game, open_data
from hitonami.dataset.shards import records_of, table_of
from hitonami.dataset.sources import fingerprint
from hitonami.errors import BadData, BadInput
from hitonami.records import Record

_ROWS: Final = 2_000
_GUESSED_PER_GAME: Final = 30


@dataclass(frozen=True)
class Picking:
    """What to draw. Without `positions` it is all that the filter keeps, without `per_game` all of each game."""

    game: str
    chosen: str = "none"
    """A filter, as text."""
    split: SplitChoice = "all"
    shares: str = "90/5/5"
    positions: int | None = None
    per_game: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Picked:
    """Games in the order of the draw, and the plies drawn from each."""

    games: pa.Table
    plies: tuple[tuple[int, ...], ...]

    @property
    def positions(self) -> int:
        return sum(map(len, self.plies))


@dataclass(frozen=True)
class Block:
    """A numbered piece of a draw: games, and the plies drawn from each."""

    number: int
    games: pa.Table
    plies: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Pool:
    """DATA of one game: shards that are read when needed, and games of record files, read once."""

    shards: tuple[Path, ...]
    recorded: tuple[pa.Table, ...]
    mark: str
    """Changes when the data do."""
    tally: Tally = field(default_factory=Tally)
    """What came of the record files."""

    @property
    def games(self) -> int:
        held = sum(pq.read_metadata(path).num_rows for path in self.shards)
        return int(held) + sum(table.num_rows for table in self.recorded)

    def tables(self) -> Iterator[pa.Table]:
        for path in self.shards:
            file = pq.ParquetFile(path)
            for at in range(file.num_row_groups):
                yield file.read_row_group(at)
        yield from self.recorded


def open_pool(arguments: Sequence[str], game: str, *, named: bool = False) -> Pool:
    """Tell shards from record files, and read the latter, with names where a filter asks for them.

    Raises BadData for what is missing or holds neither.
    """
    data, tally = open_data(arguments, game, named=named), Tally()
    try:
        marks = [f"{path.parent.name}/{path.name} {_mark(path)}" for path in data.shards]
    except (OSError, pa.ArrowException) as wrong:
        raise BadData(f"a damaged shard: {str(wrong).partition(chr(10))[0][:200]}") from None
    recorded = tuple(_tables(found.record for found in data.recorded(tally)))
    if data.sources is not None:
        marks.append(fingerprint(data.sources.sources))
    return Pool(data.shards, recorded, "\n".join(marks), tally)


def _mark(path: Path) -> str:
    """Of the games' hashes alone, so that a copied or rewritten shard is the same."""
    contents = pq.read_table(path, columns=["content"])["content"].to_numpy()
    return f"{len(contents)} {int(scatter(contents, len(contents) + 1).sum(dtype=np.uint64)):016x}"


def _tables(records: Iterable[Record]) -> Iterator[pa.Table]:
    held: list[Record] = []
    for record in records:
        held.append(record)
        if len(held) == _ROWS:
            yield table_of(held, [""] * len(held))
            held = []
    if held:
        yield table_of(held, [""] * len(held))


def pick_positions(pool: Pool, draw: Picking) -> Picked:
    """Draw. Raises BadInput where nothing is left."""
    total, share = pool.games, 1.0
    if draw.positions is not None:  # most often a part of the games is enough; the first try takes twice a guess
        share = min(1.0, 2.0 * draw.positions / max(1, total * (draw.per_game or _GUESSED_PER_GAME)))
    while True:
        games = _ordered(pool, draw, share)
        plies = _plies(games, draw)
        enough = draw.positions is None or sum(map(len, plies)) >= draw.positions
        if enough or share >= 1.0:
            break
        share = min(1.0, 4.0 * share)
    keep = [at for at, held in enumerate(plies) if held]
    if not keep:
        raise BadInput(f"no position is left of {total:,} games: filter {draw.chosen}, split {draw.split}")
    return Picked(games.take(pa.array(keep)), tuple(plies[at] for at in keep))


def _ordered(pool: Pool, draw: Picking, share: float) -> pa.Table:
    """The games of the split in the first `share` of the order, sorted by it, each content once."""
    limit = np.uint64(min(int(share * 2.0**64), 2**64 - 1))
    held, places = [], []
    for table in pool.tables():
        contents = table["content"].to_numpy()
        place = scatter(contents, draw.seed + 1)
        keep = (place <= limit) & is_game(table, draw.game) & in_split(contents, draw.split, draw.shares)
        held.append(table.filter(pa.array(keep)))
        places.append(place[keep])
    if not held:
        raise BadInput(f"no game of {draw.game} in the data")
    joined = pa.concat_tables(held).unify_dictionaries()
    _, first = np.unique(np.concatenate(places), return_index=True)
    return joined.take(pa.array(first)).combine_chunks()


def _plies(games: pa.Table, draw: Picking) -> list[tuple[int, ...]]:
    """The plies drawn from each game, in order, until there are enough."""
    chosen, left = parse_filter(draw.chosen), draw.positions
    plies: list[tuple[int, ...]] = []
    for content, record in zip(games["content"].to_pylist(), records_of(games), strict=True):
        if left == 0:
            break
        drawn = _plies_of(record, chosen, draw, content)
        if left is not None:
            drawn = drawn[:left]
            left -= len(drawn)
        plies.append(drawn)
    return plies


def _plies_of(record: Record, chosen: Filter, draw: Picking, content: int) -> tuple[int, ...]:
    kept = np.flatnonzero(chosen.keeps_moves(record))
    if draw.per_game is not None and len(kept) > draw.per_game:
        rng = np.random.default_rng([draw.seed, content])
        kept = np.sort(rng.choice(kept, draw.per_game, replace=False))
    return tuple(kept.tolist())


def blocks_of(drawn: Picked, size: int) -> Iterator[Block]:
    """Whole games, at least `size` positions a block."""
    number = first = held = 0
    for at, plies in enumerate(drawn.plies, start=1):
        held += len(plies)
        if held >= size or at == len(drawn.plies):
            rows: Any = pa.array(range(first, at))
            yield Block(number, drawn.games.take(rows), drawn.plies[first:at])
            number, first, held = number + 1, at, 0
