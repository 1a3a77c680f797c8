"""Two rules libraries behind one small face, for `chess.py` alone.

`FastRules` is rust-chess: about six times as fast as python-chess, but it has no Chess960 castling and
writes a wrong en-passant square into FEN. `Rules960` is python-chess. Both are immutable to callers.
"""

from operator import xor
from typing import Any, Final, Protocol, Self

import chess

from hitonami.games.chess_rules.library import load_for_good

load_for_good()
import rust_chess  # noqa: E402  (after the thread that loads it is one that stays)

_UNTRACKED = rust_chess.RepetitionDetectionMode.NONE  # the linked positions know their own repetitions
_CASTLES = (
    (rust_chess.Board.can_castle_queenside, rust_chess.WHITE, chess.BB_A1),
    (rust_chess.Board.can_castle_kingside, rust_chess.WHITE, chess.BB_H1),
    (rust_chess.Board.can_castle_queenside, rust_chess.BLACK, chess.BB_A8),
    (rust_chess.Board.can_castle_kingside, rust_chess.BLACK, chess.BB_H8),
)
_HEAVY: Final = (rust_chess.PAWN, rust_chess.ROOK, rust_chess.QUEEN)


def _all_ids() -> dict[str, int]:
    """UCI text to move id for every from-to pair and promotion; text is the cheapest thing to ask a rust move for."""
    ids = {}
    for source in chess.SQUARES:
        for target in chess.SQUARES:
            base = chess.SQUARE_NAMES[source] + chess.SQUARE_NAMES[target]
            ids[base] = source | target << 6
            if chess.square_rank(target) in (0, 7):
                for promotion, letter in enumerate("nbrq", start=chess.KNIGHT):
                    ids[base + letter] = source | target << 6 | promotion << 12
    return ids


_IDS: Final = _all_ids()
_TEXTS: Final = {move: text for text, move in _IDS.items()}


class Rules(Protocol):
    """What a chess position asks of a rules library. `moves` is asked once a position."""

    def moves(self) -> dict[int, Any]: ...
    def after(self, move: Any) -> Self: ...
    def after_id(self, move: int) -> Self:
        """The same by move id, unchecked."""

    def bitboards(self) -> tuple[int, ...]:
        """Twelve: white then black; pawn, knight, bishop, rook, queen, king."""

    def occupied(self) -> tuple[int, int]: ...
    def castling(self) -> int:
        """The rooks that may still castle, as a bitboard."""

    def en_passant(self) -> int | None:
        """The square behind a pawn that just moved two, where an enemy pawn stands ready to take it."""

    def in_check(self) -> bool: ...
    def dead(self) -> bool:
        """Neither side has material to mate."""

    @property
    def white_to_move(self) -> bool: ...
    @property
    def halfmove_clock(self) -> int: ...
    @property
    def board(self) -> chess.Board:
        """A python-chess board of its own, for notation and display."""


