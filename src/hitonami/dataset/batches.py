"""Batches of encoded positions for training, shuffled across shards, in constant memory.

Games are drawn from several row groups of several shards at once; a few positions of each game are replayed
and encoded together (a *group*), and the group's rows are dealt out in random order. The stream depends on
the seed alone: not on the number of workers, and it can start again at any batch.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.cluster import map_ordered
from hitonami.core import Position, Query, index_of
from hitonami.dataset.filters import Filter, parse_filter
from hitonami.dataset.groups import Split, splits_of
from hitonami.dataset.samples import Sample, samples_at, samples_of
from hitonami.dataset.sampling import Acceptance
from hitonami.dataset.shards import records_of
from hitonami.dataset.targets import (
    LabelSource,
    Results,
    choose_labelled_plies,
    make_targets,
    needed_games,
    result_target,
)
from hitonami.dataset.verify import open_shards
from hitonami.errors import BadInput
from hitonami.parts import load_part
from hitonami.records import Record

Batch = dict[str, NDArray[Any]]
Numbered = tuple[int, pa.Table]
_OPEN_ROW_GROUPS = 16
_SPLITS: dict[Split, int] = {"train": 0, "validation": 1, "test": 2}


class _Encoder(Protocol):
    def encode(self, queries: Sequence[Query]) -> Batch: ...
    def head_size(self, positions: Sequence[Position]) -> int: ...
    def head_indices(self, positions: Sequence[Position]) -> list[NDArray[np.int32]]: ...


@runtime_checkable
class _Turning(Protocol):
    @property
    def symmetries(self) -> int: ...
    def turn(self, arrays: Batch, way: int) -> Batch: ...
    def head_turn(self, size: int, way: int) -> NDArray[np.int32]: ...


@dataclass(frozen=True)
class BatchPlan:
    """What to draw and how to encode it."""

    encoder: str
    """The name of an encoder."""
    encoder_fields: tuple[tuple[str, Any], ...] = ()
    batch_size: int = 256
    positions_per_game: int = 8
    games_per_group: int = 256
    chosen: str = "none"
    """A filter, as text."""
    split: Split = "train"
    shares: str = "90/5/5"
    seed: int = 0
    accept: Acceptance | None = None
    """How often the games of each level and pool are drawn; None takes them all."""
    labels: tuple[LabelSource, ...] = ()
    """What strong minds said, to learn from where a position was labelled."""
    results: Results = "all"
    """Whose results are targets."""
    turned: bool = False
    """Whether each position is seen in one of its game's symmetric ways, at random."""


@dataclass(frozen=True)
class Place:
    """Where a stream stands: in which group, and how many of its batches are done."""

    group: int = 0
    batch: int = 0


