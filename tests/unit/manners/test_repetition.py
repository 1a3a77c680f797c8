"""Going back: ways are found by the rules, chances are shared out as fitted, and the fit finds what people do."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Opinion, Player, Position, Query, Setup, open_game
from hitonami.errors import BadSpec, TooFew
from hitonami.fits.repetition import Returns, ask_returns, fit_repeats, measure_repeats, returns_of
from hitonami.knobs import Curve
from hitonami.manners import manners_of, read_manners
from hitonami.manners.additive import Additive, log_odds
from hitonami.manners.repetition import Repeats, repeat_features, ways_back
from hitonami.records import Record

SHUFFLE = ("6i6h", "4a4b", "6h6i", "4b4a")


def shuffled(times: int) -> Position:
    """The start of a game of shogi after so many shuffles there and back."""
    game = open_game("shogi")
    position = game.start()
    for text in SHUFFLE * times:
        position = position.play(game.parse(position, text))
    return position


def opinion_of(position: Position, back: float, win: float) -> Opinion:
    """A mind that gives so much to the move of the shuffle, the rest to all others alike."""
    chances = np.full(len(position.legal), (1 - back) / (len(position.legal) - 1))
    chances[list(position.legal).index(open_game("shogi").parse(position, SHUFFLE[0]))] = back
    return Opinion(np.log(chances).astype(np.float32), wdl=np.array([win, 0.0, 1 - win], dtype=np.float32))


def test_ways_back_are_those_to_positions_that_were_there() -> None:
    assert ways_back(shuffled(0)) is None
    found = ways_back(shuffled(1))
    assert found is not None
    assert found.times == 2
    position = shuffled(1)
    back = [open_game("shogi").format(position, int(move)) for move in position.legal[found.moves]]
    assert back == [SHUFFLE[0]]
    later = ways_back(shuffled(2))
    assert later is not None
    assert later.times == 3


def test_a_perpetual_check_is_no_way_back() -> None:
    game = open_game("shogi")
    position = game.read("k8/9/9/9/9/9/9/9/4K3R b - 1")
    cycle = ("1i1a", "9a9b", "1a1b", "9b9a", "1b1a", "9a9b", "1a1b", "9b9a", "1b1a", "9a9b", "1a1b", "9b9a")
    for text in cycle:
        position = position.play(game.parse(position, text))
    ways = ways_back(position)
    losing = game.parse(position, "1b1a")
    assert position.play(losing).ending == "perpetual check"
    assert ways is None or not ways.moves[list(position.legal).index(losing)]


@pytest.mark.parametrize(("base", "expected"), [(0.0, 0.3), (2.0, 1 / (1 + np.exp(-2.0 - np.log(0.3 / 0.7))))])
def test_chances_are_shared_out_by_the_sum_on_top_of_the_minds(base: float, expected: float) -> None:
    position = shuffled(1)
    opinion, ways = opinion_of(position, 0.3, 0.5), ways_back(position)
    assert ways is not None
    shared = np.exp(Repeats(Additive(base, {})).share_out(ways, opinion.log_probs, opinion.log_probs, 0.5))
    assert shared[ways.moves].sum() == pytest.approx(expected, abs=1e-5)
    assert shared.sum() == pytest.approx(1.0, abs=1e-5)
    none = opinion.log_probs.copy()
    none[ways.moves] = -np.inf  # an agent that thinks of no way back has one all the same
    again = np.exp(Repeats(Additive(base, {})).share_out(ways, opinion.log_probs, none, 0.5))
    assert again[ways.moves].sum() == pytest.approx(expected, abs=1e-5)


def test_an_agent_goes_back_as_fitted_and_less_where_it_is_better() -> None:
    position = shuffled(1)
    again = open_game("shogi").parse(position, SHUFFLE[0])

    def share(win: float, draw: str = "sample") -> float:
        opinion, effort = opinion_of(position, 0.3, win), Effort.seeded(3)
        agent = Agent(lambda queries, effort: [], draw=draw)  # type: ignore[arg-type]
        moves = [agent.draw_move(Query(position), opinion, effort.rng) for _ in range(600)]
        return moves.count(again) / len(moves)

    model = manners_of("shogi").repeats
    assert model is not None
    told = repeat_features({"mass": np.array([0.3]), "hope": np.array([0.5]), "times": np.array([2.0])})
    assert share(0.5) == pytest.approx(model.chance(told).item(), abs=0.06)
    assert share(0.9) < share(0.5) - 0.1
    assert share(0.5, "best") == 1.0, "who always makes the likeliest move does so here"


def test_the_fit_finds_what_people_do_and_a_few_turns_are_refused() -> None:
    rng = np.random.default_rng(0)
    n = 3_000
    times = rng.integers(2, 4, n).astype(np.float64)
    columns = {"mass": rng.uniform(0.1, 0.9, n), "hope": rng.uniform(0.1, 0.9, n), "times": times}
    truth = Repeats(Additive(1.0, {"hope": Curve(((-2.0, 1.0), (2.0, -1.0)))}))
    went = (rng.random(n) < truth.chance(repeat_features(columns))).astype(np.float64)
    returns = Returns((np.arange(n) // 4).astype(np.float64), columns, went)
    found = fit_repeats(returns)
    at = repeat_features({"mass": np.full(3, 0.4), "hope": np.array([0.2, 0.5, 0.8]), "times": np.full(3, 2.0)})
    assert found.chance(at) == pytest.approx(truth.chance(at), abs=0.06)
    figures, gain = measure_repeats(returns)
    assert gain.low > 0
    every = figures[0]
    assert every.group == "all"
    assert every.people.low <= every.fitted.value <= every.people.high
    assert not every.people.low <= every.mind.value <= every.people.high
    with pytest.raises(TooFew, match="too few"):
        fit_repeats(returns, np.arange(n) < 50)


def test_turns_are_those_of_positions_that_were_there_before() -> None:
    game = open_game("shogi")
    position, moves = game.start(), []
    for text in (*SHUFFLE, *SHUFFLE[:2], "2g2f"):
        moves.append(game.parse(position, text))
        position = position.play(moves[-1])
    record = Record("shogi", Setup(), tuple(moves), (Player(), Player()), 1.0, "resignation")
    turns = list(returns_of(record))
    assert [query.position.ply for query, _ in turns] == [4, 5, 6]

    def mind(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(dist.uniform(len(query.position.legal)), wdl=np.array([1.0, 0.0, 0.0])) for query in queries]

    asked = ask_returns([(0, *turn) for turn in turns], mind, lambda done, games: None)
    assert asked.went.tolist() == [1.0, 1.0, 0.0]
    assert asked.columns["times"].tolist() == [2.0, 2.0, 2.0]
    assert log_odds(asked.columns["hope"]).max() < 7


def test_a_sum_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "shogi.json"
    path.write_text(json.dumps({"repeats": {}}), encoding="utf-8")
    with pytest.raises(BadSpec, match=r"shogi\.json: repeats"):
        read_manners(path)
