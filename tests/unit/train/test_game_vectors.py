"""Games as vectors: the loss is the published one, unseen people are told apart, tokens are of own moves."""

from pathlib import Path

import numpy as np
import pytest
import torch

from hitonami.core import Setup, open_game
from hitonami.dataset.columns import columns_of
from hitonami.dataset.shards import table_of
from hitonami.minds import neural
from hitonami.records import Record
from hitonami.style.identification import identify, match_cosines
from hitonami.train.game_vectors import VectorLesson, embed_games, ge2e_loss, learn_vectors
from hitonami.train.tokens import OWN_MOVES, Eye, Tokens, fit_gaze, look_at_games, pairs_of

LESSON = VectorLesson(width=32, layers=1, heads=2, size=16, people=6, games=4, steps=60, dropout=0.0)


def habits(people: int, each: int, likes: np.ndarray, seed: int = 0) -> Tokens:
    """Tokens of people who are `likes` apart, with noise; every third game is short."""
    rng = np.random.default_rng(seed)
    centre = np.repeat(likes[:people], each, axis=0)[:, None]
    seen = np.clip(centre + rng.normal(0, 20, (people * each, 6, likes.shape[1])), -127, 127).astype(np.int8)
    lengths = np.where(np.arange(people * each) % 3 == 0, 3, 6)
    return Tokens(seen, lengths, np.arange(people * each) % 2)


def test_loss_is_the_published_formula() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(3, 4, 5))
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    slow = []
    for person in range(3):
        for game in range(4):
            odds = []
            for other in range(3):
                rows = [vectors[other, at] for at in range(4) if (other, at) != (person, game)]
                mean = np.mean(rows, axis=0)
                odds.append(7.0 * vectors[person, game] @ mean / np.linalg.norm(mean) - 2.0)
            slow.append(np.log(np.exp(odds).sum()) - odds[person])
    found = ge2e_loss(torch.from_numpy(vectors), torch.tensor(7.0), torch.tensor(-2.0))
    assert found.item() == pytest.approx(np.mean(slow), abs=1e-6)


def test_people_who_did_not_teach_are_told_apart() -> None:
    likes = np.random.default_rng(2).normal(0, 12, (40, 24))
    taught, asked = habits(30, 8, likes), habits(10, 12, likes[30:], seed=9)
    net = learn_vectors(taught, np.repeat(np.arange(30), 8), LESSON)
    vectors = embed_games(net, asked, batch=50)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(120), abs=1e-5)
    rows = list(np.arange(120).reshape(10, 12))
    assert identify(match_cosines, vectors, rows, (6, 6)).mean() >= 0.8
    noise = np.random.default_rng(3).normal(size=(120, 16)).astype(np.float32)
    assert identify(match_cosines, noise, rows, (6, 6)).mean() < 0.5


def test_what_lies_beyond_the_end_of_a_game_counts_nothing() -> None:
    held = habits(2, 4, np.random.default_rng(4).normal(0, 12, (2, 24)))
    net = learn_vectors(held, np.repeat([0, 1], 4), VectorLesson(width=16, heads=2, size=8, people=2, games=4, steps=2))
    other = Tokens(held.seen.copy(), held.lengths, held.sides)
    other.seen[held.lengths == 3, 3:] = 99
    assert embed_games(net, other) == pytest.approx(embed_games(net, held), abs=1e-5)


def test_tokens_are_the_positions_around_own_moves() -> None:
    rng, position = np.random.default_rng(5), open_game("chess").start(Setup())
    positions = [position]
    moves: list[int] = []
    while len(moves) < 41 and len(position.legal):
        moves.append(int(rng.choice(position.legal)))
        position = position.play(moves[-1])
        positions.append(position)
    games = columns_of(table_of([Record("chess", Setup(), tuple(moves))], [""]), "chess")
    pairs = pairs_of(games, 1)
    plies = [2 * own + 1 for own in OWN_MOVES if 2 * own + 1 < len(moves)]
    assert [(before.ply, after.ply) for before, after in pairs] == [(ply, ply + 1) for ply in plies]
    assert all(before.to_move == 1 for before, _ in pairs)
    eye = Eye(Path(neural.__file__).with_name("_sample_network.pb.gz"), 1)
    gaze = fit_gaze(eye.see([each for pair in pairs for each in pair]), 3)  # type: ignore[misc]
    held = look_at_games(games, [1, 0], eye, gaze)
    alone = gaze.reduce(eye.see([pairs[2][0]]))  # type: ignore[list-item]
    assert held.lengths[0] == len(pairs)
    assert np.abs(held.seen[0, 2, : alone.shape[1]].astype(int) - alone[0]).max() <= 1
    assert not held.seen[0, len(pairs) :].any()
    assert held.sides.tolist() == [1, 0]
    assert not np.array_equal(held.seen[0], held.seen[1])
