"""Formats with one game a line, most of them JSON objects: reading, and a rejection for each line that is no game."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from hitonami.errors import BadInput, BadRecord, quote
from hitonami.records import Document, Record, Rejected
from hitonami.records._encoding import decode

NOT_JSON: Final = "not a JSON object"
MISSING: Final = "missing or wrong field"


def read_texts(document: Document, read_game: Callable[[str, int], Record]) -> Iterator[Record | Rejected]:
    """Every line's game, but for comments, which begin with #. What `read_game` raises as BadInput is a rejection."""
    offset = document.offset
    for line in document.data.split(b"\n"):
        text = decode(line).strip()
        if text and not text.startswith("#"):
            try:
                yield read_game(text, offset)
            except BadInput as wrong:
                yield Rejected.because(wrong, offset)
        offset += len(line) + 1


def read_lines(document: Document, read_game: Callable[[dict[str, Any], int], Record]) -> Iterator[Record | Rejected]:
    """Every line's game, from its object."""
    return read_texts(document, lambda text, offset: read_game(_parse(text), offset))


def _parse(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise BadRecord(f"{NOT_JSON}: {wrong}") from None
    if not isinstance(found, dict):
        raise BadRecord(f"{NOT_JSON}: {quote(text)}")
    return found


def text_of(game: dict[str, Any], name: str, default: str | None = None) -> str:
    """A field that is text. Raises BadRecord where it is missing and has no default, or is something else."""
    value = game.get(name, default)
    if not isinstance(value, str):
        raise BadRecord(f"{MISSING}: {name} is {quote(repr(value), 40)}")
    return value


def write_line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"
