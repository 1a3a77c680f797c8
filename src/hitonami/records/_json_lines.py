"""Formats with one JSON object a line: cutting, reading, and a rejection for each line that is no game."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from hitonami.errors import BadInput, BadRecord, quote
from hitonami.records import Document, Record, Rejected
from hitonami.records._encoding import decode

NOT_JSON: Final = "not a JSON object"
MISSING: Final = "missing or wrong field"


def read_lines(document: Document, read_game: Callable[[dict[str, Any], int], Record]) -> Iterator[Record | Rejected]:
    """Every line's game. What `read_game` raises as BadInput ("reason: detail") is a rejection."""
    offset = document.offset
    for line in document.data.split(b"\n"):
        if line.strip():
            try:
                yield read_game(_parse(line), offset)
            except BadInput as wrong:
                reason, _, detail = str(wrong).partition(": ")
                yield Rejected(reason, detail, offset)
        offset += len(line) + 1


def _parse(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(decode(line))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadRecord(NOT_JSON)
    return found


def text_of(game: dict[str, Any], name: str, default: str | None = None) -> str:
    """A field that is text. Raises BadRecord where it is missing and has no default, or is something else."""
    value = game.get(name, default)
    if not isinstance(value, str):
        raise BadRecord(f"{MISSING}: {name} is {quote(repr(value), 40)}")
    return value


def write_line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"
