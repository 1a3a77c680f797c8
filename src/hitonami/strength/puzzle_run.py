"""A rating from puzzles, from a file to two estimates: of a mind, or of the person who answered them."""

from dataclasses import dataclass
from pathlib import Path

from hitonami.core import open_game
from hitonami.errors import BadInput
from hitonami.matches.entrants import read_entrant
from hitonami.specs import Room
from hitonami.strength.item_response import Answers, Estimate, estimate_glicko, estimate_irt
from hitonami.strength.puzzles import By, answers_of, draw_puzzles, read_answers, read_puzzles, solve_puzzles


@dataclass(frozen=True)
class PuzzleRun:
    """Who answered, what, and the two estimates of it."""

    who: str
    answers: Answers
    irt: Estimate
    glicko: Estimate
    guess: float
    left_out: dict[str, int]


@dataclass(frozen=True)
class PuzzleWish:
    """What is asked for. `mind` is written M@R; of it and `answers`, a person's file, one is given."""

    game: str
    file: Path
    mind: str | None = None
    answers: Path | None = None
    count: int | None = None
    by: By = "probability"
    guess: float = 0.0
    pool: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        if (self.mind is None) == (self.answers is None):
            raise BadInput("give either --mind M@R or --answers FILE")

    def rate(self) -> PuzzleRun:
        """Raises BadInput for what cannot be read."""
        rules, puzzles, left_out = open_game(self.game), read_puzzles(self.file), {}
        if self.answers is not None:
            who, given = self.answers.name, read_answers(self.answers, puzzles)[1]
        else:
            entrant = read_entrant(self.mind or "", self.pool, self.game)
            drawn = draw_puzzles(puzzles, self.count, self.seed)
            with Room() as room:
                agent = entrant.agent(room.open(entrant.mind), room, self.game)
                solved, rejected = solve_puzzles(agent, rules, drawn, entrant.asked_as, self.seed)
            who, given, left_out = entrant.name, answers_of(solved, self.by), dict(rejected)
        irt, glicko = estimate_irt(given, self.guess), estimate_glicko(given)
        return PuzzleRun(who, given, irt, glicko, self.guess, left_out)
