"""The nouns: positions, games, players, queries, opinions, minds.

A *Mind* maps situations to *opinions*: log-probabilities aligned with the legal moves, and the expected
result for the side to move. Everything that refines a mind is a mind. This module defines shapes and
holds no game, no network and no I/O.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from threading import Event
from typing import Any, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadMove, UnknownPart, quote
from hitonami.parts import find_parts, load_part

Moves = NDArray[np.int32]
"""[L] move ids, ascending."""
LogProbs = NDArray[np.float32]
"""[L] aligned with Position.legal; exp sums to 1; -inf only where a mind excludes a move on purpose."""
Wdl = NDArray[np.float32]
"""[3] chances of win, draw and loss of the side to move; sums to 1."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game starts. Empty fields mean the game's standard; a game refuses fields it does not have."""

    start: str = ""
    """A position to start from, in the game's own text (FEN, SFEN, SGF)."""
    size: int = 0
    komi: float | None = None
    handicap: int = 0
    rules: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """What the side to move may claim but need not. Each field names the reason, or is None."""

    draw: str | None = None
    win: str | None = None


Square = tuple[int, int]
"""(row, column) of a diagram, the top row first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of a diagram. `side` is the owner of the piece, None where there is none; `off` is no square."""

    glyph: str = ""
    """What stands there; "" with a side is a plain stone."""
    side: int | None = None
    off: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board as people draw it, top row first, for any display. Holds no colours and no sizes."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[str, ...]
    ranks: tuple[str, ...]
    style: Literal["checkered", "grid", "points", "hexagons"] = "grid"
    """`points` are where lines meet. Each row of `hexagons` begins half a cell further right than the one above."""
    marked: frozenset[Square] = frozenset()
    """What the last move touched."""
    hands: tuple[str, str] = ("", "")
    """What each side holds in hand, or has captured."""
    ground: Literal["wood", "felt", "rack"] = "wood"
    """Felt as under discs; a rack has holes, and its pieces fall."""
    edges: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """Whose the top, right, bottom and left edges are."""
    dots: frozenset[Square] = frozenset()
    """On the point, or at the upper left corner of the square."""
    lines: tuple[tuple[Square, Square], ...] = ()
    """Drawn beside the grid's own: a palace."""
    gaps: frozenset[tuple[Square, Square]] = frozenset()
    """Neighbouring points that no line joins, upper or left one first: a river."""
    text: str = ""
    """The drawing itself, for a game that has no other: then there are no rows."""


class Position(Protocol):
    """An immutable situation of a game. It carries the history that rules and encoders need."""

    @property
    def game(self) -> "Game[Any]": ...
    @property
    def setup(self) -> Setup: ...
    @property
    def to_move(self) -> int:
        """0 or 1; player 0 is the one who moves first in a standard game. Turns need not alternate."""

    @property
    def legal(self) -> Moves:
        """Ascending ids; empty exactly when the game is over by force."""

    @property
    def score(self) -> float | None:
        """0..1 for player 0 once the game is over by force, else None."""

    @property
    def ending(self) -> str | None:
        """Why the game is over by force ("checkmate", "two passes"), else None."""

    @property
    def key(self) -> Hashable:
        """Equal exactly for positions that the rules call the same: for caches and repetition."""

    @property
    def before(self) -> Self | None:
        """The position one move earlier, None at the start."""

    @property
    def last_move(self) -> int | None: ...
    @property
    def ply(self) -> int:
        """Moves played since the start of this record."""

    def play(self, move: int) -> Self:
        """The position after a legal move. Raises BadMove for any other id."""

    def follow(self, move: int) -> Self:
        """Like `play`, unchecked, for the moves of a record that was validated before.

        Goes on past an end by force: people sometimes did.
        """


P = TypeVar("P", bound=Position)


class Game(Protocol[P]):
    """The rules of one game: one file adapts one rules library."""

    @property
    def name(self) -> str: ...
    @property
    def sides(self) -> tuple[str, str]:
        """What players 0 and 1 are called: ("White", "Black") in chess."""

    @property
    def examples(self) -> Sequence[Setup]:
        """Setups that between them reach every rule of the game; the contract tests play them."""

    def start(self, setup: Setup = ...) -> P: ...
    def read(self, text: str) -> P:
        """A position from FEN, SFEN or SGF text; "startpos" is the standard start."""

    def write(self, position: P) -> str:
        """The text that `read` turns into an equal position."""

    def format(self, position: P, move: int) -> str:
        """The move as programs write it: UCI, USI, GTP."""

    def parse(self, position: P, text: str) -> int:
        """The inverse of `format` and of `describe`. Raises BadMove."""

    def describe(self, position: P, move: int) -> str:
        """The move as people write it: SAN, Japanese, a board point."""

    def claims(self, position: P) -> Claims: ...
    def diagram(self, position: P) -> Diagram: ...
    def touches(self, position: P, move: int) -> tuple[Square, ...]:
        """The squares of the diagram that a move touches, where it lands last; none for a pass."""


