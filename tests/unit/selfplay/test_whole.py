"""Runs of self-play: games by the rules, the same for a seed, gone on with where they were killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami.core import open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.models.encoders.cells import Cells
from hitonami.models.store import load_model
from hitonami.selfplay.boards import open_lanes
from hitonami.selfplay.pieces import piece_path, read_piece, write_piece
from hitonami.selfplay.playing import Generation, Played
from hitonami.selfplay.recipe import PlaySpec
from hitonami.selfplay.whole import News, export_generation, play_recipe

RECIPE = """
name = "tiny"
[network]
encoder = { name = "cells", fields = { game = "connect-four" } }
channels = 4
blocks = 1
squeeze = 2
norm = "batch"
policy = "flat"
policy_channels = 2
value_channels = 2
value_hidden = 4
[play]
games = 6
simulations = 6
resign_below = 0.2
played_out = 0.5
[learn]
generations = 3
steps = 4
batch_size = 16
[gate]
every = 2
games = 4
simulations = 4
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path


def ignore(news: News) -> None: ...


def even(lanes: Any) -> Any:
    return lambda states, *_: (
        np.zeros((len(states), lanes.head_size), np.float32),
        np.tile(np.array([0.5, 0.1, 0.4], np.float32), (len(states), 1)),
    )


def play(game: str, spec: PlaySpec, seed: int, **fields: Any) -> tuple[Cells, Played]:
    encoder = Cells(game, **fields)
    return encoder, Generation(encoder, spec, [seed], spec.resign_below).play(even(open_lanes(encoder)))


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize(
    ("game", "fields"),
    [
        ("connect-four", {}),
        ("othello", {}),
        ("heian", {"variant": "8x8"}),
        ("breakthrough", {"size": 5}),
        ("hex", {"size": 4}),
        ("gomoku", {"size": 5}),
        ("renju", {}),
    ],
)
def test_games_follow_the_rules(game: str, fields: dict[str, Any], root: Any) -> None:
    """Every position that is learned from has the moves that the game's own rules allow there."""
    spec = PlaySpec(games=3, simulations=6, root=root, considered=3, most_plies=60)
    encoder, played = play(game, spec, 5, **fields)
    assert played.lengths.sum() == len(played.states)
    at = 0
    for length, score in zip(played.lengths.tolist(), played.scores.tolist(), strict=True):
        position = open_game(game).start(encoder.setup)
        for ply in range(length):
            places = played.places[at + ply]
            assert sorted(places[places >= 0].tolist()) == sorted(encoder.head_index(position).tolist())
            assert played.wdl[at + ply] @ [1, 0.5, 0] == (score if position.to_move == 0 else 1 - score)
            assert abs(float(played.policy[at + ply].sum()) - 1) < 0.01
            if ply + 1 < length:
                position = follow(encoder, position, played.states[at + ply + 1])
        at += length


def follow(encoder: Cells, position: Any, state: Any) -> Any:
    """The position after the move that leads to a state."""
    points = encoder.shape[0] * encoder.shape[1]
    for move in position.legal.tolist():
        after = position.play(move)
        if np.array_equal(encoder.read_states([after])[0][: points + 1], state[: points + 1]):
            return after
    raise AssertionError("no legal move leads there")


def test_the_same_seed_plays_the_same_games() -> None:
    spec = PlaySpec(games=4, simulations=8)
    one, other, third = (play("connect-four", spec, seed)[1] for seed in (1, 1, 2))
    assert np.array_equal(one.states, other.states)
    assert np.array_equal(one.policy, other.policy)
    assert one.states.shape != third.states.shape or not np.array_equal(one.states, third.states)


def test_games_may_begin_after_moves_at_random() -> None:
    """Each with a number of them of its own; none is learned from, and the same seed draws the same ones."""
    spec = PlaySpec(games=40, simulations=2, opening_plies=6)
    _, played = play("connect-four", spec, 3)
    starts = np.concatenate([[0], np.cumsum(played.lengths)[:-1]])
    men = np.count_nonzero(played.states[starts, :42], axis=1)
    assert set(men.tolist()) == set(range(7))
    assert len(np.unique(played.states[starts[men == 3]], axis=0)) > 1
    assert np.array_equal(played.states, play("connect-four", spec, 3)[1].states)


