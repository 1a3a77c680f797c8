"""Utilities are found again where players with known ones chose, and what cannot be told is not told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selection
from hitonami.fits.methods import MethodWish
from hitonami.fits.utilities import Considered, fit_weights, utilities_of
from hitonami.fits.utilities_run import WorthWish, run_worth
from hitonami.specs import mind_spec
from hitonami.terminal.progress import Meter

Floats = NDArray[np.float64]
SAMPLE = ("sample:chess",)
GROUPS = (Group("a", 1000.0, "1000"), Group("a", 1400.0, "1400"), Group("b", 1000.0, "1000"))


def make(worth: tuple[tuple[float, float, float, float], ...], *, count: int = 6_000, seed: int = 0) -> Considered:
    """Players of each group choose by its (win, draw, loss, beta) among eight moves with a prior of their own."""
    rng = np.random.default_rng(seed)
    group = np.arange(count) % len(worth)
    prior = rng.normal(size=(count, 8))
    prior -= np.log(np.exp(prior).sum(axis=1, keepdims=True))
    after = rng.dirichlet([1.0, 0.7, 1.0], size=(count, 8))
    values = np.array(worth)[group]
    scores = prior + values[:, 3:] * np.einsum("nmk,nk->nm", after, values[:, :3])
    scores += rng.gumbel(size=scores.shape)
    held = tuple(sorted(set(GROUPS[: len(worth)])))
    facts = Facts(
        game=(np.arange(count) // 6).astype(np.uint64),
        group=np.array([held.index(GROUPS[at]) for at in group], dtype=np.int32),
        groups=held,
        ply=np.arange(count, dtype=np.int32),
        rating=np.full(count, 1200.0),
        opponent_rating=np.full(count, 1200.0),
        pool=tuple(GROUPS[at].pool for at in group),
        legal=np.full(count, 8, dtype=np.int32),
        score=np.full(count, 0.5),
    )
    widths = np.full(count, 8)
    return Considered(facts, widths, prior.ravel(), after.reshape(-1, 3)[:, :2], scores.argmax(axis=1))


@pytest.mark.parametrize(
    ("win", "draw", "loss", "beta"),
    [(1.0, 0.5, 0.0, 5.0), (1.0, 0.0, -10.0, 0.5), (30.0, 1.0, 0.0, 0.2), (1.0, 0.8, 0.0, 3.0)],
)
def test_known_utilities_are_recovered_within_a_tenth(win: float, draw: float, loss: float, beta: float) -> None:
    *_, found = utilities_of(fit_weights(make(((win, draw, loss, beta),))))
    span = win - loss
    assert found.beta.value == pytest.approx(beta * span, rel=0.1)
    assert found.draw.value == pytest.approx((draw - loss) / span, abs=0.1)
    if draw > loss + 0.1 * span:
        assert found.draw.value == pytest.approx((draw - loss) / span, rel=0.1)
    assert found.draw.low < (draw - loss) / span < found.draw.high
    assert found.gain.low > 0.0
    assert (found.n, found.games) == (6_000, 1_000)


def test_groups_and_pools_are_told_apart() -> None:
    worth = ((1.0, 0.2, 0.0, 5.0), (1.0, 0.8, 0.0, 5.0), (1.0, 0.5, 0.0, 1.0))
    found = {each.name: each for each in utilities_of(fit_weights(make(worth)))}
    assert list(found) == ["a 1000", "a 1400", "b 1000", "a all", "b all", "all"]
    assert found["a 1000"].draw.high < 0.35
    assert found["a 1400"].draw.low > 0.65
    assert found["b all"].beta.high < found["a all"].beta.low
    assert found["a all"].n == 4_000


def test_moves_that_did_not_come_to_mind_tell_nothing_and_few_decisions_are_left_out() -> None:
    whole = make(((1.0, 0.5, 0.0, 5.0),), count=600)
    played = whole.played.copy()
    played[::2] = -1
    *_, found = fit_weights(Considered(whole.facts, whole.widths, whole.log_probs, whole.columns, played))
    assert found.n == 300
    few = np.where(np.arange(600) < 49, whole.played, -1)
    assert not fit_weights(Considered(whole.facts, whole.widths, whole.log_probs, whole.columns, few))


def test_indifferent_players_have_no_beta_and_a_draw_that_may_be_anything() -> None:
    *_, found = utilities_of(fit_weights(make(((1.0, 0.5, 0.0, 0.0),), count=1_200)))
    assert found.beta.low < 0.0 < found.beta.high
    assert found.draw.high - found.draw.low > 2.0


def test_steps_from_the_summit_are_as_wide_as_whole_fits_to_resampled_games() -> None:
    found = make(((1.0, 0.5, 0.0, 4.0),), count=600)
    *_, stepped = fit_weights(found)
    choices, rng = found.choices(), np.random.default_rng(2)
    games = [np.flatnonzero(choices.held.game == game) for game in range(100)]
    drawn = [np.concatenate([games[at] for at in rng.integers(0, 100, 100)]) for _ in range(150)]
    whole = np.array([choices.fit(rows, 1.0) for rows in drawn])
    assert stepped.draws.std(axis=0) == pytest.approx(whole.std(axis=0), rel=0.2)
    assert stepped.draws.mean(axis=0) == pytest.approx(whole.mean(axis=0), abs=0.3)


PLAN = Selection("chess", by="none", positions=60, filter_text="plies:10", seed=3)


def test_an_agent_that_plays_so_is_seen_through(tmp_path: Path) -> None:
    """The mind itself draws the moves: what it was given is found, and what is written plays."""
    first, actor, out = (tmp_path / name for name in ("first.toml", "actor.toml", "found.toml"))
    run_worth(PLAN, WorthWish("utilities", out=first, held_out="none"), SAMPLE, Meter)
    kept = [line for line in first.read_text().splitlines() if not line.startswith(("beta", "draw"))]
    actor.write_text("\n".join([*kept, "beta = 12.0", "draw = 0.9", ""]))
    run = run_worth(PLAN, WorthWish("utilities", (), "none", str(actor), out), SAMPLE, Meter)
    [found] = run.utilities
    assert found.beta.low < 12.0 < found.beta.high
    assert found.draw.low < 0.9 < found.draw.high
    assert found.draw.value == pytest.approx(0.9, abs=0.3)  # of 60 positions
    assert run.came_to_mind == 1.0
    written = dict(mind_spec(str(out)).fields)
    assert written["draw"] == round(found.draw.value, 4)


def test_feature_weights_of_people_play_as_a_twin_and_are_found_again_in_its_moves(tmp_path: Path) -> None:
    out, actor = tmp_path / "crowd.twin", tmp_path / "actor.toml"
    plan = replace(PLAN, positions=200)
    people = run_worth(plan, WorthWish("features", ("uniform",), "none", None, out), SAMPLE, Meter).weights[-1]
    assert people.gain.value > 0.1
    actor.write_text(f'kind = "twin"\nname = "{out}"\nmind = "uniform"\n')
    run = run_worth(plan, WorthWish("features", ("uniform",), "none", str(actor)), SAMPLE, Meter)
    assert "takes_any" in run.columns
    assert run.weights[-1].n == 10 * people.n
    assert np.corrcoef(run.weights[-1].value, people.value)[0, 1] > 0.9
    with pytest.raises(BadInput, match="twin"):
        run_worth(PLAN, WorthWish("features", out=tmp_path / "x.json"), SAMPLE, Meter)
    with pytest.raises(BadInput, match="nothing is seen"):
        run_worth(Selection("hex"), WorthWish("features"), SAMPLE, Meter)


def test_what_a_method_does_not_take_is_refused() -> None:
    with pytest.raises(BadInput, match="--actor"):
        MethodWish("blend", actor="human")
    with pytest.raises(BadInput, match="more than one --mind"):
        MethodWish("features", ("human", "uniform"))
