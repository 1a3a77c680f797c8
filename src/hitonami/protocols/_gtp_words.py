"""The words of GTP commands: cleaning a line, reading arguments, refusing in the specification's words."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from hitonami.errors import HitonamiError
from hitonami.protocols._options import read_integer

_SIDES = {"b": 0, "black": 0, "first": 0, "w": 1, "white": 1, "second": 1}
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_VERTEX = re.compile(r"[a-z][0-9]{1,2}|pass", re.IGNORECASE)
_LARGEST = 10**9


class Refused(HitonamiError):
    """An answer `? reason`."""


class Command(NamedTuple):
    """One command line, without comments and control characters."""

    number: str
    name: str
    words: list[str]


def read_command(line: str) -> Command | None:
    """None where nothing is left of the line."""
    words = _CONTROLS.sub("", line.partition("#")[0]).split()
    if not words:
        return None
    number = words.pop(0) if re.fullmatch("[0-9]+", words[0]) else ""
    return Command(number, words[0] if words else "", words[1:])


def read_number(words: Sequence[str], at: int) -> int:
    """A whole number of at least 0."""
    number = read_integer(words[at]) if at < len(words) else None
    if number is None or number < 0:
        raise Refused("syntax error")
    return min(number, _LARGEST)


def read_float(words: Sequence[str], at: int) -> float:
    try:
        number = float(words[at]) if words[at].isascii() and "_" not in words[at] else math.nan
    except (ValueError, IndexError):
        number = math.nan
    if not math.isfinite(number):
        raise Refused("syntax error")
    return number


def read_side(words: Sequence[str]) -> int:
    side = _SIDES.get(words[0].lower()) if words else None
    if side is None:
        raise Refused("syntax error")
    return side


def read_vertex(words: Sequence[str], at: int) -> str:
    """The text of a point or a pass; whether the board has it is for the board to say."""
    if at >= len(words) or not _VERTEX.fullmatch(words[at]):
        raise Refused("syntax error")
    return words[at]
