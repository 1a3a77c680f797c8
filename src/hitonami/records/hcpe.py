"""Positions with the move that was played: the HCPE files of cshogi and dlshogi, 38 bytes an entry.

An entry is a position (Huffman-coded), a score, a move and the game's result. Where the next entry holds
the position that the move led to, the entries are one game with its history, and are read as one Record;
otherwise an entry is a game of one move from its own SFEN. The position's bits are read here and judged
before cshogi sees them: cshogi's own decoder runs out of its tables on broken bytes. The engine's score
is not kept, and the format has no place for names, ratings or clocks.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

import cshogi
import numpy as np

from hitonami.errors import BadInput, BadRecord
from hitonami.games.shogi_rules.sfen import START
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected
from hitonami.records._shogi_replay import open_board, try_move
from hitonami.records._shogi_text import setup_from

TRUNCATED: Final = "truncated entry"
BROKEN_POSITION: Final = "broken position"
ILLEGAL_MOVE: Final = "illegal move"
UNKNOWN_RESULT: Final = "unknown result"
ENTRY_BYTES: Final = 38
_POSITION_BYTES: Final = 32
_SCORES: Final = {0: 0.5, 1: 1.0, 2: 0.0}
_HEAD_BITS: Final = 15
_BOARD_CODES: Final = {"10": "p", "1100": "l", "1110": "n", "1101": "s", "11110": "g", "111110": "b", "111111": "r"}
_HAND_CODES: Final = {"00": "p", "1000": "l", "1100": "n", "1010": "s", "1110": "g", "111110": "b", "111111": "r"}
# After the code: the side, and on the board whether the piece is promoted (golds never are).
_BOARD_PIECE: Final = re.compile("0|(?:(10|1100|1110|1101|11111[01])([01])([01]))|(?:(11110)([01]))")
_HAND_PIECE: Final = re.compile("(00|1000|1100|1010|1110|11111[01])([01])")


class Hcpe:
    """HCPE, read only: a Record has no engine's score to write."""

    suffixes: ClassVar[tuple[str, ...]] = (".hcpe",)
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        """Cut where a game begins at the standard start, so that games stay whole."""
        start = _pack(cshogi.Board(START))
        held, offset = b"", 0
        while chunk := stream.read(DOCUMENT_BYTES):
            held += chunk
            cut = len(held) // ENTRY_BYTES * ENTRY_BYTES
            for at in range(cut - ENTRY_BYTES, 0, -ENTRY_BYTES):
                if held.startswith(start, at):
                    cut = at
                    break
            yield Document(source, offset, held[:cut])
            held, offset = held[cut:], offset + cut
        if held:
            yield Document(source, offset, held)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        line: _Line | None = None
        for at in range(0, len(document.data), ENTRY_BYTES):
            entry = document.data[at : at + ENTRY_BYTES]
            if line is not None and line.add(entry):
                continue
            if line is not None:
                yield line.record()
            line = None
            try:
                line = _Line(entry, document.offset + at)
            except BadInput as wrong:
                yield Rejected.because(wrong, document.offset + at)
        if line is not None:
            yield line.record()

    def write(self, record: Record) -> str:
        raise BadRecord("HCPE is not text and needs an engine's scores: write CSA or KIF instead")


class _Line:
    """Entries that follow each other. Raises BadRecord where the first cannot be read."""

    def __init__(self, entry: bytes, offset: int) -> None:
        if len(entry) < ENTRY_BYTES:
            raise BadRecord(f"{TRUNCATED}: {len(entry)} of {ENTRY_BYTES} bytes")
        try:
            self.setup = setup_from(_read_position(entry[:_POSITION_BYTES]))
            self.board = open_board(self.setup)
        except BadInput as wrong:
            raise BadRecord(f"{BROKEN_POSITION}: {wrong}") from None
        self.result = entry[36]
        if self.result & 3 not in _SCORES:
            raise BadRecord(f"{UNKNOWN_RESULT}: {self.result}")
        self.offset = offset
        self.moves: list[int] = []
        if not self._play(entry):
            raise BadRecord(f"{ILLEGAL_MOVE}: {_move_of(entry)} in {self.board.sfen()}")

    def add(self, entry: bytes) -> bool:
        """Take the entry if it continues this game; a game that ended here is not continued."""
        if len(entry) < ENTRY_BYTES or entry[36] != self.result or not entry.startswith(_pack(self.board)):
            return False
        return self._play(entry)

    def _play(self, entry: bytes) -> bool:
        move = _move_of(entry)
        if not try_move(self.board, move):
            return False
        self.moves.append(move)
        return True

    def record(self) -> Record:
        score = _SCORES[self.result & 3]
        return Record("shogi", self.setup, tuple(self.moves), score=score, offset=self.offset)


def _move_of(entry: bytes) -> int:
    return int.from_bytes(entry[34:36], "little")


def _pack(board: cshogi.Board) -> bytes:
    packed = np.empty(_POSITION_BYTES, np.uint8)
    board.to_hcp(packed)
    return packed.tobytes()


def _read_position(data: bytes) -> str:
    """SFEN of 32 bytes: side to move, squares of the kings, the other squares, the hands; lowest bits first."""
    bits = f"{int.from_bytes(data, 'little'):0256b}"[::-1]
    kings = {int(bits[7:0:-1], 2): "K", int(bits[14:7:-1], 2): "k"}
    if len(kings) < 2 or max(kings) > 80:
        raise BadRecord("the kings stand on one square, or off the board")
    squares, at = [], _HEAD_BITS
    for square in range(81):
        found = None if square in kings else _BOARD_PIECE.match(bits, at)
        if found is None and square not in kings:
            raise BadRecord(f"no piece has the code {bits[at : at + 8]}")
        squares.append(
            kings[square]
            if found is None
            else _piece(_BOARD_CODES, found[1] or found[4] or "", found[2] or found[5], found[3])
        )
        at = at if found is None else found.end()
    hands: dict[str, int] = {}
    while at < len(bits):
        held = _HAND_PIECE.match(bits, at)
        if held is None:
            raise BadRecord(f"no piece has the code {bits[at : at + 7]}")
        piece = _piece(_HAND_CODES, held[1], held[2], None)
        hands[piece] = hands.get(piece, 0) + 1
        at = held.end()
    rows = "/".join("".join(squares[9 * file + rank] for file in range(8, -1, -1)) for rank in range(9))
    board = re.sub("1+", lambda run: str(len(run[0])), rows)
    listed = "".join(f"{count if count > 1 else ''}{piece}" for piece, count in hands.items())
    return f"{board} {'bw'[bits[0] == '1']} {listed or '-'} 1"


def _piece(codes: dict[str, str], code: str, side: str | None, promoted: str | None) -> str:
    if not code:
        return "1"  # an empty square
    letter = codes[code] if side == "1" else codes[code].upper()
    return f"+{letter}" if promoted == "1" else letter
