"""Chess over rust-chess, Chess960 and all notation over python-chess.

Move ids are `from + 64·to + 4096·promotion` with squares a1 = 0 … h8 = 63 and promotion 0 or
python-chess's piece type (2 knight … 5 queen). Castling is the king's own move (e1g1) in chess and
"king takes rook" in Chess960, as UCI writes them.

Checkmate, stalemate, dead positions by material, the 75-move rule and fivefold repetition end the game
by force; threefold repetition and the 50-move rule are claims.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from struct import Struct
from typing import Any, Final

import chess
import numpy as np

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, index_of, last_touched, walk_back
from hitonami.errors import BadMove, BadPosition, BadSetup, quote
from hitonami.games._chess_customs import CUSTOMS
from hitonami.games.chess_rules.peril import judge_peril
from hitonami.games.chess_rules.rules import FastRules, Rules, Rules960, id_of

HISTORY: Final = 8
"""How many positions `ChessPosition.history` holds."""
_PACK = Struct("=13Q")
_BROKEN = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_TOO_MANY_WHITE_PIECES  # rust-chess has room for the moves of sixteen and writes beyond it
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_EMPTY
)
_WORTH = (1, 3, 3, 5, 9)
_GLYPHS = {"P": "♟", "N": "♞", "B": "♝", "R": "♜", "Q": "♛", "K": "♚"}


class ChessPosition:
    """A situation in a game of chess, linked to the position before it."""

    __hash__ = None  # type: ignore[assignment]  # use `key`

    def __init__(
        self, rules: Rules, setup: Setup, before: "ChessPosition | None" = None, last_move: int | None = None
    ) -> None:
        self.rules: Final = rules
        self.setup: Final = setup
        self.before: Final = before
        self.last_move: Final = last_move
        self.to_move: Final = 0 if rules.white_to_move else 1
        self.ply: Final[int] = 0 if before is None else before.ply + 1

    @property
    def game(self) -> "Chess":
        return _CHESS

    @cached_property
    def board(self) -> chess.Board:
        """The same position in python-chess, for notation and display. Do not push to it."""
        return self.rules.board

    @cached_property
    def _legal_moves(self) -> dict[int, Any]:
        """Moves that the pieces have, before any draw ends the game."""
        return self.rules.moves()

    @cached_property
    def _forced_draw(self) -> str | None:
        clock = self.rules.halfmove_clock
        if self.rules.dead():
            return "insufficient material"
        if clock >= 16 and self.repeats >= 4 and self._legal_moves:
            return "fivefold repetition"
        return "75-move rule" if clock >= 150 and self._legal_moves else None

    @cached_property
    def legal(self) -> Moves:
        return np.array([] if self._forced_draw else sorted(self._legal_moves), dtype=np.int32)

    @property
    def ending(self) -> str | None:
        if self._forced_draw is not None:
            return self._forced_draw
        if self._legal_moves:
            return None
        return "checkmate" if self.rules.in_check() else "stalemate"

    @property
    def score(self) -> float | None:
        ending = self.ending
        if ending is None:
            return None
        return float(self.to_move) if ending == "checkmate" else 0.5

    @cached_property
    def key(self) -> tuple[int | None, ...]:
        return (*self._sets, self.to_move, self.rules.castling(), self._legal_en_passant)

    @property
    def _legal_en_passant(self) -> int | None:
        """The en-passant square where some pawn may really take: only then is the position another one."""
        square = self.rules.en_passant()
        if square is None:
            return None
        sets = self._sets
        pawns = sets[0] | sets[6]
        return (
            square if any(move >> 6 & 63 == square and pawns >> (move & 63) & 1 for move in self._legal_moves) else None
        )

    @cached_property
    def _occupied(self) -> tuple[int, int]:
        return self.rules.occupied()

    @cached_property
    def repeats(self) -> int:
        """How often this same position stood on the board before."""
        count, here = 0, self._same_before()
        while here is not None:  # a loop: recursion would not reach the end of a long shuffle
            count += 1
            if (known := here.__dict__.get("repeats")) is not None:
                return count + int(known)
            here = here._same_before()
        return count

    def _same_before(self) -> "ChessPosition | None":
        """The last time that this same position stood on the board before."""
        here, reach = self, self.rules.halfmove_clock
        while reach >= 2 and here.before is not None and here.before.before is not None:
            here, reach = here.before.before, reach - 2
            if here._occupied == self._occupied and here.key == self.key:
                return here
        return None

    @cached_property
    def history(self) -> bytes:
        """Up to eight positions, latest first, 13 native uint64 each.

        Twelve bitboards (white then black; pawn, knight, bishop, rook, queen, king), then 1 where the
        position had stood before. Encoders join these instead of walking the game.
        """
        known = None if self.before is None else self.before.__dict__.get("history")
        if known is not None:  # most of it is what the position before had
            return self._packed + bytes(known[: (HISTORY - 1) * _PACK.size])
        line = list(islice(walk_back(self), HISTORY))
        return b"".join([here._packed for here in reversed(line)][::-1])  # each helps the one after it

    @cached_property
    def _packed(self) -> bytes:
        return _PACK.pack(*self._sets, 1 if self.repeats else 0)

    @cached_property
    def _sets(self) -> tuple[int, ...]:
        """The rules' bitboards: after a plain move those of the position before with the piece moved."""
        known = None if self.before is None else self.before.__dict__.get("_sets")
        carried = None if known is None or self.last_move is None else _carry(known, self.last_move)
        return self.rules.bitboards() if carried is None else carried

    def play(self, move: int) -> "ChessPosition":
        chosen = None if self._forced_draw else self._legal_moves.get(move)
        if chosen is None:
            raise BadMove(f"move id {move} is not legal in {self.board.fen()}")
        return ChessPosition(self.rules.after(chosen), self.setup, self, int(move))

    def follow(self, move: int) -> "ChessPosition":
        return ChessPosition(self.rules.after_id(move), self.setup, self, int(move))


