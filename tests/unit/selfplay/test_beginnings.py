"""Where games and networks of self-play begin (fewer men, weights of a model), and what an early end is worth."""

from pathlib import Path

import numpy as np
import pytest

from hitonami.core import open_game, walk_back
from hitonami.errors import BadModel, BadPosition, BadSpec
from hitonami.games.heian import Heian
from hitonami.models.encoders import start_for
from hitonami.models.encoders.cells import Cells
from hitonami.models.store import load_model
from hitonami.selfplay.boards import begin, draw_openings, open_lanes, thin
from hitonami.selfplay.forest import Forest, Looking
from hitonami.selfplay.network import Network
from hitonami.selfplay.pieces import piece_path, read_piece
from hitonami.selfplay.playing import Generation, Played
from hitonami.selfplay.recipe import PlaySpec
from hitonami.selfplay.whole import News, play_recipe

RECIPE = """
name = "tiny"
[network]
encoder = { name = "cells", fields = { game = "heian", variant = "8x8" } }
channels = 4
blocks = 1
squeeze = 2
norm = "batch"
policy = "squares"
policy_channels = 4
value_channels = 2
value_hidden = 4
[play]
games = 4
simulations = 4
most_plies = 12
[learn]
generations = 2
steps = 4
batch_size = 16
rate = 0.02
warm_up = 0
"""


def ignore(news: News) -> None: ...


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_men_are_taken_off_and_kings_stay() -> None:
    game = Heian()
    start = game.start()
    fewer = game.without(start, [0, 4, 80])  # a lance, a king, a lance
    assert game.write(fewer) == "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSN1 b - 1"
    with pytest.raises(BadPosition, match="bare king"):
        game.without(start, range(40))
    assert np.count_nonzero(start.cells) == 36, "the start is as it was"


def test_games_begin_with_fewer_men() -> None:
    """Each with a share of its own, some with all; the same seed takes the same ones. The rules go on from there."""
    encoder, game = Cells("heian", variant="8x8"), Heian()
    spec = PlaySpec(games=30, simulations=2, most_plies=4, thinned=0.8, thinned_games=0.5)

    def even(states: np.ndarray, *_: object) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(states), open_lanes(encoder).head_size), np.float32), np.full(
            (len(states), 3), 1 / 3, "f4"
        )

    played = Generation(encoder, spec, [3], 0.0).play(even)
    starts = np.concatenate([[0], np.cumsum(played.lengths)[:-1]])
    boards = played.states[starts, :64]
    men = np.count_nonzero(boards, axis=1)
    assert 6 < (men == 32).sum() < 24
    assert men.min() < 16
    assert ((boards == 1).sum(1) == 1).all()
    assert ((boards == -1).sum(1) == 1).all()
    for state, places in zip(played.states[starts], played.places[starts], strict=True):
        here = game.without(game.start(encoder.setup), np.flatnonzero(state[:64] == 0).tolist())
        assert sorted(places[places >= 0].tolist()) == sorted(encoder.head_index(here).tolist())
    assert np.array_equal(played.states, Generation(encoder, spec, [3], 0.0).play(even).states)


def test_a_game_that_has_no_fewer_men_says_so() -> None:
    with pytest.raises(BadSpec, match="connect-four cannot be played with fewer men"):
        thin(open_game("connect-four").start(), 0.5, np.random.default_rng(0))


def test_an_early_end_is_worth_more() -> None:
    from hitonami.selfplay.learner import fade

    wdl = np.array([[1, 0, 0], [0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float16)
    nothing = np.zeros((5, 1), np.float16)
    piece = Played(nothing, nothing, nothing, wdl, nothing, np.array([3, 2]), np.zeros(2), np.zeros((2, 2)))  # type: ignore[arg-type]
    assert np.array_equal(fade(piece, 1.0), wdl)
    wanted = np.array([[0.25, 0.75, 0], [0, 0.5, 0.5], [1, 0, 0], [0, 0.5, 0.5], [0, 1, 0]])
    assert np.allclose(fade(piece, 0.5), wanted)


def test_pieces_are_worth_what_the_recipe_says() -> None:
    encoder = Cells("heian", variant="8x8")
    head = open_lanes(encoder).head_size
    games = []
    for worth in (0.4, 0.1):
        spec = PlaySpec(games=8, simulations=4, most_plies=30, counted_worth=worth)
        generation = Generation(encoder, spec, [4], 0.0, is_counted=True)
        games.append(
            generation.play(
                lambda states, *_: (np.zeros((len(states), head), "f4"), np.full((len(states), 3), 1 / 3, "f4"))
            )
        )
    wide, narrow = (np.asarray(each.scores) - 0.5 for each in games)
    assert np.abs(wide).max() > 0
    assert np.allclose(wide, 4 * narrow, atol=1e-5)


def test_draws_are_worth_less_to_the_side_that_looks() -> None:
    """Only within the search, and to either side alike: a game that is drawn is drawn."""
    encoder = Cells("gomoku", size=5)
    lanes, rng = open_lanes(encoder), np.random.default_rng(0)
    head = lanes.head_size

    def even(states: np.ndarray, *_: object) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(states), head), "f4"), np.tile(np.array([0, 1, 0], "f4"), (len(states), 1))

    position = start_for(encoder)
    while position.score != 0.5:
        position = start_for(encoder)
        while len(position.legal):
            position = position.play(int(rng.choice(position.legal)))
    line = list(walk_back(position))
    for root in (line[1], line[2]):
        found = []
        for contempt in (0.0, 0.3):
            forest = Forest(lanes, 1, Looking(8, contempt=contempt))
            forest.plant(np.zeros(1, np.int32), *begin(lanes, [root]), even)
            forest.search(np.ones(1, np.bool_), even)
            score = float(forest.nodes[0, 0]["score"])
            found.append(score if root.to_move == 0 else 1 - score)
        assert found[0] == 0.5
        assert 0.2 < found[1] < 0.4
    played = Generation(encoder, PlaySpec(games=12, simulations=4, contempt=0.3), [1], 0.0).play(even)
    assert 0.5 in played.scores
    assert set(played.scores.tolist()) <= {0.0, 0.5, 1.0}


