"""What the browser sends and gets. Unknown keys are refused, every text and list has a limit."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from hitonami.customs import Opening, Rule, Scale, Variant, games_offered
from hitonami.errors import alternatives, quote
from hitonami.play.endings import Outcome
from hitonami.web.board_schemas import Board


def _known(name: str) -> str:
    if name not in games_offered():
        raise ValueError(f"there is no game {quote(name)} here; {alternatives(name, games_offered())}")
    return name


GameName = Annotated[str, Field(max_length=40), AfterValidator(_known)]
"""Of a game that this installation offers."""
Rating = Annotated[float, Field(ge=-100, le=5000, allow_inf_nan=False)]
Probability = Annotated[float, Field(ge=0, le=1.0001)]


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChosenBoard(Sent):
    """What a game is played on. What is left out is the game's usual one."""

    game: GameName
    size: int = Field(0, ge=0, le=25)
    variant: str = Field("", max_length=40)
    """By the name that /api/info gives it."""
    handicap: str = Field("", max_length=20)
    """By the name that /api/info gives it."""


class Beginning(ChosenBoard):
    """How a game begins."""

    opening: str = Field("", max_length=60)
    """By the name that /api/info gives it."""
    start: str = Field("", max_length=20_000)
    """A position, a game or a line of moves to start from: FEN, SFEN, SGF, PGN, KIF, or bare moves."""


class NewGame(Beginning):
    """A game to begin. A rating or style that is left out is the game's usual one."""

    side: Literal["first", "second", "random"] = "first"
    rating: Rating | None = None
    pool: str = Field("", max_length=40)
    style: str = Field("", max_length=50)
    pace: Literal["human", "instant"] = "human"
    time_control: str = Field("", max_length=20)
    """Seconds: 300+3 with an increment, 600+30/1 with byoyomi; "" for no clock."""


class SentPace(Sent):
    pace: Literal["human", "instant"]


class SentDead(Sent):
    """A stone of each dead chain."""

    dead: list[Annotated[str, Field(max_length=4)]] = Field(max_length=400)


class SentMove(Sent):
    """A move in the game's notation. `ply` is how many moves the sender has seen: a move sent twice is refused."""

    move: str = Field(max_length=20)
    ply: int = Field(ge=0, le=100_000)


class AskedPrediction(ChosenBoard):
    """What to predict: a position or a whole game, at the move `ply`, for some levels of one pool."""

    text: str = Field("", max_length=200_000)
    """The start of the chosen board where there is none."""
    ply: int | None = Field(None, ge=0, le=100_000)
    """None is the end of the game."""
    moves: str = Field("", max_length=4_000)
    """Moves made on the board from there on; what the text held after it is left out."""
    ratings: list[Rating] = Field(default_factory=list, max_length=24)
    """The usual levels of the game where there are none."""
    pool: str = Field("", max_length=40)
    style: str = Field("", max_length=50)


class AskedReview(Sent):
    """Which game of an uploaded record to review, and for whom the players are taken."""

    game: GameName | None = None
    """Where neither the name nor the looks of the record tell."""
    name: str = Field("", max_length=200)
    number: int = Field(1, ge=1, le=10_000)
    rating: Rating | None = None
    judge: bool = True
    eyes: str = Field("", max_length=50)
    """Through whose eyes: the style of a twin of the visitor's; "" for people of the level."""


class AskedRecords(Sent):
    """A record whose games are wanted as a list."""

    game: GameName | None = None
    name: str = Field("", max_length=200)


class ListedGame(BaseModel):
    """A game of an uploaded record."""

    number: int
    players: tuple[str, str]
    ratings: tuple[float | None, float | None]
    moves: int
    """0 where it cannot be read."""
    result: str
    event: str
    date: str


class ListedGames(BaseModel):
    """What an uploaded record holds."""

    game: str
    total: int
    games: list[ListedGame]
    """The first ones, where there are very many."""


class Wrong(BaseModel):
    """Why a request was refused, for the person who made it."""

    error: str
    """In English."""
    code: str = ""
    """The page's own sentence for it, "" where it has none."""
    values: dict[str, str | int | float] = {}
    """What stands in that sentence."""


class ShownStyle(BaseModel):
    name: str
    mind: str
    follows_level: bool
    strengths: int = 0
    """How many strengths of its own it has: each is a style named `NAME-1`, `NAME-2` and so on; 0 for none."""
    usual_strength: int = 0
    held: dict[str, tuple[float, float]] = {}
    """By pool, between which ratings its levels are as far apart by games as they say, where that was measured."""


class ShownHandicap(BaseModel):
    name: str
    title: str
    japanese: str
    giver: int
    """The side that gives it."""


class ShownGame(BaseModel):
    """A game that can be played here."""

    name: str
    title: str
    japanese: dict[str, str]
    """Its own words, by the English ones."""
    board: Literal["drawing", "fen", "sfen", "stones"]
    diagram_style: Literal["grid", "checkered", "points", "hexagons", "text"]
    """Of its sign, where it has no board of its own."""
    middle: list[str]
    """Three rows of three for the sign, x and o for what stands there at the start; none for an empty board."""
    large: bool
    """Whether it stands with the first."""
    pairs: bool
    """Whether a move of each side is counted as one."""
    passes: bool
    draws: bool
    """Whether a draw can be offered."""
    sides: tuple[str, str]
    called: dict[str, str]
    """What people call the sides."""
    sizes: list[int]
    variants: tuple[Variant, ...]
    """Boards and arrays, the usual one first."""
    formats: list[str]
    scale: Scale
    styles: list[ShownStyle]
    rules: tuple[Rule, ...]
    """Explained to who does not know the game."""
    letters: dict[str, str]
    """Pieces of shogi among the signs of its diagram."""
    openings: tuple[Opening, ...]
    handicaps: list[ShownHandicap]
    controls: list[str]
    """Usual time controls."""


class Info(BaseModel):
    version: str
    games: list[ShownGame]


class ShownClock(BaseModel):
    """What both sides have left now; the side to move is running unless it has not moved yet."""

    seconds: tuple[float, float]
    running: bool
    increment_seconds: int
    byoyomi_seconds: int


class ShownCount(BaseModel):
    """A counted Go board: the points of both sides; `white` holds the komi."""

    black: float
    white: float
    komi: float


class GameState(BaseModel):
    id: str
    game: str
    sides: tuple[str, str]
    you: int
    your_turn: bool
    ply: int
    board: Board
    moves: list[str]
    """As people write them."""
    outcome: Outcome | None
    count: ShownCount | None
    """Go, once it is counted."""
    undoable: bool
    """Whether you had a turn before this one, to take back to."""
    claim: str | None
    """A draw or a win that the rules give you now."""
    style: ShownStyle
    judge: ShownStyle
    """Whose hints and chances these are; where it does not follow the level, they are the opponent's own."""
    rating: float | None
    pool: str
    pace: Literal["human", "instant"]
    clock: ShownClock | None
    offered: bool
    """The opponent has just offered a draw."""


class GameLine(BaseModel):
    """A game in a list."""

    id: str
    game: str
    size: int
    you: int
    style: str
    rating: float | None
    ply: int
    outcome: Outcome | None
    changed_at: float
