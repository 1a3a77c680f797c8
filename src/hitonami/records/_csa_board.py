"""Start positions of CSA: PI with pieces taken away, ranks P1 to P9, single pieces with P+ and P-."""

import re
from functools import cache
from typing import Final

import cshogi

from hitonami.core import Setup
from hitonami.errors import BadRecord, quote
from hitonami.games.shogi_rules.sfen import PIECES_IN_SET, START, canonical_sfen
from hitonami.records._shogi_text import setup_from

CODES: Final = dict(
    zip(
        ("FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"),
        cshogi.PIECE_SYMBOLS[1:],
        strict=True,
    )
)
"""CSA's pieces by cshogi's letters, in the order of cshogi's piece types."""


@cache
def _standard_squares() -> dict[tuple[int, int], str]:
    """(file, rank) to piece at the standard start."""
    squares: dict[tuple[int, int], str] = {}
    for rank, row in enumerate(START.split()[0].split("/"), start=1):
        spread = re.sub("[1-9]", lambda run: " " * int(run[0]), row)
        squares |= {(9 - column, rank): piece for column, piece in enumerate(spread) if piece != " "}
    return squares


class Placing:
    """The start position, as its lines are read."""

    def __init__(self) -> None:
        self.squares: dict[tuple[int, int], str] = {}
        self.hands: dict[str, int] = {}
        self.mover = "b"
        self.given = False
        self.plain = False
        """Whether PI alone was said."""

    def read(self, line: str) -> None:
        self.plain = False
        if line.startswith("PI"):
            self._read_start(line[2:])
        elif line[1] in "123456789":
            self._read_row(int(line[1]), line[2:])
        else:
            self._read_pieces(line[1], line[2:])
        self.given = True

    def _read_start(self, removed: str) -> None:
        self.plain = not self.given and not removed
        self.squares |= _standard_squares()
        for at in range(0, len(removed), 4):
            square, code = removed[at : at + 2], removed[at + 2 : at + 4]
            where = (int(square[:1]), int(square[1:])) if re.fullmatch("[1-9]{2}", square) else (0, 0)
            if self.squares.get(where, "").lower() != CODES.get(code, "none"):
                raise BadRecord(f"unknown start position: PI{quote(removed)}")
            del self.squares[where]

    def _read_row(self, rank: int, row: str) -> None:
        for column in range(9):
            square = row[3 * column : 3 * column + 3]
            if square[:1] in ("+", "-"):
                self.squares[9 - column, rank] = self._piece(square[0], square[1:])
            elif square.strip() not in ("", "*"):
                raise BadRecord(f"unknown start position: {quote(row)}")

    def _read_pieces(self, side: str, listed: str) -> None:
        for at in range(0, len(listed), 4):
            square, code = listed[at : at + 2], listed[at + 2 : at + 4]
            if not re.fullmatch("[1-9]{2}|00", square) or side not in "+-":
                raise BadRecord(f"unknown start position: P{side}{quote(listed)}")
            if square != "00":
                self.squares[int(square[0]), int(square[1])] = self._piece(side, code)
            elif code == "AL":
                self._take_the_rest(side)
            else:
                piece = self._piece(side, code)
                self.hands[piece] = self.hands.get(piece, 0) + 1

    def _take_the_rest(self, side: str) -> None:
        """Every piece of the set that has not been placed goes to one hand."""
        for piece, most in PIECES_IN_SET.items():
            placed = sum(each.lower().lstrip("+") == piece for each in self.squares.values())
            held = self.hands.get(piece, 0) + self.hands.get(piece.upper(), 0)
            if piece != "k" and most > placed + held:
                own = piece.upper() if side == "+" else piece
                self.hands[own] = self.hands.get(own, 0) + most - placed - held

    @staticmethod
    def _piece(side: str, code: str) -> str:
        if code not in CODES:
            raise BadRecord(f"unknown piece: {quote(code)}")
        return CODES[code].upper() if side == "+" else CODES[code]

    def setup(self) -> Setup:
        return Setup() if self.plain and self.mover == "b" else setup_from(self._sfen())

    def _sfen(self) -> str:
        rows = ["".join(self.squares.get((file, rank), "1") for file in range(9, 0, -1)) for rank in range(1, 10)]
        board = re.sub("1+", lambda run: str(len(run[0])), "/".join(rows))
        hands = "".join(f"{count}{piece}" for piece, count in self.hands.items()) or "-"
        return canonical_sfen(f"{board} {self.mover} {hands} 1")
