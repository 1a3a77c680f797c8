"""Search as a mind: its budgets, its knobs, what it finds and what it remembers."""

import csv
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Line, Opinion, Player, Position, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve
from hitonami.minds import neural
from hitonami.minds.puct import Puct
from hitonami.minds.uniform import Uniform
from hitonami.specs import mind_spec, open_mind

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
SHARED = Path(os.environ.get("HITONAMI_SHARED", Path(__file__).parents[4] / "shared"))
PUZZLES = SHARED / "data" / "tests" / "lichess_puzzles.csv"
CHESS, SHOGI, GO = (open_game(name) for name in ("chess", "shogi", "go"))
STARTS = [Query(CHESS.start()), Query(SHOGI.start()), Query(GO.start(Setup(size=9)))]
MATES = (
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    "7k/6pp/8/6N1/8/1Q6/6PP/6K1 w - - 0 1",
    "7K/8/5k2/8/8/8/8/6q1 b - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
)


@dataclass
class Hashed:
    """A firm opinion on every position, by a hash of its key. Counts what it is asked."""

    asked: list[Query] = field(default_factory=list)
    calls: int = 0

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        assert (effort.seconds, effort.simulations, effort.report) == (None, None, None)
        self.asked += queries
        self.calls += 1
        return [self._judge(query.position) for query in queries]

    @staticmethod
    def _judge(position: Position) -> Opinion:
        rng = np.random.default_rng(crc32(repr(position.key).encode()))
        chances = rng.dirichlet([1.0, 1.0, 1.0]).astype(np.float32)
        return Opinion(dist.normalise(rng.normal(0.0, 1.0, len(position.legal))), chances)


@dataclass
class Blind:
    """Sees no mate: gives moves that mate one thousandth each, its favourite nine tenths, and thinks all is well."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._judge(query.position) for query in queries]

    @staticmethod
    def _judge(position: Position) -> Opinion:
        ends = np.zeros(len(position.legal), dtype=bool)
        if position.ply == 0:
            ends[:] = [position.play(int(move)).ending == "checkmate" for move in position.legal]
        probs = np.where(ends, 1e-3, 1e-4)
        if not ends.all():
            probs[np.flatnonzero(~ends)[0]] = 0.9
        chances = np.array([0.96, 0.04, 0.0] if position.ply % 2 == 0 else [0.0, 0.04, 0.96], dtype=np.float32)
        return Opinion(dist.normalise(np.log(probs)), chances)


def ask(mind: Any, query: Query, **effort: Any) -> Opinion:
    [opinion] = mind([query], replace(Effort.seeded(1), **effort))
    assert isinstance(opinion, Opinion)
    return opinion


def visits_of(opinion: Opinion) -> dict[int, int]:
    return {line.moves[0]: line.visits or 0 for line in opinion.lines}


@pytest.mark.parametrize("query", STARTS, ids=["chess", "shogi", "go"])
@pytest.mark.parametrize("kl", ["off", "root", "tree"])
def test_one_simulation_is_the_prior_itself(query: Query, kl: Any) -> None:
    prior = ask(Hashed(), query)
    opinion = ask(Puct(Hashed(), simulations=1, kl=kl, noise_share=0.5, tau=0.3), query)
    np.testing.assert_array_equal(opinion.log_probs, prior.log_probs)
    np.testing.assert_array_equal(opinion.wdl, prior.wdl)


def test_one_simulation_of_a_network_is_its_prior() -> None:
    with open_mind(f"neural:{SAMPLE}") as plain, open_mind({"kind": "puct", "mind": f"neural:{SAMPLE}"}) as mind:
        opinion, prior = ask(mind, STARTS[0], simulations=1), ask(plain, STARTS[0])
    np.testing.assert_array_equal(opinion.log_probs, prior.log_probs)


@pytest.mark.parametrize("query", STARTS, ids=["chess", "shogi", "go"])
def test_simulations_are_the_root_and_the_visits_of_its_moves(query: Query) -> None:
    mind = Hashed()
    opinion = ask(Puct(mind, simulations=150, root_force=0.0), query)
    visits = visits_of(opinion)
    assert sum(visits.values()) == 149
    assert len(mind.asked) <= 150
    probs = np.exp(opinion.log_probs.astype(np.float64))
    for move, probability in zip(query.position.legal.tolist(), probs, strict=True):
        assert probability == pytest.approx(visits.get(move, 0) / 149, abs=1e-6)
    assert [line.visits for line in opinion.lines] == sorted(visits.values(), reverse=True)


def test_queries_are_searched_together_and_each_as_if_alone() -> None:
    together, alone = Hashed(), Hashed()
    position = CHESS.start()
    queries = []
    for _ in range(6):
        queries.append(Query(position))
        position = position.play(int(position.legal[3]))
    batch = Puct(together, simulations=100, noise_share=0.25)(queries, Effort.seeded(5))
    for query, opinion in zip(queries, batch, strict=True):
        [single] = Puct(alone, simulations=100, noise_share=0.25)([query], Effort.seeded(5))
        np.testing.assert_array_equal(single.log_probs, opinion.log_probs)
        assert visits_of(single) == visits_of(opinion)
    assert together.calls < alone.calls / 4
    assert len(together.asked) == len(alone.asked)


def test_the_store_of_nodes_limits_how_many_are_searched_together() -> None:
    few, many, queries = Hashed(), Hashed(), [STARTS[0]] * 6
    opinions = Puct(few, simulations=50, nodes=100)(queries, Effort.seeded())
    opinions += Puct(many, simulations=50)(queries, Effort.seeded())
    assert len({opinion.log_probs.tobytes() for opinion in opinions}) == 1
    assert few.calls == 3 * many.calls


def test_noise_repeats_for_a_seed_and_never_revives_an_excluded_move() -> None:
    start = STARTS[0]
    excluding = Puct(OnlySome(), simulations=80, noise_share=0.9, noise_concentration=1.0)
    first, again = excluding([start], Effort.seeded(1))[0], excluding([start], Effort.seeded(1))[0]
    other = excluding([start], Effort.seeded(2))[0]
    assert visits_of(first) == visits_of(again) != visits_of(other)
    assert {start.position.legal.tolist().index(move) % 2 for move in visits_of(first)} == {0}


class OnlySome:
    """Excludes every other move."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [
            Opinion(dist.normalise(np.where(np.arange(len(query.position.legal)) % 2, -np.inf, 0.0)))
            for query in queries
        ]


