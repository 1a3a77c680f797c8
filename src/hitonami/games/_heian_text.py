"""Positions and moves of Heian shogi as text: SFEN and USI on boards of eight or nine ranks and files."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadMove, BadPosition, BadSetup, quote
from hitonami.games._heian_rules import PROMOTED, is_stuck

KANJI: Final = ("", "玉", "金", "銀", "桂", "香", "歩", "全", "圭", "杏", "と", "象")
"""By kind. The promoted silver, knight, lance and pawn have the signs that diagrams of shogi have for them."""
VARIANTS: Final = ("9x9", "9x8", "8x8", "second", "elephant")
_LETTERS: Final = {"K": 1, "G": 2, "S": 3, "N": 4, "L": 5, "P": 6, "+S": 7, "+N": 8, "+L": 9, "+P": 10, "E": 11}
_NAMES: Final = {kind: letter for letter, kind in _LETTERS.items()}
_TOKEN: Final = re.compile(r"[1-9]|\+?[SNLPsnlp]|[KGEkge]", re.ASCII)
_MOVE: Final = re.compile(r"([1-9])([a-i])([1-9])([a-i])(\+?)", re.ASCII)
_BACK: Final = {9: "LNSGKGSNL", 8: "LNSGKSNL"}


@dataclass(frozen=True)
class Board:
    """What stands where, and whose turn it is; `number` is the number of the next move."""

    cells: NDArray[np.int8]
    ranks: int
    files: int
    to_move: int = 0
    number: int = 1


def start_board(variant: str) -> Board:
    """The array of a variant. Raises BadSetup for words that it does not have."""
    words = variant.split()
    boards = [word for word in words if word in VARIANTS[:3]]
    if set(words) - set(VARIANTS) or len(boards) > 1 or len(set(words)) != len(words):
        raise BadSetup(
            f"unknown variant of Heian shogi {quote(variant)}; known: one of {', '.join(VARIANTS[:3])}, "
            f"and {', '.join(VARIANTS[3:])}"
        )
    ranks, files = (int(part) for part in (boards or ["9x9"])[0].split("x"))
    cells = np.zeros((ranks, files), np.int8)
    cells[-1] = [_LETTERS[letter] for letter in _BACK[files]]
    cells[-2 if "second" in words else -3] = _LETTERS["P"]
    if "elephant" in words:
        cells[-2, _BACK[files].index("K")] = _LETTERS["E"]
    cells[: ranks // 2] = -cells[::-1, ::-1][: ranks // 2]
    return Board(cells.ravel(), ranks, files)


def read_sfen(text: str) -> Board:
    """Raises BadPosition for anything that is no position of Heian shogi."""
    words = text.removeprefix("sfen ").split()
    if len(words) not in (2, 3, 4) or words[1] not in ("b", "w") or words[2:3] not in ([], ["-"]):
        raise BadPosition(f"not an SFEN of Heian shogi: {quote(text)}; as in {quote(write_sfen(start_board('')))}")
    number = words[3] if len(words) == 4 else "1"
    rows = [_read_rank(rank, text) for rank in words[0].split("/")[:10]]
    size = (len(rows), len(rows[0]))
    if size not in ((9, 9), (9, 8), (8, 8)) or any(len(row) != size[1] for row in rows):
        raise BadPosition(f"not a board of 9×9, 9×8 or 8×8: {quote(text)}")
    if not (number.isascii() and number.isdigit() and int(number[:9]) > 0):
        raise BadPosition(f"not the number of a move: {quote(number)}")
    cells = np.array(rows, np.int8)
    for side, name in ((1, "Black"), (-1, "White")):
        if (cells == side).sum() != 1:
            raise BadPosition(f"{name} needs one king: {quote(text)}")
        for row, rank in enumerate(cells.tolist() if side > 0 else (-cells[::-1]).tolist()):
            if any(cell > 0 and is_stuck(cell, row) for cell in rank):
                raise BadPosition(f"{name} has a piece that can never move: {quote(text)}")
    return Board(cells.ravel(), *size, to_move="bw".index(words[1]), number=int(number[:9]))


def _read_rank(rank: str, text: str) -> list[int]:
    cells: list[int] = []
    tokens = _TOKEN.findall(rank)
    if "".join(tokens) != rank or not tokens:
        raise BadPosition(f"not a rank of pieces and numbers: {quote(rank)} in {quote(text)}")
    for token in tokens:
        cells += [0] * int(token) if token.isdigit() else [_LETTERS[token.upper()] * (1 if token[-1].isupper() else -1)]
    return cells


def write_sfen(board: Board) -> str:
    rows = []
    for rank in board.cells.reshape(board.ranks, board.files).tolist():
        text = "".join("." if cell == 0 else _NAMES[cell] if cell > 0 else _NAMES[-cell].lower() for cell in rank)
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), text))
    return f"{'/'.join(rows)} {'bw'[board.to_move]} - {board.number}"


def write_move(board: Board, move: int) -> str:
    squares = (move >> 7 & 127, move & 127)
    names = [f"{board.files - at % board.files}{'abcdefghi'[at // board.files]}" for at in squares]
    return f"{''.join(names)}{'+' if move & PROMOTED else ''}"


def read_move(board: Board, text: str) -> int:
    """The id of a move in USI, or as `describe` writes it; legal or not. Raises BadMove."""
    plain = text.strip()
    if plain.endswith(")") and plain[:1] in KANJI[1:]:
        goal, _, origin = plain[1:-1].partition("(")
        plain = origin + goal.rstrip("=")
    found = _MOVE.fullmatch(plain)
    if found is None:
        raise BadMove(f"not a move: {quote(text)}; moves are written as in 7g7f, with + for a promotion")
    squares = []
    for file, rank in ((int(found[1]), found[2]), (int(found[3]), found[4])):
        if file > board.files or "abcdefghi".index(rank) >= board.ranks:
            raise BadMove(f"not a square of this board: {quote(text)}")
        squares.append("abcdefghi".index(rank) * board.files + board.files - file)
    return squares[0] << 7 | squares[1] | (PROMOTED if found[5] else 0)
