"""A fast way through the usual SGF: a root, then nothing but plain moves to the end of the game.

Most files are little else, and dictionaries of nodes cost more than everything that is done with them.
Whatever is not as plain as that is left to the full reader in `games/go_rules/sgf_tree.py`.
"""

import re
from typing import Any, Final

import numpy as np

from hitonami.kernel import kernel

_VALUE: Final = r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]\s*+"
_ROOT: Final = re.compile(rf"\(\s*+;(?:\s*+[A-Z]{{1,8}}\s*+(?:{_VALUE})++)*+(?=;\s*[BW]\[)", re.DOTALL)
_SPACES: Final = (9, 10, 13, 32)
_BOTH_MOVES: Final = re.compile(r"[;\]\s][BW]\s*\[")


@kernel
def _scan(text: Any, size: int, sides: Any, moves: Any) -> int:  # noqa: PLR0912  (a scanner is its branches)
    """Fill sides and moves from `;B[pd];W[dd])`. Returns how many, or -1 where the text is anything else."""
    at, count, end = 0, 0, len(text)
    while at < end:
        letter = text[at]
        if letter in _SPACES:
            at += 1
            continue
        if letter == 41:  # a closing parenthesis: only blanks may follow
            for rest in range(at + 1, end):
                if text[rest] not in _SPACES:
                    return -1
            return count
        if letter != 59 or at + 4 >= end:
            return -1
        at += 1
        while at + 3 < end and text[at] in _SPACES:
            at += 1
        if (text[at] != 66 and text[at] != 87) or text[at + 1] != 91:
            return -1
        sides[count] = text[at] == 87
        if text[at + 2] == 93:
            moves[count] = size * size
            at += 3
        else:
            if at + 4 >= end or text[at + 4] != 93:
                return -1
            column, row = text[at + 2] - 97, text[at + 3] - 97
            if column == 19 and row == 19 and size <= 19:
                moves[count] = size * size
            elif 0 <= column < size and 0 <= row < size:
                moves[count] = row * size + column
            else:
                return -1
            at += 5
        count += 1
    return -1


def split_root(text: str) -> tuple[str, bytes] | None:
    """The root's text, closed as a game of its own, and the bytes of what follows; None for less plain text."""
    root = _ROOT.match(text)
    if root is None or not (rest := text[root.end() :]).isascii() or _BOTH_MOVES.search(root[0]):
        return None
    return f"{root[0]})", rest.encode("ascii")


def read_run(data: bytes, size: int) -> tuple[list[int], list[int]] | None:
    """Who moved where, None where the bytes are not plain moves to the end of the game."""
    text = np.frombuffer(data, np.uint8).astype(np.int32)
    room = len(text) // 4 + 1
    sides, moves = np.empty(room, np.int32), np.empty(room, np.int32)
    count = int(_scan(text, size, sides, moves))
    return None if count < 0 else (sides[:count].tolist(), moves[:count].tolist())
