"""Shogi games as KI2: what books and magazines print, "▲７六歩 △３四歩", in any Japanese charset.

KI2 names the piece and the square; which of several pieces is meant is told by 左直右 and 上寄引, and has to
be worked out against the legal moves. A move that still fits several pieces is rejected as ambiguous:
nothing is guessed. Headers, boards and endings are those of KIF. Clocks and ratings have no place in KI2.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, ClassVar, Final

import cshogi

from hitonami.errors import BadRecord, quote
from hitonami.games.shogi_rules.notation import DROP_ORIGIN, PROMOTION
from hitonami.records import Document, Record, Rejected, one_document
from hitonami.records._japanese_moves import SAME, UNKNOWN, JapaneseMove, read_step
from hitonami.records._kif_headers import Headers, read_last_word, read_summary
from hitonami.records._shogi_replay import ILLEGAL_MOVE, PLAY_AFTER_END, open_board, wish
from hitonami.records._shogi_text import Sheet, read_one, replay
from hitonami.records.kif import write_end, write_headers

NOT_A_KI2: Final = "not a KI2"
AMBIGUOUS: Final = "ambiguous move"
_MOVE: Final = re.compile(r"([▲△☗☖▼▽])\s*+((?:[1-91-9][一二三四五六七八九])?同?\s*+[^\s▲△☗☖▼▽]{1,12})")
_BLACK: Final = "▲☗▼"
_BIG: Final = frozenset((cshogi.BISHOP, cshogi.ROOK, cshogi.PROM_BISHOP, cshogi.PROM_ROOK))
_PROMOTED: Final = 8
_LINE_MOVES: Final = 6


class Ki2:
    """KI2, one game a file."""

    suffixes: ClassVar[tuple[str, ...]] = (".ki2", ".ki2u")
    game: ClassVar[str] = "shogi"

    def documents(self, source: str, stream: BinaryIO) -> Iterator[Document]:
        yield from one_document(source, stream)

    def read(self, document: Document) -> Iterator[Record | Rejected]:
        yield read_one(document.data, document.offset, _read_sheet)

    def write(self, record: Record) -> str:
        positions = replay(record, "KI2")
        moves = [
            position.game.describe(position, move) for position, move in zip(positions, record.moves, strict=False)
        ]
        lines = [" ".join(moves[at : at + _LINE_MOVES]) for at in range(0, len(moves), _LINE_MOVES)]
        end = [line for line in write_end(record, positions[-1]) if line.startswith("まで")]
        return "\n".join([*write_headers(record, positions[0]), "", *lines, *end]) + "\n"


def _read_sheet(text: str) -> Sheet:
    headers, sheet = Headers(), Sheet()
    texts: list[tuple[int, str]] = []
    ended = False
    for line in text.split("\n"):
        plain = line.strip()
        if plain.startswith("変化"):
            break  # variations follow the whole main line
        if not plain or plain[0] in "*#&":
            continue
        if plain[0] in "▲△☗☖▼▽":
            if ended or sheet.termination:
                raise BadRecord(f"{PLAY_AFTER_END}: {quote(plain)}")
            _split_moves(plain, texts, sheet)
        elif read_summary(sheet, plain):
            ended = True
        elif not texts:
            headers.take(line)
    if not texts and not headers:
        raise BadRecord(f"{NOT_A_KI2}: {quote(text)}")
    headers.fill(sheet)
    _resolve_moves(sheet, texts)
    return sheet


def _split_moves(line: str, texts: list[tuple[int, str]], sheet: Sheet) -> None:
    for mark, text in _MOVE.findall(line):
        if not read_last_word(sheet, text):
            texts.append((int(mark not in _BLACK), text))


def _resolve_moves(sheet: Sheet, texts: list[tuple[int, str]]) -> None:
    """Find the piece of each move on the board. A last move that the record calls illegal is left for `finish`."""
    board = open_board(sheet.setup)
    for number, (side, text) in enumerate(texts, start=1):
        step = read_step(text)
        if step is None or side != board.turn or (step.target == SAME and not sheet.moves):
            raise BadRecord(f"{ILLEGAL_MOVE}: move {number}, {quote(text)} in {board.sfen()}")
        target = sheet.moves[-1] & 127 if step.target == SAME else step.target
        found = find_moves(board, step, target)
        if len(found) != 1:
            reason = AMBIGUOUS if found else ILLEGAL_MOVE
            raise BadRecord(f"{reason}: move {number}, {quote(text)} in {board.sfen()}")
        move = found[0]
        board.push(board.move_from_move16(move))
        sheet.add_move(wish(target, move >> 7 & 127, step.piece + _PROMOTED * step.promotes))


def find_moves(board: cshogi.Board, step: JapaneseMove, target: int) -> list[int]:
    """The legal moves that the step may mean. Without 打 the board goes before the hand."""
    moves = [cshogi.move16(move) for move in board.legal_moves if move & 127 == target]
    drop = target | DROP_ORIGIN + step.piece << 7
    if step.origin != UNKNOWN:
        wanted = target | step.origin << 7 | (PROMOTION if step.promotes else 0)
        return [move for move in moves if move == wanted]
    own = step.piece + 16 * board.turn
    found = [
        move
        for move in moves
        if move >> 7 & 127 < 81 and board.piece(move >> 7 & 127) == own and bool(move & PROMOTION) == step.promotes
    ]
    if not found:
        return [drop] if drop in moves and not step.promotes else []
    return _choose(found, step, board.turn) if len(found) > 1 else found


def _choose(moves: list[int], step: JapaneseMove, side: int) -> list[int]:
    """Those moves that 左直右 and 上寄引 fit, seen by the mover."""
    placed = {move: _relative(move, side) for move in moves}
    if step.motion:
        wanted = {"上": 1, "寄": 0, "引": -1}[step.motion]
        moves = [move for move in moves if (placed[move][1] > 0) - (placed[move][1] < 0) == wanted]
    if not step.side or not moves:
        return moves
    if step.side == "直":
        return [move for move in moves if placed[move][0] == 0 and placed[move][1] > 0]
    outward = 1 if step.side == "右" else -1
    beside = [move for move in moves if placed[move][0] * outward > 0]
    if len(beside) == 1 and step.piece not in _BIG:
        return beside
    # Of two rooks, bishops, dragons or horses the one further to that side is meant, wherever the square is.
    furthest = max(placed[move][0] * outward for move in moves)
    return [move for move in moves if placed[move][0] * outward == furthest]


def _relative(move: int, side: int) -> tuple[int, int]:
    """How far to the right of the target the origin lies, and how far below it, as the mover sees it."""
    target, origin = move & 127, move >> 7 & 127
    right, below = target // 9 - origin // 9, origin % 9 - target % 9
    return (right, below) if side == 0 else (-right, -below)