@pytest.mark.parametrize("fen", MATES)
@pytest.mark.parametrize("mind", [Blind(), Uniform(), Hashed()])
def test_a_mate_in_one_is_found_from_200_simulations_on(fen: str, mind: Any) -> None:
    position = CHESS.read(fen)
    mating = {int(move) for move in position.legal if position.play(int(move)).ending == "checkmate"}
    assert mating
    opinion = ask(Puct(mind, simulations=200, tau=0.0), Query(position))
    assert int(position.legal[dist.best(opinion.log_probs)]) in mating
    assert opinion.lines[0].mate_in == 1
    assert opinion.wdl is not None
    assert opinion.wdl.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.skipif(not PUZZLES.exists(), reason=f"no {PUZZLES.name} beside the repository")
def test_mates_in_one_of_puzzles_are_found() -> None:
    missed = []
    for fen, solution in puzzles_of("mateIn1", 100):
        position = CHESS.read(fen)
        opinion = ask(Puct(Blind(), simulations=200, tau=0.0), Query(position))
        after = position.play(int(position.legal[dist.best(opinion.log_probs)]))
        if after.ending != "checkmate":
            missed.append((fen, solution))
    assert missed == []


def puzzles_of(theme: str, count: int) -> Iterator[tuple[str, str]]:
    """Positions to solve and the first move of their solution; the file's first move leads there."""
    with PUZZLES.open(newline="") as file:
        for row in csv.DictReader(file):
            if theme in row["Themes"].split() and count:
                count -= 1
                before, solution = row["Moves"].split()[:2]
                position = CHESS.read(row["FEN"])
                yield CHESS.write(position.play(CHESS.parse(position, before))), solution


def test_shogi_mates_and_go_passes_are_exact() -> None:
    position = SHOGI.read("7lk/9/7GP/8L/9/9/9/9/K8 b P 1")
    opinion = ask(Puct(Uniform(), simulations=600, tau=0.0), Query(position))
    chosen = position.play(int(position.legal[dist.best(opinion.log_probs)]))
    mates = [int(move) for move in position.legal if position.play(int(move)).ending == "checkmate"]
    assert not mates or chosen.ending == "checkmate"
    won = GO.start(Setup(size=5, komi=0.5))
    for text in ["C3", "pass"]:
        won = won.play(GO.parse(won, text))
    opinion = ask(Puct(Uniform(), simulations=300, tau=0.0), Query(won))
    assert GO.format(won, int(won.legal[dist.best(opinion.log_probs)])) == "pass"
    assert opinion.lines[0].mate_in == 1


def test_without_proofs_visits_alone_decide() -> None:
    query = Query(CHESS.read(MATES[0]))
    proved, free = (ask(Puct(Blind(), proofs=on, root_force=0.0), query) for on in (True, False))
    assert proved.wdl is not None
    assert free.wdl is not None
    assert max(line.mate_in or 0 for line in free.lines) == 0


