"""Othello on 8×8: Black moves first, from black discs on e4 and d5.

Move ids are `row·8 + column` from a1 = 0 on the upper left, as records have them, and 64 passes. A side that turns
nothing over passes, which then is its only move; where neither side can move the game is over, and the more discs win.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Claims, Diagram, Setup, Square, index_of
from hitonami.customs import Customs, KnownEngine, Opening, Phases
from hitonami.errors import BadInput, BadMove, BadPosition, BadRecord, quote
from hitonami.games._boards import (
    NO_MOVES,
    Linked,
    draw,
    land_on,
    name_square,
    read_board,
    read_square,
    refuse_move,
    refuse_setup,
    write_board,
)
from hitonami.games._lanes import BoardLanes
from hitonami.games._othello_lanes import othello_lanes
from hitonami.games.othello_rules.discs import (
    AFTER_END,
    ILLEGAL,
    OVER,
    PASS,
    advance,
    list_moves,
    replay,
    spread_discs,
)

_START: Final = "8/8/8/3ox3/3xo3/8/8/8 x"
_DOTS: Final = frozenset((row, column) for row in (2, 6) for column in (2, 6))
_LONGEST: Final = 64
"""Squares of a record: sixty discs, and a few passes where it has them."""
_BITS: Final = np.uint64(1) << np.arange(64, dtype=np.uint64)
_LETTERS: Final = bytes.maketrans(b"\0\1\2", b".xo")
_SQUARES: Final = np.arange(64).reshape(8, 8)
_IMAGES: Final = np.stack(
    [np.append(np.rot90(each, times).ravel(), PASS) for each in (_SQUARES, _SQUARES.T) for times in range(4)]
)


class OthelloPosition(Linked):
    """A situation in a game of Othello. `boards` are the discs of Black and White as bits; read-only by custom."""

    __slots__ = ("boards",)

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        boards: NDArray[np.uint64],
        to_move: int,
        moves: NDArray[np.int32],
        setup: Setup,
        before: "OthelloPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1
        self.boards = boards
        self.to_move = to_move
        self.legal = moves
        self.ending = None
        self.score = None
        if not len(moves):
            black, white = self.discs
            self.ending = f"{black}–{white}"
            self.score = (1 + (black > white) - (black < white)) / 2

    @property
    def game(self) -> "Othello":
        return _OTHELLO

    @property
    def discs(self) -> tuple[int, int]:
        return int(self.boards[0]).bit_count(), int(self.boards[1]).bit_count()

    @property
    def key(self) -> tuple[bytes, int]:
        return self.boards.tobytes(), self.to_move

    def rows(self) -> list[list[int]]:
        """0 empty, 1 Black, 2 White, the top row first."""
        black, white = ((board & _BITS).astype(bool) for board in self.boards)
        return (black + 2 * white).reshape(8, 8).tolist()

    def play(self, move: int) -> "OthelloPosition":
        return self._after(move, True)

    def follow(self, move: int) -> "OthelloPosition":
        return self._after(move, False)

    def _after(self, move: int, checked: bool) -> "OthelloPosition":
        move, boards, moves = int(move), np.empty(2, np.uint64), np.empty(34, np.int32)
        count = advance(self.boards, self.to_move, move, checked, boards, moves)
        if count < 0:
            refuse_move(self, move)
        return OthelloPosition(boards, 1 - self.to_move, moves[:count] if count else NO_MOVES, self.setup, self, move)


class Othello:
    """Othello. Positions are boards as text: x for Black's discs, o for White's, then the side to move."""

    name = "othello"
    sides = ("Black", "White")
    customs = Customs(
        title="Othello",
        japanese={"Othello": "オセロ", "Black": "黒", "White": "白"},
        middle=("...", ".ox", ".xo"),
        place=10,
        engine=KnownEngine("gtp-rhino", "grhino", "gtp:gtp-rhino"),
        openings=(
            Opening("Tiger", "虎", "f5 d6 c3 d3 c4"),
            Opening("Rose", "ローズ", "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7"),
            Opening("Buffalo", "バッファロー", "f5 f6 e6 f4 c3"),
            Opening("Cow", "牛", "f5 f6 e6 f4 e3 c5"),
            Opening("Mouse", "鼠", "f5 f4 e3 f6 d3"),
        ),
        lines=(
            *("f5 d6 c3 d3 c4 f4", "f5 d6 c3 d3 c4 b3", "f5 d6 c4 d3 c3 f4", "f5 d6 c5 f4 e3 c6", "f5 d6 c4 g5"),
            *("f5 f6 e6 f4 e3 c5", "f5 f6 e6 f4 c3 c4", "f5 f6 e6 d6 e7 f4", "f5 d6 c3 f4 f6 d3"),
        ),
        phases=Phases(20, 40),
        most_plies=130,
        records=("wthor",),
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(start="8/8/8/8/8/8/x7/oo6 x"),
        Setup(start="xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/xxxxxxoo/xxxxxxoo/xxxxxxxo/xxxxxxx1 x"),
        Setup(start="xo6/8/8/8/8/8/8/6ox o"),
    )

    def start(self, setup: Setup = Setup()) -> OthelloPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, "othello")
        text = setup.start.strip()
        board = read_board(_START if text in ("", "startpos") else text, "xo")
        if len(board.rows) != 8 or len(board.rows[0]) != 8 or board.words:
            raise BadPosition(f"not a board of Othello, 8×8 and a side to move: {quote(text)}")
        cells = np.array(board.rows).ravel()
        boards = np.array([_BITS[cells == 1].sum(), _BITS[cells == 2].sum()], np.uint64)
        moves = np.empty(34, np.int32)
        return OthelloPosition(boards, board.to_move, moves[: list_moves(boards, board.to_move, moves)], setup)

    def read(self, text: str) -> OthelloPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: OthelloPosition) -> str:
        return write_board(position.rows(), position.to_move, "xo")

    def format(self, position: OthelloPosition, move: int) -> str:
        index_of(position, move)
        return "pass" if move == PASS else name_square(*divmod(move, 8))

    def parse(self, position: OthelloPosition, text: str) -> int:
        """A square ("f5") or "pass", in any case."""
        if text.strip().lower() in ("pass", "pa", "ps", "--"):
            move = PASS
        else:
            row, column = read_square(text, 8, 8)
            move = 8 * row + column
        if move not in position.legal:
            reason = "it turns nothing over" if len(position.legal) else "the game is over"
            raise BadMove(f"not a legal move: {quote(text)} ({reason})", self.write(position))
        return move

    def describe(self, position: OthelloPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: OthelloPosition) -> Claims:
        return Claims()

    def gtp_start(self, start: OthelloPosition, commands: Collection[str]) -> list[str]:
        if "set_game" not in commands:
            raise BadInput("the engine does not play othello: it has no command set_game, and GTP alone means Go")
        if self.write(start) != self.write(self.start()):
            raise BadInput(
                f"engines of GTP play othello from its usual start only, not from {quote(self.write(start))}"
            )
        return ["set_game Othello", "boardsize 8", "clear_board"]

    def gtp_vertex(self, position: OthelloPosition, move: int) -> str:
        """Nothing for a pass: GRhino makes it by itself, and takes none."""
        return "" if move == PASS else name_square(*divmod(move, 8))

    def lanes(self, setup: Setup) -> BoardLanes:
        return othello_lanes()

    def diagram(self, position: OthelloPosition) -> Diagram:
        return draw(position, position.rows(), ("●", "○"), ground="felt", dots=_DOTS)

    def images(self, size: int) -> NDArray[np.int64]:
        return _IMAGES

    def name_images(self, position: OthelloPosition) -> list[str]:
        cells = np.array(position.rows()).ravel()
        discs = np.flatnonzero(cells)
        named = []
        for image in _IMAGES:
            board = np.zeros(64, dtype=np.uint8)
            board[image[discs]] = cells[discs]
            named.append(board.tobytes().translate(_LETTERS).decode("ascii"))
        return named

    def fill_cells(self, position: OthelloPosition) -> NDArray[np.int8]:
        cells = np.empty(64, np.int8)
        spread_discs(position.boards, cells)
        return cells

    def list_landings(self, position: OthelloPosition) -> NDArray[np.int32]:
        return land_on(position.legal, PASS)

    def touches(self, position: OthelloPosition, move: int) -> tuple[Square, ...]:
        return () if move == PASS else (divmod(move, 8),)


_OTHELLO = Othello()


class Replayed(NamedTuple):
    """A whole game: its moves with all passes, the discs of both sides at the end, whether it is over."""

    moves: tuple[int, ...]
    discs: tuple[int, int]
    over: bool


def replay_squares(squares: Sequence[int]) -> Replayed:
    """A record from the usual start, whose passes may be left out. Raises BadRecord where it cannot be played."""
    if len(squares) > _LONGEST:
        raise BadRecord(f"play after the end: move {_LONGEST + 1}")
    boards, out = _OTHELLO.start().boards.copy(), np.empty(2 * _LONGEST, np.int32)
    place, answer = replay(np.array(squares, np.int32), boards, out)
    if answer == ILLEGAL:
        raise BadRecord(f"illegal move: move {place + 1}")
    if answer == AFTER_END:
        raise BadRecord(f"play after the end: move {place + 1}")
    black, white = (int(board).bit_count() for board in boards)
    return Replayed(tuple(out[:place].tolist()), (black, white), bool(answer == OVER))
