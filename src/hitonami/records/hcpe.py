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
from hitonami.games._shogi_sfen import START
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
_BOARD_CODES: Final = {"10": "p", "1100": "l", "1110": "n", "1101": "s", "11110": "g", "111110": "b", "111111": "r"}
_HAND_CODES: Final = {"00": "p", "1000": "l", "1100": "n", "1010": "s", "1110": "g", "111110": "b", "111111": "r"}


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
                reason, _, detail = str(wrong).partition(": ")
                yield Rejected(reason, detail, document.offset + at)
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


class _Bits:
    """Bits of a position, lowest of each byte first."""

    def __init__(self, data: bytes) -> None:
        self._rest = int.from_bytes(data, "little")
        self._left = 8 * len(data)

    def take(self) -> str:
        if not self._left:
            raise BadRecord("the position has too few bits")
        self._left -= 1
        bit = "01"[self._rest & 1]
        self._rest >>= 1
        return bit

    def number(self, bits: int) -> int:
        return int("".join(self.take() for _ in range(bits))[::-1], 2)

    def piece(self, codes: dict[str, str], code: str = "") -> str:
        while code not in codes:
            code += self.take()
            if len(code) > 6:
                raise BadRecord(f"no piece has the code {code}")
        return codes[code]

    def __bool__(self) -> bool:
        return self._left > 0


def _read_position(data: bytes) -> str:
    """SFEN of 32 bytes: side to move, squares of the kings, the other squares, the hands."""
    bits = _Bits(data)
    mover = "bw"[bits.number(1)]
    kings = {bits.number(7): "K", bits.number(7): "k"}
    squares = [_read_square(bits) if at not in kings else kings[at] for at in range(81)]
    hands: dict[str, int] = {}
    while bits:
        piece = bits.piece(_HAND_CODES)
        piece = piece if bits.take() == "1" else piece.upper()
        hands[piece] = hands.get(piece, 0) + 1
    rows = "/".join("".join(squares[9 * file + rank] for file in range(8, -1, -1)) for rank in range(9))
    board = re.sub("1+", lambda run: str(len(run[0])), rows)
    held = "".join(f"{count if count > 1 else ''}{piece}" for piece, count in hands.items())
    return f"{board} {mover} {held or '-'} 1"


def _read_square(bits: _Bits) -> str:
    if bits.take() == "0":
        return "1"
    piece = bits.piece(_BOARD_CODES, "1")
    own = piece if bits.take() == "1" else piece.upper()
    return "+" + own if piece != "g" and bits.take() == "1" else own
