"""Agents that look ahead before they move."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from hitonami import levels
from hitonami.agent import Agent, open_agent, open_leaves
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.errors import BadSpec
from hitonami.knobs import Curve
from hitonami.looking import Looker, is_opening, look_further
from hitonami.specs import Room

CHESS = open_game("chess")
HANGING = "rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3"  # Bxg5 takes a queen
MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"  # Rd8 mates


@dataclass
class Plain:
    """All moves alike, even chances, and how many positions it was asked about."""

    asked: int = 0
    batches: list[int] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += len(queries)
        self.batches.append(len(queries))
        even = np.array([0.4, 0.2, 0.4], dtype=np.float32)
        return [Opinion(np.full(len(q.position.legal), -np.log(len(q.position.legal)), "f4"), even) for q in queries]


def chance_of(opinion: Opinion, query: Query, text: str) -> float:
    place = int(np.searchsorted(query.position.legal, CHESS.parse(query.position, text)))
    return float(np.exp(opinion.log_probs[place]))


def test_looks_find_what_the_first_impression_does_not() -> None:
    query, mind = Query(CHESS.read(MATE), Player(2300.0, "lichess")), Plain()
    [first] = look_further(Looker(mind), "", [query], 1, Effort.seeded())
    [looked] = look_further(Looker(mind), "", [query], 40, Effort.seeded())
    assert chance_of(looked, query, "Rd8#") > 3 * chance_of(first, query, "Rd8#")
    assert looked.wdl is not None
    assert first.wdl is not None
    assert (looked.wdl == first.wdl).all()  # manners were fitted to the mind's own word


def test_one_look_asks_the_mind_once_and_openings_are_not_looked_at() -> None:
    mind, query = Plain(), Query(CHESS.read(HANGING))
    look_further(Looker(mind), "", [query], 1, Effort.seeded())
    assert mind.asked == 1
    mind = Plain()
    start = Query(CHESS.start())
    assert is_opening(start.position)
    assert not is_opening(query.position)
    look_further(Looker(mind), "", [start], 16, Effort.seeded())
    assert mind.asked == 1
    look_further(Looker(mind), "", [query], 16, Effort.seeded())
    assert 10 <= mind.asked <= 1 + 1 + 16


def test_a_level_looks_as_far_as_was_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = Curve(((1700.0, 1.0), (2300.0, 13.0)))
    monkeypatch.setattr(levels, "looks_curve", lambda style, game, pool, size: curve if style == "human" else None)
    asked = {}
    for rating in (1500.0, 2000.0, 2300.0, None):
        mind = Plain()
        Agent(mind, style="human").think([Query(CHESS.read(HANGING), Player(rating, "lichess"))], Effort.seeded())
        asked[rating] = mind.asked
    assert asked[None] == asked[1500.0] == 1
    assert 1 < asked[2000.0] < asked[2300.0] <= 1 + 13
    mind = Plain()
    Agent(mind, style="human", looks=1).think([Query(CHESS.read(HANGING), Player(2300.0))], Effort.seeded())
    Agent(mind, draw="best", style="human").think([Query(CHESS.read(HANGING), Player(2300.0))], Effort.seeded())
    Agent(mind).think([Query(CHESS.read(HANGING), Player(2300.0))], Effort.seeded())
    assert mind.asked == 3


def test_searches_of_several_games_share_batches_and_none_depends_on_the_others() -> None:
    queries = [Query(CHESS.read(text), Player(2300.0)) for text in (HANGING, MATE)]
    mind = Plain()
    together = look_further(Looker(mind), "", queries, 12, Effort.seeded(3))
    assert set(mind.batches) == {2}
    alone = [look_further(Looker(Plain()), "", [query], 12, Effort.seeded(3))[0] for query in queries]
    for one, other in zip(together, alone, strict=True):
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-5)


def test_what_lies_below_the_first_position_is_asked_of_the_quicker_mind() -> None:
    query, mind, quick = Query(CHESS.read(HANGING), Player(2300.0, "lichess")), Plain(), Plain()
    Agent(mind, style="human", looks=16, leaves=quick).think([query], Effort.seeded())
    assert mind.asked <= 2
    assert quick.asked >= 10
    mind, quick = Plain(), Plain()
    Agent(mind, style="human", looks=1, leaves=quick).think([query], Effort.seeded())
    assert (mind.asked, quick.asked) == (1, 0)


def test_agents_of_human_glance_where_the_package_has_a_network_for_it() -> None:
    query = Query(CHESS.read(HANGING), Player(2300.0, "lichess"))
    with Room() as room:
        for mind, game in (("human:maia3-5m", "chess"), ("blend", "chess"), ("uniform", "chess"), ("human", "shogi")):
            assert open_leaves(room.open, mind, game) is None
        agent = open_agent(room, "human", "chess", None)
        assert agent.leaves is room.open("glance")
        assert agent.style == "human"
        [opinion] = room.open("glance")([query], Effort.seeded())
        [own] = room.open({"kind": "neural", "model": "chess-ahead"})([query], Effort.seeded())
    assert opinion.log_probs == pytest.approx(own.log_probs, abs=1e-6)


def test_a_game_without_such_a_network_is_told() -> None:
    with Room() as room, pytest.raises(BadSpec, match="no network for glances at go"):
        room.open("glance")([Query(open_game("go").start())], Effort.seeded())
