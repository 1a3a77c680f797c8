"""Boards seen in other ways: the same game turned gives the same input turned, and averaged answers turn with it."""

from functools import partial

import numpy as np
import pytest

from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.errors import BadModel
from hitonami.games.go import GoPosition
from hitonami.minds.neural import NetworkMind
from hitonami.models.encoders import Turning
from hitonami.models.encoders.katago_rated import KatagoRated
from hitonami.models.encoders.miniosl_rated import MinioslRated
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.shipped import shipped_models
from hitonami.models.store import Model, load_model

ENCODER = KatagoRated(pools=("ogs",))


def random_moves(size: int, seed: int, count: int) -> list[int]:
    """Moves of a game with captures: crowded in a corner, so that no symmetry is hidden by an even spread."""
    rng = np.random.default_rng(seed)
    position = open_game("go").start(Setup(size=size))
    moves: list[int] = []
    for _ in range(count):
        points = [move for move in position.legal.tolist() if move < size * size]
        moves.append(int(rng.choice([point for point in points if point % size < size - 2] or points)))
        position = position.play(moves[-1])
    return moves


def replay(size: int, moves: list[int]) -> GoPosition:
    position = open_game("go").start(Setup(size=size))
    for move in moves:
        position = position.play(move)
    assert isinstance(position, GoPosition)
    return position


def turned_game(encoder: Turning, size: int, moves: list[int], way: int) -> GoPosition:
    return replay(size, encoder.head_turn(size * size + 1, way)[moves].tolist())


@pytest.mark.parametrize("size", [7, 9])
def test_a_game_that_is_played_turned_looks_like_its_board_turned(size: int) -> None:
    encoder = ENCODER
    moves = random_moves(size, seed=size, count=40)
    upright = encoder.encode([Query(replay(size, moves))])
    seen = set()
    for way in range(encoder.symmetries):
        wanted = encoder.encode([Query(turned_game(encoder, size, moves, way))])
        made = encoder.turn(upright, way)
        assert made.keys() == wanted.keys()
        assert all(np.array_equal(made[name], wanted[name]) for name in wanted)
        seen.add(made["planes"].tobytes())
    assert len(seen) == encoder.symmetries == 8  # no way twice, and way 0 is the board as it is
    assert np.array_equal(encoder.turn(upright, 0)["planes"], upright["planes"])


def test_small_boards_in_a_large_batch_keep_their_moves() -> None:
    """Turned in the corner of a larger board, a small one stands in another corner; its moves are found there."""
    encoder = ENCODER
    small, large = replay(9, random_moves(9, 1, 20)), replay(13, random_moves(13, 2, 20))
    arrays = encoder.encode([Query(small), Query(large)])
    places = encoder.head_indices([small, large])[0]
    for way in range(encoder.symmetries):
        on_board = encoder.turn(arrays, way)["planes"][0, 0].reshape(-1)
        moved = encoder.head_turn(13 * 13 + 1, way)[places]
        assert all(on_board[place] for place in moved.tolist() if place < 13 * 13)


@pytest.fixture(scope="module")
def go_model() -> Model:
    return load_model(shipped_models("human")["go"])


def ask(model: Model, position: GoPosition, symmetries: int) -> tuple[np.ndarray, np.ndarray]:
    with Runtime(model.card, model.onnx, Settings(1, 0, symmetries)) as runtime:
        query = Query(position, Player(25.0, "ogs"), Player(25.0, "ogs"))
        opinion = NetworkMind(runtime)([query], Effort.seeded())[0]
    assert opinion.wdl is not None
    return np.exp(opinion.log_probs), np.asarray(opinion.wdl)


def test_all_ways_averaged_the_answer_turns_with_the_board(go_model: Model) -> None:
    encoder = go_model.card.open_encoder()
    assert isinstance(encoder, Turning)
    moves = random_moves(9, 3, 20)
    upright = replay(9, moves)
    policy, wdl = ask(go_model, upright, 8)
    alone, _ = ask(go_model, upright, 1)
    assert np.abs(policy - alone).max() > 1e-3  # or there would be nothing to gain
    for way in (1, 4, 6):
        turned = turned_game(encoder, 9, moves, way)
        there, wdl_there = ask(go_model, turned, 8)
        at = dict(zip(turned.legal.tolist(), there.tolist(), strict=True))
        wanted = [at[place] for place in encoder.head_turn(82, way)[upright.legal].tolist()]
        assert policy == pytest.approx(wanted, abs=1e-4)
        assert wdl == pytest.approx(wdl_there, abs=1e-4)


