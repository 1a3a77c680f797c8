"""Kernels that find games and tag pairs in PGN bytes.

A game begins at a tag pair at the head of a line that follows no other tag pair, at a second Event among
tag pairs, at "1." after a line that ended with a result, or where the text begins. Comments are not looked
into, so that an unclosed one costs its own game and no other.
"""
# ruff: noqa: PLR1714, SIM109  (comparisons compile to less than `in`)

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

TAB: Final = ord("\t")
NEWLINE: Final = ord("\n")
RETURN: Final = ord("\r")
SPACE: Final = ord(" ")
QUOTE: Final = ord('"')
STAR: Final = ord("*")
MINUS: Final = ord("-")
DOT: Final = ord(".")
SLASH: Final = ord("/")
ZERO: Final = ord("0")
ONE: Final = ord("1")
TWO: Final = ord("2")
OPEN: Final = ord("[")
CLOSE: Final = ord("]")
BACKSLASH: Final = ord("\\")
_PRIME: Final = 0x100000001B3
_IN_NAME: Final = np.array([chr(code).isalnum() or chr(code) == "_" for code in range(128)] + [False] * 128)


def hash_names(names: Sequence[str]) -> NDArray[np.int64]:
    """What `index_tags` knows tags by."""
    hashes = []
    for name in names:
        total = 0
        for letter in name.encode():
            total = (total ^ letter) * _PRIME % 2**64  # as int64 wraps around
        hashes.append(total - 2**64 if total >= 2**63 else total)
    return np.array(hashes, np.int64)


@kernel
def _hash_name(data: Any, at: int) -> Any:
    """The hash of the name that begins there, and where it ends."""
    total = np.int64(0)
    while at < len(data) and _IN_NAME[data[at]]:
        total = (total ^ np.int64(data[at])) * np.int64(_PRIME)
        at += 1
    return total, at


_EVENT: Final = int(hash_names(["Event"])[0])


@kernel
def skip_blanks(data: Any, at: int, end: int) -> Any:
    """Past spaces, tabs and byte order marks."""
    while at < end:
        if data[at] == SPACE or data[at] == TAB:
            at += 1
        elif data[at] == 0xEF and at + 2 < end and data[at + 1] == 0xBB and data[at + 2] == 0xBF:
            at += 3
        else:
            break
    return at


@kernel
def _open_tag(data: Any, at: int, end: int) -> Any:
    """The hash of the tag that begins there and the place of its value; the place is 0 where none begins."""
    if at >= end or data[at] != OPEN:
        return np.int64(0), 0
    name, here = _hash_name(data[:end], at + 1)
    if here == at + 1:
        return name, 0
    here = skip_blanks(data, here, end)
    return name, (here + 1 if here < end and data[here] == QUOTE else 0)


@kernel
def _close_tag(data: Any, at: int, end: int) -> Any:
    """Where the value that begins there ends, and where its tag does; (0, end of line) for a tag that never does.

    A quotation mark ends a value only before a bracket: names in quotation marks are often not escaped.
    """
    while at < end and data[at] != NEWLINE and data[at] != RETURN:
        if data[at] == BACKSLASH:
            at += 1
        elif data[at] == QUOTE:
            after = skip_blanks(data, at + 1, end)
            if after < end and data[after] == CLOSE:
                return at, after + 1
        at += 1
    return 0, min(at, end)


@kernel
def _ends_with_result(data: Any, at: int, end: int) -> Any:
    """Is the last thing of the line a result, as far as its last two characters tell?"""
    while end > at and data[end - 1] <= SPACE:
        end -= 1
    if end - at < 2:
        return end > at and data[end - 1] == STAR
    before, last = data[end - 2], data[end - 1]
    return last == STAR or (before == MINUS and (last == ZERO or last == ONE)) or (before == SLASH and last == TWO)


@kernel
def find_games(data: Any, starts: Any) -> Any:
    """Write where games begin into `starts`, as many as fit. Returns how many there are."""
    found, at, end = 0, 0, len(data)
    in_tags = event_seen = ended = False
    while at < end and found < len(starts):
        here = skip_blanks(data, at, end)
        line_end = here
        while line_end < end and data[line_end] != NEWLINE and data[line_end] != RETURN:
            line_end += 1
        if line_end > here:
            name, value = _open_tag(data, here, line_end)
            begins = found == 0
            if value:
                begins = begins or not in_tags or (name == _EVENT and event_seen)
                event_seen = (event_seen and not begins) or name == _EVENT
            elif ended and line_end - here > 2 and data[here] == ONE and data[here + 1] == DOT:
                begins = True
            if begins:
                starts[found] = here
                found += 1
            ended = _ends_with_result(data, here, line_end)
            in_tags = value > 0 and not ended  # a whole game may stand on one line
            event_seen = event_seen and in_tags
        at = line_end + 1
    return found


@kernel
def index_tags(data: Any, at: int, end: int, names: Any, spans: Any) -> Any:
    """Write first and last place of the values of known tags into spans[2·index]. Returns where the tags end.

    Only the first of several tags of one name counts. A tag that is not closed is passed over with its line.
    """
    while True:
        while at < end and data[at] <= SPACE:
            at += 1
        name, value = _open_tag(data, at, end)
        if value == 0:
            return at
        value_end, at = _close_tag(data, value, end)
        for index in range(len(names)):
            if names[index] == name and value_end > 0 and spans[2 * index] == 0:
                spans[2 * index] = value
                spans[2 * index + 1] = value_end
