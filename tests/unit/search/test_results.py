"""Minds about results: calibration, one move on, along likely play; whose chances they are is never mixed up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve
from hitonami.levels import sized
from hitonami.minds.calibrate import Calibrate
from hitonami.minds.inner_product import InnerProduct
from hitonami.minds.pair import Pair
from hitonami.minds.realise import Realise
from hitonami.minds.uniform import Uniform
from hitonami.search.results import Walk, calibrated, ended_result, read_fitted

CHESS = open_game("chess")
chance = st.floats(0.01, 0.99)


@dataclass
class Judge:
    """Uniform moves; first-mover chances fixed by the player's rating, so that sides and ratings can be told apart."""

    asked: list[Query]
    calls: int = 0
    wdl_of_white: tuple[float, float, float] = (0.7, 0.2, 0.1)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.calls += 1
        self.asked += queries
        own = np.array(self.wdl_of_white, dtype=np.float32)
        return [
            Opinion(dist.uniform(len(query.position.legal)), own if query.position.to_move == 0 else own[::-1])
            for query in queries
        ]


@dataclass(frozen=True)
class Likely:
    """Gives the moves of `favourites` (in programs' notation) these probabilities, the others share what is left."""

    favourites: dict[str, float]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._opinion(query) for query in queries]

    def _opinion(self, query: Query) -> Opinion:
        position = query.position
        names = [position.game.format(position, int(move)) for move in position.legal]
        held = [self.favourites.get(name, 0.0) for name in names]
        rest = (1.0 - sum(held)) / max(sum(not each for each in held), 1)
        return Opinion(dist.normalise(np.log([each or max(rest, 1e-12) for each in held])))


def query_of(text: str = "startpos", white: float = 1500.0, black: float = 1200.0) -> Query:
    position = CHESS.read(text)
    players = Player(white, "lichess"), Player(black, "lichess")
    return Query(position, players[position.to_move], players[1 - position.to_move])


@given(chance, st.floats(0.3, 5.0))
def test_without_draws_the_three_way_temper_is_the_published_formula(value: float, temperature: float) -> None:
    power = value ** (1 / temperature), (1 - value) ** (1 / temperature)
    found = dist.calibrate([value, 0.0, 1 - value], temperature)
    assert found[1] == 0.0
    assert found[0] == pytest.approx(power[0] / sum(power), abs=1e-9)


@given(chance, chance, st.floats(0.3, 5.0), st.floats(-3, 3), st.floats(-3, 3))
def test_calibration_keeps_chances_and_mirrors_with_the_sides(
    win: float, draw: float, temperature: float, lean: float, draws: float
) -> None:
    wdl = np.array([win, draw, 0.5]) / (win + draw + 0.5)
    found = dist.calibrate(wdl, temperature, lean, draws)
    assert found.sum() == pytest.approx(1.0)
    assert (found > 0).all()
    mirrored = dist.calibrate(wdl[::-1], temperature, -lean, draws)
    assert np.allclose(mirrored[::-1], found)
    assert np.allclose(dist.calibrate(wdl), wdl)


def test_calibrate_reads_its_curve_at_the_movers_rating() -> None:
    mind = Calibrate(Judge([]), temperature=Curve(((1200.0, 1.0), (1500.0, 2.0))))
    white = query_of()
    [one, other] = mind([white, white.after(CHESS.parse(white.position, "e2e4"))], Effort.seeded())
    assert one.wdl == pytest.approx(dist.calibrate([0.7, 0.2, 0.1], 2.0))
    assert other.wdl == pytest.approx([0.1, 0.2, 0.7])
    with pytest.raises(BadInput, match="rating"):
        mind([replace(white, player=Player())], Effort.seeded())
    with pytest.raises(BadInput, match="temperature"):
        Calibrate(Uniform(), temperature=0.0)


