"""Xiangqi, Chinese chess, by the rules of Fairy-Stockfish: Red moves first, from below.

A side without a move has lost. A threefold repetition is a draw, or lost by a side that checks all the time, or chases
by the rules of the Asian federation; so are fifty moves of each side in which nothing is taken. Moves are written as
Fairy-Stockfish does, ranks counted from 1: "h3e3" where ICCS has "h2e2". The library is an extra,
`pip install "hitonami[variants]"`, and judges how games end and starts that people write; which moves there are is
listed here, because the library takes milliseconds a question and a search asks thousands.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, Self

import numpy as np

from hitonami.core import Cell, Diagram, Moves, Setup, last_touched, walk_back
from hitonami.customs import Customs, KnownEngine, Opening, Phases
from hitonami.games._boards import NO_MOVES
from hitonami.games._fairy import FILES, FairyGame, FairyPosition, encode, load_library
from hitonami.games._xiangqi_rules import MOST_MOVES, RANKS, list_moves

_SIGNS: Final = {
    **dict(zip("KABNRCP", "帥仕相馬俥炮兵", strict=True)),
    **dict(zip("kabnrcp", "將士象馬車砲卒", strict=True)),
}
_PALACES: Final = tuple(((top, 3 + 2 * turn), (top + 2, 5 - 2 * turn)) for top in (0, 7) for turn in (0, 1))
_ILLEGAL: Final = (ValueError, SystemError)
"""What the library raises for a move that is not legal: the first one as the cause of the second."""
_KINDS: Final = {
    **{sign: kind for kind, sign in enumerate("KABNRCP", 1)},
    **{sign: -kind for kind, sign in enumerate("kabnrcp", 1)},
}
_LETTERS: Final = {kind: sign for sign, kind in _KINDS.items()} | {0: ""}
_MOST_QUIET: Final = 100
"""Plies in which nothing is taken, after which a game is drawn."""
_RIVER: Final = frozenset(((4, column), (5, column)) for column in range(1, 8))


class XiangqiPosition(FairyPosition):
    """A situation in a game of xiangqi. `cells` as the kernels have them."""

    def __init__(
        self,
        game: FairyGame,
        root: str,
        setup: Setup,
        before: Self | None = None,
        last_move: int | None = None,
    ) -> None:
        super().__init__(game, root, setup, before, last_move)
        if before is None or last_move is None:
            signs = [sign for row in reversed(super().rows()) for sign in row]
            self.cells = np.array([_KINDS.get(sign, 0) for sign in signs], np.int8)
            self.quiet: int = int(root.split()[-2])
            """Plies since something was taken."""
            return
        origin, target = _square(last_move >> 7 & 127), _square(last_move & 127)
        self.quiet = 0 if before.cells[target] else before.quiet + 1
        self.cells = before.cells.copy()
        self.cells[target], self.cells[origin] = before.cells[origin], 0

    @cached_property
    def key(self) -> tuple[bytes, int]:  # type: ignore[override]
        return self.cells.tobytes(), self.to_move

    @cached_property
    def _verdict(self) -> tuple[Moves, str | None, float | None]:
        since = islice(walk_back(self), 4, self.quiet + 1, 2)
        if self.quiet >= _MOST_QUIET or sum(here.key == self.key for here in since) > 1:
            over, value = load_library().is_optional_game_end(self.game.variant, self.root, self.moves)
            if over:
                return NO_MOVES, "repetition or move rule", self._score(value)
        moves = np.empty(MOST_MOVES, np.int32)
        count = list_moves(self.cells, 1 - 2 * self.to_move, moves)
        return (np.sort(moves[:count]), None, None) if count else self._verdict_without_moves()

    def rows(self) -> list[list[str]]:
        return [[_LETTERS[kind] for kind in rank] for rank in self.cells.reshape(RANKS, -1)[::-1].tolist()]


def _square(wide: int) -> int:
    """A square of a move, which has twelve to a rank, on the board of nine."""
    return wide // FILES * 9 + wide % FILES


class Xiangqi(FairyGame):
    """Xiangqi. Positions are FEN, capitals for Red."""

    name = "xiangqi"
    variant = "xiangqi"
    sides = ("Red", "Black")
    situation = XiangqiPosition
    offered: Any = None if find_spec("pyffish") is not None else ()
    customs = Customs(
        title="Xiangqi",
        japanese={
            "Xiangqi": "シャンチー",
            "Red": "紅",
            "Black": "黒",
            "checkmate": "詰み",
            "stalemate": "手詰まり",
            "repetition or move rule": "千日手",
        },
        diagram_style="points",
        middle=(".o.", "...", "..."),
        place=22,
        engine=KnownEngine("fairy-stockfish", "fairy-stockfish", "fairy:fairy-stockfish", {"nodes": 20_000}),
        openings=(
            Opening("Central Cannon", "中炮", "h3e3"),
            Opening("Central Cannon, Screen Horses", "中炮対屏風馬", "h3e3 h10g8 h1g3 i10h10 i1h1 b10c8"),
            Opening("Elephant Opening", "飛相局", "g1e3"),
            Opening("Pawn Opening", "仙人指路", "c4c5"),
            Opening("Horse Opening", "起馬局", "h1g3"),
        ),
        lines=(
            "h3e3 h10g8",
            "g1e3 h8e8",
            "c4c5 g7g6",
            "h1g3 h10g8",
            "h3f3 h10g8",
            "h3e3 h8e8",
            "b3e3 b10c8",
            "g4g5 c7c6",
        ),
        phases=Phases(20, 80),
        most_plies=300,
        draws_offered=True,
        records=("iccs", "plain"),
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(start="5k3/9/9/9/9/9/9/4R4/9/3K5 w - - 0 1"),
        Setup(start="3ak4/4a4/9/9/9/9/9/9/4p4/3K5 w - - 0 1"),
    )

    def diagram(self, position: FairyPosition) -> Diagram:
        return Diagram(
            rows=tuple(
                tuple(Cell(_SIGNS[sign], 0 if sign.isupper() else 1) if sign else Cell() for sign in row)
                for row in position.rows()
            ),
            columns=tuple("abcdefghi"),
            ranks=tuple(str(10 - at) for at in range(10)),
            style="points",
            marked=frozenset(last_touched(position)),
            lines=_PALACES,
            gaps=_RIVER,
        )


def replay_moves(texts: Sequence[str]) -> tuple[tuple[int, ...], str | None, float | None]:
    """A whole game from the start in one question: its moves as ids, why it is over and the score where it is.

    As many moves as are legal, in their order. Repetitions end nothing.
    """
    library, start = load_library(), load_library().start_fen(Xiangqi.variant)
    count = len(texts)
    try:
        answers = library.legal_moves(Xiangqi.variant, start, list(texts))
    except _ILLEGAL:
        count = _count_legal(texts)
        return tuple(encode(text) for text in texts[:count]), None, None
    moves = tuple(encode(text) for text in texts)
    if answers:
        return moves, None, None
    ending = "checkmate" if library.gives_check(Xiangqi.variant, start, list(texts)) else "stalemate"
    return moves, ending, float(count % 2 == 1)


def _count_legal(texts: Sequence[str]) -> int:
    """Moves before the first illegal one, by halving."""
    library, start = load_library(), load_library().start_fen(Xiangqi.variant)
    low, high = 0, len(texts)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            library.legal_moves(Xiangqi.variant, start, list(texts[:middle]))
            low = middle
        except _ILLEGAL:
            high = middle
    return low


def write_move(move: int, first_rank: int = 1) -> str:
    """A move by its squares, ranks counted from `first_rank`: 0 is ICCS."""
    squares = ((each // FILES, each % FILES) for each in (move >> 7 & 127, move & 127))
    return "".join(f"{chr(97 + file)}{rank + first_rank}" for rank, file in squares)
