"""Build wheel and sdist into dist/ and try them: python .ci/release.py (make release).

Every file of the package is inside and nothing else, no path of this machine is; installed alone into an environment of
its own, far from the sources, it predicts, studies and serves the page.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
LICENCES = {"licenses/LICENSE", "licenses/NOTICE"}
NEEDED = (
    "hitonami/web/static/index.html",
    "hitonami/web/static/assets/index.js",
    "hitonami/web/static/fonts/",
    "hitonami/models/embedded/chess-human/model.onnx",
    "hitonami/models/embedded/shogi-human/model.onnx",
    "hitonami/models/embedded/go-human/model.onnx",
    "hitonami/models/embedded/othello-human/model.onnx",
    "hitonami/dataset/sample_games/",
    "hitonami/web/samples/",
    "hitonami/levels/",
    "hitonami/experiments/recipes/",
)
OF_A_MACHINE = re.compile(rb"/(?:root|home/[a-z]\w*|Users/[A-Za-z]\w*)/")
MADE_UP = {"tests/unit/fits/test_store.py", "tests/unit/web/test_opponents.py"}
"""They name folders of nobody."""


def main() -> None:
    version = _version()
    with tempfile.TemporaryDirectory(prefix="hitonami-release-") as folder:
        place = Path(folder)
        tools = _environment(place / "tools", "build")
        shutil.rmtree(DIST, ignore_errors=True)
        _run(tools / "python", "-m", "build", "--outdir", DIST, ROOT)
        wheel, sdist = DIST / f"hitonami-{version}-py3-none-any.whl", DIST / f"hitonami-{version}.tar.gz"
        files = _files_of_wheel(wheel)
        _check_wheel(files)
        _check_sdist(sdist, version)
        _run(tools / "python", "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", place / "again", sdist)
        again = _files_of_wheel(next((place / "again").iterdir()))
        _refuse(sorted(name for name in files.keys() | again.keys() if files.get(name) != again.get(name)), "differ")
        print(
            f"{wheel.name}: {len(files)} files, {wheel.stat().st_size / 1e6:.1f} MB; the sdist builds the same",
            flush=True,
        )
        _try(_environment(place / "user", "-c", ROOT / "constraints.txt", wheel), place, version)
    print("tried in a clean environment: dist/ is ready")


def _version() -> str:
    found = re.search(r'__version__ = "(.+)"', (ROOT / "src/hitonami/__init__.py").read_text(encoding="utf-8"))
    assert found is not None
    dated = rf"^## {re.escape(found[1])} — \d{{4}}-\d\d-\d\d$"
    if not re.search(dated, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M):
        sys.exit(f"CHANGELOG.md has no dated section for {found[1]}")
    return found[1]


def _environment(folder: Path, *wanted: object) -> Path:
    """A clean environment with what is wanted in it; the folder of its programs."""
    venv.create(folder, with_pip=True)
    _run(folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted)
    return folder / "bin"


def _run(*words: object, **fields: object) -> str:
    return subprocess.run(list(map(str, words)), check=True, text=True, stdout=subprocess.PIPE, **fields).stdout  # type: ignore[call-overload,no-any-return]


def _refuse(names: list[str], why: str) -> None:
    if names:
        sys.exit(f"{len(names)} files {why}: {', '.join(names[:5])}{' …' if len(names) > 5 else ''}")


def _files_of_wheel(path: Path) -> dict[str, bytes]:
    """Without the list of hashes, whose order may differ."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def _check_wheel(files: dict[str, bytes]) -> None:
    tracked = _run("git", "-C", ROOT, "ls-files", "src/hitonami", "recipes/experiments").splitlines()
    own = {
        name.replace("recipes/experiments/", "hitonami/experiments/recipes/").removeprefix("src/") for name in tracked
    }
    packed = {name for name in files if ".dist-info/" not in name}
    _refuse(sorted(own - packed), "of the package are missing in the wheel")
    _refuse(sorted(packed - own), "are in the wheel and not in git")
    _refuse([name for name in NEEDED if not any(each.startswith(name) for each in packed)], "are missing")
    about = {name.partition(".dist-info/")[2] for name in files if ".dist-info/" in name}
    _refuse(sorted(LICENCES - about), "are missing in the wheel")
    _refuse([name for name, data in files.items() if OF_A_MACHINE.search(data)], "name a folder of a machine")


def _check_sdist(path: Path, version: str) -> None:
    with tarfile.open(path) as archive:
        files = {member.name: archive.extractfile(member) for member in archive.getmembers() if member.isfile()}
        read = {
            name.removeprefix(f"hitonami-{version}/"): data.read() for name, data in files.items() if data is not None
        }
    tracked = set(_run("git", "-C", ROOT, "ls-files").splitlines())
    _refuse(sorted(read.keys() - tracked - {"PKG-INFO"}), "are in the sdist and not in git")
    wrong = [name for name, data in read.items() if OF_A_MACHINE.search(data) and name not in MADE_UP]
    _refuse(wrong, "of the sdist name a folder of a machine")


def _try(programs: Path, place: Path, version: str) -> None:
    """As somebody who has the wheel and nothing else."""
    home = place / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HITONAMI", "PYTHON", "XDG"))}
    fields = {"cwd": home, "env": kept | {"HOME": str(home), "PYTHONWARNINGS": "error"}}
    hitonami = programs / "hitonami"
    assert _run(hitonami, "--version", **fields).split()[-1] == version
    for game in ("chess", "shogi", "go"):
        moves = json.loads(_run(hitonami, "predict", game, "startpos", "--rating", "1500", "--json", **fields))
        assert moves["game"] == game
        print(f"predict {game}: whole", flush=True)
    broken = [
        each
        for each in json.loads(_run(hitonami, "doctor", "--json", **fields))["findings"]
        if each["state"] == "broken"
    ]
    assert not broken, broken
    _run(hitonami, "experiment", "list", **fields)
    study = ("evaluate", "chess", "sample:chess", "--filter", "plies:10", "--positions", "5", "--mind", "human")
    assert json.loads(_run(hitonami, *study, "--html", "page.html", "--json", **fields))["minds"]
    print("evaluate: whole", flush=True)
    _open_the_page(hitonami, fields)


def _open_the_page(hitonami: Path, fields: dict[str, object]) -> None:
    serving = subprocess.Popen(
        [str(hitonami), "serve", "--no-open", "--port", "0"], stdout=subprocess.PIPE, text=True, **fields
    )  # type: ignore[call-overload]
    try:
        assert serving.stdout is not None
        address = re.search(r"http://\S+/", serving.stdout.readline())
        assert address is not None
        begin = time.monotonic()
        for path, words in (("", "<!doctype html>"), ("assets/index.js", "function"), ("api/games", "")):
            with urllib.request.urlopen(address[0] + path, timeout=60) as answer:
                assert words in answer.read().decode(), path
        print(f"serve: the page came in {time.monotonic() - begin:.1f} s", flush=True)
    finally:
        serving.terminate()
        serving.wait(timeout=60)


if __name__ == "__main__":
    main()