def test_the_mean_is_the_geometric_mean_of_the_ways(go_model: Model) -> None:
    encoder = go_model.card.open_encoder()
    assert isinstance(encoder, Turning)
    moves = random_moves(9, 4, 25)
    upright = replay(9, moves)
    logs = np.zeros(len(upright.legal))
    for way in range(4):
        turned = turned_game(encoder, 9, moves, way)
        at = dict(zip(turned.legal.tolist(), ask(go_model, turned, 1)[0].tolist(), strict=True))
        logs += np.log([at[place] for place in encoder.head_turn(82, way)[upright.legal].tolist()]) / 4
    chances = np.exp(logs)
    assert ask(go_model, upright, 4)[0] == pytest.approx(chances / chances.sum(), abs=1e-4)


def test_views_that_a_game_does_not_have_are_refused(go_model: Model) -> None:
    chess = load_model(shipped_models("human")["chess"])
    with pytest.raises(BadModel, match="chess has no symmetries"):
        Runtime(chess.card, chess.onnx, Settings(1, 0, 2))
    with pytest.raises(BadModel, match="9 symmetries are asked for, a position has 8"):
        Runtime(go_model.card, go_model.onnx, Settings(1, 0, 9))
    wish = go_model.card.model_copy(update={"symmetries": 2})
    with Runtime(wish, go_model.onnx, Settings(1, 0)) as by_card:
        query = Query(replay(9, random_moves(9, 5, 10)))
        policy = NetworkMind(by_card)([query], Effort.seeded())[0].log_probs
    with Runtime(go_model.card, go_model.onnx, Settings(1, 0, 2)) as asked:
        assert np.array_equal(policy, NetworkMind(asked)([query], Effort.seeded())[0].log_probs)


# Shogi: left for right

DANGERS = {plane for first in (61, *range(68, 176, 16)) for plane in range(first, first + 3)}
"""Of several mates in one move one is shown, and which one depends on the order of squares."""
RETAKES = {plane for first in range(73, 176, 16) for plane in range(first, first + 3)}


def mirrored_usi(text: str) -> str:
    files = [str(10 - int(each)) if each.isdigit() else each for each in text]
    return "".join(files)


def random_shogi(seed: int, count: int) -> tuple[list[int], Position, Position]:
    """A game, its last position, and that of the same game played in a mirror from the mirrored start."""
    game, rng = open_game("shogi"), np.random.default_rng(seed)
    here = game.start()
    there = game.read("lnsgkgsnl/1b5r1/ppppppppp/9/9/9/PPPPPPPPP/1R5B1/LNSGKGSNL b - 1")
    moves: list[int] = []
    while len(moves) < count and len(here.legal):
        moves.append(int(rng.choice(here.legal)))
        text = mirrored_usi(game.format(here, moves[-1]))
        here, there = here.play(moves[-1]), there.play(game.parse(there, text))
    return moves, here, there


@pytest.mark.parametrize("seed", range(6))
def test_a_shogi_game_that_is_played_in_a_mirror_looks_mirrored(seed: int) -> None:
    game, encoder = open_game("shogi"), MinioslRated(pools=("shogi24",))
    _, here, there = random_shogi(seed, 30 + 11 * seed)
    made = encoder.turn(encoder.encode([Query(here)]), 1)["planes"][0]
    wanted = encoder.encode([Query(there)])["planes"][0]
    same = [plane for plane in range(len(wanted)) if plane not in DANGERS | RETAKES]
    assert len(same) > 120
    assert np.array_equal(made[same], wanted[same])
    at = dict(zip(map(partial(game.format, there), there.legal.tolist()), encoder.head_index(there), strict=True))
    moved = encoder.head_turn(encoder.head_size([here]), 1)[encoder.head_index(here)]
    assert [at[mirrored_usi(game.format(here, move))] for move in here.legal.tolist()] == moved.tolist()
    back = encoder.head_turn(encoder.head_size([here]), 1)
    assert np.array_equal(back[back], np.arange(len(back)))


def test_both_sides_of_the_mirror_get_one_answer() -> None:
    model, game = load_model(shipped_models("human")["shogi"]), open_game("shogi")
    _, here, there = random_shogi(9, 12)  # no mate is near
    with Runtime(model.card, model.onnx, Settings(1, 0, 2)) as runtime:
        one, other = NetworkMind(runtime)([Query(here), Query(there)], Effort.seeded())
    at = dict(zip(map(partial(game.format, there), there.legal.tolist()), other.log_probs.tolist(), strict=True))
    wanted = [at[mirrored_usi(game.format(here, move))] for move in here.legal.tolist()]
    assert np.exp(one.log_probs) == pytest.approx(np.exp(wanted), abs=1e-4)
