"""Agents: legal moves only, repeatable for a seed, patient, and never slow on an only move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Literal, cast

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent, ClaimDraw, Patience, Play, Resign, level_style
from hitonami.core import Clock, Effort, Opinion, Player, Position, Query, index_of, open_game
from hitonami.errors import BadInput, NoOpinion
from hitonami.knobs import Curve
from hitonami.manners import Manners, manners_of
from hitonami.manners.pacing import Pace
from hitonami.minds.uniform import Uniform
from hitonami.specs import mind_spec

SET_UP = "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 20"


@dataclass
class Gloomy:
    """Uniform over moves, and a view of the result that depends on the ply."""

    score_at: dict[int, float]
    asked: int = 0

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += len(queries)
        return [self._opinion(query) for query in queries]

    def _opinion(self, query: Query) -> Opinion:
        win = self.score_at.get(query.position.ply, 0.5)
        return Opinion(dist.uniform(len(query.position.legal)), np.array([win, 0.0, 1 - win], dtype=np.float32))


def chess_after(plies: int, seed: int = 1) -> Position:
    rng = np.random.default_rng(seed)
    position = open_game("chess").start()
    for _ in range(plies):
        position = position.play(int(rng.choice(position.legal)))
    return position


def shuffled(times: int) -> Position:
    position = open_game("chess").start()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * times:
        position = position.play(position.game.parse(position, text))
    return position


def test_a_seed_repeats_a_whole_game_and_every_move_is_legal() -> None:
    def game(seed: int) -> list[int]:
        agent, effort, position, moves = Agent(Uniform()), Effort.seeded(seed), open_game("chess").start(), []
        while len(position.legal) and position.ply < 200:
            action = agent.decide(Query(position), effort).action
            assert isinstance(action, Play)
            moves.append(action.move)
            position = position.play(action.move)
        return moves

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_best_takes_the_likeliest() -> None:
    position = chess_after(0)

    def sure(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.normalise(np.arange(len(query.position.legal)))) for query in queries]

    for seed in range(5):
        assert Agent(sure, draw="best").decide(Query(position), Effort.seeded(seed)).action == Play(
            int(position.legal[-1])
        )


def test_without_manners_resigns_only_after_several_lost_turns_in_a_row() -> None:
    position = chess_after(30)
    lost = dict.fromkeys((26, 28, 30), 0.01)
    bare = Patience(manners=Manners())
    assert isinstance(Agent(Gloomy(lost), patience=bare).decide(Query(position), Effort.seeded()).action, Resign)
    hopeful = lost | {28: 0.4}
    assert isinstance(Agent(Gloomy(hopeful), patience=bare).decide(Query(position), Effort.seeded()).action, Play)
    never = Agent(Gloomy(lost), patience=None)
    assert isinstance(never.decide(Query(position), Effort.seeded()).action, Play)
    early = Agent(Gloomy({4: 0.0, 2: 0.0, 0: 0.0}), patience=bare)
    assert isinstance(early.decide(Query(chess_after(4)), Effort.seeded()).action, Play)


A_ROOK_DOWN = "4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K2R b K - 0 30"


def resign_share(rating: float, hope: float, patience: Patience) -> float:
    """How often an agent gives up against an equal where it has just come to this."""
    position = open_game("chess").read(A_ROOK_DOWN)
    query = Query(position, Player(rating, "lichess"), Player(rating, "lichess"))
    rng = np.random.default_rng(5)
    return float(np.mean([patience.gives_up(query, [hope, 0.4, 0.5], rng) is not None for _ in range(100)]))


def test_strong_players_give_up_a_rook_down_and_beginners_play_on() -> None:
    """Against an equal: what the network says of it differs as it does."""
    strong, weak = (resign_share(*who, Patience(min_ply=0)) for who in ((2000, 0.015), (900, 0.1)))
    assert strong > 0.03
    assert weak == 0


def test_people_differ_in_how_soon_they_give_up() -> None:
    """Who never does plays on even where a mind has long been sure; who is readier than others goes sooner."""
    position = open_game("chess").read(A_ROOK_DOWN)
    query = Query(position, Player(2000, "lichess"), Player(2000, "lichess"))
    patience, rng = Patience(min_ply=0), np.random.default_rng(5)

    def share(hopes: list[float], readiness: float) -> float:
        return sum(patience.gives_up(query, hopes, rng, readiness) is not None for _ in range(400)) / 400

    lost, sure = [0.015, 0.4, 0.5], [1e-6] * 3
    assert share(lost, -3.0) < 0.5 * share(lost, 0.0)
    assert share(lost, 0.0) < share(lost, 3.0) - 0.05
    assert share(sure, 0.0) == share(sure, 2.0) == 1.0
    assert share(sure, -3.0) < 0.5


def test_an_agent_minds_what_its_mind_says_of_the_person() -> None:
    chess = open_game("chess")
    query = Query(chess.read(A_ROOK_DOWN), Player(2000, "lichess"), Player(2000, "lichess"))

    def resigned(readiness: float) -> int:
        def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
            legal = [len(each.position.legal) for each in queries]
            wdl = np.array([0.01, 0.01, 0.98], np.float32)
            return [Opinion(np.full(n, -np.log(n), np.float32), wdl, readiness=readiness) for n in legal]

        agent = Agent(mind, patience=Patience(min_ply=0))
        return sum(isinstance(agent.decide(query, Effort.seeded(at)).action, Resign) for at in range(200))

    assert resigned(-4.0) < resigned(0.0) < resigned(4.0)


def test_who_may_still_be_let_off_plays_on() -> None:
    aware, blind = Patience(min_ply=0), Patience(min_ply=0, most_saved=1.0)
    assert resign_share(1500, 0.15, blind) > 0
    assert resign_share(1500, 0.15, aware) == 0


def test_a_resignation_says_why() -> None:
    position = open_game("chess").read(A_ROOK_DOWN)
    query = Query(position, Player(2200, "lichess"), Player(2200, "lichess"))
    rng = np.random.default_rng(1)
    found = next(each for _ in range(999) if (each := Patience(min_ply=0).gives_up(query, [0.01, 0.4, 0.5], rng)))
    assert found == Resign(0.01, 5.0)
    assert found.reason == "resignation, 1% hope, 5 behind"
    assert Resign().reason == "resignation"


def test_the_past_is_asked_about_only_when_the_present_is_bad() -> None:
    mind = Gloomy({})
    Agent(mind).decide(Query(chess_after(30)), Effort.seeded())
    assert mind.asked == 1
    bad = Gloomy({30: 0.01})
    Agent(bad).decide(Query(chess_after(30)), Effort.seeded())
    assert bad.asked == 3


def test_claims_a_draw_when_worse_and_plays_on_when_better() -> None:
    position = shuffled(2)
    worse, better = Agent(Gloomy({8: 0.3})), Agent(Gloomy({8: 0.7}))
    assert worse.decide(Query(position), Effort.seeded()).action == ClaimDraw("threefold repetition")
    assert isinstance(better.decide(Query(position), Effort.seeded()).action, Play)


def test_who_stands_worse_takes_a_draw_and_who_stands_better_does_not() -> None:
    position = chess_after(30)
    losing, winning = Agent(Gloomy({30: 0.99})), Agent(Gloomy({30: 0.01}))  # of the side to move: the other, who offers
    assert losing.accepts_draw(Query(position), Effort.seeded())
    assert not winning.accepts_draw(Query(position), Effort.seeded())
    assert not Agent(Uniform()).accepts_draw(Query(position), Effort.seeded())
    assert not Agent(Gloomy({6: 0.99})).accepts_draw(Query(chess_after(6)), Effort.seeded()), "the opening is not over"


def test_who_asks_again_gets_the_same_answer_and_offers_are_by_chance() -> None:
    position, agent = chess_after(30), Agent(Gloomy({30: 0.5}))
    assert len({agent.accepts_draw(Query(position), Effort.seeded(seed)) for seed in range(20)}) == 1
    fitted = manners_of("chess").draws
    assert fitted is not None
    chance = fitted.offer(Query(position), 0.5, 0.0)
    assert 0 < chance < fitted.answer(Query(position), 0.5, 0.0) < 1
    opinion, effort = agent.mind([Query(position)], Effort.seeded())[0], Effort.seeded(2)
    offered = np.mean([agent.conclude(Query(position), opinion, effort).offers_draw for _ in range(400)])
    assert offered == pytest.approx(chance, abs=4 * np.sqrt(chance / 400))
    assert not Agent(Uniform()).offers_draw(Query(position), Uniform()([Query(position)], effort)[0], effort)
    assert fitted.offer(Query(position), 0.9, 0.0) < 0.1 * chance
    assert fitted.offer(Query(position), 0.2, 0.0) <= chance, "nobody begs for a draw"


def test_a_finished_game_and_a_misaligned_mind_are_refused() -> None:
    mated = open_game("chess").read("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    with pytest.raises(BadInput, match="checkmate"):
        Agent(Uniform()).decide(Query(mated), Effort.seeded())

    def short(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.uniform(3)) for _ in queries]

    with pytest.raises(NoOpinion, match="3 probabilities for 20"):
        Agent(short).decide(Query(chess_after(0)), Effort.seeded())


def seconds_of(pace: Pace, opinion: Opinion, clock: Clock | None, rng: np.random.Generator) -> float:
    """What the likeliest move takes."""
    position = chess_after(30)
    legal = position.legal[: len(opinion.log_probs)]
    query = Query(cast("Position", SimpleNamespace(legal=legal, ply=30, game=position.game)), clock=clock)
    return pace.think_seconds(query, opinion, int(legal[0]), float(rng.standard_normal()))


def test_without_manners_pace_follows_the_clock_and_the_difficulty() -> None:
    pace = Pace(manners=Manners())
    hard, easy = Opinion(dist.uniform(20)), Opinion(dist.normalise([10.0, *[0.0] * 19]))
    only = Opinion(dist.uniform(1))
    rich, poor = Clock(600.0, 600.0), Clock(10.0, 600.0)

    def mean(opinion: Opinion, clock: Clock | None) -> float:
        rng = np.random.default_rng(0)
        return float(np.mean([seconds_of(pace, opinion, clock, rng) for _ in range(400)]))

    assert mean(hard, rich) > 2 * mean(easy, rich)
    assert mean(hard, rich) > 5 * mean(hard, poor)
    assert mean(only, rich) < mean(easy, rich)
    rng = np.random.default_rng(1)
    for clock in (rich, poor, Clock(0.0, 1.0), Clock(0.0, 1.0, byoyomi_seconds=10.0)):
        most = max(seconds_of(pace, hard, clock, rng) for _ in range(200))
        assert most <= clock.remaining_seconds / 5 + 0.8 * clock.byoyomi_seconds


def test_an_agent_of_a_level_draws_as_it_was_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    curves = {"level": {"human": {"lichess": Curve(((1000.0, 1.0), (2000.0, 3.0)))}}}
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": curves)
    position = shuffled(3)
    chances = np.array(
        [0.6, 0.3, 0.08, 0.016, *[0.004 / 16] * 16]
    )  # the last sixteen are under the least that is drawn
    opinion = Opinion(np.log(chances / chances.sum()).astype(np.float32))

    def shares(agent: Agent, rating: float | None, pool: str = "lichess") -> np.ndarray:
        query, effort = Query(position, Player(rating, pool)), Effort.seeded(1)
        drawn = [agent.conclude(query, opinion, effort).action for _ in range(3000)]
        moves = [action.move for action in drawn if isinstance(action, Play)]
        return np.array([moves.count(int(move)) for move in position.legal]) / len(moves)

    agent = Agent(Uniform(), patience=None, style="human")
    weak, strong = shares(agent, 1000.0), shares(agent, 2000.0)
    assert weak[4:].sum() == strong[4:].sum() == 0.0
    assert weak[:2] == pytest.approx([0.6 / 0.996, 0.3 / 0.996], abs=0.03)
    assert strong[:2] == pytest.approx([0.6**3 / 0.2435, 0.3**3 / 0.2435], abs=0.03)
    for plain in (shares(agent, None), shares(agent, 2000.0, "fide"), shares(replace(agent, style=""), 2000.0)):
        assert plain[:2] == pytest.approx([0.6, 0.3], abs=0.03)
    position = shuffled(1)  # an opening stays as varied as people's; what nobody plays is left out there too
    opening = shares(agent, 2000.0)
    assert opening[:2] == pytest.approx([0.6 / 0.996, 0.3 / 0.996], abs=0.03)
    assert opening[4:].sum() == 0.0


@pytest.mark.parametrize("text", ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", SET_UP])
def test_a_position_that_was_set_up_is_no_opening(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    curves = {"level": {"human": {"lichess": Curve(((1000.0, 3.0),))}}}
    monkeypatch.setattr("hitonami.levels.levels_of", lambda game, base="": curves)
    chess = open_game("chess")
    position = chess.read(text) if text else chess.start()
    chances = np.array([0.6, 0.4, *[0.0] * (len(position.legal) - 2)])
    log_probs = np.log(chances, where=chances > 0, out=np.full(len(chances), -np.inf)).astype(np.float32)
    drawn = Agent(Uniform(), style="human").draw_chances(Query(position, Player(1000.0, "lichess")), log_probs)
    bent = 0.6**3 / (0.6**3 + 0.4**3)
    assert np.exp(drawn[0]) == pytest.approx(bent if text == SET_UP else 0.6, abs=1e-6)
    best = Agent(Uniform(), "best", style="human").draw_chances(Query(position, Player(1000.0)), log_probs)
    assert np.exp(best).tolist() == [1.0, *[0.0] * (len(position.legal) - 1)]


@pytest.mark.parametrize(
    ("mind", "style"),
    [
        ("human", "human"),
        ("blend", "blend"),
        ("search", "search"),
        ("expert", ""),
        ("uniform", ""),
    ],
)
def test_the_style_of_a_mind(mind: str, style: str) -> None:
    assert level_style(mind) == style
    mixed = mind_spec({"kind": "blend", "minds": [mind, "uniform"], "weights": [0.5, 0.5]})
    assert level_style(mixed) == ""  # what a user mixes was not fitted


def test_the_style_of_human_is_that_of_the_mind_as_it_was_fitted() -> None:
    assert level_style(mind_spec({"kind": "human", "calibrated": False, "openings": False})) == "human"
    assert level_style(mind_spec({"kind": "human", "foresight": False})) == ""
    assert level_style(mind_spec({"kind": "search", "simulations": 8})) == ""


@pytest.mark.parametrize("draw", ["sample", "best"])
def test_the_winning_side_does_not_draw_by_mishap(draw: Literal["sample", "best"]) -> None:
    game = open_game("chess")
    position = game.read("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    stalemate, mate = (index_of(position, game.parse(position, text)) for text in ("g5g6", "g5g7"))
    fond = np.full(len(position.legal), -20.0)
    fond[[stalemate, mate]] = -0.1, -3.0

    def moves(win: float) -> set[str]:
        opinion = Opinion(dist.normalise(fond), np.array([win, 0.0, 1 - win], dtype=np.float32))
        agent, effort = Agent(Uniform(), draw, patience=None), Effort.seeded(1)
        return {game.format(position, agent.draw_move(Query(position), opinion, effort.rng)) for _ in range(60)}

    assert "g5g6" in moves(0.5)
    assert "g5g6" not in moves(0.9)
    assert "g5g7" in moves(0.9)


def test_the_winning_side_does_not_repeat_but_plays_on_where_it_must() -> None:
    position = shuffled(2).before
    assert position is not None
    game = position.game
    back = index_of(position, game.parse(position, "f6g8"))
    fond = np.full(len(position.legal), -8.0)
    fond[back] = 0.0
    won = np.array([0.9, 0.0, 0.1], dtype=np.float32)
    agent, effort = Agent(Uniform(), patience=None), Effort.seeded(1)
    drawn = {agent.draw_move(Query(position), Opinion(dist.normalise(fond), won), effort.rng) for _ in range(40)}
    assert int(position.legal[back]) not in drawn
    only = np.full(len(position.legal), -np.inf)
    only[back] = 0.0
    assert agent.draw_move(Query(position), Opinion(dist.normalise(only), won), effort.rng) == position.legal[back]


@pytest.mark.parametrize(("chance", "win", "repeats"), [(0.1, 0.9, False), (0.02, 0.9, True), (0.1, 0.6, True)])
def test_the_winning_side_does_not_go_back_where_another_move_is_worth_a_thought(
    chance: float, win: float, repeats: bool
) -> None:
    game = open_game("chess")
    position = game.read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for text in ("a1a2", "e8d8", "a2a1", "d8e8"):
        position = position.play(game.parse(position, text))
    again, other = (index_of(position, game.parse(position, text)) for text in ("a1a2", "e1e2"))
    shares = np.full(len(position.legal), 1e-9)
    shares[[again, other]] = 1 - chance, chance
    opinion = Opinion(np.log(shares / shares.sum()).astype(np.float32), np.array([win, 0, 1 - win], dtype=np.float32))
    agent, effort = Agent(Uniform(), "best", patience=None), Effort.seeded(1)
    assert bool(agent.draw_move(Query(position), opinion, effort.rng) == position.legal[again]) is repeats


def test_games_are_given_up_where_people_give_them_up() -> None:
    assert Patience().least_hope(open_game("shogi")) > Patience().least_hope(open_game("chess"))
    assert Patience(0.2).least_hope(open_game("shogi")) == 0.2


def test_a_mind_that_says_how_hard_it_thought_is_paced_by_that() -> None:
    query = Query(open_game("connect-four").start())
    log_probs = dist.uniform(7)
    quick, slow = (
        Pace().think_seconds(query, Opinion(log_probs, effort=effort), int(query.position.legal[0]), 0.0)
        for effort in (0.0, 1.0)
    )
    assert quick < 0.3 * slow
