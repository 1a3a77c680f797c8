"""Whatever call of the disk fails, and whenever the process is killed: the next start ends as if nothing had been."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.dataset.filters import parse_filter
from hitonami.dataset.ingest import IngestPlan, ingest, read_manifest
from hitonami.dataset.names import load_key
from hitonami.dataset.shards import read_records, shards_in
from hitonami.dataset.sources import find_sources
from hitonami.dataset.subset import write_subset
from hitonami.records import write_record

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 18, most=12)


@pytest.fixture(scope="module")
def pgn(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.pgn"
    texts = [write_record(record, "pgn") for record in read_records(shards_in(games)[0])]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several parts, several shards."""
    monkeypatch.setattr("hitonami.dataset.ingest._BLOCK_BYTES", 3_000)
    monkeypatch.setattr("hitonami.dataset.ingest._SHARD_ROWS", 10)


@pytest.mark.usefixtures("small_blocks")
def test_ingest_loses_nothing(pgn: Path, fail_each: FailEach, tree: Tree) -> None:
    inputs = [{"name": "games.pgn", "size": 1, "mark": "same"}]

    def work(folder: Path) -> object:
        return ingest(
            IngestPlan("chess", folder / "out", b"k" * 32), find_sources([str(pgn)], "chess").documents(), inputs
        )

    def check(folder: Path) -> None:
        manifest = read_manifest(folder / "out")
        if manifest is not None:  # it says that the dataset is finished
            assert [shard["name"] for shard in manifest["shards"]] == [path.name for path in shards_in(folder / "out")]

    assert fail_each(work, work, tree, check) > 40


def test_a_subset_is_there_or_not(games: Path, fail_each: FailEach, tree: Tree) -> None:
    def work(folder: Path) -> object:
        return write_subset([games], folder / "out", 10, parse_filter("none").text, held_out=1)

    def check(folder: Path) -> None:
        assert not (folder / "out").exists() or json.loads((folder / "out" / "manifest.json").read_bytes())["shards"]

    def again(folder: Path) -> None:
        if not (folder / "out").exists():
            work(folder)

    assert fail_each(work, again, tree, check) > 10


def test_the_key_for_pseudonyms_is_whole_or_not_there(fail_each: FailEach) -> None:
    """Half a key would be refused for ever; another one would give everybody another name."""

    def key_in(folder: Path) -> bytes:
        return load_key(folder / "config" / "pseudonym.key")

    def check(folder: Path) -> None:
        path = folder / "config" / "pseudonym.key"
        if path.exists():
            assert path.stat().st_mode & 0o777 == 0o600
            assert load_key(path) == path.read_bytes()

    def seen(folder: Path) -> object:
        return len(key_in(folder)), [path.name for path in (folder / "config").glob("*.key")]

    assert fail_each(key_in, key_in, seen, check) > 5
