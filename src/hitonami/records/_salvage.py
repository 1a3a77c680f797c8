"""A game whose record breaks off, or goes wrong somewhere: what can be read before that place.

The text is cut where a move begins, and the longest beginning that its format accepts is looked for by halving, since
what is legal does not become illegal by being shorter: a few dozen readings whatever the text holds. No move is mended
or guessed, and nothing after the break is looked at; the result is dropped with the rest, since it belongs to the whole
game.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hitonami.records import Document, Record, open_format
from hitonami.records._shogi_text import decode

_LINES: Final = {
    "csa": re.compile(r"(?m)(?:^|(?<=,))[+-][0-9]{4}[A-Z]{2}"),
    "kif": re.compile(r"(?m)^[^\S\n]*+[0-9]{1,4}[\s.:]"),
    "ki2": re.compile(r"[▲△☗☖▼▽]"),
    "usi-lines": re.compile(r"(?<=\s)\S++"),
}
"""What the moves of a line-wise format begin with."""
_PGN_TAGS: Final = re.compile(r"\s*+(?:\[\w++[^\n]*+\s*+)*+")
_PGN_TOKEN: Final = re.compile(r"\{[^}]*+(\}?)|;[^\n]*+|([()])|([^\s(){};]++)")
_SGF_TOKEN: Final = re.compile(r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(?:\]|\\?\Z)|([;)])", re.DOTALL)
_MOST_PLACES: Final = 6_000
"""More than the words of any game; of a longer text only the beginning is looked at."""


def read_beginning(format_name: str, data: bytes) -> Record | None:
    """The longest beginning of one game's text that is a game with moves, or None where there is none."""
    text = data.decode("latin-1") if format_name == "pgn" else decode(data)
    places = _places(format_name, text)
    best: Record | None = None
    good, size = 0, 1
    while size < len(places):  # every doubling, for the first few may be too short for their game: given stones
        found = _read(format_name, text[: places[size]])
        best, good = (found, size) if found else (best, good)
        size *= 2
    bad = min(max(2 * good, 1), len(places))
    while bad - good > 1:
        middle = (good + bad) // 2
        found = _read(format_name, text[: places[middle]])
        best, good, bad = (found, middle, bad) if found else (best, good, middle)
    if best is None or not best.moves:
        return None
    return replace(best, score=None, termination="", marks=best.marks | {"prefix"})


def _places(format_name: str, text: str) -> list[int]:
    """Where moves begin, and the end of the text: the beginnings of a game end there."""
    if format_name == "pgn":
        found = _places_in_pgn(text)
    elif format_name == "sgf":
        found = _places_in_sgf(text)
    elif format_name in _LINES:
        found = (each.start() for each in _LINES[format_name].finditer(text))
    else:
        return []
    places = [place for _, place in zip(range(_MOST_PLACES), found, strict=False)]
    return places if len(places) == _MOST_PLACES else [*places, len(text)]


def _places_in_pgn(text: str) -> Iterator[int]:
    """Words outside comments and variations, up to what is not closed."""
    tags = _PGN_TAGS.match(text)
    depth = 0
    for found in _PGN_TOKEN.finditer(text, tags.end() if tags else 0):
        depth += (found[2] == "(") - (found[2] == ")")
        if (found[3] and depth <= 0) or (found[2] == "(" and depth == 1) or found[1] == "":
            yield found.start()


def _places_in_sgf(text: str) -> Iterator[int]:
    """Nodes of the main line, which ends with the first parenthesis that closes."""
    for found in _SGF_TOKEN.finditer(text):
        if found[1] == ")":
            return
        if found[1]:
            yield found.start()


def _read(format_name: str, text: str) -> Record | None:
    """The piece as a game, with the bracket that it leaves open."""
    charset, end = ("latin-1" if format_name == "pgn" else "utf-8"), (")" if format_name == "sgf" else "\n")
    piece = Document("", 0, (text + end).encode(charset, "replace"))
    found = next(iter(open_format(format_name).read(piece)), None)
    return found if isinstance(found, Record) else None
