"""What the browser is told of likely moves and results: hints, chances, predictions."""

from pydantic import BaseModel

from hitonami.web.board_schemas import Board
from hitonami.web.schemas import Probability, ShownStyle


class LikelyMove(BaseModel):
    move: str
    name: str
    probability: Probability


class Hint(BaseModel):
    """What players of a level play here, likeliest first."""

    rating: float | None
    pool: str
    mind: str
    moves: list[LikelyMove]


class Chances(BaseModel):
    """How often player 0 scores from here among players of this level; None where the mind has no opinion."""

    score: float | None
    win: float | None
    draw: float | None
    loss: float | None


class Candidate(BaseModel):
    """A move with its probability at each rating."""

    move: str
    name: str
    probabilities: list[Probability]


class ExpertView(BaseModel):
    """What the expert head says of the same candidates, whatever the level."""

    probabilities: list[Probability]
    score: float | None
    """The expected score of player 0."""


class Foretold(BaseModel):
    game: str
    board: Board
    ply: int
    plies: int
    moves: list[str]
    """The moves of the game that was given, as people write them."""
    played: str | None
    """What was played here, where the text went on."""
    ratings: list[float]
    pool: str
    style: ShownStyle
    candidates: list[Candidate]
    others: list[Probability]
    scores: list[float | None]
    """The expected score of player 0 at each rating."""
    expert: ExpertView | None
    ended: str | None
    """How the game ended, where its last position has no moves and the one before it is shown."""
