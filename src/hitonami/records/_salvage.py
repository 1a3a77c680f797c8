"""A game whose record breaks off, or goes wrong somewhere: what can be read before that place.

The text is shortened, move by move from its end, until its format accepts it. No move is mended or guessed, and
nothing after the break is looked at; the result is dropped with the rest, since it belongs to the whole game.
"""

import re
from dataclasses import replace
from typing import Final

from hitonami.records import Document, Record, open_format

_CUTS: Final = {"sgf": re.compile(rb";"), "pgn": re.compile(rb"\s+"), "ki2": re.compile(rb"\s+|(?=\xe2\x96|\xe2\x98)")}
_LINES: Final = re.compile(rb"\n")
_MOST_CUTS: Final = 3_000
"""Longer than any game; a larger text is no single one."""


def salvage(format_name: str, data: bytes) -> Record | None:
    """The longest beginning of one game's text that is a game with moves, or None where there is none."""
    reader = open_format(format_name)
    cuts = [found.start() for found in _CUTS.get(format_name, _LINES).finditer(data)]
    for cut in reversed(cuts[-_MOST_CUTS:]):
        piece = _closed(format_name, data[:cut])
        found = next(iter(reader.read(Document("", 0, piece))), None)
        if isinstance(found, Record) and found.moves:
            return replace(found, score=None, termination="", marks=found.marks | {"prefix"})
    return None


def _closed(format_name: str, data: bytes) -> bytes:
    """The piece with the brackets that it leaves open."""
    if format_name != "sgf":
        return data + b"\n"
    bare = re.sub(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]", b"", data, flags=re.DOTALL)
    return data + b")" * max(bare.count(b"(") - bare.count(b")"), 1)
