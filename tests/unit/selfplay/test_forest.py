"""Many trees in lockstep are the trees that the search of one position grows."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Opinion, Query, Setup, open_game
from hitonami.models.encoders import start_for
from hitonami.models.encoders.cells import Cells
from hitonami.search.kernels import BUSY
from hitonami.search.tree import Leaf, Settings, Tree
from hitonami.selfplay.arena import best_move
from hitonami.selfplay.boards import begin, open_lanes
from hitonami.selfplay.forest import Forest, Looking, visit_schedule


def answers(states: NDArray[np.int16], head: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What a network might say: a function of the board alone."""
    logits = np.empty((len(states), head), np.float32)
    chances = np.empty((len(states), 3), np.float32)
    for at, state in enumerate(states):
        rng = np.random.default_rng(np.abs(state[:81].astype(np.int64)) + 7 * (state[:81] < 0))
        logits[at] = rng.normal(size=head)
        chances[at] = rng.dirichlet(np.ones(3))
    return logits, chances


def search_alone(game: str, looking: Looking) -> NDArray[np.int32]:
    """Visits of the start's moves by the search that `puct` uses."""
    encoder = Cells(game)
    start = open_game(game).start()
    lanes: Any = encoder.lanes
    tree = Tree(Query(start), Settings(looking.knobs(), transpositions=False, batch=1))

    def opinion(position: Any) -> Opinion:
        logits, chances = answers(lanes.state_of(position)[None], lanes.head_size)
        own = logits[0][lanes.places[position.to_move][position.legal]].astype(np.float64)
        return Opinion((own - np.log(np.exp(own).sum())).astype(np.float32), chances[0])

    tree.plant(opinion(start))
    while tree.visits <= looking.simulations and not tree.proof:
        found = tree.seek()
        assert found != BUSY
        if isinstance(found, Leaf):
            found.absorb(opinion(found.query.position))
    return np.array(tree.root_edges["visits"])


@pytest.mark.parametrize("game", ["connect-four", "othello", "heian"])
def test_a_forest_searches_as_a_tree_does(game: str) -> None:
    looking = Looking(simulations=120)
    encoder = Cells(game)
    lanes = open_lanes(encoder)
    forest = Forest(lanes, 3, looking)
    rows = np.arange(3, dtype=np.int32)
    forest.plant(rows, *begin(lanes, [start_for(encoder)] * 3), lambda states, *_: answers(states, lanes.head_size))
    forest.search(np.array([True, False, True]), lambda states, *_: answers(states, lanes.head_size))
    wanted = search_alone(game, looking)
    for row in (0, 2):
        assert np.array_equal(forest.root_edges(row)["visits"], wanted)
    assert not forest.root_edges(1)["visits"].any()


def even(states: NDArray[np.int16], head: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return np.zeros((len(states), head), np.float32), np.full((len(states), 3), 1 / 3, np.float32)


@pytest.mark.parametrize("considered", [0, 7])
@pytest.mark.parametrize(
    ("start", "move"),
    [("7/7/7/7/ooo4/xxx4 x", 3), ("7/7/7/7/x6/ooo1xx1 x", 3)],
)
def test_wins_are_taken_and_losses_prevented(start: str, move: int, considered: int) -> None:
    encoder = Cells("connect-four")
    lanes = open_lanes(encoder)
    position = open_game("connect-four").start(Setup(start=start))
    forest = Forest(lanes, 1, Looking(simulations=64, considered=considered))
    legal = np.zeros((1, lanes.most_moves), np.int32)
    legal[0, : len(position.legal)] = position.legal
    counts = np.array([len(position.legal)], np.int32)
    row = np.zeros(1, np.int32)
    forest.plant(row, lanes.state_of(position)[None], legal, counts, lambda states, *_: even(states, 7))
    forest.search(np.ones(1, np.bool_), lambda states, *_: even(states, 7))
    assert best_move(forest, 0) == move


def test_sequential_halving_gives_each_round_the_better_half() -> None:
    table = visit_schedule(8, 48)
    assert table[8, :16].tolist() == [0] * 8 + [1] * 8
    assert table[8, 16:32].tolist() == [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4
    assert table[1].tolist() == list(range(48))
    assert (np.bincount(table[4], minlength=3)[:3] == 4).all()


def test_what_lies_below_a_move_is_kept() -> None:
    encoder = Cells("othello")
    lanes = open_lanes(encoder)
    forest = Forest(lanes, 2, Looking(simulations=80))
    rows = np.arange(2, dtype=np.int32)
    forest.plant(rows, *begin(lanes, [start_for(encoder)] * 2), lambda states, *_: answers(states, lanes.head_size))
    forest.search(np.ones(2, np.bool_), lambda states, *_: answers(states, lanes.head_size))
    edges = forest.root_edges(1).copy()
    best = int(edges["visits"].argmax())
    below = forest.nodes[1, edges[best]["child"]].copy()
    assert forest.keep_below(1, best)
    assert forest.nodes[1, 0]["visits"] == below["visits"]
    assert forest.sizes[1] <= edges[best]["visits"]
    start = open_game("othello").start()
    assert np.array_equal(forest.states[1, 0], lanes.state_of(start.play(int(edges[best]["move"]))))
    assert forest.root_edges(0)["visits"].sum() == 80


def test_trees_of_games_with_many_moves_have_room() -> None:
    """Every simulation of a board with 225 moves is a position that is kept."""
    encoder = Cells("gomoku")
    lanes = open_lanes(encoder)
    forest = Forest(lanes, 1, Looking(simulations=60))
    forest.plant(
        np.zeros(1, np.int32),
        *begin(lanes, [start_for(encoder)] * 1),
        lambda states, *_: answers(states, lanes.head_size),
    )
    forest.search(np.ones(1, np.bool_), lambda states, *_: answers(states, lanes.head_size))
    assert forest.sizes[0] == 61