class Chess:
    """Chess, and Chess960 with `Setup(variant="chess960")`. Positions are FEN."""

    name = "chess"
    sides = ("White", "Black")
    customs = CUSTOMS
    examples: Sequence[Setup] = (
        Setup(),
        Setup(start="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        Setup(start="8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
        Setup(start="r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
        Setup(start="8/8/8/4k3/8/4K3/4R3/8 w - - 140 200"),
        Setup(variant="chess960", start="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
        Setup(variant="chess960", start="rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1"),
    )

    def start(self, setup: Setup = Setup()) -> ChessPosition:  # noqa: B008  (frozen)
        if setup.size or setup.komi is not None or setup.handicap or setup.rules:
            raise BadSetup(f"chess has a start position and a variant, nothing else; got {setup}")
        if setup.variant not in ("", "standard", "chess960"):
            raise BadSetup(f"unknown chess variant {quote(setup.variant)}; known: standard, chess960")
        fen = setup.start or chess.STARTING_FEN
        try:
            board = chess.Board(fen, chess960=setup.variant == "chess960")
        except ValueError as wrong:
            raise BadPosition(f"not a FEN: {quote(fen)} ({wrong})") from None
        if (status := board.status()) & _BROKEN:
            reasons = [str(flag.name).lower().replace("_", " ") for flag in chess.Status if flag & status & _BROKEN]
            raise BadPosition(f"not a chess position: {quote(fen)} ({', '.join(reasons)})")
        board.castling_rights = board.clean_castling_rights()
        if status & chess.STATUS_INVALID_EP_SQUARE:
            board.ep_square = None
        return ChessPosition(Rules960(board) if board.chess960 else FastRules.of(board), setup)

    def read(self, text: str) -> ChessPosition:
        """FEN. Castling rights that only Chess960 can have make it Chess960."""
        text = text.strip()
        if text in ("", "startpos"):
            return self.start()
        position = self.start(Setup(start=text))
        as_960 = self.start(Setup(start=text, variant="chess960"))
        return position if as_960.rules.castling() == position.rules.castling() else as_960

    def write(self, position: ChessPosition) -> str:
        return position.board.fen(en_passant="legal")

    def format(self, position: ChessPosition, move: int) -> str:
        index_of(position, move)
        return chess.Move(move & 63, move >> 6 & 63, move >> 12 or None).uci()

    def parse(self, position: ChessPosition, text: str) -> int:
        """UCI ("e2e4", "e1g1", in Chess960 also "e1h1") or SAN ("Nf3", "O-O")."""
        text = text.strip()
        board = position.board
        try:
            move = board.parse_uci(text)
        except ValueError:
            try:
                move = board.parse_san(text)
            except ValueError as wrong:
                kind = "ambiguous" if isinstance(wrong, chess.AmbiguousMoveError) else "not a legal move"
                raise BadMove(f"{kind}: {quote(text)}", board.fen()) from None
        if (found := id_of(move)) not in position.legal:
            raise BadMove(f"not a legal move: {quote(text)}", board.fen())
        return found

    def describe(self, position: ChessPosition, move: int) -> str:
        index_of(position, move)
        return position.board.san(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))

    def balance(self, position: ChessPosition) -> float:
        """Pawns 1, knights and bishops 3, rooks 5, queens 9."""
        sets = position._sets
        return float(sum(worth * (sets[at].bit_count() - sets[at + 6].bit_count()) for at, worth in enumerate(_WORTH)))

    def peril(self, position: ChessPosition) -> float:
        """Mates at once that cannot be parried, and threats of one."""
        return judge_peril(position.board.copy(stack=False))

    def claims(self, position: ChessPosition) -> Claims:
        if position.ending is not None:
            return Claims()
        if position.repeats >= 2:
            return Claims(draw="threefold repetition")
        return Claims(draw="fifty-move rule") if position.rules.halfmove_clock >= 100 else Claims()

    def can_mate(self, position: ChessPosition, side: int) -> bool:
        return not position.board.has_insufficient_material(side == 0)

    def diagram(self, position: ChessPosition) -> Diagram:
        rows = tuple(
            tuple(_cell(position.board, chess.square(file, rank)) for file in range(8)) for rank in range(7, -1, -1)
        )
        return Diagram(
            rows,
            columns=tuple("abcdefgh"),
            ranks=tuple("87654321"),
            style="checkered",
            marked=frozenset(last_touched(position)),
        )

    def touches(self, position: ChessPosition, move: int) -> tuple[Square, Square]:
        origin, target = move & 63, move >> 6 & 63
        return (7 - origin // 8, origin % 8), (7 - target // 8, target % 8)


def _carry(sets: tuple[int, ...], move: int) -> tuple[int, ...] | None:
    """Bitboards after a move; None for kings (they may castle), promotions, and what may be taken in passing."""
    source, target = 1 << (move & 63), 1 << (move >> 6 & 63)
    mover = taken = -1
    for kind, bits in enumerate(sets):
        if bits & source:
            mover = kind
        elif bits & target:
            taken = kind
    is_askew = (move ^ move >> 6) & 7 != 0
    if move >> 12 or mover in (-1, 5, 11) or (mover in (0, 6) and taken < 0 and is_askew):
        return None
    made = list(sets)
    made[mover] ^= source | target
    if taken >= 0:
        made[taken] ^= target
    return tuple(made)


def _cell(board: chess.Board, square: int) -> Cell:
    piece = board.piece_at(square)
    return Cell() if piece is None else Cell(_GLYPHS[piece.symbol().upper()], 0 if piece.color else 1)


_CHESS = Chess()
