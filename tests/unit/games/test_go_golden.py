"""Go positions written out for people to check, and what the rules say of them (tests/golden/go)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Setup
from hitonami.errors import BadMove
from hitonami.games.go import Go, GoPosition
from hitonami.games.go_rules.points import read_vertex, vertex

GO = Go()
GOLDEN = Path(__file__).parents[2] / "golden" / "go"
STORIES = sorted(path for path in GOLDEN.glob("*.txt") if path.stem not in ("README", "handicap"))
MARKS = ".XO"


class Story:
    """Follows the lines of one file; each word of the file is a method."""

    def __init__(self) -> None:
        self.setup = Setup()
        self.position: GoPosition = GO.start()

    def board(self, side: str, rows: list[str]) -> None:
        size = len(rows)
        letters = "abcdefghi"
        stones = {
            mark: "".join(
                f"[{letters[column]}{letters[row]}]"
                for row, line in enumerate(rows)
                for column, each in enumerate(line.split())
                if each == mark
            )
            for mark in "XO"
        }
        self.setup = Setup(start=f"(;SZ[{size}]AB{stones['X']}AW{stones['O']}PL[{side[0].upper()}])")
        self.position = GO.start(self.setup)

    def rules(self, name: str) -> None:
        self.setup = Setup(start=self.setup.start, rules=name)
        self.position = GO.start(self.setup)

    def komi(self, komi: str) -> None:
        self.setup = Setup(start=self.setup.start, rules=self.setup.rules, komi=float(komi))
        self.position = GO.start(self.setup)

    def play(self, moves: str) -> None:
        for text in moves.split():
            self.position = self.position.play(GO.parse(self.position, text))

    def refuse(self, text: str) -> None:
        point, reason = text.split(": ")
        move = read_vertex(self.position.size, point)
        assert move not in self.position.legal
        with pytest.raises(BadMove, match=reason):
            self.position.play(move)

    def captures(self, counts: str) -> None:
        assert self.position.captures == tuple(map(int, counts.split()))

    def expect(self, side: str, rows: list[str]) -> None:
        stones = [MARKS[each] for each in self.position.board]
        size = self.position.size
        assert [" ".join(stones[at : at + size]) for at in range(0, size * size, size)] == rows
        assert GO.sides[self.position.to_move].lower() == side

    def claim(self, reason: str) -> None:
        assert (GO.claims(self.position).draw or "none") == reason

    def count(self, result: str) -> None:
        assert str(GO.count(self.position)) == result

    def dead(self, text: str) -> None:
        points, result = text.split(": ")
        assert str(GO.count(self.position, self._points(points))) == result

    def points(self, text: str) -> None:
        counted = GO.count(self.position)
        assert [counted.black, counted.white] == [float(each) for each in text.split()]

    def dame(self, number: str) -> None:
        assert GO.count(self.position).dame == int(number)

    def guess(self, text: str) -> None:
        for seed in range(5):
            found = GO.guess_dead(self.position, np.random.default_rng(seed))
            wanted = [] if text == "none" else self._points(text)
            assert sorted(vertex(self.position.size, at) for at in found) == sorted(
                vertex(self.position.size, at) for at in wanted
            )

    def _points(self, text: str) -> list[int]:
        return [read_vertex(self.position.size, point) for point in text.split()]


def read_steps(path: Path) -> Iterator[tuple[int, str, str, list[str]]]:
    """Line number, word, the rest of its line, and the rows of a board under it."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if line[:1] in (*MARKS, "#", ""):
            continue
        word, _, rest = line.partition(" ")
        rows = []
        for row in lines[number:]:
            if row[:1] not in tuple(MARKS):
                break
            rows.append(row)
        yield number, word, rest, rows


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_story(path: Path) -> None:
    story = Story()
    for number, word, rest, rows in read_steps(path):
        try:
            getattr(story, word)(rest, *([rows] if rows else []))
        except (AssertionError, BadMove) as wrong:
            raise AssertionError(f"{path.name}:{number}: {word} {rest}: {wrong}") from wrong


def read_handicaps() -> list[tuple[int, int, list[str]]]:
    rows = [line.split() for line in (GOLDEN / "handicap.txt").read_text().splitlines() if line[0] != "#"]
    return [(int(size), int(stones), points) for size, stones, *points in rows]


@pytest.mark.parametrize(("size", "stones", "points"), read_handicaps())
def test_handicap(size: int, stones: int, points: list[str]) -> None:
    position = GO.start(Setup(size=size, handicap=stones))
    placed = [vertex(size, int(at)) for at in np.flatnonzero(position.board)]
    assert sorted(placed) == sorted(points)
    assert set(position.board.tolist()) == {0, 1}
    assert (position.to_move, position.komi) == (1, 0.5)


def test_handicap_is_where_gnu_go_puts_it(ask_gnugo: Callable[..., list[str]]) -> None:
    rows = [
        row for row in read_handicaps() if row[0] != 12
    ]  # there GNU Go uses the fourth line, the protocol the third
    asked = [line for size, stones, _ in rows for line in (f"boardsize {size}", f"fixed_handicap {stones}")]
    for (_, _, points), answer in zip(rows, ask_gnugo(asked)[1::2], strict=True):
        assert sorted(answer.split()) == sorted(points)