@dataclass
class Batches:
    """An endless stream of batches over the shards of some datasets; `epoch` ends are not marked.

    `part` of `parts` takes every parts-th group alone: several processes share a stream without a word between them.
    """

    folders: Sequence[Path]
    plan: BatchPlan
    workers: int = 1
    part: int = 0
    parts: int = 1
    _shards: list[Path] = field(init=False)

    def __post_init__(self) -> None:
        self._shards = [path for folder in self.folders for path in open_shards(folder)]
        if not self._shards:
            raise BadInput(f"no shards in {', '.join(map(str, self.folders))}: `hitonami ingest` makes them")

    def __iter__(self) -> Iterator[Batch]:
        return (batch for batch, _ in self.stream())

    def stream(self, start: "Place | None" = None) -> Iterator[tuple[Batch, "Place"]]:
        """Batches from a place on, each with the place after it: what a resumed training starts from.

        Games before the place are drawn, which is cheap, but not replayed or encoded.
        """
        for _, batches in self.groups(start):
            yield from batches

    def groups(self, start: "Place | None" = None) -> Iterator[tuple[int, list[tuple[Batch, "Place"]]]]:
        """The same a group at a time, with the groups' numbers. A group that the filter emptied has no batches."""
        here = start or Place()
        first = here.group + (self.part - here.group) % self.parts
        ends: list[int] = []
        drawn = self._groups(ends)
        todo = (each for each in drawn if each[0] >= first and each[0] % self.parts == self.part)
        encode = partial(encode_group, self.plan)
        encoded = map(encode, todo) if self.workers == 1 else self._sent(encode, todo)
        dealt, positions = start is not None or self.parts > 1, 0  # a part may well have small groups alone
        for number, group in zip(count(first, self.parts), encoded, strict=False):
            if not dealt and ends and number >= ends[0]:
                raise self._too_small(f"{positions:,} positions")
            done = here.batch if number == here.group else 0
            batches = list(_deal(group, self.plan.batch_size))
            dealt, positions = dealt or bool(batches), positions + len(group.get("target", ()))
            yield number, [(batch, Place(number, at)) for at, batch in enumerate(batches, start=1) if at > done]

    def _too_small(self, size: str) -> BadInput:
        where = ", ".join(map(str, self.folders))
        return BadInput(
            f"the {self.plan.split} split of {where} gives {size}, less than one batch of {self.plan.batch_size:,}: "
            "take more games or smaller batches"
        )

    def _sent(self, encode: Callable[[Numbered], Batch], todo: Iterator[Numbered]) -> Iterator[Batch]:
        """Groups from worker processes. Planes of small whole numbers travel as bytes: a quarter of the way's cost."""
        for small, names in map_ordered(partial(_shrunk, encode), todo, jobs=self.workers):
            yield {name: values.astype(np.float32) if name in names else values for name, values in small.items()}

    def _groups(self, ends: list[int]) -> Iterator[Numbered]:
        """(number, games) for ever: several row groups are open at once, and games are drawn from all of them.

        `ends` gets the number after the last group of each pass. Raises BadInput where no group can fill a batch: the
        stream would go on for ever without one.
        """
        number = epoch = 0
        while True:
            sizes = []
            for table in _drawn_games(self._shards, self.plan, epoch):
                yield number, table
                sizes.append(table.num_rows)
                number += 1
            if not sizes:
                raise BadInput(f"no game of the {self.plan.split} split in {', '.join(map(str, self.folders))}")
            if max(sizes) * self.plan.positions_per_game < self.plan.batch_size:
                raise self._too_small(f"{sum(sizes):,} games, {self.plan.positions_per_game} positions of each")
            ends.append(number)
            epoch += 1


def _drawn_games(shards: Sequence[Path], plan: BatchPlan, epoch: int) -> Iterator[pa.Table]:
    """One pass over all games of the split, in groups."""
    rng = np.random.default_rng([plan.seed, epoch])
    places = [(path, at) for path in shards for at in range(pq.read_metadata(path).num_row_groups)]
    order = [places[at] for at in rng.permutation(len(places))]
    held: list[pa.Table] = []
    waiting = iter(order)
    rest: pa.Table | None = None
    while True:
        for path, at in waiting:
            held.append(_thinned(_games_of_split(path, at, plan), plan.accept, rng))
            if len(held) >= _OPEN_ROW_GROUPS:
                break
        if not held:
            break
        pool = pa.concat_tables([*([rest] if rest is not None else []), *held])
        held = []
        mixed = pool.take(pa.array(rng.permutation(pool.num_rows)))
        whole = mixed.num_rows - mixed.num_rows % plan.games_per_group
        for first in range(0, whole, plan.games_per_group):
            yield mixed.slice(first, plan.games_per_group)
        rest = mixed.slice(whole)
    if rest is not None and rest.num_rows:
        yield rest


def _games_of_split(path: Path, row_group: int, plan: BatchPlan) -> pa.Table:
    table = pq.ParquetFile(path).read_row_group(row_group)
    content = table["content"].to_numpy()
    kept = splits_of(content, plan.shares) == _SPLITS[plan.split]
    needed = needed_games(plan.labels)
    if needed is not None:  # a group of games without labels would give no batch
        kept &= np.isin(content, needed)
    return table.filter(pa.array(kept)).unify_dictionaries()


def _thinned(games: pa.Table, accept: Acceptance | None, rng: np.random.Generator) -> pa.Table:
    return games if accept is None else games.filter(pa.array(rng.random(games.num_rows) < accept.of(games)))


