"""The picture of the rooms in docs/architecture.md is the package as it is, in the order that imports go."""

import re
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PACKAGE = _ROOT / "src" / "hitonami"


def drawn_rooms() -> list[str]:
    text = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    [tree] = re.findall(r"^src/hitonami/\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line.split()[0].removesuffix("/").removesuffix(".py") for line in tree.splitlines()]


def test_every_room_is_in_the_picture() -> None:
    there = {path.stem for path in _PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert sorted(drawn_rooms()) == sorted(there - {"__init__", "__main__"})


def test_rooms_are_drawn_from_the_top_down() -> None:
    contract = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [re.findall(r"hitonami\.(\w+)", line) for line in contract["contracts"][0]["layers"]]
    level = {room: at for at, rooms in enumerate(layers) for room in rooms}
    heights = [level[room] for room in drawn_rooms()]
    assert heights == sorted(heights)
