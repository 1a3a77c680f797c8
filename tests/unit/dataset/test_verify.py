"""Shards that are not what their manifest says are found: at once when they are opened, to the byte by `verify`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hitonami.cli.data import command
from hitonami.dataset.batches import Batches, BatchPlan
from hitonami.dataset.describe import describe
from hitonami.dataset.reading import open_data
from hitonami.dataset.shards import shards_in
from hitonami.dataset.subset import write_subset
from hitonami.dataset.verify import check_folder, verify
from hitonami.errors import BadData, WorkFailed

OPENED: dict[str, Callable[[Path], object]] = {
    "batches": lambda folder: Batches([folder], BatchPlan("lc0")),
    "describe": describe,
    "evaluate": lambda folder: open_data([str(folder.parent)], "chess"),
    "subset": lambda folder: write_subset([folder], folder.parent / "again", 1),
}


@pytest.fixture
def dataset(write_games: Callable[..., Path], tmp_path: Path) -> Path:
    write_subset([write_games("chess", 30)], tmp_path / "some" / "few", 10, held_out=1)
    return tmp_path / "some" / "few"


def cut(shard: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-100])


def flip(shard: Path) -> None:
    """One bit in the middle: size and footer stay."""
    data = bytearray(shard.read_bytes())
    data[len(data) // 3] ^= 1
    shard.write_bytes(data)


def lose(shard: Path) -> None:
    shard.unlink()


def add(shard: Path) -> None:
    shard.with_name("shard-00001.parquet").write_bytes(shard.read_bytes())


def told(*words: str | Path) -> Result:
    return CliRunner().invoke(command, ["verify", *map(str, words)])


DAMAGES: dict[Callable[[Path], None], str] = {cut: "damaged", lose: "missing", add: "not in the manifest"}


@pytest.mark.parametrize(
    ("how", "damage"),
    [
        (how, damage) for how in OPENED for damage in DAMAGES if (how, damage) != ("evaluate", lose)
    ],  # it may hold records
)
def test_opening_finds_what_is_cheap_to_find(dataset: Path, how: str, damage: Callable[[Path], None]) -> None:
    OPENED[how](dataset)
    damage(shards_in(dataset)[0])
    with pytest.raises(BadData, match=DAMAGES[damage]) as caught:
        OPENED[how](dataset)
    assert "\n" not in str(caught.value)


def test_a_changed_byte_is_found_by_reading_all(dataset: Path) -> None:
    whole = told(dataset)
    assert (whole.exit_code, whole.stdout) == (0, f"{dataset}: whole, 1 shards, {verify(dataset).rows} rows of them "
                                                  "as they were written\n")  # fmt: skip
    flip(shards_in(dataset)[0])
    check_folder(dataset)
    found = told(dataset)
    assert isinstance(found.exception, WorkFailed)
    assert found.exception.exit_code == 1
    assert found.stderr.startswith(f"hitonami: {shards_in(dataset)[0]}: damaged: its sha256 is")
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.parametrize(("damage", "reason"), DAMAGES.items())
def test_verify_tells_of_all_that_opening_finds(dataset: Path, damage: Callable[[Path], None], reason: str) -> None:
    damage(shards_in(dataset)[0])
    assert [reason in problem for problem in verify(dataset).problems] == [True]


def test_manifests_of_earlier_versions_tell_no_size(dataset: Path) -> None:
    path = dataset / "manifest.json"
    manifest = json.loads(path.read_bytes())
    del manifest["shards"][0]["bytes"]
    path.write_text(json.dumps(manifest))
    assert verify(dataset).problems == []
    cut(shards_in(dataset)[0])
    with pytest.raises(BadData, match="damaged"):
        check_folder(dataset)


def test_what_cannot_be_compared_is_refused(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"no manifest\.json"):
        verify(tmp_path)
    for damage in ("{", '{"shards": [{"games": 3}]}', '{"shards": 5}', "[]"):
        (dataset / "manifest.json").write_text(damage)
        with pytest.raises(BadData, match="a damaged manifest"):
            check_folder(dataset)
    (dataset / "manifest.json").unlink()
    check_folder(dataset)
    (dataset / "unfinished").mkdir()
    with pytest.raises(BadData, match="not finished"):
        check_folder(dataset)