def encode_group(plan: BatchPlan, numbered: Numbered) -> Batch:
    """Replay, filter and encode one group, its rows in random order. Empty where the filter keeps nothing."""
    number, table = numbered
    rng = np.random.default_rng([plan.seed, 1, number])
    encoder: _Encoder = load_part("models/encoders", plan.encoder)(**dict(plan.encoder_fields))
    chosen = parse_filter(plan.chosen)
    keyed = [
        (content, sample)
        for content, record in zip(table["content"].to_pylist(), records_of(table), strict=True)
        for sample in _draw(plan, chosen, content, record, rng)
    ]
    if not keyed:
        return {}
    mixed = [keyed[at] for at in rng.permutation(len(keyed))]
    batch = encode_samples(encoder, [sample for _, sample in mixed], plan.results)
    if plan.turned:
        size = encoder.head_size([sample.query.position for _, sample in mixed])
        batch = _turn_rows(encoder, batch, size, rng)
    return batch | make_targets(mixed, plan.labels, batch["legal"].shape[1])


def _turn_rows(encoder: _Encoder, batch: Batch, size: int, rng: np.random.Generator) -> Batch:
    """Each row seen in a way of its own: what the network gets, and where its moves are among `size` logits."""
    if not isinstance(encoder, _Turning):
        raise BadInput(f"encoder {type(encoder).__name__} knows no symmetries: `turned` is for Go and shogi")
    planes = {name: values.copy() for name, values in batch.items() if values.ndim == 4}
    legal, target = batch["legal"].copy(), batch["target"].copy()
    ways = rng.integers(encoder.symmetries, size=len(target))
    for way in range(1, encoder.symmetries):
        rows = np.flatnonzero(ways == way)
        turned = encoder.turn({name: values[rows] for name, values in planes.items()}, way)
        for name, values in planes.items():
            values[rows] = turned[name]
        places = encoder.head_turn(size, way)
        legal[rows] = np.where(legal[rows] < 0, -1, places[legal[rows]])
        target[rows] = places[target[rows]]
    return batch | planes | {"legal": legal, "target": target}


def _draw(plan: BatchPlan, chosen: Filter, content: int, record: Record, rng: np.random.Generator) -> Iterator[Sample]:
    most = plan.positions_per_game
    if not plan.labels:
        return samples_of(record, chosen, rng, most)
    kept = np.flatnonzero(chosen.keeps_moves(record))
    return samples_at(record, choose_labelled_plies(kept, content, plan.labels, rng, most))


def encode_samples(encoder: _Encoder, samples: Sequence[Sample], results: Results = "all") -> Batch:
    """The encoder's arrays, and what was played.

    target [B] the head index of the human move; legal [B, most] head indices of the legal moves, padded with
    -1; wdl [B, 3] the result of the mover, zero where unknown or not wanted; rating, opponent_rating, clock_seconds
    [B] with NaN where unknown; ply [B].
    """
    batch = encoder.encode([sample.query for sample in samples])
    heads = encoder.head_indices([sample.query.position for sample in samples])
    legal = np.full((len(samples), max(map(len, heads))), -1, dtype=np.int32)
    for at, head in enumerate(heads):
        legal[at, : len(head)] = head
    played = [index_of(sample.query.position, sample.move) for sample in samples]
    batch["legal"] = legal
    batch["target"] = legal[np.arange(len(samples)), played].astype(np.int64)
    batch["wdl"] = np.array([result_target(sample, results) for sample in samples], dtype=np.float32)
    batch["rating"] = _floats([sample.query.player.rating for sample in samples])
    batch["opponent_rating"] = _floats([sample.query.opponent.rating for sample in samples])
    clocks = [sample.query.clock for sample in samples]
    batch["clock_seconds"] = _floats([clock.remaining_seconds if clock else None for clock in clocks])
    batch["ply"] = np.array([sample.query.position.ply for sample in samples], dtype=np.int32)
    return batch


def _shrunk(encode: Callable[[Numbered], Batch], numbered: Numbered) -> tuple[Batch, frozenset[str]]:
    """A group whose large float arrays are bytes where that loses nothing, and which ones those are."""
    group = encode(numbered)
    small: Batch = {}
    for name, values in group.items():
        if values.dtype == np.float32 and values.ndim == 4:
            with np.errstate(invalid="ignore"):
                as_bytes = values.astype(np.uint8)
            if np.array_equal(as_bytes, values):
                small[name] = as_bytes
    return group | small, frozenset(small)


def _floats(values: Sequence[float | None]) -> NDArray[np.float32]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float32)


def _deal(group: Batch, size: int) -> Iterator[Batch]:
    """Cut a group into whole batches; a short rest is left out."""
    rows = len(next(iter(group.values()))) if group else 0
    for first in range(0, rows - size + 1, size):
        yield {name: values[first : first + size] for name, values in group.items()}
