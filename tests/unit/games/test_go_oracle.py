"""Go against OpenSpiel, against a board so naive that it can be checked by eye, and against GNU Go's counting."""

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Setup
from hitonami.games.go import Go, GoPosition
from hitonami.games.go_rules.board import LONE_SUICIDE, SITUATIONAL, SUICIDE, SUPERKO
from hitonami.games.go_rules.points import vertex
from hitonami.games.go_rules.rulesets import RULES

GO = Go()
FINISHED = sorted((Path(__file__).parents[2] / "golden" / "go").glob("finished-*.sgf"))


def to_openspiel(size: int, moves: list[int]) -> list[int]:
    """OpenSpiel counts rows from the bottom."""
    return sorted(move if move == size * size else (size - 1 - move // size) * size + move % size for move in moves)


def play_beside(pyspiel: ModuleType, size: int, seed: int) -> bool:
    """One random game on both sides; True where it ended by passing, so that results were compared.

    OpenSpiel knows simple ko, and calls a repeated board the end of the game: so its legal moves must be
    those of our rules without superko, and what superko forbids must end its game.
    """
    rng, points = random.Random(seed), size * size
    state = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length={4 * points})").new_initial_state()
    plain, strict = GO.start(Setup(size=size, rules="japanese")), GO.start(Setup(size=size))
    while not state.is_terminal():
        theirs = state.legal_actions()
        assert to_openspiel(size, plain.legal.tolist()) == theirs
        allowed = to_openspiel(size, strict.legal.tolist())
        for action in set(theirs) - set(allowed):
            assert state.child(action).is_terminal(), "superko forbids a move that repeats nothing"
        assert set(allowed) <= set(theirs)
        likely_pass = plain.ply > points and rng.random() < 0.1
        action = points if likely_pass else rng.choice(allowed)
        move = to_openspiel(size, [action])[0]
        state.apply_action(action)
        plain, strict = plain.play(move), strict.play(move)
        if state.is_terminal() and strict.ending is None:
            assert strict.ply == 4 * points, "a move that superko allows repeats a board"
            return False
    assert strict.ending == plain.ending == "two passes"
    assert strict.score == {1.0: 1.0, -1.0: 0.0}[state.returns()[0]]
    return True


@pytest.mark.parametrize(("size", "games"), [(3, 20), (5, 20), (9, 44), (13, 8), (19, 8)])
def test_openspiel_agrees(need_module: Callable[[str], ModuleType], size: int, games: int) -> None:
    pyspiel = need_module("pyspiel")
    counted = sum(play_beside(pyspiel, size, seed) for seed in range(games))
    assert counted > games // 2


@pytest.mark.slow
@pytest.mark.parametrize(("size", "games"), [(5, 200), (9, 500), (13, 200), (19, 100)])
def test_openspiel_agrees_in_a_thousand_games(need_module: Callable[[str], ModuleType], size: int, games: int) -> None:
    pyspiel = need_module("pyspiel")
    counted = sum(play_beside(pyspiel, size, seed) for seed in range(1000, 1000 + games))
    assert counted > games // 2


class Naive:
    """Go on a tuple of cells, every rule by its wording, nothing remembered but whole positions."""

    def __init__(self, position: GoPosition) -> None:
        self.size, self.flags = position.size, position.rules.flags
        self.cells: tuple[int, ...] = tuple(position.board.tolist())
        self.to_move, self.seen = position.to_move, [(tuple(position.board.tolist()), position.to_move)]

    def beside(self, at: int) -> list[int]:
        row, column = divmod(at, self.size)
        near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def without_breathless(self, cells: tuple[int, ...], colour: int) -> tuple[int, ...]:
        breathing = {at for at, cell in enumerate(cells) if cell == 0}
        grown = True
        while grown:
            more = {
                at
                for at, cell in enumerate(cells)
                if cell == colour and at not in breathing and any(near in breathing for near in self.beside(at))
            }
            grown = bool(more)
            breathing |= more
        return tuple(0 if cell == colour and at not in breathing else cell for at, cell in enumerate(cells))

    def after(self, move: int) -> tuple[int, ...] | None:
        """The cells after a move, None where it is not legal."""
        if move == self.size**2:
            return self.cells
        if self.cells[move]:
            return None
        own = self.to_move + 1
        placed = tuple(own if at == move else cell for at, cell in enumerate(self.cells))
        taken = self.without_breathless(placed, 3 - own)
        result = self.without_breathless(taken, own)
        lost = taken.count(own) - result.count(own)
        if lost and not self.flags & SUICIDE:
            return None
        if lost == 1 and not self.flags & LONE_SUICIDE:
            return None
        return None if self.repeats(result) else result

    def repeats(self, result: tuple[int, ...]) -> bool:
        if not self.flags & SUPERKO:  # the board one move ago, with the same side to move
            return len(self.seen) > 1 and self.seen[-2] == (result, 1 - self.to_move)
        if self.flags & SITUATIONAL:
            return (result, 1 - self.to_move) in self.seen
        return result in [cells for cells, _ in self.seen]

    def play(self, move: int) -> None:
        cells = self.after(move)
        assert cells is not None
        self.cells, self.to_move = cells, 1 - self.to_move
        self.seen.append((cells, self.to_move))


@settings(max_examples=40)
@given(
    size=st.integers(2, 5), rules=st.sampled_from(sorted(RULES)), seed=st.integers(0, 2**32), most=st.integers(10, 90)
)
def test_the_naive_board_agrees(size: int, rules: str, seed: int, most: int) -> None:
    rng = random.Random(seed)
    position = GO.start(Setup(size=size, rules=rules))
    naive = Naive(position)
    while len(position.legal) and position.ply < most:
        assert position.legal.tolist() == [m for m in range(size**2 + 1) if naive.after(m) is not None]
        stones = position.legal[:-1] if len(position.legal) > 1 and rng.random() < 0.95 else position.legal
        move = int(rng.choice(stones))
        position = position.play(move)
        naive.play(move)
        assert position.board.tolist() == list(naive.cells)


@settings(max_examples=40)
@given(size=st.integers(2, 9), seed=st.integers(0, 2**32), most=st.integers(0, 200))
def test_area_and_territory_differ_by_the_stones_played(size: int, seed: int, most: int) -> None:
    """Each stone played is a point by area, or a point for the other side once it is taken.

    So the margins differ by how many more stones Black played, and by the eyes that a seki costs.
    """
    rng = random.Random(seed)
    area, territory = GO.start(Setup(size=size, komi=0)), GO.start(Setup(size=size, rules="japanese", komi=0))
    stones = [0, 0]
    while len(area.legal) and area.ply < most:
        move = int(rng.choice(area.legal))
        stones[area.to_move] += move != size * size
        area, territory = area.play(move), territory.play(move)
    dead = [int(at) for at in np.flatnonzero(area.board) if rng.random() < 0.1]
    by_area, by_territory = GO.count(area, dead), GO.count(territory, dead)
    in_seki = by_area.owners[by_area.owners != by_territory.owners]
    lost_eyes = int((in_seki == 1).sum()) - int((in_seki == 2).sum())
    assert by_area.margin - by_territory.margin == stones[0] - stones[1] + lost_eyes


@pytest.mark.parametrize("path", FINISHED, ids=lambda path: path.stem)
def test_gnu_go_counts_the_same(path: Path, ask_gnugo: Callable[..., list[str]]) -> None:
    position = GO.read(path.read_text())
    dead = GO.guess_dead(position, np.random.default_rng(0))
    asked = (f"loadsgf {path}", "final_status_list dead", "final_score")
    for rules, option in (("japanese", "--japanese-rules"), ("chinese", "--chinese-rules")):
        _, listed, result = ask_gnugo(asked, option, "--level", "1")
        assert {vertex(position.size, at) for at in dead} == set(listed.split())
        counted = GO.count(replay(position, rules), dead)
        assert result == str(counted)


def replay(position: GoPosition, rules: str) -> GoPosition:
    """The same moves under other rules."""
    return GO.read(GO.write(position).replace("RU[japanese]", f"RU[{rules}]"))