def test_the_inner_product_is_seen_from_the_mover_and_takes_one_batch() -> None:
    judge = Judge([])
    queries = [query_of(), query_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")]
    first, second = InnerProduct(Uniform(), judge, 0.0)(queries, Effort.seeded())
    assert judge.calls == 1
    assert len(judge.asked) == 40
    assert first.wdl == pytest.approx([0.7, 0.2, 0.1], abs=1e-6)
    assert second.wdl == pytest.approx([0.1, 0.2, 0.7], abs=1e-6)
    assert {query.player.rating for query in judge.asked if query.position.to_move == 1} == {1200.0}
    assert {query.opponent.rating for query in judge.asked if query.position.to_move == 1} == {1500.0}


def test_the_inner_product_weighs_by_probability_and_leaves_rare_moves_out() -> None:
    judge = Judge([])
    mind = InnerProduct(Likely({"e2e4": 0.6, "d2d4": 0.3}), judge, 0.05)
    mind([query_of()], Effort.seeded())
    played = sorted(CHESS.format(CHESS.start(), int(query.position.last_move or 0)) for query in judge.asked)
    assert played == ["d2d4", "e2e4"]


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
STALEMATE_IN_ONE = "7k/8/Q7/8/8/8/8/K7 w - - 0 1"


def test_a_game_that_a_move_ends_counts_its_result() -> None:
    judge = Judge([], wdl_of_white=(0.0, 0.0, 1.0))
    [opinion] = InnerProduct(Likely({"a1a8": 0.75}), judge, 0.0)([query_of(MATE_IN_ONE)], Effort.seeded())
    assert opinion.wdl == pytest.approx([0.75, 0.0, 0.25], abs=1e-5)
    [opinion] = InnerProduct(Likely({"a6g6": 0.5}), judge, 0.0)([query_of(STALEMATE_IN_ONE)], Effort.seeded())
    assert opinion.wdl == pytest.approx([0.0, 0.5, 0.5], abs=1e-5)


def test_black_mates_too() -> None:
    mated = CHESS.read("6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1")
    assert mated.score == 0.0
    assert ended_result(mated, 1, Effort.seeded()).tolist() == [1.0, 0.0, 0.0]
    assert ended_result(mated, 0, Effort.seeded()).tolist() == [0.0, 0.0, 1.0]


def test_a_count_after_two_passes_takes_dead_stones_off() -> None:
    go = open_game("go")
    position = go.read("(;GM[1]FF[4]SZ[5]KM[0.5]AB[ca][cb][cc][cd][ce][ba]AW[da][db][dc][dd][de][aa])")
    for _ in range(2):
        position = position.play(go.parse(position, "pass"))
    assert ended_result(position, 0, Effort.seeded(1)).tolist() == [1.0, 0.0, 0.0]


def test_realise_with_a_threshold_of_one_is_the_inner_product() -> None:
    policy = Likely({"e2e4": 0.6, "e7e5": 0.6})
    queries = [query_of(), query_of(MATE_IN_ONE)]
    one = InnerProduct(policy, Judge([]), 0.01)(queries, Effort.seeded())
    other = Realise(policy, Judge([]), 1.0, 0.01)(queries, Effort.seeded())
    for left, right in zip(one, other, strict=True):
        assert np.array_equal(left.wdl, right.wdl)  # type: ignore[arg-type]  # both have one


def test_realise_follows_likely_lines_only_and_keeps_to_its_budget() -> None:
    judge = Judge([])
    policy = Likely({"e2e4": 0.9, "e7e5": 0.9, "f1c4": 0.9})
    [opinion] = Realise(policy, judge, threshold=0.5, min_probability=0.0)([query_of()], Effort.seeded())
    depths = [query.position.ply for query in judge.asked]
    assert max(depths) == 4  # 0.9³ = 0.73 is expanded, the thirty replies to it are not
    assert opinion.wdl == pytest.approx([0.7, 0.2, 0.1], abs=1e-6)
    judge.asked.clear()
    Realise(policy, judge, threshold=0.5, min_probability=0.0, positions=2)([query_of()], Effort.seeded())
    assert {query.position.ply for query in judge.asked} == {1, 2}


def test_a_mind_without_results_cannot_be_the_value() -> None:
    with pytest.raises(BadSpec, match="results"):
        InnerProduct(Uniform(), Uniform())([query_of()], Effort.seeded())


def test_pair_takes_moves_of_one_and_results_of_the_other() -> None:
    policy = Likely({"e2e4": 0.9})
    [opinion] = Pair(policy, Judge([]))([query_of()], Effort.seeded())
    [alone] = policy([query_of()], Effort.seeded())
    assert np.array_equal(opinion.log_probs, alone.log_probs)
    assert opinion.wdl == pytest.approx([0.7, 0.2, 0.1])


def test_fitted_values_by_pool_and_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    curves = {"lichess": Curve(((1000.0, 1.0), (2000.0, 2.0))), "": Curve(((0.0, 3.0),))}
    levels = {"result": {"temperature": curves}}
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": levels if game == "chess" else {})
    queries = [
        query_of(),
        replace(query_of(), player=Player(None, "lichess")),
        replace(query_of(), player=Player(1500.0, "fide")),
        Query(open_game("shogi").start(), Player(1500.0, "lichess")),
    ]
    assert read_fitted("temperature", queries).tolist() == [1.5, 1.5, 3.0, 1.0]
    assert read_fitted("lean", queries).tolist() == [0.0] * 4
    bare = Opinion(dist.uniform(3))
    assert calibrated([bare], np.ones(1), np.zeros(1), np.zeros(1)) == [bare]


def test_a_lean_is_that_of_the_board_s_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty 9×9 board is worth something else than an empty 19×19 one."""
    curves = {"": Curve(((10.0, 0.1),)), "ogs": Curve(((10.0, 0.2), (30.0, 0.4)))}
    curves[sized("ogs", 9)] = Curve(((10.0, -1.0), (30.0, -0.5)))
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": {"result": {"lean": curves}})
    boards = [open_game("go").start(Setup(size=size)) for size in (9, 13, 19)]

    def lean(rating: float | None, pool: str) -> list[float]:
        return list(read_fitted("lean", [Query(board, Player(rating, pool)) for board in boards]))

    assert lean(20.0, "ogs") == pytest.approx([-0.75, 0.3, 0.3])
    assert lean(30.0, "ogs") == pytest.approx([-0.5, 0.4, 0.4])
    assert lean(None, "ogs") == pytest.approx([-0.75, 0.3, 0.3])
    assert lean(20.0, "fox") == [0.1, 0.1, 0.1]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"threshold": 0.0}, "threshold"),
        ({"min_probability": 2.0}, "min_probability"),
        ({"positions": 0}, "positions"),
    ],
)
def test_realise_refuses(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSpec, match=told):
        Realise(Uniform(), Uniform(), **fields)


def test_nothing_asked_nothing_said() -> None:
    assert Walk(Uniform(), Uniform(), 0.1, 0.1)([], Effort.seeded()) == []
