"""Losses: exact means over what an agent may draw, people beside it, and phases of the game."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Player, Position, Setup, open_game
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import group_of
from hitonami.judging.losses import (
    LIKELIEST,
    Judged,
    agents_of,
    draw_weights,
    expected_losses,
    level_exponents,
    measure_losses,
)
from hitonami.judging.phases import phase_of
from hitonami.knobs import Curve

OUT = -np.inf


def judged_of(rows: Sequence[tuple[Sequence[float], Sequence[float], float]], pool: str = "lichess") -> Judged:
    """Decisions of two games: probabilities, losses, and the person's loss."""
    count = len(rows)
    ratings = np.linspace(1000.0, 1500.0, count)
    held = [group_of(Player(rating, pool), "chess", "rating", 400.0) for rating in ratings]
    groups = tuple(sorted(set(held)))
    facts = Facts(
        game=np.arange(count, dtype=np.uint64) % 2,
        group=np.array([groups.index(each) for each in held], dtype=np.int32),
        groups=groups,
        ply=np.arange(count, dtype=np.int32),
        rating=ratings,
        opponent_rating=ratings,
        pool=(pool,) * count,
        legal=np.full(count, 30, dtype=np.int32),
        score=np.full(count, 0.5),
    )
    with np.errstate(divide="ignore"):
        logs = np.log(np.concatenate([np.asarray(chances, dtype=np.float64) for chances, _, _ in rows]))
    return Judged(
        facts,
        np.zeros(count, dtype=np.int8),
        np.concatenate([[0], np.cumsum([len(chances) for chances, _, _ in rows])]),
        np.concatenate([np.asarray(losses, dtype=np.float64) for _, losses, _ in rows]),
        np.array([person for _, _, person in rows]),
        {"mind": logs},
        "somebody",
        None,
    )


def test_the_loss_of_an_agent_is_the_mean_over_its_draws() -> None:
    judged = judged_of([([0.5, 0.3, 0.0, 0.2], [0.0, 0.1, 0.9, 0.4], 0.9), ([0.25, 0.75], [0.3, 0.0], 0.0)])
    assert expected_losses(judged, "mind", 1.0) == pytest.approx([0.03 + 0.08, 0.075])
    assert expected_losses(judged, "mind", 2.0) == pytest.approx(
        [(0.09 * 0.1 + 0.04 * 0.4) / 0.38, 0.3 * 0.0625 / 0.625]
    )
    assert expected_losses(judged, "mind", LIKELIEST) == pytest.approx([0.0, 0.0])
    assert expected_losses(judged, "mind", np.array([1.0, LIKELIEST])) == pytest.approx([0.11, 0.0])


@given(st.integers(0, 10_000), st.floats(0.1, 50.0))
def test_draws_sum_to_one_and_never_fall_on_what_is_left_out(seed: int, rho: float) -> None:
    rng = np.random.default_rng(seed)
    rows: list[tuple[list[float], list[float], float]] = []
    for _ in range(4):
        chances = rng.random(5) ** 3
        chances[rng.integers(0, 5)] = 0.0
        rows.append(((chances / chances.sum()).tolist(), rng.random(5).tolist(), 0.1))
    judged = judged_of(rows)
    weights = draw_weights(judged, "mind", rho)
    assert np.add.reduceat(weights, judged.begins[:-1]) == pytest.approx(np.ones(4))
    assert (weights[np.isneginf(judged.log_probs["mind"])] == 0.0).all()
    bounds = np.minimum.reduceat(judged.loss, judged.begins[:-1]), np.maximum.reduceat(judged.loss, judged.begins[:-1])
    found = expected_losses(judged, "mind", rho)
    assert (bounds[0] - 1e-12 <= found).all()
    assert (found <= bounds[1] + 1e-12).all()


def test_figures_compare_with_the_person_in_the_same_position() -> None:
    judged = judged_of([([0.6, 0.4], [0.0, 0.15], 0.15), ([0.5, 0.5], [0.0, 0.25], 0.0)])
    found = measure_losses(judged, {"agent": ("mind", 1.0)})
    row = found.groups[-1]
    assert row.name == "all"
    assert (row.n, row.games) == (2, 2)
    assert row.people.loss.value == pytest.approx(0.075)
    assert [each.value for each in row.people.blunders] == [0.5, 0.0]
    agent = row.agents["agent"]
    assert agent.loss.value == pytest.approx((0.06 + 0.125) / 2)
    assert [each.value for each in agent.blunders] == pytest.approx([(0.4 + 0.5) / 2, 0.25])
    assert agent.difference is not None
    assert agent.difference.value == pytest.approx(agent.loss.value - row.people.loss.value)
    assert agent.squared == pytest.approx((0.6 * 0.15**2 + 0.5 * 0.25**2) / 2)
    assert agent.more == pytest.approx(0.25)
    assert agent.less == pytest.approx(0.3)
    assert [each.name for each in found.phases] == ["opening"]


def test_levels_are_read_by_pool_and_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    curves = {"level": {"human": {"lichess": Curve(((1000.0, 1.0), (1500.0, 2.0)))}}}
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": curves)
    rows = [([0.5, 0.5], [0.0, 0.1], 0.0)] * 3
    assert level_exponents(judged_of(rows), "chess", "human") == pytest.approx([1.0, 1.5, 2.0])
    assert level_exponents(judged_of(rows), "chess", "blend") is None
    assert level_exponents(judged_of(rows, pool="fide"), "chess", "human") is None
    assert list(agents_of(judged_of(rows), "chess", {"human": "human", "uniform": "uniform"})) == [
        "human, plain draw",
        "human, level",
        "human, likeliest",
        "uniform, plain draw",
        "uniform, likeliest",
    ]


def after(game: str, plies: int, setup: Setup | None = None) -> Position:
    rng, position = np.random.default_rng(plies), open_game(game).start(setup or Setup())
    for _ in range(plies):
        board = position.legal[:-1] if game == "go" else position.legal  # a Go player who passes ends the game
        position = position.play(int(rng.choice(board)))
    return position


def test_a_game_that_says_nothing_is_all_middle(game_in_one_file: str) -> None:
    assert {phase_of(after(game_in_one_file, plies)) for plies in (0, 12)} == {"middle"}


def test_phases() -> None:
    chess = open_game("chess")
    assert phase_of(chess.start()) == "opening"
    assert phase_of(chess.read("r4rk1/pp3ppp/2n5/8/8/2N5/PP3PPP/R4RK1 w - - 0 20")) == "ending"  # six pieces
    assert phase_of(after("chess", 26)) == "middle"
    assert [phase_of(after("shogi", plies)) for plies in (29, 30)] == ["opening", "middle"]
    small = Setup(size=9)
    assert [phase_of(after("go", plies, small)) for plies in (13, 14, 40, 41)] == [
        "opening",
        "middle",
        "middle",
        "ending",
    ]
