"""Shogi over cshogi.

Move ids are cshogi's 16-bit moves: bits 0-6 the target square, bits 7-13 the origin, bit 14 promotion.
Squares run down the files from the right: 1a = 0, 1b = 1 … 9i = 80. A drop's origin is 80 + the piece
type (1 pawn, 2 lance, 3 knight, 4 silver, 5 bishop, 6 rook, 7 gold).

Player 0 is Black (sente). In handicap games White gives the pieces and moves first.

Checkmate, having no move, the fourth occurrence of a position, and perpetual check (a loss for the side
that checked at every move from the first occurrence to the fourth) end the game by force. Entering-king
declarations are claims. A position read from SFEN has no history: occurrences are counted from there.
"""

import threading
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from typing import Final

import cshogi
import numpy as np

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, index_of, last_touched, walk_back
from hitonami.errors import BadMove, BadPosition, BadSetup, alternatives, quote
from hitonami.games._shogi_customs import CUSTOMS
from hitonami.games.shogi_rules.notation import move_as_japanese, move_from_text
from hitonami.games.shogi_rules.peril import judge_peril
from hitonami.games.shogi_rules.rules import ShogiRules, adjudicate, declared_points, read_rules
from hitonami.games.shogi_rules.sfen import HANDICAPS, canonical_sfen, count_material

HISTORY: Final = 8
"""How many positions `ShogiPosition.history` holds."""
HISTORY_BYTES: Final = 96
"""How many bytes each of them takes."""
_HASH_BYTES = 8
_MOVE_BITS: Final = np.array(0x7FFF, dtype=np.int32)
_NO_MOVES: Final = np.array([], dtype=np.int32)
_COUNTS = ("", "", *"二三四五六七八九十", *(f"十{digit}" for digit in "一二三四五六七八"))


class _Desk(threading.local):
    """One board a thread, on which its positions are set up in turn.

    A cshogi board takes kilobytes and longer to copy than to set up, so positions keep their SFEN alone.
    Nothing may run between `show` and the last use of the board it returns.
    """

    def __init__(self) -> None:
        self.board: Final = cshogi.Board()
        self.shown: ShogiPosition | None = None

    def show(self, position: "ShogiPosition") -> cshogi.Board:
        """The desk's board with this position on it; free where it is there already."""
        if self.shown is not position:
            self.shown = None
            self.board.set_sfen(position.sfen)
            self.shown = position
        return self.board


