"""A mind that sketches is searched as if it had thought every leaf through, and is asked to for fewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Player, Query, open_game
from hitonami.minds.foresight import FittedForesight
from hitonami.minds.opening import Opening
from hitonami.minds.puct import Puct
from hitonami.search.rounds import Sketching


@dataclass
class Thinker:
    """Expects what the number of legal moves says, and likes moves by their ids once it has thought them through."""

    finished: int = 0
    asked: list[int] = field(default_factory=list)

    def sketch(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked.append(len(queries))
        return [
            Opinion(dist.normalise(np.zeros(len(legal))), np.array([share, 0.1, 0.9 - share], dtype=np.float32))
            for legal in (query.position.legal for query in queries)
            for share in [0.1 + 0.8 * (len(legal) * 37 % 50) / 50 * 0.9]
        ]

    def finish(self, queries: Sequence[Query], sketches: Sequence[Opinion]) -> list[Opinion]:
        self.finished += len(queries)
        return [
            Opinion(dist.normalise(np.sin(query.position.legal.astype(np.float64))), sketch.wdl)
            for query, sketch in zip(queries, sketches, strict=True)
        ]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return self.finish(queries, self.sketch(queries, effort))


def _plain(mind: Mind) -> Mind:
    """The same mind, all of it at once."""

    def ask(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return mind(queries, effort)

    return ask


def _queries() -> list[Query]:
    texts = (
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/4k3/8/4K3/4R3/8 w - - 9 9",
    )
    return [Query(open_game("chess").read(text), Player(1500.0), Player(1600.0)) for text in texts]


@pytest.mark.parametrize("fields", [{}, {"kl": "root", "kl_untried": "parent", "root_force": 0.0}, {"kl": "tree"}])
def test_the_search_is_the_same_and_asks_less(fields: dict[str, Any]) -> None:
    thinker = Thinker()
    whole = Puct(_plain(Thinker()), simulations=120, **fields)(_queries(), Effort.seeded())
    told = Puct(thinker, simulations=120, **fields)(_queries(), Effort.seeded())
    for one, other in zip(whole, told, strict=True):
        assert np.array_equal(one.log_probs, other.log_probs)
        assert [(line.moves, line.visits) for line in one.lines] == [(line.moves, line.visits) for line in other.lines]
    assert thinker.finished < 0.7 * sum(thinker.asked)


def test_a_tree_that_is_gone_on_with_keeps_its_sketches() -> None:
    answers = []
    for mind in (Thinker(), _plain(Thinker())):
        puct = Puct(mind, simulations=60, reuse="always")
        query = _queries()[1]
        puct([query], Effort.seeded())
        answers.append(puct([query.after(int(query.position.legal[0]))], Effort.seeded())[0])
        answers.append(puct([query], Effort.seeded())[0])
    assert np.array_equal(answers[0].log_probs, answers[2].log_probs)
    assert np.array_equal(answers[1].log_probs, answers[3].log_probs)


def test_openings_over_foresight_sketch() -> None:
    inner = Thinker()
    mind = Opening(FittedForesight(inner, lambda game: False))
    assert isinstance(mind, Sketching)
    queries, effort = _queries(), Effort.seeded()
    sketched = mind.finish(queries, mind.sketch(queries, effort))
    for one, other in zip(sketched, mind(queries, effort), strict=True):
        assert np.array_equal(one.log_probs, other.log_probs)
