"""A board given once for several players gives what giving it every time does."""

import numpy as np
import pytest

from hitonami.core import Effort, Player, Query, open_game
from hitonami.minds.neural import Neural
from hitonami.models._shared_trunk import WHICH_BOARD, share_trunk
from hitonami.models.sessions import open_session
from hitonami.models.shipped import shipped_models
from hitonami.models.store import load_model
from hitonami.specs import open_mind

RATINGS = {"chess": (900.0, 1500.0, 2300.0), "go": (8.0, 20.0, 31.0), "shogi": (21.0, 27.0, 33.0)}
"""Of the networks that are told ratings."""


def _queries(game: str) -> list[Query]:
    """Two positions, each for three ratings, and the first once more."""
    position = open_game(game).start()
    later = position.play(int(position.legal[3]))
    players = [Player(rating) for rating in RATINGS[game]]
    queries = [Query(board, player, player) for board in (position, later) for player in players]
    return [*queries, queries[0]]


@pytest.mark.parametrize("game", sorted(RATINGS))
def test_outputs_equal_those_of_the_plain_network(game: str) -> None:
    model = load_model(shipped_models("human")[game])
    shared = share_trunk(model.onnx)
    assert shared is not None
    arrays = model.card.open_encoder().encode(_queries(game))
    inputs = {name: arrays[name] for name in model.card.inputs}
    names = [name for name in model.card.heads.model_dump().values() if name]
    plain = open_session(model.onnx, 1).run(names, inputs)
    boards = {name: array[[0, 3, 6]] for name, array in inputs.items() if name not in ("player", "pool")}
    which = np.array([0, 0, 0, 1, 1, 1, 2], dtype=np.int64)
    split = open_session(shared, 1).run(names, inputs | boards | {WHICH_BOARD: which})
    for name, whole, parted in zip(names, plain, split, strict=True):
        np.testing.assert_allclose(parted, whole, atol=2e-5, err_msg=name)


@pytest.mark.parametrize("game", sorted(RATINGS))
def test_the_mind_joins_what_belongs_together(game: str) -> None:
    queries = _queries(game)
    with open_mind({"kind": "neural", "model": str(shipped_models("human")[game]), "cache": 0}) as mind:
        together = mind(queries, Effort.seeded())
        alone = [mind([query], Effort.seeded())[0] for query in queries]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.log_probs, other.log_probs, atol=1e-4)
    assert not np.allclose(together[0].log_probs, together[2].log_probs, atol=1e-3)  # ratings are still told apart


def test_a_network_that_hears_of_nobody_is_left_alone() -> None:
    model = load_model(str(Neural.EXAMPLES[0]["model"]))
    assert share_trunk(model.onnx) is None
