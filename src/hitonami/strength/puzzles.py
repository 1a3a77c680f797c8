"""Rated puzzles: read them, let an agent solve them, or read a person's answers.

The format is Lichess's: CSV with the columns PuzzleId, FEN, Moves, Rating, RatingDeviation. The first move is the
opponent's, and the rest are in turn the solver's and the replies. A puzzle is solved by playing all of the solver's
moves; where the last one ends the game in the solver's favour, any move that does so is right, as on Lichess. The
rating that comes of it is on the scale of the puzzles, which is no scale of games.

An agent is asked about every position of a puzzle at once with others, and draws as it does in a game: with the draw of
its level where one was fitted (agent.py). Whether its draws would solve the puzzle is a coin whose chance is known, the
product of the chances of the right moves; taking that chance for the answer gives the same rating on average with less
noise.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from hitonami.agent import Agent
from hitonami.core import Effort, Game, Player, Position, Query, index_of
from hitonami.errors import BadData, BadInput, BadMove, BadPosition, BadSetup, quote
from hitonami.strength.item_response import Answers

By = Literal["probability", "sample", "best"]
_COLUMNS = ("PuzzleId", "FEN", "Moves", "Rating", "RatingDeviation")
_RIGHT = {
    "1": True,
    "right": True,
    "true": True,
    "win": True,
    "0": False,
    "wrong": False,
    "false": False,
    "loss": False,
}
_REASONS = {BadMove: "an illegal move", BadPosition: "an impossible position", BadSetup: "an impossible position"}
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle: a position, and the moves from there, the opponent's first."""

    name: str
    position: str
    moves: tuple[str, ...]
    rating: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Solved:
    """How an agent did: the chance that its draws solve the puzzle, one such draw, whether its likeliest moves do."""

    puzzle: Puzzle
    probability: float
    sample: bool
    best: bool


def read_puzzles(path: Path) -> list[Puzzle]:
    """Every puzzle of a file. Raises BadData, naming the line."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream)
            missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise BadData(f"{path} is no file of puzzles: it has no column {', '.join(missing)}")
            found = [_read_row(path, at, row) for at, row in enumerate(rows, start=2)]
    except OSError as wrong:
        raise BadData(f"{path}: {wrong.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise BadData(f"{path}: {wrong}") from None
    if not found:
        raise BadData(f"{path} holds no puzzles")
    return found


def _read_row(path: Path, line: int, row: dict[str, str | None]) -> Puzzle:
    try:
        moves = tuple((row["Moves"] or "").split())
        puzzle = Puzzle(
            row["PuzzleId"] or "",
            row["FEN"] or "",
            moves,
            float(row["Rating"] or ""),
            float(row["RatingDeviation"] or ""),
        )
    except ValueError as wrong:
        raise BadData(f"{path}, line {line}: {wrong}") from None
    if len(moves) < 2 or not np.isfinite(puzzle.rating) or not 0 <= puzzle.deviation < 10_000:
        raise BadData(f"{path}, line {line}: a puzzle needs two moves or more, a rating and a deviation")
    return puzzle


def draw_puzzles(puzzles: Sequence[Puzzle], count: int | None, seed: int) -> list[Puzzle]:
    """At most `count`, chosen by the seed, in the order of the file."""
    if count is None or count >= len(puzzles):
        return list(puzzles)
    chosen = np.random.default_rng(seed).choice(len(puzzles), count, replace=False)
    return [puzzles[at] for at in sorted(chosen.tolist())]


@dataclass
class _Attempt:
    """A puzzle being solved: what is left of its line, and how it went so far."""

    puzzle: Puzzle
    position: Position
    line: list[int]
    rng: np.random.Generator
    probability: float = 1.0
    sample: bool = True
    best: bool = True
    right: list[int] = field(default_factory=list)
    """Places of the moves that are right here."""

    def judge(self, log_probs: np.ndarray) -> None:
        chance = min(1.0, float(np.exp(log_probs[self.right].astype(np.float64)).sum()))
        self.probability *= chance
        self.sample &= bool(self.rng.random() < chance)
        self.best &= int(np.argmax(log_probs)) in self.right

    def go_on(self) -> bool:
        """To the solver's next move; False at the end of the line."""
        for move in self.line[:2]:
            self.position = self.position.play(move)
        self.line = self.line[2:]
        if self.line:
            self._find_right()
        return bool(self.line)

    def begin(self) -> None:
        self.position = self.position.play(self.line.pop(0))
        self._find_right()

    def _find_right(self) -> None:
        position, wanted = self.position, self.line[0]
        self.right = [index_of(position, wanted)]
        after = position.play(wanted)
        if len(self.line) <= 2 and _wins(position, after):
            moves = position.legal.tolist()
            self.right = [at for at, move in enumerate(moves) if _wins(position, position.play(move))]


