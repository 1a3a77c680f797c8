"""SGF (FF[1] to FF[4]) as text: trees of nodes of raw property values, read and written.

Knows nothing of any game. Values stay raw (escaped) until `unescape`, `flatten` or `split_compose` is
asked, because most of them are points that need no work. Lower-case letters in property names are
dropped, as old files spell `Black[pd]` for `B[pd]`. Anything before the first "(;" is skipped.
Malformed text raises BadRecord; nothing is repaired by guessing.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hitonami.errors import BadRecord, quote

Node = dict[str, list[str]]
"""Property names to raw values, in the order of the file."""

_START: Final = re.compile(r"\(\s*;")
_CONTENT: Final = r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
_TOKEN: Final = re.compile(rf"([();])|([A-Za-z]+)\s*+((?:{_CONTENT}\s*+)++)|([^\s])", re.DOTALL)
_VALUE: Final = re.compile(rf"{_CONTENT}", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_BREAK: Final = re.compile(r"\r\n|\n\r|\n|\r")
_BLANK: Final = re.compile(r"[\t\v\f]")
_COLON: Final = re.compile(r"^((?:[^\\:]|\\.)*+):", re.DOTALL)
_CHARSET: Final = re.compile(rb"CA\s*\[\s*([^\]\s]{1,40})\s*\]")
# Python calls these encodings; as the charset of a file they would run escapes or always fail.
_NOT_CHARSETS: Final = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"}
)


@dataclass(slots=True)
class Tree:
    """A sequence of nodes and the variations that follow it."""

    nodes: list[Node] = field(default_factory=list)
    children: list["Tree"] = field(default_factory=list)


def decode(data: bytes) -> str:
    """Text of a file: in the charset that its CA names, else UTF-8, else Latin-1 (the standard's default)."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-16"
        return data.decode(name, "replace")
    named = _CHARSET.search(data[:4000])
    if named:
        try:
            charset = codecs.lookup(named[1].decode("ascii")).name
            if charset.replace("_", "-") not in _NOT_CHARSETS:
                return data.decode(charset, "replace")
        except (LookupError, ValueError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _tokens(text: str) -> list[tuple[str, str, str, str]]:
    begin = _START.search(text)
    if begin is None:
        raise BadRecord(f"no SGF game in {quote(text)}")
    return _TOKEN.findall(text, begin.start())


def _complain(text: str, why: str) -> BadRecord:
    """The error for broken text; finds the first place that no token fits, which the fast pass does not keep."""
    begin = _START.search(text)
    for found in _TOKEN.finditer(text, begin.start() if begin else 0):
        if found[4]:
            return BadRecord(f"not SGF at character {found.start()}: {quote(text[found.start() :], 30)}")
    return BadRecord(f"not SGF: {why} in {quote(text)}")


def _add(node: Node, name: str, values: str) -> None:
    if not name.isupper():
        name = "".join(letter for letter in name if letter.isupper()) or name
    only = values.find("]") == len(values) - 1
    found = [values[1:-1]] if only else [value[1:-1] for value in _VALUE.findall(values)]
    if name in node:
        node[name] += found
    else:
        node[name] = found


def read_main_line(text: str) -> list[Node]:
    """The nodes of the first game's main line.

    The main line takes the first variation at every branch, so it is exactly what stands before the
    first closing parenthesis. What follows that is not looked at.
    """
    nodes: list[Node] = []
    node: Node | None = None
    for mark, name, values, other in _tokens(text):
        if mark == ";":
            node = {}
            nodes.append(node)
        elif name:
            if node is None:
                raise _complain(text, "a property before any node")
            _add(node, name, values)
        elif mark == ")":
            return nodes
        elif other:
            break
        else:
            node = None
    raise _complain(text, "the game is not closed")


def read_trees(text: str) -> list[Tree]:
    """All games of a collection, with their variations. Text between games is refused."""
    games: list[Tree] = []
    open_trees: list[Tree] = []
    inside = False  # of a node: cleared by parentheses
    for mark, name, values, other in _tokens(text):
        if name and inside:
            _add(open_trees[-1].nodes[-1], name, values)
        elif mark == ";" and open_trees and not open_trees[-1].children:
            open_trees[-1].nodes.append({})
            inside = True
        elif mark == "(" and (not open_trees or open_trees[-1].nodes):
            tree = Tree()
            (open_trees[-1].children if open_trees else games).append(tree)
            open_trees.append(tree)
            inside = False
        elif mark == ")" and open_trees and open_trees[-1].nodes:
            open_trees.pop()
            inside = False
        else:
            raise _complain(text, f"an unexpected {quote(mark or name or other)}")
    if open_trees:
        raise _complain(text, "the game is not closed")
    return games


def split_games(text: str) -> Iterator[str]:
    """The text of each game of a collection, without reading into it. Text between games is skipped."""
    at = 0
    while (begin := _START.search(text, at)) is not None:
        depth = 0
        for found in _TOKEN.finditer(text, begin.start()):
            depth += (found[1] == "(") - (found[1] == ")")
            at = found.end()
            if depth == 0:
                break
        yield text[begin.start() : at]


def write_trees(trees: Sequence[Tree]) -> str:
    """SGF text. Values are written as they are: escape them first."""
    out: list[str] = []
    pending: list[Tree | str] = list(reversed(trees))
    while pending:
        here = pending.pop()
        if isinstance(here, str):
            out.append(here)
            continue
        out.append("(")
        out.extend(write_node(node) for node in here.nodes)
        pending.append(")")
        pending.extend(reversed(here.children))
    return "".join(out)


def write_node(node: Mapping[str, Sequence[str]]) -> str:
    return ";" + "".join(name + "".join(f"[{value}]" for value in values) for name, values in node.items())


def unescape(value: str) -> str:
    """A `Text` value as people read it: escapes resolved, soft line breaks joined, tabs as spaces."""
    if "\\" in value:
        value = _ESCAPE.sub(lambda found: "" if found[1] in ("\n", "\r", "\r\n", "\n\r") else found[1], value)
    return _BLANK.sub(" ", _BREAK.sub("\n", value))


def flatten(value: str) -> str:
    """A `SimpleText` value: as `unescape`, on one line, without outer blanks."""
    return unescape(value).replace("\n", " ").strip()


def escape(text: str) -> str:
    """The inverse of `unescape` for text without tabs, with line breaks as \\n. Safe inside a compose, too."""
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def split_compose(value: str) -> tuple[str, str | None]:
    """The raw halves of a composed value `a:b`; (value, None) where it has no unescaped colon."""
    found = _COLON.match(value)
    return (value, None) if found is None else (found[1], value[found.end() :])
