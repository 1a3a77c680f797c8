"""SGF (FF[1] to FF[4]) as text: nodes of raw property values, of main lines read, and written.

Knows nothing of any game. Values stay raw (escaped) until `unescape`, `flatten` or `split_compose` is
asked, because most of them are points that need no work. Lower-case letters in property names are
dropped, as old files spell `Black[pd]` for `B[pd]`. Anything before the first "(;" is skipped.
Malformed text raises BadRecord; nothing is repaired by guessing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hitonami.errors import BadRecord, quote

Node = dict[str, list[str]]
"""Property names to raw values, in the order of the file."""

_START: Final = re.compile(r"\(\s*;")
_CONTENT: Final = r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
# A run of nodes with a plain move each is one token: most files are little else, and it halves their cost.
_RUN: Final = r"(?:;\s*+[BW]\[[a-z]{0,2}\]\s*+(?!\[))++"
# What fits nothing is one token up to its own end: were it taken letter by letter, each would look through the rest.
_OTHER: Final = r"[A-Za-z]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?:\]|\\?\Z)|\S"
_TOKEN: Final = re.compile(rf"({_RUN}|[();])|([A-Za-z]++)\s*+((?:{_CONTENT}\s*+)++)|({_OTHER})", re.DOTALL)
_MOVE: Final = re.compile(r"([BW])\[([a-z]*)\]")
_VALUE: Final = re.compile(rf"{_CONTENT}", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_BREAK: Final = re.compile(r"\r\n|\n\r|\n|\r")
_BLANK: Final = re.compile(r"[\t\v\f]")
_COLON: Final = re.compile(r"^((?:[^\\:]|\\.)*+):", re.DOTALL)


def _tokens(text: str) -> list[tuple[str, str, str, str]]:
    begin = _START.search(text)
    if begin is None:
        raise BadRecord(f"no SGF game: {quote(text)}")
    return _TOKEN.findall(text, begin.start())


def _complain(text: str, why: str) -> BadRecord:
    """The error for broken text; finds the first place that no token fits, which the fast pass does not keep."""
    begin = _START.search(text)
    for found in _TOKEN.finditer(text, begin.start() if begin else 0):
        if found[4]:
            return BadRecord(f"not SGF: {quote(text[found.start() :], 30)} at character {found.start()}")
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


def _nodes_of(mark: str) -> list[Node]:
    """The nodes of a token that begins with a semicolon: one that is still empty, or a run of moves."""
    return [{}] if mark == ";" else [{colour: [point]} for colour, point in _MOVE.findall(mark)]


def read_main_line(text: str) -> list[Node]:
    """The nodes of the first game's main line.

    The main line takes the first variation at every branch, so it is exactly what stands before the
    first closing parenthesis. What follows that is not looked at.
    """
    nodes: list[Node] = []
    node: Node | None = None
    for mark, name, values, other in _tokens(text):
        if mark[:1] == ";":
            nodes += _nodes_of(mark)
            node = nodes[-1]
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


def split_games(text: str) -> Iterator[tuple[int, str]]:
    """Where each game of a collection begins, and its text, without reading into it.

    Text between games is skipped. A game that is not closed reaches to the end.
    """
    at = 0
    while (begin := _START.search(text, at)) is not None:
        depth = 0
        for found in _TOKEN.finditer(text, begin.start()):
            depth += (found[1] == "(") - (found[1] == ")")
            at = found.end()
            if depth == 0:
                break
        yield begin.start(), text[begin.start() : at]


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
