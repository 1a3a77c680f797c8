"""The picture of the rooms in docs/architecture.md is the package as it is; rooms keep what is private to them."""

import ast
import re
import tomllib
from collections.abc import Iterator
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


def imported_names(tree: ast.AST) -> Iterator[str]:
    """What a module imports, in full: `hitonami.games.go.Go`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def private_owner(name: str) -> str | None:
    """The package, or the module, that a name is private to; None for a public one."""
    parts = name.split(".")
    hidden = [at for at, part in enumerate(parts) if part.startswith("_") and not part.startswith("__")]
    return ".".join(parts[: hidden[0]]) if hidden else None


def test_what_is_private_stays_where_it_is() -> None:
    """A module `_name` is for its own package and the packages inside it, a `_name` of a module for that module."""
    trespasses = []
    for path in sorted(_PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts)
        for name in imported_names(ast.parse(path.read_text(encoding="utf-8"))):
            owner = private_owner(name) if name.startswith("hitonami.") else None
            if owner is not None and not f"{module}.".startswith(f"{owner}."):
                trespasses.append(f"{module} imports {name}")
    assert trespasses == []


def test_files_and_functions_are_short_enough_to_read() -> None:
    long = []
    for path in sorted(_PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if (lines := len(text.splitlines())) > 350:
            long.append(f"{path.relative_to(_PACKAGE)}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 60:
                    long.append(f"{path.relative_to(_PACKAGE)}: {node.name}: {lines} lines")
    assert long == []


def test_commands_parse_ask_and_print() -> None:
    """The flow of a command is in the room that owns it: no function of cli/ opens minds or data, or is long."""
    thick = []
    for path in sorted((_PACKAGE / "cli").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        flow = {"hitonami.specs.Room", "hitonami.dataset.reading.open_data", "hitonami.agent.Agent"}
        thick += [f"{path.name} imports {name}" for name in imported_names(tree) if name in flow]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and path.name[0] != "_":  # those that declare options are lists
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body and (lines := (body[-1].end_lineno or 0) - body[0].lineno + 1) > 25:
                    thick.append(f"{path.name}: {node.name}: {lines} lines")
    assert thick == []


def test_nobody_builds_what_report_draws() -> None:
    """Nouns belong to the rooms that find them: outside report/ only its functions are imported."""
    taken = []
    for path in sorted(_PACKAGE.rglob("*.py")):
        if "report" not in path.relative_to(_PACKAGE).parts:
            names = imported_names(ast.parse(path.read_text(encoding="utf-8")))
            taken += [f"{path.name}: {name}" for name in names if re.match(r"hitonami\.report\.\w+\.[A-Z]", name)]
    assert taken == []
