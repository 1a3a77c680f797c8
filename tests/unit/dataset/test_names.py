"""Names of people stay out of datasets: pseudonyms, and files that are called after the players."""

import io
import json
import re
import tarfile
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hitonami.core import Player
from hitonami.dataset.ingest import IngestPlan, ingest, read_manifest
from hitonami.dataset.names import Names, hidden_place, pseudonym
from hitonami.dataset.shards import read_records, shards_in
from hitonami.dataset.sources import Progress, find_sources

KEY, OTHER = b"k" * 32, b"o" * 32
SGF = b"(;GM[1]FF[4]SZ[9]PB[Somebody]PW[Another];B[ee];W[%s];B[gg])"
HANDLES = ("somebody", "another")


def test_a_source_is_told_from_others_and_names_nobody() -> None:
    assert re.fullmatch("[0-9a-f]{16}", hidden_place("somebody.pgn", KEY))
    assert hidden_place("somebody.pgn", KEY) != hidden_place("another.pgn", KEY)
    inside = hidden_place("wars.zip!2019/somebody-another.csa", KEY)
    assert re.fullmatch("[0-9a-f]{16}![0-9a-f]{16}", inside)
    assert inside.startswith(hidden_place("wars.zip", KEY))
    assert re.fullmatch("[0-9a-f]{16}/[0-9a-f]{16}", hidden_place("somebody/wars.zip!another.csa", KEY))
    assert inside != hidden_place("wars.zip!2019/another-somebody.csa", KEY)
    assert inside != hidden_place("wars.zip!2019/somebody-another.csa", OTHER)
    assert Names(None).source("wars.zip!somebody.csa") == "wars.zip!somebody.csa"


def test_pseudonyms_forget_case_and_tell_pools_apart() -> None:
    names = Names(KEY)
    assert names(Player(None, "kgs", " Somebody ")) == pseudonym("somebody", "kgs", KEY)
    assert names(Player(None, "kgs", "somebody")) != names(Player(None, "ogs", "somebody"))


@pytest.fixture
def data(tmp_path: Path) -> list[str]:
    """A zip, a tar, a folder and a file that are called after players, and one of them broken."""
    files = {f"somebody-another-{at}.sgf": SGF % place for at, place in enumerate((b"cc", b"cd", b"ce", b"cf"))}
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "a.zip", "w") as zipped:
        zipped.writestr(*next(iter(files.items())))
    with tarfile.open(tmp_path / "in" / "b.tar", "w") as tar:
        name, text = list(files.items())[1]
        member = tarfile.TarInfo(name)
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    (tmp_path / "in" / "folder").mkdir()
    (tmp_path / "in" / "folder" / "somebody-another-2.sgf").write_bytes(files["somebody-another-2.sgf"])
    (tmp_path / "in" / "somebody-another-3.sgf").write_bytes(files["somebody-another-3.sgf"])
    (tmp_path / "in" / "folder" / "somebody-broken.sgf.gz").write_bytes(b"\x1f\x8b and then rubbish")
    return [str(path) for path in sorted((tmp_path / "in").iterdir())]


def bring_in(data: list[str], plan: IngestPlan) -> dict[str, object]:
    found, progress = find_sources(data, "go"), Progress()
    inputs = [{"name": each.name, "size": each.size, "mark": each.fingerprint()} for each in found.sources]
    return ingest(
        plan,
        found.documents(progress),
        inputs,
        troubles=lambda: {"broken": [str(broken) for broken in progress.broken]},
    )


def test_no_handle_is_anywhere_in_a_dataset_with_hidden_names(data: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = bring_in(data, IngestPlan("go", out, KEY))
    assert "somebody-broken.sgf.gz" in str(told["broken"])  # who ran it may know
    table = pq.read_table(shards_in(out)[0])
    sources = table["source"].to_pylist()
    assert sorted(re.sub("[0-9a-f]{16}", "#", source) for source in sources) == ["#", "#!#", "#!#", "#/#"]
    assert len(set(sources)) == 4
    everything = (str(table.to_pylist()) + (out / "manifest.json").read_text(encoding="utf-8")).lower()
    assert not any(handle in everything for handle in HANDLES)
    assert len(list(read_records(shards_in(out)[0]))) == 4


def test_names_are_kept_where_that_is_asked_for(data: list[str], tmp_path: Path) -> None:
    bring_in(data, IngestPlan("go", tmp_path / "out"))
    sources = pq.read_table(shards_in(tmp_path / "out")[0])["source"].to_pylist()
    assert "a.zip!somebody-another-0.sgf" in sources


def test_a_dataset_that_still_holds_file_names_is_recognised(data: list[str], tmp_path: Path) -> None:
    """Manifests once listed the inputs by name; the same input is still the same input."""
    plan = IngestPlan("go", tmp_path / "out", KEY)
    bring_in(data, plan)
    manifest = read_manifest(plan.out)
    assert manifest is not None
    for each in manifest["about"]["inputs"]:
        each["name"] = "folder/somebody.sgf"
    (plan.out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert bring_in(data, plan)["accepted"] == 4
