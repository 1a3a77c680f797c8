"""A game's name is written where something is about that game, and nowhere else: all other code asks its customs."""

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hitonami.core import Setup
from hitonami.parts import find_parts

_ROOT = Path(__file__).parents[2]
_PACKAGE = _ROOT / "src" / "hitonami"
_PAGE = _ROOT / "web" / "src"
_ABOUT = {
    "games/": "the rules and customs of the game",
    "records/": "readers of formats that only this game has; the plain one is not among them",
    "models/encoders/": "the input of networks for one game",
    "models/importers/": "files of networks for one game",
    "protocols/uci.py": "how chess engines talk",
    "protocols/usi.py": "how shogi engines talk",
    "protocols/gtp.py": "how Go engines talk",
    "protocols/_dialogue.py": "the word `go` of UCI and USI",
    "engines/uci.py": "the word `go` of UCI and USI",
    "minds/uci.py": "engines of chess",
    "minds/usi.py": "engines of shogi",
    "minds/gtp.py": "engines of Go",
    "minds/katago.py": "an engine of Go",
    "minds/katago_human.py": "the same engine with its human network",
    "minds/twin.py": "the sample twin that its contract tests open plays chess",
    "minds/neural.py": "the sample network that its contract tests open plays chess",
    "doctor.py": "a library that is called chess",
}
"""Where a game may be named: a folder, or a file."""
_FIELDS = {field.name for field in dataclasses.fields(Setup)}
"""A game may be called as a field of every setup is (`variant`): alone such a word means the field."""
_NEVER = ("records/plain.py", "records/__init__.py")


def literals_of(source: str) -> Iterator[tuple[int, str]]:
    """Strings of a Python file that are no docstrings, with their lines."""
    tree = ast.parse(source)
    told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.lineno, node.value


def names_in_python(source: str, games: set[str]) -> list[str]:
    """Strings that are a game's name, or one with something after a colon."""
    named = re.compile("|".join(rf"{re.escape(name)}(?::\w\S*)?" for name in sorted(games)))
    found = ((line, text) for line, text in literals_of(source) if named.fullmatch(text))
    return [f"{line}: {text!r}" for line, text in found if text not in _FIELDS]


def names_in_script(source: str, games: set[str]) -> list[str]:
    """Strings, keys of objects and parts of classes that are a game's name; comments and calls are not."""
    names = "|".join(map(re.escape, sorted(games - _FIELDS)))
    found = re.compile(rf"""(?:["'`](?:{names})["'`]|(?<![\w.?-])(?:{names})\??:(?!:))""")
    return [
        f"{number}: {hit[0]}"
        for number, line in enumerate(source.splitlines(), start=1)
        for hit in found.finditer(line.partition("// ")[0])
    ]


def is_about(path: str, places: dict[str, str]) -> bool:
    return path not in _NEVER and any(
        path == place or (place[-1] == "/" and path.startswith(place)) for place in places
    )


@pytest.fixture(scope="module")
def games() -> set[str]:
    """By what the package holds, so that a new game is watched from its first day."""
    return {name for name in find_parts("games") if (_PACKAGE / "games" / f"{name.replace('-', '_')}.py").is_file()}


def found_in_package(games: set[str]) -> dict[str, list[str]]:
    paths = [path for path in _PACKAGE.rglob("*.py") if "static" not in path.parts]
    found = {str(path.relative_to(_PACKAGE)): names_in_python(path.read_text("utf-8"), games) for path in paths}
    scripts = {str(path.relative_to(_PACKAGE)): path for path in (_PACKAGE / "report" / "templates").glob("*.js")}
    found |= {name: names_in_script(path.read_text("utf-8"), games) for name, path in scripts.items()}
    return {path: names for path, names in found.items() if names}


def test_games_are_named_only_where_something_is_about_them(games: set[str]) -> None:
    assert {"chess", "shogi", "go"} <= games
    elsewhere = {path: names for path, names in found_in_package(games).items() if not is_about(path, _ABOUT)}
    assert not elsewhere, "ask the game's customs, or the game itself"


def test_the_page_names_no_game(games: set[str]) -> None:
    paths = list(_PAGE.rglob("*.ts*"))
    assert paths
    found = {str(path.relative_to(_PAGE)): names_in_script(path.read_text("utf-8"), games) for path in paths}
    assert not {path: names for path, names in found.items() if names}, "ask the server what the game has"


def test_no_place_is_listed_that_names_none(games: set[str]) -> None:
    found = found_in_package(games)
    assert not [place for place in _ABOUT if not any(is_about(path, {place: ""}) for path in found)]


def test_the_eye_sees_what_it_should() -> None:
    games = {"go", "connect-four", "variant"}
    assert names_in_python('x = "variant"; y = "variant:makruk"; z = "go: on"', games) == ["1: 'variant:makruk'"]
    assert names_in_python('"""go"""\nif name == "go" or name in {"connect-four": 1}: pass', games) == [
        "2: 'go'",
        "2: 'connect-four'",
    ]
    seen = names_in_script('const go = () => x.go; // "go"\nconst kinds = { go: 1 }; game === "go" ? a : go(1);', games)
    assert seen == ["2: go:", '2: "go"']
