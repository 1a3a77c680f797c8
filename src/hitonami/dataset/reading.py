"""DATA of any kind as a stream of games: shards and record files side by side, with no ingest before.

What cannot be read is counted by its reason and never raised, unless nothing at all could be read. Names of people
are dropped at once, unless the caller groups by them: nothing else that is measured needs them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hitonami.dataset.groups import SplitChoice, in_split, split_of
from hitonami.dataset.shards import content_of, records_of
from hitonami.dataset.sources import Progress, Sources, find_sources
from hitonami.dataset.verify import check_folder
from hitonami.errors import BadData, alternatives, quote
from hitonami.records import Record, open_format

_SAMPLES: Final = Path(__file__).with_name("sample_games")
_BROKEN_SHARD = "a damaged shard"


@dataclass(frozen=True)
class Found:
    """One readable game; `content` is the hash that splits are made from."""

    content: int
    record: Record


@dataclass
class Tally:
    """What came of the data so far."""

    games: int = 0
    """Games that could be read, of any split."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Games that could not be used, by reason."""
    broken: list[str] = field(default_factory=list)
    """Files that could not be read, or not to their end."""

    def complaints(self) -> Iterator[str]:
        """What a user should know of the data, a line each."""
        yield from self.broken
        if self.rejected:
            told = ", ".join(f"{count:,} {reason}" for reason, count in self.rejected.most_common())
            yield f"{self.rejected.total():,} games could not be used: {told}"


@dataclass(frozen=True)
class Data:
    """What the arguments came to. `sources` is None where all of them are shards."""

    game: str
    shards: tuple[Path, ...]
    sources: Sources | None
    named: bool = False
    """Names are kept."""

    @property
    def bytes_total(self) -> int:
        return sum(path.stat().st_size for path in self.shards) + (self.sources.bytes_total if self.sources else 0)

    def games(
        self, tally: Tally, split: SplitChoice = "all", report: Callable[[int], None] = lambda done: None
    ) -> Iterator[Found]:
        """Every game of the split, in order. `report` is told how many bytes are behind us."""
        done = 0
        for path in self.shards:
            yield from self._from_shard(path, tally, split, partial(_report_from, report, done))
            done += path.stat().st_size
        try:
            yield from self.recorded(tally, split, partial(_report_from, report, done))
        except BadData as nothing:  # not one document: fatal only where the shards gave nothing either
            if not self.shards:
                raise
            tally.broken.append(str(nothing))
        if not tally.games:
            raise BadData(_why_nothing(tally))

    def recorded(
        self, tally: Tally, split: SplitChoice = "all", report: Callable[[int], None] = lambda done: None
    ) -> Iterator[Found]:
        """The games of the record files alone. Raises BadData where there are files, and not one document in them."""
        if self.sources is None:
            return
        progress = Progress()
        for name, document in self.sources.documents(progress):
            for item in open_format(name).read(document):
                if not isinstance(item, Record):
                    tally.rejected[item.reason] += 1
                elif item.game != self.game:
                    tally.rejected[f"a game of {item.game}"] += 1
                else:
                    tally.games += 1
                    content = content_of(item)
                    if split in ("all", split_of(content)):
                        yield Found(content, self._shown(item))
            report(progress.bytes_read)
        tally.broken += map(str, progress.broken)

    def _from_shard(
        self, path: Path, tally: Tally, split: SplitChoice, report: Callable[[int], None]
    ) -> Iterator[Found]:
        try:
            file = pq.ParquetFile(path)
            for at in range(file.num_row_groups):
                table = self._of_game(file.read_row_group(at), tally)
                table = table.filter(pa.array(in_split(table["content"].to_numpy(), split)))
                contents = table["content"].to_pylist()
                for content, record in zip(contents, records_of(table), strict=True):
                    yield Found(content, self._shown(record))
                report(path.stat().st_size * (at + 1) // file.num_row_groups)
        except (pa.ArrowException, OSError, KeyError) as wrong:
            tally.broken.append(f"{path}: {_BROKEN_SHARD}: {str(wrong).partition(chr(10))[0][:200]}")

    def _shown(self, record: Record) -> Record:
        return record if self.named else _nameless(record)

    def _of_game(self, table: pa.Table, tally: Tally) -> pa.Table:
        ours = is_game(table, self.game)
        tally.games += int(ours.sum())
        tally.rejected.update(f"a game of {other}" for other in table.filter(pa.array(~ours))["game"].to_pylist())
        return table if ours.all() else table.filter(pa.array(ours))


def _report_from(report: Callable[[int], None], before: int, part: int) -> None:
    report(before + part)


def is_game(table: pa.Table, game: str) -> NDArray[np.bool_]:
    """[rows] which of them are games of this kind."""
    return np.array(table["game"].to_pylist(), dtype=object) == game


def open_data(arguments: Sequence[str], game: str, *, named: bool = False) -> Data:
    """Tell shards from records; `sample:GAME` are the package's own games. Raises BadData for what is neither."""
    shards: dict[Path, None] = {}
    records: list[str] = []
    for argument in arguments:
        kind, _, rest = argument.partition(":")
        found = shards_of(sample_games(rest) if kind == "sample" else Path(argument))
        shards.update(dict.fromkeys(path.resolve() for path in found))
        if not found:
            records.append(argument)
    return Data(game, tuple(shards), find_sources(records, game) if records else None, named)


def sample_games(game: str) -> Path:
    """The folder of games that come with the package: its own agents played them, so they are games of bots."""
    there = [each.name for each in _SAMPLES.iterdir() if each.is_dir()]
    if game not in there:
        raise BadData(f"no sample games of {quote(game)} come with the package; {alternatives(game, there)}")
    return _SAMPLES / game


def shards_of(path: Path) -> list[Path]:
    """A shard, a dataset, or a folder of datasets. Raises BadData for a dataset that is not what its manifest says."""
    if path.suffix == ".parquet":
        if not path.is_file():
            raise BadData(f"{path}: no such file")
        return [path]
    shards = sorted(path.rglob("shard-*.parquet")) if path.is_dir() else []
    for folder in {shard.parent: None for shard in shards}:
        check_folder(folder)
    return shards


def _nameless(record: Record) -> Record:
    first, second = (replace(player, name=None) for player in record.players)
    return replace(record, players=(first, second), event="")


def _why_nothing(tally: Tally) -> str:
    if tally.broken:
        return tally.broken[0] + (f" (and {len(tally.broken) - 1} more)" if len(tally.broken) > 1 else "")
    reasons = ", ".join(f"{reason} ({count})" for reason, count in tally.rejected.most_common(5))
    return f"no game could be used: {reasons or 'no game found'}"
