"""Puzzles: what counts as solved, by which chance, and how files are read."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.errors import BadData
from hitonami.knobs import Curve
from hitonami.minds.uniform import Uniform
from hitonami.strength.puzzles import answers_of, draw_puzzles, read_answers, read_puzzles, solve_puzzles

CHESS = open_game("chess")
HEAD = "PuzzleId,FEN,Moves,Rating,RatingDeviation,NbPlays,Themes,Source\n"
LADDER = "a1,7k/8/8/8/8/8/R7/1R4K1 b - - 0 1,h8g8 a2a7 g8f8 b1b8,1000,80,10,mate,x\n"
"""Two rooks: the seventh rank, then mate. Only one last move mates."""
TWO_MATES = "a2,6k1/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,h7h6 a1a8,900,90,10,mate,x\n"
"""No mate: the pawn made room."""
EITHER = "a3,7k/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,h8g8 a1a8,800,70,10,mate,x\n"
"""Either rook mates on the back rank."""
ILLEGAL = "a4,7k/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,h8g8 a1h8,800,70,10,mate,x\n"
SHARED = (
    Path(os.environ.get("HITONAMI_SHARED", Path(__file__).parents[4] / "shared")) / "data/tests/lichess_puzzles.csv"
)


@dataclass(frozen=True)
class Likes:
    """Gives a share to each of the first `top` legal ones of its moves, and the rest evenly to the others."""

    share: float
    moves: tuple[str, ...]
    top: int = 1

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._judge(query) for query in queries]

    def _judge(self, query: Query) -> Opinion:
        chances = np.zeros(len(query.position.legal))
        legal = [CHESS.format(query.position, move) for move in query.position.legal.tolist()]
        for text in [text for text in self.moves if text in legal][: self.top]:
            chances[legal.index(text)] = self.share
        others = chances == 0
        chances[others] = (1 - chances.sum()) / others.sum()
        return Opinion(dist.normalise(np.log(chances)))


def write(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "puzzles.csv"
    path.write_text(HEAD + "".join(rows))
    return path


def test_all_of_the_solvers_moves_count(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, LADDER))
    (solved,), rejected = solve_puzzles(Agent(Likes(0.8, ("a2a7", "b1b8"))), CHESS, puzzles, Player())
    assert solved.probability == pytest.approx(0.64, abs=1e-6)
    assert solved.best
    assert not rejected
    (half,), _ = solve_puzzles(Agent(Likes(0.8, ("a2a7", "b1b7"))), CHESS, puzzles, Player())
    assert not half.best
    assert half.probability < 0.05


def test_any_mate_is_right_at_the_end(tmp_path: Path) -> None:
    either, none = read_puzzles(write(tmp_path, EITHER, TWO_MATES))
    mind = Likes(0.3, ("a1a8", "b1b8"), top=2)
    solved, _ = solve_puzzles(Agent(mind), CHESS, [either, none], Player())
    assert [each.probability for each in solved] == pytest.approx([0.6, 0.3], abs=1e-6)


def test_draws_come_as_often_as_their_chance_says(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, LADDER)) * 150
    solved, _ = solve_puzzles(Agent(Likes(0.7, ("a2a7", "b1b8"))), CHESS, puzzles, Player())
    assert np.mean([each.sample for each in solved]) == pytest.approx(0.49, abs=0.123)  # three standard errors
    again, _ = solve_puzzles(Agent(Likes(0.7, ("a2a7", "b1b8"))), CHESS, puzzles[:20], Player())
    assert again == solved[:20]


def test_an_agent_of_a_level_solves_with_the_draw_of_its_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    curves = {"level": {"human": {"lichess": Curve(((1000.0, 1.0), (2000.0, 3.0)))}}}
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": curves)
    puzzles = read_puzzles(write(tmp_path, TWO_MATES))
    mind = Likes(0.4, ("a1a8", "b1b8"), top=2)  # the right move and another as likely; the rest are many and rare

    def chance(rating: float, style: str = "human") -> float:
        (solved,), _ = solve_puzzles(Agent(mind, style=style), CHESS, puzzles, Player(rating, "lichess"))
        return solved.probability

    assert chance(2000.0, "") == pytest.approx(0.4, abs=1e-6)
    assert chance(1000.0) == pytest.approx(0.4, abs=1e-6)
    assert 0.49 < chance(2000.0) < 0.5
    best, _ = solve_puzzles(Agent(mind, "best"), CHESS, puzzles, Player(1000.0, "lichess"))
    assert [each.probability for each in best] == [1.0]


def test_impossible_puzzles_are_counted(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, EITHER, ILLEGAL, ILLEGAL.replace("7k/", "9k/")))
    solved, rejected = solve_puzzles(Agent(Uniform()), CHESS, puzzles, Player())
    assert [each.puzzle.name for each in solved] == ["a3"]
    assert rejected == {"with an illegal move": 1, "with an impossible position": 1}
    with pytest.raises(BadData, match="none of 1 puzzles can be set up"):
        solve_puzzles(Agent(Uniform()), CHESS, puzzles[1:2], Player())


def test_answers_are_the_chance_the_draw_or_the_best(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, LADDER, EITHER))
    solved, _ = solve_puzzles(Agent(Likes(0.4, ("a2a7", "b1b8"))), CHESS, puzzles, Player())
    assert answers_of(solved, "best").right.tolist() == [1, 1]
    assert answers_of(solved, "probability").right.tolist() == pytest.approx([each.probability for each in solved])
    assert answers_of(solved, "best").ratings.tolist() == [1000, 800]
    assert answers_of(solved, "best").deviations.tolist() == [80, 70]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PuzzleId,FEN\n", "has no column Moves, Rating, RatingDeviation"),
        (HEAD, "holds no puzzles"),
        (HEAD + LADDER.replace("1000", "hard"), "line 2: could not convert"),
        (HEAD + LADDER + EITHER.replace(" a1a8", ""), "line 3: a puzzle needs two moves"),
        (HEAD + LADDER.replace(",80,", ",-1,"), "line 2"),
        (HEAD + "a1\n", "line 2"),
    ],
)
def test_bad_files_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(BadData, match=message):
        read_puzzles(path)


def test_a_persons_answers_are_matched(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, LADDER, TWO_MATES, EITHER))
    path = tmp_path / "me.csv"
    path.write_text("PuzzleId,Answer\na3, right\n\na1,0\n")
    answered, answers = read_answers(path, puzzles)
    assert [puzzle.name for puzzle in answered] == ["a3", "a1"]
    assert answers.right.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [("a9,right\n", "no puzzle 'a9'"), ("a1,perhaps\n", "line 1: expected"), ("a1,1\na1,0\n", "line 2: .*twice")],
)
def test_bad_answers_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "me.csv"
    path.write_text(text)
    with pytest.raises(BadData, match=message):
        read_answers(path, read_puzzles(write(tmp_path, LADDER)))


def test_the_seed_draws_in_the_order_of_the_file(tmp_path: Path) -> None:
    puzzles = read_puzzles(write(tmp_path, LADDER, TWO_MATES, EITHER))
    drawn = draw_puzzles(puzzles, 2, seed=1)
    assert len(drawn) == 2
    assert drawn == [puzzle for puzzle in puzzles if puzzle in drawn]
    assert draw_puzzles(puzzles, 9, seed=1) == puzzles


@pytest.mark.skipif(not SHARED.exists(), reason="the shared puzzles are not here")
def test_real_puzzles_are_all_legal() -> None:
    puzzles = draw_puzzles(read_puzzles(SHARED), 300, seed=0)
    solved, rejected = solve_puzzles(Agent(Uniform()), CHESS, puzzles, Player())
    assert (len(solved), rejected) == (300, {})
    assert 0.001 < np.mean([each.probability for each in solved]) < 0.05
