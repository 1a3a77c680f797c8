"""Networks as self-play asks them."""

import numpy as np
import pytest

from hitonami.core import open_game
from hitonami.models.encoders.cells import Cells
from hitonami.models.shipped import EMBEDDED
from hitonami.models.store import load_model
from hitonami.selfplay.network import Network

MODEL = EMBEDDED / "othello-expert"


@pytest.fixture(scope="module")
def states() -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    rng, encoder = np.random.default_rng(1), Cells("othello")
    positions = []
    for plies in range(4, 44, 4):
        position = open_game("othello").start()
        for _ in range(plies):
            position = position.play(int(rng.choice(position.legal)))
        positions.append(position)
    return encoder.read_states(positions)


def open_with(symmetries: int) -> Network:
    return Network.open(Cells("othello"), load_model(MODEL).onnx, 1, symmetries)


def test_the_mean_of_all_views_is_the_same_whichever_way_a_board_lies(
    states: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
) -> None:
    whole, single = open_with(8), open_with(1)
    encoder = whole.encoder
    assert encoder.lanes is not None
    turned = states.copy()
    turned[:, encoder.lanes.images[3]] = states[:, :64]
    turned[:, 65:67] = -1
    unmarked = states.copy()
    unmarked[:, 65:67] = -1  # last moves are turned with the planes; here they are left out
    nothing = np.zeros((len(states), 1), np.int32), np.zeros(len(states), np.int32)
    for network, is_equal in ((whole, True), (single, False)):
        logits, chances = network(unmarked, *nothing)
        there, turned_chances = network(turned, *nothing)
        back = there[:, encoder.head_turn(logits.shape[1], 3)]
        assert np.allclose(logits, back, atol=1e-3) == is_equal
        assert np.allclose(chances, turned_chances, atol=1e-4) == is_equal


def test_a_model_is_asked_by_as_many_views_as_its_card_says() -> None:
    card = load_model(MODEL).card
    views = Network.load(MODEL).views
    assert (views.count if views is not None else 1) == card.symmetries
