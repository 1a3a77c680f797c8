"""Heian shogi: the game as it may have been about the year 1100, before rook, bishop and drops. A reconstruction.

King, gold, silver, knight, lance and pawn move as in modern shogi; the last four promote to gold in the far three
ranks. What is taken is gone. A side wins by mate, by leaving the other side a bare king, and where the other side has
no move. The fourth appearance of a position is a draw, or lost by a side that gave check with every move between. Which
of this is recorded and which is reconstruction: docs/games.md.

Setups are variants, words in any order: "9x9" (the usual board, ranks × files), "9x8" or "8x8" (a gold fewer),
"second" (pawns on the second rank instead of the third), "elephant" (a drunken elephant before the king, which moves
like a king but not straight back, and does not promote). Move ids are `promoted·2¹⁴ + origin·2⁷ + target`, squares
counted along the ranks from the upper left.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, index_of, last_touched, walk_back
from hitonami.errors import BadMove, BadPosition, quote
from hitonami.fairy import FairyRules
from hitonami.games import _heian_fairy
from hitonami.games._boards import NO_MOVES, Linked, refuse_move, refuse_setup
from hitonami.games._heian_customs import CUSTOMS
from hitonami.games._heian_lanes import heian_lanes
from hitonami.games._heian_rules import KING, PROMOTED, apply, in_check, is_bare, list_all_moves, list_moves
from hitonami.games._heian_text import KANJI, Board, read_move, read_sfen, start_board, write_move, write_sfen
from hitonami.games._lanes import BoardLanes

_MOST_MOVES: Final = 400


class HeianPosition(Linked):
    """A situation in a game of Heian shogi. `cells` as the kernels have them."""

    def __init__(
        self, board: Board, setup: Setup, before: "HeianPosition | None" = None, last_move: int | None = None
    ) -> None:
        self.board = board
        self.cells: NDArray[np.int8] = board.cells
        self.ranks = board.ranks
        self.files = board.files
        self.to_move = board.to_move
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1

    @property
    def game(self) -> "Heian":
        return _HEIAN

    @cached_property
    def key(self) -> tuple[bytes, int, int]:
        return self.cells.tobytes(), self.files, self.to_move

    @cached_property
    def in_check(self) -> bool:
        return bool(in_check(self.cells, self.ranks, self.files, 1 - 2 * self.to_move))

    @cached_property
    def _earlier(self) -> list["HeianPosition"]:
        """The same position earlier in the game, the latest first; none before a capture, which nothing undoes."""
        found, held = [], np.count_nonzero(self.cells)
        for here in islice(walk_back(self), 1, None):
            if np.count_nonzero(here.cells) != held:
                break
            if here.key == self.key:
                found.append(here)
        return found

    @cached_property
    def _verdict(self) -> tuple[Moves, str | None, float | None]:
        """Legal moves, why the game is over, the score of player 0."""
        if is_bare(self.cells, 1 - 2 * self.to_move):
            return NO_MOVES, "bare king", float(self.to_move)
        if self.ply >= 12 and len(self._earlier) >= 3:
            return NO_MOVES, *self._judge_repetition()
        moves = np.empty(_MOST_MOVES, np.int32)
        count = list_moves(self.cells, self.ranks, self.files, 1 - 2 * self.to_move, moves)
        if not count:
            return NO_MOVES, "checkmate" if self.in_check else "no moves", float(self.to_move)
        return np.sort(moves[:count]), None, None

    def _judge_repetition(self) -> tuple[str, float]:
        since = self._earlier[2].ply
        after = [here for here in walk_back(self) if here.ply > since]
        checks = [all(here.in_check for here in after if here.to_move == side) for side in (0, 1)]
        if checks[0] == checks[1]:
            return "repetition", 0.5
        return "perpetual check", float(checks[1] is False)

    @property
    def legal(self) -> Moves:  # type: ignore[override]
        return self._verdict[0]

    @property
    def ending(self) -> str | None:  # type: ignore[override]
        return self._verdict[1]

    @property
    def score(self) -> float | None:  # type: ignore[override]
        return self._verdict[2]

    def play(self, move: int) -> "HeianPosition":
        legal, move = self.legal, int(move)
        at = int(legal.searchsorted(move)) if -1 < move < 1 << 15 else len(legal)
        if at == len(legal) or legal[at] != move:
            refuse_move(self, move)
        return self.follow(move)

    def follow(self, move: int) -> "HeianPosition":
        move, cells = int(move), np.empty(len(self.cells), np.int8)
        apply(self.cells, move, cells)
        board = Board(cells, self.ranks, self.files, 1 - self.to_move, self.board.number + 1)
        return HeianPosition(board, self.setup, self, move)


class Heian:
    """Heian shogi. Positions are SFEN of 9 or 8 ranks and files, with an empty hand; E is the drunken elephant."""

    name = "heian"
    sides = ("Black", "White")
    customs = CUSTOMS
    examples: Sequence[Setup] = (
        Setup(),
        Setup(variant="9x8"),
        Setup(variant="8x8 second"),
        Setup(variant="elephant"),
        Setup(variant="9x8 elephant"),
        Setup(start="4k4/1P1P1P3/9/9/9/9/9/2p1p1p2/4K4 b - 1"),
        Setup(start="4k4/9/4G4/9/9/9/9/p8/4K4 b - 1"),
        Setup(start="3lk4/4n4/S3p3+P/9/9/9/+p3P3s/4N4/4KL3 w - 7"),
    )

    def start(self, setup: Setup = Setup()) -> HeianPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, "heian shogi", ("variant",))
        text = setup.start.strip()
        board = start_board(setup.variant)
        if text not in ("", "startpos"):
            ranks, files = board.ranks, board.files
            board = read_sfen(text)
            if setup.variant and (board.ranks, board.files) != (ranks, files):
                raise BadPosition(f"not a position of the variant {quote(setup.variant)}: {quote(text)}")
            if in_check(board.cells, board.ranks, board.files, 2 * board.to_move - 1):
                raise BadPosition(f"the side to move could take the king: {quote(text)}")
            if is_bare(board.cells, 2 * board.to_move - 1):
                raise BadPosition(f"the side that has just moved has a bare king: {quote(text)}")
        return HeianPosition(board, setup)

    def read(self, text: str) -> HeianPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: HeianPosition) -> str:
        return write_sfen(position.board)

    def format(self, position: HeianPosition, move: int) -> str:
        index_of(position, move)
        return write_move(position.board, move)

    def parse(self, position: HeianPosition, text: str) -> int:
        """As USI writes it: "7g7f", with + for a promotion."""
        move = read_move(position.board, text)
        if move not in position.legal:
            raise BadMove(f"not a legal move: {quote(text)}", self.write(position))
        return move

    def describe(self, position: HeianPosition, move: int) -> str:
        """The piece's sign, where it goes, + or = for a promotion taken or left: 銀7f(7g)."""
        index_of(position, move)
        text = write_move(position.board, move)
        piece = KANJI[abs(int(position.cells[move >> 7 & 127]))]
        declined = "" if move & PROMOTED or move | PROMOTED not in position.legal else "="
        return f"{piece}{text[2:]}{declined}({text[:2]})"

    def claims(self, position: HeianPosition) -> Claims:
        return Claims()

    def fairy_rules(self, position: HeianPosition) -> FairyRules:
        return _heian_fairy.describe_rules(position.board)

    def fairy_fen(self, position: HeianPosition) -> str:
        return _heian_fairy.write_fen(position.board)

    def fairy_move(self, position: HeianPosition, move: int) -> str:
        return _heian_fairy.write_move(position.board, move)

    def read_fairy_move(self, position: HeianPosition, text: str) -> int:
        return _heian_fairy.read_move(position.board, text, position.legal.tolist())

    def all_moves(self) -> list[int]:
        """Every move that some piece of either side can make on the usual board, ascending."""
        return list_all_moves(9, 9)

    def without(self, position: HeianPosition, cells: Sequence[int]) -> HeianPosition:
        """The position without the men on some cells; kings stay."""
        left = position.cells.copy()
        left[[cell for cell in cells if abs(left[cell]) != KING]] = 0
        board = replace(position.board, cells=left)
        return self.start(replace(position.setup, start=write_sfen(board)))

    def lanes(self, setup: Setup) -> BoardLanes:
        board = self.start(setup).board
        return heian_lanes(board.ranks, board.files)

    def diagram(self, position: HeianPosition) -> Diagram:
        cells = position.cells.reshape(position.ranks, position.files).tolist()
        return Diagram(
            rows=tuple(
                tuple(Cell(KANJI[abs(cell)], 0 if cell > 0 else 1) if cell else Cell() for cell in rank)
                for rank in cells
            ),
            columns=tuple(str(position.files - file) for file in range(position.files)),
            ranks=tuple("一二三四五六七八九"[: position.ranks]),
            marked=frozenset(last_touched(position)),
            dots=frozenset((r, f) for r in (3, position.ranks - 3) for f in (3, position.files - 3)),
        )

    def touches(self, position: HeianPosition, move: int) -> tuple[Square, ...]:
        return divmod(move >> 7 & 127, position.files), divmod(move & 127, position.files)


_HEIAN = Heian()