def test_games_that_are_given_up_are_lost_and_some_are_played_out() -> None:
    spec = PlaySpec(games=24, simulations=8, resign_below=0.49, played_out=0.5, temperature_plies=40)
    _, played = play("connect-four", spec, 3)
    kept = ~np.isnan(played.lowest).any(1)
    assert 0 < kept.sum() < 24
    assert played.lengths[kept].mean() > played.lengths[~kept].mean()
    assert played.figures["resigned"] == (~kept).mean()


def test_what_does_not_end_is_drawn_or_counted() -> None:
    spec = PlaySpec(games=6, simulations=4, most_plies=40)
    encoder = Cells("heian")
    lanes = open_lanes(encoder)
    drawn, counted = (Generation(encoder, spec, [4], 0.0, is_counted=each).play(even(lanes)) for each in (False, True))
    assert np.array_equal(drawn.states, counted.states)
    assert (drawn.scores == 0.5).all()
    ends = np.cumsum(counted.lengths) - 1
    ahead = np.sign(np.sign(counted.states[ends, :81]).sum(1))
    assert len(set(counted.scores.tolist())) > 1
    assert (np.abs(np.sign(counted.scores - 0.5) - ahead) <= 1).all(), "one more move was played"
    assert np.all((counted.scores > 0.0) & (counted.scores < 1.0)), "a win is worth more"
    assert len(set(counted.scores.tolist())) > 2, "two pieces more are worth more than one"
    scores, movers = np.repeat(counted.scores, counted.lengths), counted.states[:, 81]
    assert np.allclose(counted.wdl @ [1, 0.5, 0], np.where(movers == 0, scores, 1 - scores), atol=1e-3)
    assert np.allclose(counted.wdl.sum(1), 1.0, atol=1e-3)


def test_a_piece_comes_back_as_it_was(tmp_path: Path) -> None:
    _, played = play("connect-four", PlaySpec(games=2, simulations=4), 1)
    write_piece(played, piece_path(tmp_path, 3))
    back = read_piece(piece_path(tmp_path, 3))
    assert back.figures == played.figures
    assert all(
        np.array_equal(getattr(back, name), getattr(played, name), equal_nan=True) for name in ("states", "lowest")
    )
    piece_path(tmp_path, 3).write_bytes(b"PK nothing")
    with pytest.raises(BadInput, match="00003"):
        read_piece(piece_path(tmp_path, 3))


