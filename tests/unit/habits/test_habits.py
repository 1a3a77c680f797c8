"""Habits: scenes are the same however a board is turned, and kinds of moves stay within their number."""

import numpy as np
import pytest

from hitonami.core import Position, open_game
from hitonami.habits import habits_of

GO, OTHELLO = open_game("go"), open_game("othello")


def _random(game: str, plies: int, seed: int) -> list[int]:
    rng, position, moves = np.random.default_rng(seed), open_game(game).start(), list[int]()
    while len(moves) < plies and len(position.legal):
        moves.append(int(rng.choice(position.legal[: max(len(position.legal) - (game == "go"), 1)])))
        position = position.play(moves[-1])
    return moves


def _play(game: str, moves: list[int]) -> Position:
    position: Position = open_game(game).start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("plies", [1, 5, 14])
def test_a_game_of_go_turned_is_the_same_scene_with_the_same_moves(plies: int, seed: int) -> None:
    habits, moves = habits_of("go"), _random("go", plies, seed)
    here = _play("go", moves)
    for image in GO.images(19):  # type: ignore[attr-defined]
        there = _play("go", [int(image[move]) for move in moves])
        for one, other in zip(habits.view(here), habits.view(there), strict=True):
            assert one.name == other.name
            if not one.name:
                continue
            assert [one.move(int(move)) for move in here.legal] == [other.move(int(image[move])) for move in here.legal]
        legal = here.legal.astype(np.int64)
        begins = np.array([0, len(legal)])
        assert np.array_equal(habits.sort([here], legal, begins), habits.sort([there], image[legal], begins))


def test_a_corner_is_the_same_whatever_stands_elsewhere() -> None:
    habits = habits_of("go")
    one = _play("go", [GO.parse(_play("go", []), text) for text in ("D4", "Q16", "F3", "C6")])
    other = _play("go", [GO.parse(_play("go", []), text) for text in ("D4", "R17", "F3", "C6")])
    assert habits.view(one)[1].name == habits.view(other)[1].name
    assert habits.view(one)[2].name != habits.view(other)[2].name
    tenuki = {habits.view(one)[1].move(GO.parse(one, text)) for text in ("Q4", "R10", "Q17", "pass")}
    assert len(tenuki) == 1


def test_openings_of_othello_are_the_same_whichever_way_they_are_turned() -> None:
    habits = habits_of("othello")
    firsts = [_play("othello", [OTHELLO.parse(OTHELLO.start(), text)]) for text in ("f5", "c4", "d3", "e6")]
    assert len({habits.view(each)[0].name for each in firsts}) == 1
    answers = {
        habits.view(each)[0].move(OTHELLO.parse(each, text))
        for each, text in zip(firsts, ("d6", "e3", "c5", "f4"), strict=True)
    }
    assert len(answers) == 1
    start = habits.view(OTHELLO.start())[0]
    assert len({start.move(int(move)) for move in OTHELLO.start().legal}) == 1


@pytest.mark.parametrize("game", ["chess", "go", "othello"])
def test_kinds_stay_within_their_number(game: str) -> None:
    habits = habits_of(game)
    positions = [_play(game, _random(game, plies, plies)) for plies in (0, 3, 20, 41, 57)]
    positions = [position for position in positions if len(position.legal)]
    moves = np.concatenate([position.legal for position in positions]).astype(np.int64)
    begins = np.concatenate([[0], np.cumsum([len(position.legal) for position in positions])])
    kinds = habits.sort(positions, moves, begins)
    assert kinds.shape == (len(moves), len(habits.kinds))
    assert (kinds >= 0).all()
    assert (kinds.max(axis=0) < [size for _, size in habits.kinds]).all()