@cache
def open_game(name: str) -> Game[Any]:
    """The game of that name; text after a colon goes to it: `openspiel:hex`."""
    part, _, argument = name.partition(":")
    if part not in find_parts("games") and part.lower() in find_parts("games"):
        part = part.lower()
    kind = load_part("games", part)
    try:
        game: Game[Any] = kind(argument) if argument else kind()
    except TypeError as wrong:
        raise UnknownPart(f"game {quote(name)}: {part} takes {'no' if argument else 'a'} name after a colon") from wrong
    return game


def lineage(position: P) -> tuple[P, list[int]]:
    """The start of this record and the moves from there to `position`."""
    moves: list[int] = []
    here = position
    while here.before is not None and here.last_move is not None:
        moves.append(here.last_move)
        here = here.before
    return here, moves[::-1]


def walk_back(position: P) -> Iterator[P]:
    """The position, the one before, and so on to the start."""
    here: P | None = position
    while here is not None:
        yield here
        here = here.before


def turns_of(position: Position) -> tuple[int, ...]:
    """The side that made each move from the start of this record, and the one that is to move."""
    return tuple(here.to_move for here in walk_back(position))[::-1]


def last_touched(position: Position) -> tuple[Square, ...]:
    """What the last move touched, where it landed last; nothing at the start."""
    if position.before is None or position.last_move is None:
        return ()
    return position.game.touches(position.before, position.last_move)


def size_of(position: Position) -> int:
    """The size of the board where the game has several (its positions then have a `size`), else 0."""
    return getattr(position, "size", 0)


def index_of(position: Position, move: int) -> int:
    """Where `move` stands in `position.legal`. Raises BadMove where it does not."""
    at = int(np.searchsorted(position.legal, move))
    if at == len(position.legal) or position.legal[at] != move:
        raise BadMove(f"move id {move} is not legal here")
    return at


@dataclass(frozen=True, slots=True)
class Player:
    """Who moves. Ratings of different pools are different scales, so the pool is always named."""

    rating: float | None = None
    pool: str = ""
    name: str | None = None
    kind: Literal["human", "bot", "unknown"] = "unknown"


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' clocks, as the side to move sees them. Byoyomi is the time that each move renews."""

    remaining_seconds: float
    opponent_seconds: float
    increment_seconds: float = 0.0
    opponent_increment_seconds: float = 0.0
    byoyomi_seconds: float = 0.0
    moves_to_go: int | None = None
    spent_seconds: float | None = None
    """What the side's own last move took, where that is known; `opponent_spent_seconds` the opponent's."""
    opponent_spent_seconds: float | None = None
    usual_seconds: float | None = None
    """What the side's own moves have taken in this game so far, about."""

    def swapped(self) -> "Clock":
        return replace(
            self,
            remaining_seconds=self.opponent_seconds,
            opponent_seconds=self.remaining_seconds,
            increment_seconds=self.opponent_increment_seconds,
            opponent_increment_seconds=self.increment_seconds,
            spent_seconds=self.opponent_spent_seconds,
            opponent_spent_seconds=self.spent_seconds,
            usual_seconds=None,
        )

    def since(self, earlier: "Clock") -> "Clock":
        """With what both last moves took, by how the clocks stood at the side's turn before.

        Time taken from a byoyomi cannot be told from what is left: a clock that stands at nothing says nothing.
        """
        if self.byoyomi_seconds and not min(self.remaining_seconds, self.opponent_seconds):
            return self
        own = earlier.remaining_seconds + earlier.increment_seconds - self.remaining_seconds
        other = earlier.opponent_seconds + earlier.opponent_increment_seconds - self.opponent_seconds
        return replace(self, spent_seconds=max(own, 0.0), opponent_spent_seconds=max(other, 0.0))


@dataclass(frozen=True, slots=True)
class Query:
    """A situation to have an opinion on: the position and who plays it, with what time."""

    position: Position
    player: Player = Player()
    opponent: Player = Player()
    clock: Clock | None = None

    def after(self, move: int) -> "Query":
        """The query after a move. Sides are swapped exactly when the turn changes."""
        position = self.position.play(move)
        if position.to_move == self.position.to_move:
            return replace(self, position=position)
        clock = self.clock.swapped() if self.clock else None
        return Query(position, self.opponent, self.player, clock)


@dataclass(frozen=True, slots=True)
class Line:
    """One variation of a search: its first move is the move judged."""

    moves: tuple[int, ...]
    wdl: Wdl | None = None
    centipawns: int | None = None
    mate_in: int | None = None
    """Moves to a forced mate, negative when the side to move is mated."""
    visits: int | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a mind thinks of one query."""

    log_probs: LogProbs
    wdl: Wdl | None = None
    lines: tuple[Line, ...] = ()
    effort: float | None = None
    """0..1 of the most thought that the mind would give a decision; None where it thinks as much about each."""
    readiness: float = 0.0
    """By how much who thinks so gives up sooner than people of the level, in log-odds of doing so at a turn."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The budget of one call: randomness, time and cancelling travel here, never in globals."""

    rng: np.random.Generator
    seconds: float | None = None
    """Infinite: until it is stopped."""
    simulations: int | None = None
    stop: Event | None = None
    report: Callable[[Opinion], None] | None = None

    @classmethod
    def seeded(cls, seed: int = 0) -> "Effort":
        return cls(rng=np.random.default_rng(seed))

    @property
    def stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()


class Mind(Protocol):
    """Batch first: one opinion a query, in order. Never asked about finished games."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]: ...
