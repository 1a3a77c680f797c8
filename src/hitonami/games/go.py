"""Go on boards of 2 to 25 lines, with the rule sets of `go_rules/rulesets.py`.

Move ids are `row·size + column`, row 0 on top and column 0 left, and `size²` passes. Passing is always
legal; two passes in a row end the game, which then is counted as if every stone were alive. To count it
as people do, mark the dead stones: `Go.count(position, dead)`, with `Go.guess_dead` for a first guess.

A start with stones has no history: no ko is open, and superko knows of no earlier board than the start.
Where the rules have no superko, a whole board that comes back with the same side to move is a claim of
"no result", scored as a draw; nobody is forced to take it.

No playing strength lives here, and no clock.
"""

import operator
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, index_of, last_touched, lineage
from hitonami.errors import BadMove, BadPosition, BadRecord
from hitonami.games._go_customs import CUSTOMS
from hitonami.games.go_rules.board import REASONS, SITUATIONAL, WHITE_TO_MOVE, find_legal, hash_board, place
from hitonami.games.go_rules.count import Count, count_board, guess_dead
from hitonami.games.go_rules.gtp import start_commands
from hitonami.games.go_rules.lead import reckon_lead
from hitonami.games.go_rules.points import mirrors, read_vertex, vertex
from hitonami.games.go_rules.rulesets import LETTERS, Rules, Start, lay_stones
from hitonami.games.go_rules.sgf import read_game, resolve, root_node, write_move
from hitonami.games.go_rules.sgf_tree import read_main_line, write_node

_GLYPHS: Final = (Cell(), Cell("●", 0), Cell("○", 1))


class GoPosition:
    """A situation in a game of Go, linked to the position before it."""

    __hash__ = None  # type: ignore[assignment]  # use `key`

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        start: Start,
        setup: Setup,
        cells: NDArray[np.uint8],
        trail: NDArray[np.uint64],
        to_move: int,
        captures: tuple[int, int] = (0, 0),
        ko_point: int = -1,
        passes: int = 0,
        before: "GoPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self._start: Final = start
        self._cells: Final = cells
        self._trail: Final = trail
        self.setup: Final = setup
        self.to_move: Final = to_move
        self.captures: Final = captures
        """Prisoners that Black and White have taken. Stones lost by suicide are the other side's prisoners."""
        self.ko_point: Final = ko_point
        """Where the ko may not be retaken at once, -1 where there is none."""
        self.passes: Final = passes
        """Passes in a row, up to this position."""
        self.before: Final = before
        self.last_move: Final = last_move
        self.ply: Final[int] = 0 if before is None else before.ply + 1

    @property
    def game(self) -> "Go":
        return _GO

    @property
    def size(self) -> int:
        return self._start.size

    @property
    def komi(self) -> float:
        return self._start.komi

    @property
    def rules(self) -> Rules:
        return self._start.rules

    @property
    def handicap(self) -> int:
        return self._start.handicap

    @cached_property
    def board(self) -> NDArray[np.uint8]:
        """[size²] 0 empty, 1 Black, 2 White, in the order of move ids; read-only."""
        view = self._cells[: self._start.points]
        view.flags.writeable = False
        return view

    @cached_property
    def legal(self) -> Moves:
        start = self._start
        if self.passes >= 2:
            return np.empty(0, np.int32)
        out = np.empty(start.points + 1, np.int32)
        found = find_legal(
            self._cells, self._trail, start.size, self.to_move + 1, self.ko_point, start.rules.flags, out
        )
        out[found] = start.points
        return out[: found + 1]

    @property
    def ending(self) -> str | None:
        return "two passes" if self.passes >= 2 else None

    @cached_property
    def score(self) -> float | None:
        return (
            None
            if self.passes < 2
            else count_board(self._cells[: self._start.points], self._start, self.captures, ()).score
        )

    @cached_property
    def key(self) -> tuple[bytes, int, int, int, float, str]:
        """Board, side to move, open ko, passes in a row, komi and rules.

        Which further moves superko forbids hangs on the whole game, so two positions with one key can
        differ in that. A key that told them apart would never be met twice.
        """
        start = self._start
        return self.board.tobytes(), self.to_move, self.ko_point, self.passes, start.komi, start.rules.name

    def play(self, move: int) -> "GoPosition":
        start, move = self._start, operator.index(move)
        if move == start.points and self.passes < 2:
            return self._pass()
        if not 0 <= move < start.points or self.passes >= 2:
            raise BadMove(f"move id {move} is not legal: " + (self.ending or f"a board of {start.size}×{start.size}"))
        cells, trail = np.empty(2 * start.points, np.uint8), np.empty(self.ply + 2, np.uint64)
        answer = place(
            self._cells, self._trail, start.size, self.to_move + 1, self.ko_point, start.rules.flags, move, cells, trail
        )
        if answer < 0:
            raise BadMove(f"{vertex(start.size, move)} is not legal: {REASONS[answer]}")
        captures = self.captures
        if answer & 0xFFFFFFFF:
            taken, lost = answer & 0xFFFF, answer >> 16 & 0xFFFF
            black, white = (taken, lost) if self.to_move == 0 else (lost, taken)
            captures = (captures[0] + black, captures[1] + white)
        return GoPosition(
            start, self.setup, cells, trail, 1 - self.to_move, captures, (answer >> 32) - 1, 0, self, move
        )

    follow = play  # placing a stone finds its captures, and so its legality, in one go

    def _pass(self) -> "GoPosition":
        start, latest = self._start, self._trail[-1]
        if start.rules.flags & SITUATIONAL:
            latest ^= WHITE_TO_MOVE
        trail = np.empty(self.ply + 2, np.uint64)
        trail[:-1], trail[-1] = self._trail, latest
        return GoPosition(
            start,
            self.setup,
            self._cells,
            trail,
            1 - self.to_move,
            self.captures,
            -1,
            self.passes + 1,
            self,
            start.points,
        )

    @property
    def repeats(self) -> bool:
        """Whether this whole board, with the same side to move, stood before. Known only without superko."""
        return not self.rules.superko and bool((self._trail[:-1] == self._trail[-1]).any())