class ShogiPosition:
    """A situation in a game of shogi, linked to the position before it."""

    __hash__ = None  # type: ignore[assignment]  # use `key`
    # Slots and hand-made caching: a cached_property's lock costs as much as generating the moves does.
    __slots__ = (
        "_block",
        "_stamp",
        "_trail",
        "_twin",
        "_verdict",
        "before",
        "in_check",
        "last_move",
        "ply",
        "repeats",
        "rules",
        "setup",
        "sfen",
        "to_move",
    )

    def __init__(
        self,
        board: cshogi.Board,
        setup: Setup,
        rules: ShogiRules,
        before: "ShogiPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        """The position that `board` shows now; the board itself is not kept."""
        self.setup: Final = setup
        self.rules: Final = rules
        self.before: Final = before
        self.last_move: Final = last_move
        self.sfen: Final[str] = board.sfen()
        self.to_move: Final[int] = board.turn
        self.in_check: Final[bool] = board.is_check()
        self.ply: Final[int] = 0 if before is None else before.ply + 1
        self._block: bytes | None = None
        self._verdict: tuple[Moves, str | None, float | None] | None = None
        self._stamp: Final[bytes] = board.zobrist_hash().to_bytes(_HASH_BYTES, "little")
        self._trail: Final[bytes] = b"" if before is None else before._trail + before._stamp
        self._twin: Final = self._find_twin() if self._stamp in self._trail else None
        self.repeats: Final[int] = 0 if self._twin is None else self._twin.repeats + 1
        """How often this same position stood on the board before."""

    @property
    def game(self) -> "Shogi":
        return _SHOGI

    @property
    def key(self) -> str:
        """The SFEN without its move number: board, side to move and hands."""
        return self.sfen.rpartition(" ")[0]

    @property
    def board(self) -> cshogi.Board:
        """A new cshogi board with this position and its last move, for notation and display."""
        if self.before is None or self.last_move is None:
            return cshogi.Board(self.sfen)
        board = cshogi.Board(self.before.sfen)
        board.push_move16(self.last_move)
        return board

    def _find_twin(self) -> "ShogiPosition | None":
        """The latest earlier position that is the same as this one; hashes find it, keys prove it."""
        end = len(self._trail)
        while (at := self._trail.rfind(self._stamp, 0, end)) >= 0:
            here: ShogiPosition | None = self
            while here is not None and here.ply > at // _HASH_BYTES:
                here = here.before
            if at % _HASH_BYTES == 0 and here is not None and here.key == self.key:
                return here
            end = at + _HASH_BYTES - 1
        return None

    def _gave_checks(self, count: int) -> bool:
        """Whether the side that just moved gave check with each of its last `count` moves."""
        here: ShogiPosition | None = self
        for _ in range(count):
            if here is None or not here.in_check:
                return False
            here = None if here.before is None else here.before.before
        return True

    def _judge_repetition(self) -> tuple[str, float] | None:
        """Why the game ends and the score of player 0, where the position stands for the fourth time."""
        if self.before is None or self.repeats < 3:
            return None
        first = self
        while first._twin is not None:
            first = first._twin
        moves_each = (self.ply - first.ply) // 2
        by_opponent, by_mover = self._gave_checks(moves_each), self.before._gave_checks(moves_each)
        if by_opponent == by_mover:
            return "repetition", 0.5
        return "perpetual check", float(1 - self.to_move if by_opponent else self.to_move)

    def _judge(self) -> tuple[Moves, str | None, float | None]:
        """Legal moves, why the game is over, the score of player 0."""
        if self._twin is not None and (repetition := self._judge_repetition()) is not None:
            return _NO_MOVES, *repetition
        listed = _DESK.show(self).legal_moves
        if not len(listed):
            return _NO_MOVES, "checkmate" if self.in_check else "no moves", float(self.to_move)
        if self.rules.max_moves is not None and self.ply >= self.rules.max_moves:
            return _NO_MOVES, "move limit", 0.5
        moves = np.fromiter(listed, np.int32, len(listed))
        np.bitwise_and(moves, _MOVE_BITS, moves)
        moves.sort()
        return moves, None, None

    @property
    def legal(self) -> Moves:
        if self._verdict is None:
            self._verdict = self._judge()
        return self._verdict[0]

    @property
    def ending(self) -> str | None:
        return None if len(self.legal) or self._verdict is None else self._verdict[1]

    @property
    def score(self) -> float | None:
        return None if len(self.legal) or self._verdict is None else self._verdict[2]

    @property
    def history(self) -> bytes:
        """Up to eight positions, latest first, 96 bytes each.

        81 cshogi piece codes in cshogi's square order, then 14 hand counts (Black's pawns, lances, knights,
        silvers, golds, bishops, rooks, then White's), then 1 where the position had stood before.
        """
        return b"".join(here._own_block() for here in islice(walk_back(self), HISTORY))

    def _own_block(self) -> bytes:
        if self._block is None:
            board = _DESK.show(self)
            black, white = board.pieces_in_hand
            self._block = bytes([*board.pieces, *black, *white, 0 if self._twin is None else 1])
        return self._block

    def play(self, move: int) -> "ShogiPosition":
        legal = self.legal
        at = bisect_left(legal, move)
        if at == len(legal) or legal[at] != move:
            raise BadMove(f"move id {move} is not legal in {self.sfen}")
        return self.follow(move)

    def follow(self, move: int) -> "ShogiPosition":
        board = _DESK.show(self)
        _DESK.shown = None  # were the next lines interrupted, the board would show neither position
        board.push_move16(move)
        after = ShogiPosition(board, self.setup, self.rules, self, int(move))
        _DESK.shown = after
        return after


class Shogi:
    """Shogi, even or with a handicap (`Setup(variant="rook")`). Positions are SFEN.

    `Setup.rules` holds words: "27-point" (the default) or "24-point" for entering kings, and "max-512" for
    a draw after 512 moves.
    """

    name = "shogi"
    sides = ("Black", "White")
    customs = CUSTOMS
    examples: Sequence[Setup] = (
        Setup(),
        Setup(variant="2-piece"),
        Setup(start="l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"),
        Setup(start="R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
        Setup(start="7lk/9/7GP/8L/9/9/9/9/K8 b P 1"),
        Setup(start="K+R+R+B+B4/PPPPPP3/9/9/9/9/9/9/8k b 2G 1"),
        Setup(start="4k4/9/9/9/9/9/9/9/R3K4 b - 1", rules="24-point max-60"),
    )

    def start(self, setup: Setup = Setup()) -> ShogiPosition:  # noqa: B008  (frozen)
        if setup.size or setup.komi is not None or setup.handicap:
            raise BadSetup(f"shogi has no size, komi or handicap number (a handicap is a variant); got {setup}")
        if setup.variant and setup.variant not in HANDICAPS:
            raise BadSetup(f"unknown handicap {quote(setup.variant)}; {alternatives(setup.variant, HANDICAPS)}")
        if setup.variant and setup.start:
            raise BadSetup("a shogi game starts from a handicap or from an SFEN, not from both")
        start = setup.start.strip() if setup.start.strip() != "startpos" else ""
        sfen = canonical_sfen(start) if start else HANDICAPS[setup.variant or "even"]
        pieces, mover, hands, number = sfen.split()
        if cshogi.Board(f"{pieces} {'w' if mover == 'b' else 'b'} {hands} {number}").is_check():
            side = "White" if mover == "b" else "Black"
            raise BadPosition(f"not a shogi position: {quote(start)} ({side} is in check and not to move)")
        return ShogiPosition(cshogi.Board(sfen), setup, read_rules(setup))

    def read(self, text: str) -> ShogiPosition:
        """SFEN, with or without the word "sfen" before it and the move number after it; or "startpos"."""
        text = text.strip()
        return self.start() if text in ("", "startpos") else self.start(Setup(start=text))

    def write(self, position: ShogiPosition) -> str:
        return position.sfen

    def format(self, position: ShogiPosition, move: int) -> str:
        index_of(position, move)
        return str(cshogi.move_to_usi(int(move)))

    def parse(self, position: ShogiPosition, text: str) -> int:
        """USI ("7g7f", "P*5e", "8h2b+"), Japanese ("▲７六歩", "同銀右", "７六歩(77)") or CSA ("+7776FU")."""
        return move_from_text(position, text)

    def describe(self, position: ShogiPosition, move: int) -> str:
        index_of(position, move)
        return move_as_japanese(position, int(move))

    def balance(self, position: ShogiPosition) -> float:
        """Pieces on the board and in hand, in pawns."""
        return count_material(position.sfen)

    def peril(self, position: ShogiPosition) -> float:
        """Mates that cannot be parried, up to five plies, and threats."""
        return judge_peril(cshogi.Board(position.sfen))

    def claims(self, position: ShogiPosition) -> Claims:
        """A win or a draw by declaration, with the king in the enemy's camp."""
        if position.ending is not None:
            return Claims()
        points = declared_points(position.board, position.rules)
        reason = f"entering king, {position.rules.points}-point rule"
        match None if points is None else adjudicate(points, position.to_move, position.rules):
            case "win":
                return Claims(win=reason)
            case "draw":
                return Claims(draw=reason)
        return Claims()

    def diagram(self, position: ShogiPosition) -> Diagram:
        board = position.board
        pieces = board.pieces
        rows = tuple(tuple(_cell(pieces[9 * file + rank]) for file in range(8, -1, -1)) for rank in range(9))
        black, white = board.pieces_in_hand
        return Diagram(
            rows,
            columns=tuple("987654321"),
            ranks=tuple("一二三四五六七八九"),
            style="grid",
            dots=_DOTS,
            marked=frozenset(last_touched(position)),
            hands=(_hand_text(black), _hand_text(white)),
        )

    def touches(self, position: ShogiPosition, move: int) -> tuple[Square, ...]:
        origin, target = move >> 7 & 127, move & 127
        return tuple((square % 9, 8 - square // 9) for square in (origin, target) if square < 81)


_DOTS = frozenset({(3, 3), (3, 6), (6, 3), (6, 6)})


def _cell(piece: int) -> Cell:
    return Cell(cshogi.PIECE_JAPANESE_SYMBOLS[piece & 15], piece >> 4) if piece else Cell()


def _hand_text(counts: list[int]) -> str:
    """As KIF writes it, most valuable first: "飛 歩三"."""
    held = zip(cshogi.HAND_PIECE_JAPANESE_SYMBOLS, counts, strict=True)
    return " ".join(f"{symbol}{_COUNTS[count]}" for symbol, count in reversed(list(held)) if count)


_DESK = _Desk()
_SHOGI = Shogi()