def test_a_run_that_was_killed_ends_as_one_that_was_not(recipe: Path, tmp_path: Path) -> None:
    """Killed with -9 at several moments: the same weights, and no game counted twice."""
    model = play_recipe(recipe, tmp_path / "whole", ignore)
    command = [sys.executable, "-m", "hitonami", "selfplay", str(recipe), "--out", str(tmp_path / "killed")]
    for kill_when in ("nets/00001.onnx", "games/00001.npz", None):
        begun = (tmp_path / "killed" / "run.json").exists()
        run = subprocess.Popen(
            [*command, *(["--resume"] if begun else [])], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        while kill_when and run.poll() is None and not (tmp_path / "killed" / kill_when).exists():
            time.sleep(0.01)
        if kill_when:
            run.send_signal(signal.SIGKILL)
        run.wait()
    assert (tmp_path / "killed" / "model" / "model.onnx").read_bytes() == (model / "model.onnx").read_bytes()
    states = [json.loads((tmp_path / name / "state.json").read_text()) for name in ("whole", "killed")]
    for state in states:
        assert [row["games"] for row in state["rows"]] == [6.0, 6.0, 6.0]
        assert state["generation"] == 3
    assert states[0]["champion"] == states[1]["champion"]
    assert [row["length"] for row in states[0]["rows"]] == [row["length"] for row in states[1]["rows"]]


def test_the_network_of_a_generation_is_a_model(recipe: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    last = play_recipe(recipe, run, ignore)
    first, third = (export_generation(recipe, run, number) for number in (1, 3))
    assert load_model(first).card.name == "tiny-1"
    assert "6 games" in load_model(first).card.provenance[0].what
    assert (third / "model.onnx").read_bytes() == (last / "model.onnx").read_bytes()
    assert (first / "model.onnx").read_bytes() != (last / "model.onnx").read_bytes()
    with pytest.raises(BadInput, match="no network of generation 9; the last is 3"):
        export_generation(recipe, run, 9)


def test_a_finished_run_goes_on_when_more_generations_are_asked_for(recipe: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = load_model(play_recipe(recipe, run, ignore)).card
    recipe.write_text(RECIPE.replace("generations = 3", "generations = 4"))
    longer = load_model(play_recipe(recipe, run, ignore, resume=True)).card
    assert json.loads((run / "state.json").read_text())["generation"] == 4
    assert "24 games" in longer.provenance[0].what
    assert longer.model_sha256 != first.model_sha256


def test_a_run_of_an_earlier_version_goes_on(recipe: Path, tmp_path: Path) -> None:
    """Keys that its recipe did not have yet are as they were then."""
    play_recipe(recipe, tmp_path / "run", ignore)
    told = json.loads((tmp_path / "run" / "run.json").read_text())
    del told["recipe"]["play"]["opening_plies"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(told))
    recipe.write_text(RECIPE.replace("generations = 3", "generations = 4"))
    assert play_recipe(recipe, tmp_path / "run", ignore, resume=True).name == "model"


def test_a_folder_belongs_to_one_recipe(recipe: Path, tmp_path: Path) -> None:
    play_recipe(recipe, tmp_path / "run", ignore)
    with pytest.raises(BadInput, match="--resume"):
        play_recipe(recipe, tmp_path / "run", ignore)
    recipe.write_text(RECIPE.replace("simulations = 6", "simulations = 7"))
    with pytest.raises(BadInput, match="another recipe"):
        play_recipe(recipe, tmp_path / "run", ignore, resume=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("steps = 4", "step = 4", "unknown key 'learn.step'.*steps"),
        ('policy = "flat"', 'policy = "flat"\nexpert = true', "one trunk, one head"),
        ("every = 2", "every = 2\nelo1 = -3", "elo0 must be less"),
        ('name = "cells", fields = { game = "connect-four" }', 'name = "lc0"', "takes the encoder cells"),
    ],
)
def test_what_is_wrong_is_named(recipe: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    recipe.write_text(RECIPE.replace(old, new))
    with pytest.raises(BadSpec, match=message):
        play_recipe(recipe, tmp_path / "run", ignore)


@pytest.mark.slow
@pytest.mark.parametrize("where", [{"jobs": 2}, {"cluster": "local"}])
def test_parts_are_the_same_wherever_they_are_played(recipe: Path, tmp_path: Path, where: dict[str, Any]) -> None:
    """On two processes, and on Ray where it is installed."""
    if "cluster" in where:
        pytest.importorskip("ray")
    recipe.write_text(
        RECIPE.replace("games = 6\n", "games = 6\nparts = 3\n").replace("generations = 3", "generations = 1")
    )
    here = play_recipe(recipe, tmp_path / "here", ignore)
    there = play_recipe(recipe, tmp_path / "there", ignore, **where)
    assert (here / "model.onnx").read_bytes() == (there / "model.onnx").read_bytes()
    assert len(read_piece(piece_path(tmp_path / "there", 0)).scores) == 6


@pytest.mark.slow
def test_a_worker_of_the_cluster_that_is_killed_costs_its_part_alone(recipe: Path, tmp_path: Path) -> None:
    """Killed with -9 while it plays: its part is played again, and the run ends as an undisturbed one does."""
    pytest.importorskip("ray")
    recipe.write_text(
        RECIPE.replace("games = 6\nsimulations = 6", "games = 96\nparts = 6\nsimulations = 200").replace(
            "generations = 3", "generations = 1"
        )
    )
    model = play_recipe(recipe, tmp_path / "here", ignore)
    command = [sys.executable, "-m", "hitonami", "selfplay", str(recipe), "--cluster", "local"]
    run = subprocess.Popen([*command, "--out", str(tmp_path / "there")], stderr=subprocess.DEVNULL)
    killed = 0
    while run.poll() is None and not killed:
        found = subprocess.run(["pgrep", "-f", "^ray::_call"], capture_output=True, text=True, check=False)
        for worker in found.stdout.split():
            os.kill(int(worker), signal.SIGKILL)
            killed += 1
        time.sleep(0.05)
    assert run.wait() == 0
    assert killed
    assert (tmp_path / "there" / "model" / "model.onnx").read_bytes() == (model / "model.onnx").read_bytes()
    assert json.loads((tmp_path / "there" / "state.json").read_text())["rows"][0]["games"] == 96.0
