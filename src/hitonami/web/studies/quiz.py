"""The quiz that comes with the package: games of people and of programs, to be told apart one by one.

It needs no study, no network and no other visitor; the truth about a game is told with the answer. The file says where
each game comes from and under which licence, and holds no name of a person. recipes/quiz.py makes it.
"""

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

from hitonami.core import Position, Setup, open_game
from hitonami.play.table import replay

QUIZ_FILE: Final = Path(__file__).with_name("quiz.json")


@dataclass(frozen=True)
class Source:
    """Where games come from."""

    name: str
    licence: str


@dataclass(frozen=True)
class Party:
    """Who played a side. `style` is a program's; people have none."""

    kind: Literal["person", "program"]
    rating: float | None
    pool: str
    style: str = ""


@dataclass(frozen=True)
class QuizGame:
    """One game. `judged` is the side that is asked about."""

    id: str
    game: str
    size: int
    source: Source
    players: tuple[Party, Party]
    judged: int
    moves: tuple[str, ...]
    score: float | None = None
    """How the whole game ended for player 0, where it is known."""

    @property
    def is_human(self) -> bool:
        return self.players[self.judged].kind == "person"

    def replay(self) -> Position:
        """The position after the moves that are shown."""
        return replay(open_game(self.game), Setup(size=self.size), self.moves)


@cache
def quiz_games() -> dict[str, QuizGame]:
    """All games by id. An id is made from the moves, and tells nothing else."""
    held = json.loads(QUIZ_FILE.read_text())
    sources = {name: Source(**each) for name, each in held["sources"].items()}
    games = [_read(each, sources) for each in held["games"]]
    return {game.id: game for game in games}


def _read(held: dict[str, Any], sources: dict[str, Source]) -> QuizGame:
    first, second = (Party(**each) for each in held["players"])
    return QuizGame(
        id=sha256(held["moves"].encode()).hexdigest()[:12],
        game=held["game"],
        size=held["size"],
        source=sources[held["source"]],
        players=(first, second),
        judged=held["judged"],
        moves=tuple(held["moves"].split()),
        score=held.get("score"),
    )