class FastRules:
    """Standard chess over rust-chess, whose counters are bytes and wrap: the true ones are kept here."""

    def __init__(self, board: rust_chess.Board, halfmove_clock: int, fullmove_number: int) -> None:
        self._board: Final = board
        self.white_to_move: Final[bool] = board.turn == rust_chess.WHITE
        self.halfmove_clock: Final = halfmove_clock
        self._fullmove_number: Final = fullmove_number

    @classmethod
    def of(cls, board: chess.Board) -> "FastRules":
        fresh = board.copy(stack=False)
        fresh.halfmove_clock, fresh.fullmove_number = 0, 1
        return cls(rust_chess.Board(fresh.fen(), _UNTRACKED), board.halfmove_clock, board.fullmove_number)

    def moves(self) -> dict[int, rust_chess.Move]:
        self._board.reset_move_generator()
        return {_IDS[move.get_uci()]: move for move in self._board.generate_legal_moves() if move is not None}

    def after(self, move: rust_chess.Move) -> "FastRules":
        board = self._board.make_move_new(move, check_legality=False)
        clock = self.halfmove_clock + 1 if board.halfmove_clock or self._wraps(board) else 0
        return FastRules(board, clock, self._fullmove_number + (not self.white_to_move))

    def _wraps(self, after: rust_chess.Board) -> bool:
        """Whether the clock of `after` is 0 for want of bits alone: no pawn moved, nothing was taken."""
        if self._board.halfmove_clock != 255:
            return False
        (pawns, men), (pawns_after, men_after) = (
            (board.get_piece_type_bitboard(rust_chess.PAWN).to_uint(), board.get_all_bitboard().to_uint().bit_count())
            for board in (self._board, after)
        )
        return pawns == pawns_after and men == men_after

    def after_id(self, move: int) -> "FastRules":
        return self.after(rust_chess.Move(_TEXTS[move]))

    def bitboards(self) -> tuple[int, ...]:
        board = self._board
        white = board.get_color_bitboard(rust_chess.WHITE).to_uint()
        kinds = [board.get_piece_type_bitboard(kind).to_uint() for kind in rust_chess.PIECE_TYPES]
        own = [kind & white for kind in kinds]
        return *own, *map(xor, kinds, own)

    def occupied(self) -> tuple[int, int]:
        board = self._board
        return (
            board.get_color_bitboard(rust_chess.WHITE).to_uint(),
            board.get_color_bitboard(rust_chess.BLACK).to_uint(),
        )

    def castling(self) -> int:
        return sum(rook for has_right, color, rook in _CASTLES if has_right(self._board, color))

    def en_passant(self) -> int | None:
        square = self._board.en_passant
        return None if square is None else square.get_index()

    def in_check(self) -> bool:
        return self._board.is_check()

    def dead(self) -> bool:
        """Counted here: rust-chess overlooks two bishops of one side on the same colour."""
        board = self._board
        for kind in _HEAVY:
            if board.get_piece_type_bitboard(kind).to_uint():
                return False
        knights = board.get_piece_type_bitboard(rust_chess.KNIGHT).to_uint()
        bishops = board.get_piece_type_bitboard(rust_chess.BISHOP).to_uint()
        if knights:
            return (knights | bishops).bit_count() == 1
        return not bishops & chess.BB_LIGHT_SQUARES or not bishops & chess.BB_DARK_SQUARES

    @property
    def board(self) -> chess.Board:
        board = chess.Board(None)
        sets = self.bitboards()
        white, black = self.occupied()
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = (
            own | other for own, other in zip(sets[:6], sets[6:], strict=True)
        )
        board.occupied_co = [black, white]
        board.occupied = white | black
        board.turn = self.white_to_move
        board.castling_rights = self.castling()
        board.ep_square = self.en_passant()
        board.halfmove_clock = self.halfmove_clock
        board.fullmove_number = self._fullmove_number
        return board


class Rules960:
    """Chess960 over python-chess."""

    def __init__(self, board: chess.Board) -> None:
        self._board: Final = board
        self.white_to_move: Final[bool] = board.turn
        self.halfmove_clock: Final[int] = board.halfmove_clock

    def moves(self) -> dict[int, chess.Move]:
        return {id_of(move): move for move in self._board.generate_legal_moves()}

    def after(self, move: chess.Move) -> "Rules960":
        board = self._board.copy(stack=False)
        board.push(move)
        board.clear_stack()
        return Rules960(board)

    def after_id(self, move: int) -> "Rules960":
        return self.after(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))

    def bitboards(self) -> tuple[int, ...]:
        board = self._board
        white, black = self.occupied()
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        return *(kind & white for kind in kinds), *(kind & black for kind in kinds)

    def occupied(self) -> tuple[int, int]:
        return self._board.occupied_co[chess.WHITE], self._board.occupied_co[chess.BLACK]

    def castling(self) -> int:
        return self._board.clean_castling_rights()

    def en_passant(self) -> int | None:
        return self._board.ep_square if self._board.has_pseudo_legal_en_passant() else None

    def in_check(self) -> bool:
        return self._board.is_check()

    def dead(self) -> bool:
        return self._board.is_insufficient_material()

    @property
    def board(self) -> chess.Board:
        return self._board.copy(stack=False)


def id_of(move: chess.Move) -> int:
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12
