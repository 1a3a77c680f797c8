"""Rows: what minds gave the moves that were played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitonami import dist
from hitonami.core import Effort, Opinion, Query, index_of
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput, EngineFailed, WorkFailed
from hitonami.evaluate.decisions import BATCH, DecisionTable, ask, judge
from hitonami.evaluate.selection import Selected, Selection, select
from hitonami.minds.uniform import Uniform


@pytest.fixture(scope="session")
def drawn(write_games: Callable[..., Path]) -> Selected:
    plan = Selection("chess", filter_text="plies:2", positions=60)
    return select(open_data([str(write_games("chess", 60))], "chess"), plan)


@dataclass
class Clairvoyant:
    """Gives the move that was played `sure`, shares the rest evenly, and notes whom it was asked about."""

    played: dict[tuple[object, int], int]
    sure: float = 0.7
    sizes: list[int] = field(default_factory=list)
    ratings: list[float | None] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.sizes.append(len(queries))
        self.ratings += [query.player.rating for query in queries]
        return [self._opinion(query) for query in queries]

    def _opinion(self, query: Query) -> Opinion:
        position = query.position
        probs = np.full(len(position.legal), 1.0 - self.sure) / max(1, len(position.legal) - 1)
        probs[index_of(position, self.played[position.key, position.ply])] = self.sure
        return Opinion(dist.normalise(np.log(probs)), np.array([0.5, 0.2, 0.3], dtype=np.float32))


def clairvoyant(drawn: Selected) -> Clairvoyant:
    samples = [sample for pick in drawn.picks for sample, _ in pick.samples()]
    return Clairvoyant({(s.query.position.key, s.query.position.ply): s.move for s in samples})


def fails(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    raise EngineFailed("the engine is gone")


def crashes(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    raise ZeroDivisionError("by nought")


def mumbles(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    return [Opinion(np.full(len(query.position.legal), np.nan, dtype=np.float32)) for query in queries]


def loses_one(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    return Uniform()(queries, effort)[1:]


def test_judging_by_hand() -> None:
    log_probs = np.log(np.array([0.1, 0.4, 0.2, 0.2, 0.1], dtype=np.float32))
    assert judge(log_probs, 1) == pytest.approx((np.log(0.4), 1.0, 1.0, 0.4), abs=1e-6)
    assert judge(log_probs, 2) == pytest.approx((np.log(0.2), 2.5, 0.0, 0.4), abs=1e-6)
    assert judge(log_probs, 4) == pytest.approx((np.log(0.1), 4.5, 0.0, 0.4), abs=1e-6)


def test_moves_alike_at_the_top_share_the_hit() -> None:
    assert judge(dist.uniform(20), 7)[1:3] == pytest.approx((10.5, 1 / 20))
    excluded = np.array([-np.inf, 0.0, -np.inf], dtype=np.float32)
    assert judge(excluded, 0) == (-np.inf, 2.5, 0.0, 1.0)


@given(arrays(np.float32, st.integers(1, 30), elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
def test_hits_over_all_moves_sum_to_one_and_ranks_to_their_places(logits: np.ndarray) -> None:
    log_probs = dist.normalise(logits)
    judged = np.array([judge(log_probs, at) for at in range(len(logits))])
    assert judged[:, 2].sum() == pytest.approx(1.0)
    assert judged[:, 1].sum() == pytest.approx(len(logits) * (len(logits) + 1) / 2)


def test_every_mind_is_asked_about_the_same_moves_in_batches(drawn: Selected) -> None:
    knowing = clairvoyant(drawn)
    table = ask(drawn, {"knowing": knowing, "uniform": Uniform()})
    facts, n = table.facts, drawn.positions
    assert knowing.sizes == [BATCH] * (n // BATCH) + ([n % BATCH] if n % BATCH else [])
    assert knowing.ratings == facts.rating.tolist()
    known, uniform = table.answers["knowing"], table.answers["uniform"]
    assert known.hit.tolist() == [1.0] * n
    assert np.exp(known.log_prob) == pytest.approx(0.7, abs=1e-6)
    assert known.wdl == pytest.approx(np.tile([0.5, 0.2, 0.3], (n, 1)), abs=1e-6)
    assert uniform.log_prob == pytest.approx(-np.log(facts.legal), abs=1e-6)
    assert uniform.hit == pytest.approx(1 / facts.legal)
    assert np.isnan(uniform.wdl).all()
    assert facts.game.tolist() == [pick.content for pick in drawn.picks for _ in pick.plies]
    assert facts.ply.tolist() == [ply for pick in drawn.picks for ply in pick.plies]
    assert [facts.groups[at] for at in facts.group] == [group for pick in drawn.picks for group in pick.groups]


@pytest.mark.parametrize(
    ("mind", "reason"),
    [
        (fails, "the engine is gone"),
        (crashes, "ZeroDivisionError: by nought"),
        (mumbles, "not a distribution"),
        (loses_one, "answers came"),
    ],
)
def test_a_mind_that_fails_is_named_and_costs_the_others_nothing(drawn: Selected, mind: object, reason: str) -> None:
    table = ask(drawn, {"bad": mind, "uniform": Uniform()})  # type: ignore[dict-item]
    assert list(table.answers) == ["uniform"]
    assert reason in str(table.failed["bad"])
    assert len(table.answers["uniform"].hit) == drawn.positions
    with pytest.raises(WorkFailed, match="mind 'bad' failed: .*" + reason):
        ask(drawn, {"bad": mind})  # type: ignore[dict-item]


def test_a_mind_that_fails_late_is_left_out_whole(drawn: Selected) -> None:
    calls: list[int] = []

    def tires(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        calls.append(len(queries))
        if len(calls) > 1:
            raise EngineFailed("tired")
        return Uniform()(queries, effort)

    table = ask(drawn, {"tires": tires, "uniform": Uniform()})
    assert len(calls) == 2  # and is not asked again
    assert list(table.answers) == ["uniform"]
    assert list(table.failed) == ["tires"]


def test_chance_of_a_mind_does_not_depend_on_its_company(drawn: Selected) -> None:
    def guesses(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.normalise(effort.rng.normal(size=len(each.position.legal)))) for each in queries]

    alone = ask(drawn, {"a": guesses}, seed=3).answers["a"]
    with_more = ask(drawn, {"a": guesses, "b": guesses}, seed=3).answers
    assert (alone.log_prob == with_more["a"].log_prob).all()
    assert (with_more["a"].log_prob != with_more["b"].log_prob).any()


def test_levels_are_told_to_both_players_within_a_pool(drawn: Selected) -> None:
    told: list[tuple[float | None, float | None, str]] = []

    def listens(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        told.extend((query.player.rating, query.opponent.rating, query.player.pool) for query in queries)
        return Uniform()(queries, effort)

    table: DecisionTable = ask(drawn, {"listens": listens}, level_matrix=True)
    assert table.levels is not None
    levels = table.levels.of_group
    asked_levels = {(rating, other, pool) for rating, other, pool in told if rating == other}
    assert {(level, level, group.pool) for group, level in levels.items()} <= asked_levels
    for group, level in levels.items():
        own = table.facts.rating[table.facts.group == table.facts.groups.index(group)]
        assert level == np.median(own)
    matrix = table.told["listens"].log_prob
    crossed = [other.pool != table.facts.groups[at].pool for at in table.facts.group for other in levels]
    assert np.isnan(matrix).ravel().tolist() == crossed


def test_a_level_matrix_of_one_level_is_refused(drawn: Selected, write_games: Callable[..., Path]) -> None:
    plan = replace(drawn.plan, by="none")
    single = select(open_data([str(write_games("chess", 10))], "chess"), plan)
    with pytest.raises(BadInput, match="at least two groups"):
        ask(single, {"uniform": Uniform()}, level_matrix=True)


def test_progress_counts_positions_and_answers(drawn: Selected) -> None:
    seen: list[tuple[int, int]] = []
    ask(drawn, {"a": Uniform(), "b": Uniform()}, report=lambda positions, answers: seen.append((positions, answers)))
    assert seen == sorted(seen)
    assert seen[-1] == (drawn.positions, 2 * drawn.positions)