def _wins(before: Position, after: Position) -> bool:
    """Whether the mover of `before` has won."""
    return after.score is not None and after.score == float(before.to_move == 0)


def solve_puzzles(
    agent: Agent, game: Game[Position], puzzles: Sequence[Puzzle], player: Player, seed: int = 0
) -> tuple[list[Solved], Counter[str]]:
    """Every puzzle that can be set up, in order, and the reasons of those that cannot with their numbers."""
    attempts: list[_Attempt] = []
    rejected: Counter[str] = Counter()
    for at, puzzle in enumerate(puzzles):
        try:
            attempts.append(_set_up(game, puzzle, np.random.default_rng([seed, at])))
        except BadInput as wrong:
            rejected[f"with {_REASONS.get(type(wrong), 'bad input')}"] += 1
    if not attempts:
        raise BadData(f"none of {len(puzzles):,} puzzles can be set up as {game.name}: {dict(rejected)}")
    effort = Effort.seeded(seed)
    waiting = attempts
    while waiting:
        for begin in range(0, len(waiting), _BATCH):
            batch = waiting[begin : begin + _BATCH]
            queries = [Query(attempt.position, player, player) for attempt in batch]
            for attempt, query, opinion in zip(batch, queries, agent.think(queries, effort), strict=True):
                attempt.judge(agent.draw_chances(query, opinion.log_probs))
        waiting = [attempt for attempt in waiting if attempt.go_on()]
    return [Solved(each.puzzle, each.probability, each.sample, each.best) for each in attempts], rejected


def _set_up(game: Game[Position], puzzle: Puzzle, rng: np.random.Generator) -> _Attempt:
    """Replays the whole line once, so that a puzzle with an illegal move is known before a mind is asked."""
    start = position = game.read(puzzle.position)
    line: list[int] = []
    for text in puzzle.moves:
        line.append(game.parse(position, text))
        position = position.play(line[-1])
    attempt = _Attempt(puzzle, start, line, rng)
    attempt.begin()
    return attempt


def answers_of(solved: Sequence[Solved], by: By) -> Answers:
    """What the estimates take: the chance, one draw, or the likeliest moves."""
    return _answers([each.puzzle for each in solved], [float(getattr(each, by)) for each in solved])


def read_answers(path: Path, puzzles: Sequence[Puzzle]) -> tuple[list[Puzzle], Answers]:
    """A person's answers: lines `puzzle id, right` or `wrong` (also 1 and 0); a first line may name the columns."""
    known = {puzzle.name: puzzle for puzzle in puzzles}
    found: dict[str, bool] = {}
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except OSError as wrong:
        raise BadData(f"{path}: {wrong.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise BadData(f"{path}: {wrong}") from None
    for line, row in enumerate(rows, start=1):
        words = [word.strip() for word in row]
        if not any(words) or (line == 1 and words[0].lower() in ("puzzleid", "puzzle", "id")):
            continue
        if len(words) != 2 or words[1].lower() not in _RIGHT:
            raise BadData(f"{path}, line {line}: expected `puzzle id, right` or `wrong`, got {quote(','.join(row))}")
        if words[0] not in known:
            raise BadData(f"{path}, line {line}: no puzzle {quote(words[0])} in the file of puzzles")
        if words[0] in found:
            raise BadData(f"{path}, line {line}: puzzle {quote(words[0])} is answered twice")
        found[words[0]] = _RIGHT[words[1].lower()]
    answered = [known[name] for name in found]
    return answered, _answers(answered, [float(right) for right in found.values()])


def _answers(puzzles: Sequence[Puzzle], right: Sequence[float]) -> Answers:
    return Answers(
        np.array([puzzle.rating for puzzle in puzzles], dtype=np.float64),
        np.array([puzzle.deviation for puzzle in puzzles], dtype=np.float64),
        np.array(right, dtype=np.float64),
    )