def test_tau_and_the_share_of_the_prior_shape_the_answer() -> None:
    query = STARTS[0]
    even = ask(Puct(Hashed(), root_force=0.0), query).log_probs
    sharp = ask(Puct(Hashed(), root_force=0.0, tau=0.5), query).log_probs
    np.testing.assert_allclose(np.exp(sharp), np.exp(dist.temper(even, 2.0)), atol=1e-6)
    assert np.exp(ask(Puct(Hashed(), tau=0.0), query).log_probs).max() == 1.0
    mixed = ask(Puct(Hashed(), tau=0.0, prior_share=0.2), query).log_probs
    prior = ask(Hashed(), query).log_probs
    np.testing.assert_allclose(np.exp(mixed).min(), 0.2 * np.exp(prior).min(), rtol=1e-4)


def test_prior_temperature_flattens_the_prior() -> None:
    query = STARTS[0]
    prior = ask(Hashed(), query).log_probs
    warm = ask(Puct(Hashed(), simulations=1, prior_temperature=2.0), query).log_probs
    np.testing.assert_allclose(np.exp(warm), np.exp(dist.temper(prior, 0.5)), atol=1e-6)


def test_knobs_are_read_at_the_players_rating() -> None:
    mind = Puct(
        Hashed(),
        simulations=60,
        root_force=0.0,
        tau=Curve(((1000, 1.0), (2000, 0.0))),
        c_puct=Curve(((1000, 5.0), (2000, 0.5))),
    )
    weak, strong = (replace(STARTS[0], player=Player(rating)) for rating in (1000.0, 2000.0))
    [loose, firm] = mind([weak, strong], Effort.seeded())
    assert dist.entropy(firm.log_probs) == 0.0 < dist.entropy(loose.log_probs)
    assert len(loose.lines) > len(firm.lines)
    with pytest.raises(BadInput, match="rating"):
        ask(mind, STARTS[0])


def test_forced_first_visits_reach_every_likely_move_and_say_nothing_by_themselves() -> None:
    query = STARTS[0]
    forced = ask(Puct(Hashed(), simulations=200, root_force=1e6, c_puct=0.1), query)
    assert len(forced.lines) == len(query.position.legal)
    named = np.exp(forced.log_probs) > 0
    once = {line.moves[0] for line in forced.lines if line.visits == 1}
    assert once
    assert {int(move) for move in query.position.legal[named]}.isdisjoint(once)


def test_the_regularised_policy_lies_between_the_prior_and_the_best_value() -> None:
    query, prior = STARTS[0], ask(Hashed(), STARTS[0]).log_probs
    far, near, best = (
        ask(Puct(Hashed(), simulations=300, kl="root", kl_lambda=value), query) for value in (1e5, 0.2, 1e-3)
    )
    assert len(near.lines) == len(query.position.legal)
    np.testing.assert_allclose(np.exp(far.log_probs), np.exp(prior), atol=1e-4)
    scores = {line.moves[0]: value_of(line) for line in best.lines}
    assert int(query.position.legal[dist.best(best.log_probs)]) == max(scores, key=lambda move: scores[move])
    utilities = np.array([2 * value_of(line) - 1 for line in sorted(near.lines, key=lambda line: line.moves[0])])
    np.testing.assert_allclose(near.log_probs, dist.normalise(prior + utilities / 0.2), atol=1e-4)


def value_of(line: Line) -> float:
    assert line.wdl is not None
    return dist.expected_score(line.wdl)


@pytest.mark.parametrize("untried", ["least", "parent"])
def test_a_move_without_a_visit_is_worth_the_least_seen_or_the_position(untried: Any) -> None:
    """Fewer simulations than moves: no move is visited for its value alone, the prior decides among the rest."""
    query = STARTS[0]
    prior = ask(Hashed(), query).log_probs.astype(np.float64)
    knobs: dict[str, Any] = {"simulations": 12, "root_force": 0.0, "proofs": False, "kl_lambda": 0.2}
    plain = ask(Puct(Hashed(), **knobs), query)
    opinion = ask(Puct(Hashed(), kl="root", kl_untried=untried, **knobs), query)
    assert visits_of(opinion) == visits_of(plain)
    assert 1 < len(opinion.lines) < len(query.position.legal)
    assert opinion.wdl is not None
    seen = {line.moves[0]: 2 * value_of(line) - 1 for line in opinion.lines}
    other = min(seen.values()) if untried == "least" else 2 * dist.expected_score(opinion.wdl) - 1
    utilities = np.array([seen.get(move, other) for move in query.position.legal.tolist()])
    np.testing.assert_allclose(opinion.log_probs, dist.normalise(prior + utilities / 0.2), atol=1e-4)