def test_a_run_goes_on_from_a_model(tmp_path: Path) -> None:
    """Its first network says what the model says; it learns from there, and its card tells so."""
    recipe = write(tmp_path / "one.toml", RECIPE)
    first = play_recipe(recipe, tmp_path / "one", ignore)
    more = write(tmp_path / "two.toml", RECIPE + f'begin = "{first}"\n')
    second = play_recipe(more, tmp_path / "two", ignore)
    encoder = Cells("heian", variant="8x8")
    rng = np.random.default_rng(1)
    states, legal, counts = draw_openings(open_lanes(encoder), [start_for(encoder)] * 8, np.arange(8) * 3, rng)
    given = Network.load(first)(states, legal, counts)
    begun, learned = (
        Network.open(encoder, (tmp_path / "two" / "nets" / f"0000{at}.onnx").read_bytes(), 1)(states, legal, counts)
        for at in (0, 2)
    )
    assert np.allclose(begun[0], given[0], atol=1e-3)
    assert np.allclose(begun[1], given[1], atol=1e-3)
    assert not np.allclose(learned[1], given[1], atol=1e-3)
    told = [source.what for source in load_model(second).card.provenance]
    assert told == ["self-play from the rules alone, 8 games", "weights to start from: tiny", *told[:1]]
    assert len(read_piece(piece_path(tmp_path / "two", 0)).scores) == 4


def test_a_run_goes_on_from_its_own_network_alone(tmp_path: Path) -> None:
    first = play_recipe(write(tmp_path / "one.toml", RECIPE), tmp_path / "one", ignore)
    wider = RECIPE.replace("channels = 4\nblocks", "channels = 6\nblocks") + f'begin = "{first}"\n'
    with pytest.raises(BadModel, match="cannot go on from it: another network"):
        play_recipe(write(tmp_path / "two.toml", wider), tmp_path / "two", ignore)


@pytest.mark.parametrize("again_drawn", [True, False])
def test_a_position_that_stood_before_is_a_draw_to_a_search_that_wants_it_so(again_drawn: bool) -> None:
    """Two kings' steps and one step back: the second step back is the start again."""
    encoder, here = Cells("heian"), start_for(Cells("heian"))
    lanes = open_lanes(encoder)

    def sure(states: np.ndarray, *_: object) -> tuple[np.ndarray, np.ndarray]:
        first_wins = np.where(states[:, 81:82] == 0, np.array([[0.9, 0.0, 0.1]]), np.array([[0.1, 0.0, 0.9]]))
        return np.zeros((len(states), lanes.head_size), "f4"), first_wins.astype("f4")

    for text in ("5i5h", "5a5b", "5h5i"):
        here = here.play(here.game.parse(here, text))
    back = here.game.parse(here, "5b5a")
    forest = Forest(lanes, 1, Looking(200, c_puct=50.0, again_drawn=again_drawn))
    legal = np.zeros((1, lanes.most_moves), np.int32)
    legal[0, : len(here.legal)] = here.legal
    count = np.array([len(here.legal)], np.int32)
    forest.plant(np.zeros(1, np.int32), lanes.state_of(here)[None], legal, count, sure)
    assert forest.nodes[0, 0]["count"] == len(here.legal), "the root itself is looked at, however often it stood"
    forest.search(np.ones(1, np.bool_), sure)
    edge = next(each for each in forest.root_edges(0) if each["move"] == back)
    assert edge["visits"] > 0
    found = forest.nodes[0, edge["child"]]
    assert (found["over"], round(float(found["score"]), 3)) == ((1, 0.5) if again_drawn else (0, 0.9))
