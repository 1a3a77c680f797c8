"""What a review holds, as plain data: one step a move, and a summary. Serialises to JSON, computes nothing."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from hitonami.core import Diagram
from hitonami.judging.phases import Phase
from hitonami.review.chances import Curves
from hitonami.strength.estimate import Estimate

Label = Literal[
    "rare blunder",
    "blunder",
    "typical mistake",
    "missed chance",
    "mistake",
    "inaccuracy",
    "hard to find",
    "unusual",
    "usual",
    "",
]


@dataclass(frozen=True)
class Candidate:
    """A move that people of the level might play."""

    move: str
    """As programs write it."""
    name: str
    """As people write it."""
    probability: float
    squares: tuple[tuple[int, int], ...]
    """(row, column) on the diagram, where it begins and where it ends; one for a drop or a stone, none for a pass."""
    loss: float | None = None
    """By the judge, where it was asked about this move."""


@dataclass(frozen=True)
class ReviewedMove:
    """One move of the game. Chances are expected scores, 0..1, of the player who moves."""

    ply: int
    """Moves played before it."""
    side: int
    move: str
    name: str
    squares: tuple[tuple[int, int], ...]
    rating: float | None
    """The level that the mover is taken to have, None where there are no levels."""
    probability: float
    """That people of this level play this move."""
    rank: int
    """1 where it is the likeliest; of equals the best place."""
    by_rating: tuple[float, ...]
    """Its probability at each rating of `Review.ratings`."""
    main_from: float | None
    """The lowest of those ratings at which it is the likeliest move, None where it never is."""
    main_to: float | None
    """The highest one."""
    candidates: tuple[Candidate, ...]
    """The likeliest moves, the likeliest first."""
    chance_before: float | None
    """How people of these levels fare from here, for the mover, as `chances.curve_of` tells it."""
    chance_after: float | None
    equal_before: float | None
    """The same between two players of `Review.equal_rating`."""
    equal_after: float | None
    loss: float | None
    """Expected score given away, by the judge."""
    judge_chance: float | None
    """After the best move, by the judge."""
    judge_after: float | None
    """After the move, by the judge; a point of its curve."""
    best_move: str
    """The judge's choice, "" without a judge."""
    best_name: str
    best_squares: tuple[tuple[int, int], ...]
    phase: Phase
    label: Label

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class PhaseSummary:
    """One side in one phase; means over its moves, None where there are none or no judge."""

    phase: str
    moves: int
    mean_probability: float | None
    matched: float | None
    """The share of moves that were the likeliest for the level."""
    mean_loss: float | None
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True)
class PlayerSummary:
    """One player of the game."""

    side: str
    name: str
    rating: float | None
    """As the record says."""
    estimate: Estimate | None
    """From the moves alone; None where no move could be asked about."""
    phases: tuple[PhaseSummary, ...]
    """The phases that were played, and "all"."""


@dataclass(frozen=True)
class Review:
    """A whole review. `diagrams` has one board more than there are steps."""

    game: str
    pool: str
    ratings: tuple[float, ...]
    """The grid that every position was asked at; empty where there are no levels."""
    told: tuple[float, float] | None
    """The level of each side, None where there are no levels."""
    equal_rating: float | None
    """The mean of the two: the level of "between equals"."""
    told_because: str
    """Where that level comes from, or why there is none."""
    sides: tuple[str, str]
    mind: str
    judge: str
    """Who judged, "" for nobody."""
    judge_nodes: int | None
    result: str
    event: str
    date: str
    number: int
    games: int
    broken: str
    """Why the record ends before the game did, "" where it does not."""
    unfinished: bool
    """The review was interrupted: later moves are missing."""
    steps: tuple[ReviewedMove, ...]
    players: tuple[PlayerSummary, PlayerSummary]
    turning_points: tuple[int, ...]
    """Plies, the earliest first."""
    curves: Curves
    """The first player's chances in every position."""
    diagrams: tuple[Diagram, ...]

    def as_json(self) -> dict[str, Any]:
        """Everything but the boards, which the moves give."""
        whole = {name: value for name, value in asdict(self).items() if name != "diagrams"}
        return {"layout": 1} | whole
