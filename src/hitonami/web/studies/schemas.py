"""What experimenters and visitors of studies send and get. A visitor's part names no opponent."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from hitonami.evaluate.turing import Seeming
from hitonami.web.board_schemas import Board
from hitonami.web.schemas import GameName, Rating, Sent
from hitonami.web.studies.quiz import Party

Score = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


class NewHidden(Sent):
    """An opponent: a style at a level, the text of people's records, or another visitor who plays at the same time."""

    label: str = Field(min_length=1, max_length=60)
    style: str = Field("", max_length=40)
    rating: Rating | None = None
    pool: str = Field("", max_length=40)
    records: str = Field("", max_length=900_000)
    person: bool = False


class NewStudy(Sent):
    title: str = Field(min_length=1, max_length=120)
    game: GameName
    size: int = Field(0, ge=0, le=25)
    mode: Literal["watch", "play"] = "watch"
    opponents: list[NewHidden] = Field(min_length=1, max_length=12)
    games_per_visitor: int = Field(6, ge=1, le=50)
    games_per_opponent: int = Field(6, ge=1, le=50)
    """Games to watch that are made of each opponent."""
    plies: int = Field(40, ge=2, le=300)
    """Moves that are shown; in games to be played, moves before which nobody judges."""
    consent: str = Field("", max_length=5_000)
    reveal: bool = True
    """Tell a visitor who the opponents were, after the last answer."""


class StudyMade(BaseModel):
    id: str
    key: str
    """Opens the results; it is told once."""


class ShownStudy(BaseModel):
    """What everybody may know of a study."""

    id: str
    title: str
    game: str
    mode: Literal["watch", "play"]
    status: Literal["preparing", "open", "closed", "failed"]
    games_per_visitor: int
    plies: int
    consent: str


class Consent(Sent):
    agreed: Literal[True]


class VisitMade(BaseModel):
    id: str


class Revealed(BaseModel):
    """After the last answer: who it was, beside what the visitor said."""

    number: int
    opponent: str
    is_human: bool
    called_human: bool
    likeness: float | None


class Visit(BaseModel):
    study: ShownStudy
    done: int
    total: int
    trial: str | None
    """The game to be judged now; None once all are."""
    revealed: list[Revealed]


class TrialState(BaseModel):
    """A game with a hidden opponent, who plays `side`."""

    id: str
    game: str
    mode: Literal["watch", "play"]
    sides: tuple[str, str]
    side: int
    boards: list[Board]
    """To be watched: one a move. To be played: the present one alone."""
    moves: list[str]
    ply: int
    waiting: bool
    """For an opponent who is not there yet."""
    your_turn: bool
    over: bool
    """By the rules, or because the opponent plays no more."""
    judgeable: bool
    done: bool
    """Judged, or broken off: the visit goes on with another."""


class Verdict(Sent):
    """A visitor's answer. Scales that are left out, or null, were not answered."""

    called_human: bool
    likeness: Score | None = None
    aggressive: Score | None = None
    careful: Score | None = None
    consistent: Score | None = None
    strong: Score | None = None


class StudyResults(BaseModel):
    study: ShownStudy
    note: str
    visits: int
    answers: int
    prepared: int
    opponents: list[str]
    seemings: list[Seeming]


class QuizLine(BaseModel):
    """A game of the quiz."""

    id: str
    game: str
    size: int


class ShownQuizGame(QuizLine):
    """A game of the quiz to look at: who played `side`?"""

    sides: tuple[str, str]
    side: int
    boards: list[Board]
    moves: list[str]


class Guess(Sent):
    called_human: bool


class QuizTruth(BaseModel):
    """Who played, and where the game comes from."""

    right: bool
    is_human: bool
    players: tuple[Party, Party]
    score: float | None
    """How it ended for player 0, where it is known."""
    source: str
    licence: str