def test_a_tree_searched_by_the_regularised_policy_visits_by_it() -> None:
    opinion = ask(Puct(Hashed(), simulations=2000, kl="tree", kl_lambda=0.5), STARTS[0])
    visits = visits_of(opinion)
    shares = np.array([visits[int(move)] / 1999 for move in STARTS[0].position.legal])
    assert np.abs(shares - np.exp(opinion.log_probs)).max() < 0.02


def test_stop_ends_it_at_once_and_an_opinion_is_still_given() -> None:
    stop, mind = Event(), Hashed()
    stop.set()
    opinion = ask(Puct(mind), STARTS[0], stop=stop, seconds=float("inf"))
    np.testing.assert_array_equal(opinion.log_probs, ask(Hashed(), STARTS[0]).log_probs)
    assert len(mind.asked) == 1


def test_time_without_end_lasts_until_stop() -> None:
    stop = Event()
    heard: list[int] = []

    def report(opinion: Opinion) -> None:
        heard.append(1 + sum(visits_of(opinion).values()))
        if heard[-1] >= 300:
            stop.set()

    opinion = ask(Puct(Hashed(), simulations=10), STARTS[0], stop=stop, seconds=float("inf"), report=report)
    assert sum(visits_of(opinion).values()) >= 299
    assert heard == sorted(set(heard))
    assert heard[0] >= 16


def test_no_time_is_still_an_opinion_and_simulations_outrank_the_field() -> None:
    assert ask(Puct(Hashed()), STARTS[0], seconds=0.0).lines == ()
    assert sum(visits_of(ask(Puct(Hashed(), simulations=10), STARTS[0], simulations=33)).values()) == 32
    assert sum(visits_of(ask(Puct(Hashed(), simulations=10), STARTS[0], seconds=float("inf"))).values()) == 9


def played(query: Query, moves: Sequence[int]) -> Query:
    """The same game some moves later, replayed from its start as a protocol does."""
    position = query.position.game.start(query.position.setup)
    for move in moves:
        position = position.play(move)
    return replace(query, position=position)


@pytest.mark.parametrize(("reuse", "is_kept"), [("always", True), ("timed", False), ("never", False)])
def test_the_tree_of_an_earlier_move_is_searched_on(reuse: Any, is_kept: bool) -> None:
    inner = Hashed()
    mind = Puct(inner, simulations=400, reuse=reuse)
    line = max(ask(mind, STARTS[0]).lines, key=lambda line: line.visits or 0)
    inner.asked.clear()
    later = played(STARTS[0], line.moves[:1])
    opinion = ask(mind, later)
    assert sum(visits_of(opinion).values()) == 399
    assert (len(inner.asked) < 380) == is_kept
    inner.asked.clear()
    again = ask(mind, later)
    assert (not inner.asked) == is_kept
    np.testing.assert_array_equal(again.log_probs, opinion.log_probs)


def test_a_tree_of_another_game_or_player_is_left_alone() -> None:
    inner = Hashed()
    mind = Puct(inner, simulations=100, reuse="always")
    ask(mind, STARTS[0])
    inner.asked.clear()
    for other in (replace(STARTS[0], player=Player(1900.0)), Query(CHESS.read(MATES[1])), STARTS[1]):
        ask(mind, other)
        assert inner.asked[0].position.key == other.position.key
        inner.asked.clear()


def test_time_goes_on_from_the_earlier_tree() -> None:
    inner = Hashed()
    mind = Puct(inner)
    stop = Event()
    ask(mind, STARTS[0], seconds=float("inf"), stop=stop, report=lambda _: stop.set())
    inner.asked.clear()
    ask(mind, STARTS[0], seconds=0.0)
    assert inner.asked == []


def test_no_view_of_results_is_made_up() -> None:
    opinion = ask(Puct(Uniform(), simulations=50), STARTS[0])
    assert opinion.wdl is None
    assert all(line.wdl is None for line in opinion.lines)


@pytest.mark.parametrize(
    ("field_name", "value"),
    [
        ("simulations", 0),
        ("tau", -1),
        ("prior_temperature", 0),
        ("kl", "some"),
        ("kl_untried", "no"),
        ("fpu", "none"),
        ("batch", 0),
    ],
)
def test_fields_out_of_range_are_refused(field_name: str, value: Any) -> None:
    with (
        pytest.raises((BadInput, BadSpec), match=field_name),
        open_mind({"kind": "puct", "mind": "uniform", field_name: value}),
    ):
        pytest.fail("it was opened")
    with pytest.raises(BadSpec, match="tau"):
        mind_spec({"kind": "puct", "mind": "uniform", "taau": 1})


def test_a_search_over_a_search_has_its_own_budget() -> None:
    inner = Puct(Hashed(), simulations=4)
    opinion = ask(Puct(inner, simulations=20), STARTS[0], simulations=30)
    assert sum(visits_of(opinion).values()) == 29
