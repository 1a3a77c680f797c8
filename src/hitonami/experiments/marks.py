"""Marks of inputs: hashes of what a step's figures depend on, and of nothing else.

Data count by the bytes of their files, never by where they are. A mind counts by its spec, by the files and programs
that the spec names, and, where it is a packaged one, by the network, the opening counts and the fitted curves of the
step's game. Nothing is opened or started.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hitonami.dataset.reading import shards_of
from hitonami.errors import BadData, BadSpec
from hitonami.levels import FOLDER
from hitonami.levels.opening_counts import counts_file
from hitonami.levels.rankers import ranker_file, read_ranker
from hitonami.models.shipped import shipped_models
from hitonami.specs import mind_spec

_PACKAGED: Final = ("human", "expert", "blend", "foresight", "opening", "near")
"""Minds that read what comes with the package."""
_ASKED: Final = ("blend", "result", "foresight", "distance")
_PLAYED: Final = (*_ASKED, "level")
_GAMES_PATH: Final = "/usr/games"


def mark(value: Any) -> str:
    """Of plain data: equal exactly where the data are."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def mark_file(path: Path) -> str:
    """Of the bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as wrong:
        raise BadData(f"{path}: {wrong.strerror}") from None


def mark_data(path: Path) -> str:
    """Of a dataset, or of files of records: what is in them, whatever they are called."""
    if not path.exists():
        raise BadData(f"{path}: no such file or folder; the recipe's data are looked for under --data")
    files = shards_of(path) or (
        [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    )
    if not files:
        raise BadData(f"{path}: holds no file")
    return mark([mark_file(each) for each in files])


def mark_mind(text: str, game: str, *, plays: bool = False) -> str:
    """Of the mind that a text names. `plays`: moves are drawn from it by the curves of the level."""
    spec = mind_spec(text).as_dict()
    return mark([_without_places(spec), list(_held(spec, game, plays))])


def _without_places(value: Any) -> Any:
    """A spec by what it says; where its files lie is no matter."""
    match value:
        case dict():
            return {name: _without_places(each) for name, each in value.items() if not _is_place(name, each)}
        case list() | tuple():
            return [_without_places(each) for each in value]
        case _:
            return value


def _is_place(name: str, value: Any) -> bool:
    return isinstance(value, str) and (name == "command" or (os.sep in value and Path(value).exists()))


def _held(value: Any, game: str, plays: bool) -> Iterator[str]:
    """Marks of everything outside of the spec that the mind holds."""
    match value:
        case dict():
            if value.get("kind") in _PACKAGED:
                yield _mark_package(game, plays)
            for name, each in value.items():
                if _is_place(name, each):
                    yield _mark_program(each) if name == "command" else _mark_model(Path(each))
                yield from _held(each, game, plays)
        case list() | tuple():
            for each in value:
                yield from _held(each, game, plays)
        case _:
            return


def _mark_model(path: Path) -> str:
    return mark_file(path) if path.is_file() else mark([mark_file(each) for each in sorted(path.glob("*.onnx"))])


def _mark_program(command: str) -> str:
    """The program's bytes and its arguments."""
    name, *arguments = command.split()
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), _GAMES_PATH]))
    if found is None:
        raise BadSpec(f"the program {name!r} is not installed")
    return mark([mark_file(Path(found).resolve()), arguments])


def _mark_package(game: str, plays: bool) -> str:
    """What the package holds for a game: networks, opening counts, and the curves that such a use reads."""
    listed = (shipped_models("human"), shipped_models("expert"), shipped_models("human", "ahead"))
    models = {each[game] for each in listed if game in each}
    networks = [json.loads((folder / "card.json").read_bytes())["model_sha256"] for folder in sorted(models)]
    counts = counts_file(game)
    curves = FOLDER / f"{game}.json"
    levels = json.loads(curves.read_text(encoding="utf-8")) if curves.is_file() else {}
    read = {
        method: {knob: held.get("pool") for knob, held in levels.get(method, {}).items()}
        for method in (_PLAYED if plays else _ASKED)
    }
    if (ranker := ranker_file(FOLDER, game)).is_file():
        read["foresight"] = {"ranker": read_ranker(ranker).mark}
    return mark([networks, mark_file(counts) if counts.is_file() else "", read])