class Go:
    """Go. Positions are SGF: stones, komi, rules, and the moves of the main line."""

    name = "go"
    sides = ("Black", "White")
    customs = CUSTOMS
    examples: Sequence[Setup] = (
        Setup(),
        Setup(size=9),
        Setup(size=9, rules="japanese", komi=0.0),
        Setup(size=13, handicap=5),
        Setup(size=4, rules="tromp-taylor"),
        Setup(size=5, rules="new-zealand"),
        Setup(size=3, rules="aga"),
        Setup(size=4, rules="korean"),
        Setup(size=5, rules="record", komi=-2.5),
        Setup(start="(;SZ[9]AB[dc][ed][de][cd]AW[ec][fd][ee]PL[W])"),
        Setup(start="(;SZ[5]AB[ab][bb][cb][db][eb]AW[ac][bc][cc][dc][ec]PL[B]KM[5.5]RU[Japanese])"),
    )

    def start(self, setup: Setup = Setup()) -> GoPosition:  # noqa: B008  (frozen)
        try:
            start = resolve(setup)
        except BadRecord as wrong:
            raise BadPosition(str(wrong)) from None
        cells = lay_stones(start)
        here = hash_board(cells, start.size)
        if start.rules.flags & SITUATIONAL and start.to_move == 1:
            here ^= int(WHITE_TO_MOVE)
        return GoPosition(start, setup, cells, np.array([here], np.uint64), start.to_move)

    def read(self, text: str) -> GoPosition:
        """The end of an SGF's main line, all its moves played. Chinese rules where it names none that is known."""
        if text.strip() in ("", "startpos"):
            return self.start()
        try:
            setup, moves = read_game(read_main_line(text), default_rules="")
            position = self.start(setup)
            for move in moves:
                position = position.play(move)
        except BadMove as wrong:
            raise BadPosition(f"move {position.ply + 1}: {wrong}") from None
        except BadRecord as wrong:
            raise BadPosition(str(wrong)) from None
        return position

    def write(self, position: GoPosition) -> str:
        """SGF of the start and every move since, so that history and superko come back with it."""
        first, moves = lineage(position)
        nodes = [root_node(position._start)]
        nodes += [{"BW"[(first.to_move + at) % 2]: [write_move(position.size, move)]} for at, move in enumerate(moves)]
        return f"({''.join(map(write_node, nodes))})"

    def format(self, position: GoPosition, move: int) -> str:
        index_of(position, move)
        return vertex(position.size, move)

    def parse(self, position: GoPosition, text: str) -> int:
        """A GTP vertex: "D4" or "pass", in any case."""
        move = read_vertex(position.size, text)
        if len(position.legal) == 0 or position.legal[np.searchsorted(position.legal, move)] != move:
            position.play(move)  # raises with the reason
        return move

    def describe(self, position: GoPosition, move: int) -> str:
        return self.format(position, move)

    def balance(self, position: GoPosition) -> float:
        """Stones on the board: who has captured more has more of them."""
        return float(np.sum(position.board == 1)) - float(np.sum(position.board == 2))

    def lead(self, position: GoPosition) -> float:
        """By random play to the end, komi counted: the same for the same board."""
        return reckon_lead(position._cells[: position._start.points], position._start, position.to_move)

    def claims(self, position: GoPosition) -> Claims:
        if position.ending is None and position.repeats:
            return Claims(draw="whole-board repetition: no result")
        return Claims()

    def count(self, position: GoPosition, dead: Collection[int] = ()) -> Count:
        """The result as the rules count it, with these stones (and the rest of their chains) dead."""
        return count_board(position._cells[: position._start.points], position._start, position.captures, dead)

    def guess_dead(self, position: GoPosition, rng: np.random.Generator, playouts: int = 200) -> list[int]:
        """The points of stones that look dead: a guess by random play, for a board that is played out."""
        return guess_dead(position._cells[: position._start.points], position.size, position.to_move, rng, playouts)

    def name_point(self, position: GoPosition, point: int) -> str:
        return vertex(position.size, point)

    def read_point(self, position: GoPosition, text: str) -> int:
        return read_vertex(position.size, text)

    def gtp_start(self, start: GoPosition, commands: Collection[str]) -> list[str]:
        return start_commands(start, commands)

    def gtp_vertex(self, position: GoPosition, move: int) -> str:
        return vertex(position.size, move)

    def diagram(self, position: GoPosition) -> Diagram:
        size = position.size
        stones = position.board.tolist()
        return Diagram(
            rows=tuple(tuple(_GLYPHS[each] for each in stones[at : at + size]) for at in range(0, size * size, size)),
            columns=tuple(LETTERS[:size]),
            ranks=tuple(str(size - row) for row in range(size)),
            style="points",
            dots=stars(size),
            marked=frozenset(last_touched(position)),
            hands=(str(position.captures[0]), str(position.captures[1])),
        )

    def images(self, size: int) -> NDArray[np.int64]:
        """[8, points + 1] where each point of a board goes in its mirror images, the pass to itself."""
        return mirrors(size or CUSTOMS.usual_size)

    def name_images(self, position: GoPosition) -> list[str]:
        stones = np.flatnonzero(position.board)
        colours = position.board[stones].tolist()
        return [
            " ".join(f"{point}{'-xo'[colour]}" for point, colour in sorted(zip(each, colours, strict=True)))
            for each in mirrors(position.size)[:, stones].tolist()
        ]

    def touches(self, position: GoPosition, move: int) -> tuple[Square, ...]:
        return () if move == position.size**2 else (divmod(move, position.size),)


@lru_cache(maxsize=8)
def stars(size: int) -> frozenset[Square]:
    """The points that a board marks."""
    if size < 7:
        return frozenset()
    edge = 2 if size < 13 else 3
    lines = {edge, size - 1 - edge} | ({size // 2} if size % 2 and size > 9 else set())
    return frozenset({(row, column) for row in lines for column in lines} | ({(4, 4)} if size == 9 else set()))


_GO = Go()
