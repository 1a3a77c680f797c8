"""The tree against a slow search written from the formulas, and against minimax on games with any order of turns."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Effort, Opinion, Position, Query, open_game
from hitonami.minds.uniform import Uniform
from hitonami.search.kernels import BUSY
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.tree import Leaf, Settings, Tree


@dataclass
class Slow:
    """One node of a search as the formulas are written: recursive, in plain Python, a tree without sharing."""

    position: Position
    opinion: Opinion | None
    visits: int = 1
    children: dict[int, "Slow"] = field(default_factory=dict)

    @property
    def own(self) -> float:
        """The score of player 0."""
        if self.opinion is None:
            assert self.position.score is not None
            return self.position.score
        assert self.opinion.wdl is not None
        win, draw, loss = self.opinion.wdl.astype(np.float64)
        return float((win if self.position.to_move == 0 else loss) + 0.5 * draw)

    @property
    def score(self) -> float:
        if self.opinion is None:
            return self.own
        below = sum(child.visits * child.score for child in self.children.values())
        return (float(np.float32(self.own)) + below) / (1 + sum(child.visits for child in self.children.values()))

    def simulate(self, judge: Callable[[Position], Opinion], c_puct: float, fpu: float) -> None:
        self.visits += 1
        if self.opinion is None:
            return
        at = self._choose(c_puct, fpu)
        if at in self.children:
            self.children[at].simulate(judge, c_puct, fpu)
        else:
            after = self.position.play(int(self.position.legal[at]))
            self.children[at] = Slow(after, judge(after) if len(after.legal) else None)

    def _choose(self, c_puct: float, fpu: float) -> int:
        assert self.opinion is not None
        priors = np.exp(self.opinion.log_probs.astype(np.float64)).astype(np.float32)
        total = sum(child.visits for child in self.children.values())
        sign = 1 if self.position.to_move == 0 else -1
        mass = sum(float(priors[at]) for at in sorted(self.children))
        untried = max(sign * (2 * self.score - 1) - fpu * sqrt(mass), -1.0)
        values = []
        for at, prior in enumerate(priors):
            child = self.children.get(at)
            q = untried if child is None else sign * (2 * child.score - 1)
            values.append(q + c_puct * sqrt(max(total, 1)) * float(prior) / (1 + (child.visits if child else 0)))
        return int(np.argmax(values))


def grow(position: Position, mind: Any, made: Settings, simulations: int) -> Tree:
    tree = Tree(Query(position), made)
    plant([tree], mind, Effort.seeded())
    search([tree], mind, Budget(simulations, None, Effort.seeded()))
    return tree


@pytest.mark.parametrize(
    "start",
    ["startpos", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 b - - 0 1"],
)
@pytest.mark.parametrize("c_puct", [0.4, 3.0])
def test_visits_are_those_of_the_formula(
    start: str, c_puct: float, hashed: Any, plain: Callable[..., Settings]
) -> None:
    position = open_game("chess").read(start)
    mind = hashed()
    slow = Slow(position, mind.judge(position))
    for _ in range(149):
        slow.simulate(mind.judge, c_puct, 0.3)
    tree = grow(position, mind, plain(C_PUCT=c_puct), 150)
    wanted = [slow.children[at].visits if at in slow.children else 0 for at in range(len(position.legal))]
    assert tree.root_edges["visits"].tolist() == wanted
    assert tree.nodes[0]["score"] == pytest.approx(slow.score, abs=1e-6)
    assert tree.visits == 150


def test_c_grows_with_the_logarithm_of_visits(hashed: Any, plain: Callable[..., Settings]) -> None:
    start, mind = open_game("chess").start(), hashed()
    grown = grow(start, mind, plain(C_PUCT=0.5, C_GROWTH=2.0, C_BASE=10.0), 120)
    assert grown.root_edges["visits"].std() < grow(start, mind, plain(C_PUCT=0.5), 120).root_edges["visits"].std()
    at_the_end = 0.5 + 2.0 * log((1 + 119 + 10.0) / 10.0)
    assert at_the_end == pytest.approx(5.63, abs=0.01)  # ten times the constant: visits are far more even


_scores = st.sampled_from([0.0, 0.5, 1.0])
_games = st.recursive(
    _scores, lambda deeper: st.tuples(st.integers(0, 1), st.lists(deeper, min_size=1, max_size=3)), max_leaves=40
).filter(lambda game: isinstance(game, tuple))


def minimax(game: Any) -> float:
    if not isinstance(game, tuple):
        return float(game)
    return (max if game[0] == 0 else min)(minimax(each) for each in game[1])


@settings(max_examples=60)
@given(game=_games)
def test_what_is_proved_is_minimax_whoever_moves_when(game: Any, toy: Any, plain: Callable[..., Settings]) -> None:
    tree = grow(toy(game), Uniform(), plain(PROOFS=1.0, batch=4), 1500)
    worth = minimax(game)
    assert tree.proof == {1.0: 1, 0.0: 2, 0.5: 0}[worth]
    if worth != 0.5:
        assert tree.nodes[0]["score"] == worth


@settings(max_examples=60)
@given(game=_games)
def test_scores_stay_means_of_what_is_below(game: Any, toy: Any, plain: Callable[..., Settings]) -> None:
    tree = grow(toy(game), Uniform(), plain(batch=4), 200)
    assert not tree.edges["flight"].any()
    for node in tree.nodes[: tree.size]:
        edges = tree.edges[int(node["first"]) : int(node["first"]) + int(node["count"])]
        if node["over"] or not node["visits"]:
            continue
        tried = edges[edges["visits"] > 0]
        total = node["own_score"] + (tried["visits"] * tree.nodes["score"][tried["child"]]).sum()
        assert node["visits"] == 1 + tried["visits"].sum()
        assert node["score"] == pytest.approx(total / node["visits"])


def test_ways_to_the_same_position_share_it(hashed: Any, plain: Callable[..., Settings]) -> None:
    start = open_game("chess").start()
    shared, apart = hashed(spread=0.1), hashed(spread=0.1)
    tree = grow(start, shared, plain(transpositions=True), 600)
    other = grow(start, apart, plain(), 600)
    assert tree.visits == other.visits == 600
    assert len(shared.asked) == tree.size < other.size == len(apart.asked)
    keys = [(position.key, position.ply) for position in tree.positions]
    assert len(set(keys)) == len(keys)


def test_no_way_leads_back_into_itself(hashed: Any, plain: Callable[..., Settings]) -> None:
    """Kings and rooks shuffle: with the ply in its name a position never becomes its own descendant."""
    position = open_game("chess").read("7k/8/8/8/8/8/r7/R6K w - - 0 1")
    tree = grow(position, hashed(), plain(transpositions=True, C_PUCT=0.3), 800)
    for at, node in enumerate(tree.nodes[: tree.size]):
        edges = tree.edges[int(node["first"]) : int(node["first"]) + int(node["count"])]
        for child in edges["child"][edges["child"] >= 0].tolist():
            assert tree.positions[child].ply == tree.positions[at].ply + 1


def test_a_third_repetition_is_a_draw(plain: Callable[..., Settings]) -> None:
    """Black may bring the same position about for the third time: either side can claim, so neither gets less."""
    game = open_game("chess")
    shuffled = game.read("7k/8/8/8/8/8/r7/R6K w - - 0 1")
    for move in ["h1g1", "h8g8", "g1h1", "g8h8", "h1g1", "h8g8", "g1h1"]:
        shuffled = shuffled.play(game.parse(shuffled, move))
    tree = grow(shuffled, Uniform(), plain(), 200)
    at = shuffled.legal.tolist().index(game.parse(shuffled, "g8h8"))
    child = int(tree.root_edges[at]["child"])
    assert tree.nodes[child]["over"] == 1
    assert tree.nodes[child]["score"] == 0.5
    assert tree.nodes[child]["draw"] == 1.0


@pytest.mark.parametrize(("mover", "worth"), [("w", 0.3), ("b", 0.7)])
def test_who_has_contempt_takes_a_second_standing_for_less_than_a_draw(
    plain: Callable[..., Settings], mover: str, worth: float
) -> None:
    """Seen by either side; the root, which stands for the second time itself, is searched all the same."""
    game = open_game("chess")
    here = game.read(f"7k/8/8/8/8/8/r7/R6K {mover} - - 0 1")
    cycle = ["h1g1", "h8g8", "g1h1", "g8h8"] if mover == "w" else ["h8g8", "h1g1", "g8h8", "g1h1"]
    for move in cycle:
        here = here.play(game.parse(here, move))
    tree = grow(here, Uniform(), replace(plain(), again_drawn=True, contempt=0.2), 400)
    at = here.legal.tolist().index(game.parse(here, cycle[0]))
    node = tree.nodes[int(tree.root_edges[at]["child"])]
    assert (node["over"], node["draw"], round(float(node["score"]), 6)) == (1, 1.0, worth)
    fresh = here.legal.tolist().index(game.parse(here, "a1a2" if mover == "w" else "a2a1"))
    assert tree.nodes[int(tree.root_edges[fresh]["child"])]["over"] == 0


def test_a_full_tree_keeps_its_size_and_goes_on(hashed: Any, plain: Callable[..., Settings]) -> None:
    start, mind = open_game("chess").start(), hashed()
    tree = grow(start, mind, plain(cap=40, batch=8, transpositions=True), 400)
    held = tree.bytes
    search([tree], mind, Budget(5000, None, Effort.seeded()))
    assert tree.size == len(tree.positions) == 40
    assert tree.bytes == held
    assert tree.visits == 5000
    assert not tree.edges["flight"].any()
    assert len(mind.asked) <= 1 + 40 * 40  # beyond the store every move is asked about once


def test_a_position_under_way_is_not_asked_about_twice(toy: Any, plain: Callable[..., Settings]) -> None:
    tree = Tree(Query(toy((0, [(1, [0.0, 1.0])]))), plain(batch=8))
    plant([tree], Uniform(), Effort.seeded())
    leaf = tree.seek()
    assert isinstance(leaf, Leaf)
    assert tree.seek() == BUSY
    assert tree.visits == 1
    leaf.absorb(Uniform()([leaf.query], Effort.seeded())[0])
    assert tree.visits == 2
    assert not tree.edges["flight"].any()
