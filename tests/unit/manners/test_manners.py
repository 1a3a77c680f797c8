"""Curves of manners: read as they were written, calibrated draws, and what comes with the package."""

import json
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Patience
from hitonami.core import Clock, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.knobs import Curve
from hitonami.manners import FOLDER, NONE, manners_of, read_manners
from hitonami.manners.additive import Additive, read_additive
from hitonami.manners.counting import balance_of, captures, lead_of, peril_of, recaptures
from hitonami.manners.pace import (
    LONG_SECONDS,
    QUICK_SECONDS,
    ThinkTime,
    features_of,
    read_think_time,
    think_seconds,
    usual_of,
)
from hitonami.manners.resignation import Course, resign_features
from hitonami.manners.resignation import features_of as resign_features_of

HALF = Additive(-1.0, {"hope": Curve(((-2.0, 1.0), (2.0, -1.0)))}, {"lichess": 0.25})
PACE = ThinkTime(
    Additive(0.0, {"budget": Curve(((0.0, 0.0), (4.0, 4.0)))}),
    Additive(-2.0, {}),
    Additive(-3.0, {"budget": Curve(((0.0, 0.0), (4.0, 4.0)))}),
    (0.0, 2.0),
    (tuple(np.linspace(0.5, 1.5, 5)), tuple(np.linspace(1.0, 3.4, 5))),
    ((-0.6, -0.3, 0.0, 0.2, 0.4), (3.5, 3.8, 4.2, 4.6, 5.0)),
    Additive(-1.0, {"left": Curve(((0.0, 8.0), (3.0, -8.0)))}),
)


def test_a_sum_of_curves_is_what_the_file_says_and_the_unknown_adds_nothing() -> None:
    features = {"hope": np.array([-5.0, 0.0, np.nan])}
    assert HALF.score(features).tolist() == [0.0, -1.0, -1.0]
    pools = np.array(["lichess", "elsewhere", "lichess"])
    assert HALF.score(features, pools).tolist() == [0.25, -1.0, -0.75]
    again = read_additive(json.loads(json.dumps(HALF.as_data())), "here")
    assert again == HALF
    with pytest.raises(BadInput, match="hope"):
        HALF.score({"ply": np.zeros(1)})


@pytest.mark.parametrize("bound", [2, -0.1, True, "low"])
def test_a_bound_that_is_no_chance_is_refused(tmp_path: Path, bound: object) -> None:
    path = tmp_path / "chess.json"
    held = {"gives_up": HALF.as_data(), "saves": HALF.as_data()}
    path.write_text(json.dumps({"resignation": {**held, "most_saved": 0.03}}), encoding="utf-8")
    found = read_manners(path).resignation
    assert found is not None
    assert found.most_saved == 0.03
    path.write_text(json.dumps({"resignation": {**held, "most_saved": bound}}), encoding="utf-8")
    with pytest.raises(BadSpec, match=r"chess\.json: resignation"):
        read_manners(path)


@pytest.mark.parametrize("haste", [True, "much", None, float("inf")])
def test_a_haste_that_is_no_number_is_refused(tmp_path: Path, haste: object) -> None:
    path = tmp_path / "chess.json"
    held = {"gives_up": HALF.as_data(), "saves": HALF.as_data()}
    path.write_text(json.dumps({"resignation": {**held, "haste": 1.5}}), encoding="utf-8")
    found = read_manners(path).resignation
    assert found is not None
    assert found.haste == found.as_data()["haste"] == 1.5
    path.write_text(json.dumps({"resignation": {**held, "haste": haste}}), encoding="utf-8")
    with pytest.raises(BadSpec, match=r"chess\.json"):
        read_manners(path)


@pytest.mark.parametrize("text", ["[]", "{", '{"resignation": {}}', '{"think_time": {"centres": [1]}}'])
def test_what_is_no_file_of_manners_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "chess.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSpec, match=r"chess\.json"):
        read_manners(path)


def test_manners_come_with_the_package_and_other_games_have_none() -> None:
    for path in FOLDER.glob("*.json"):
        held = manners_of(path.stem)
        assert held.resignation is not None or held.think_time is not None
    assert manners_of("openspiel:hex") == NONE
    assert manners_of("../levels/chess") == NONE


def test_shares_turn_draws_around_and_ends_are_as_likely_as_the_sums_say() -> None:
    rng = np.random.default_rng(2)
    outlook = PACE.foresee({"budget": rng.uniform(-0.5, 4.5, 4000)})
    shares = rng.uniform(0.0, 1.0, 4000)
    seconds = PACE.draw(outlook, shares)
    assert np.allclose(PACE.shares(outlook, seconds), shares, atol=1e-3)
    assert (seconds < QUICK_SECONDS).mean() == pytest.approx(outlook.quick.mean(), abs=0.02)
    assert (seconds > LONG_SECONDS).mean() == pytest.approx(outlook.long.mean(), abs=0.02)
    assert read_think_time(json.loads(json.dumps(PACE.as_data())), "here") == PACE


def test_who_has_been_quick_so_far_is_expected_to_be_quick_again() -> None:
    position = open_game("chess").start()
    opinion, move = Opinion(dist.uniform(20)), int(position.legal[0])
    model = manners_of("chess").think_time
    assert model is not None
    who = Player(1500, "lichess")

    def outlook(clock: Clock) -> tuple[float, float]:
        found = model.foresee(features_of(Query(position, who, who, clock), opinion, move), np.array(["lichess"]))
        return found.expected.item(), found.quick.item()

    brisk, slow = (
        outlook(Clock(120.0, 120.0, spent_seconds=spent, usual_seconds=spent, opponent_spent_seconds=3.0))
        for spent in (0.3, 9.0)
    )
    usual = outlook(Clock(120.0, 120.0))
    assert brisk[0] < usual[0] < slow[0]
    assert brisk[1] > usual[1] > slow[1]
    assert usual_of([]) is None
    assert usual_of([9.0] * 20 + [1.0] * 8) == pytest.approx(1.0), "only the last eight are a habit"


def test_who_has_no_hope_left_has_the_least_chance_to_be_let_off() -> None:
    for path in FOLDER.glob("*.json"):
        held = manners_of(path.stem).resignation
        if held is None:
            continue
        for name in {"hope", "balance", "points"} & set(held.saves.terms):
            values = [y for _, y in held.saves.terms[name].points]
            assert values == sorted(values), (path.stem, name)
        if "peril" in held.saves.terms:
            down = [y for _, y in held.saves.terms["peril"].points]
            assert down == sorted(down, reverse=True), path.stem


def test_flags_fall_only_where_little_is_left_and_never_with_byoyomi() -> None:
    game = open_game("chess")
    position = game.start()
    opinion = Opinion(dist.uniform(20))
    rng = np.random.default_rng(1)

    def losses(clock: Clock) -> int:
        query = Query(position, Player(1500, "lichess"), Player(1500, "lichess"), clock)
        moods = rng.standard_normal(200)
        taken = [think_seconds(PACE, query, opinion, int(position.legal[0]), float(mood)) for mood in moods]
        assert min(taken) >= 0
        return sum(each > clock.remaining_seconds + clock.byoyomi_seconds for each in taken)

    assert losses(Clock(600.0, 600.0)) == 0
    assert losses(Clock(1.0, 600.0)) > 150
    assert losses(Clock(0.0, 600.0, byoyomi_seconds=10.0)) == 0


def test_material_is_counted_for_the_side_to_move() -> None:
    chess, shogi, go = (open_game(name) for name in ("chess", "shogi", "go"))
    assert balance_of(chess.read("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) == 5
    assert balance_of(chess.read("4k3/8/8/8/8/8/8/4K2R b K - 0 1")) == -5
    assert balance_of(shogi.read("4k4/9/9/9/9/9/9/9/4K4 w R2Pb 1")) == -(10 + 2 - 8)
    played = go.start()
    for text in ("D4", "Q16", "pass"):
        played = played.play(go.parse(played, text))
    assert balance_of(played) == 0


def test_peril_is_how_near_a_mate_is_that_cannot_be_parried() -> None:
    chess, shogi = open_game("chess"), open_game("shogi")
    assert peril_of(chess.start()) == 0
    assert peril_of(chess.read("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1")) == 1, "the rook would mate on the last row"
    assert peril_of(chess.read("7k/R7/1R6/8/8/8/8/6K1 b - - 0 1")) == 4, "one square to go, and mate there"
    assert peril_of(shogi.start()) == 0
    golds = "4k4/9/4P4/9/9/9/9/9/4K4 {} G2r2b3g4s4n4l17p 1"
    assert peril_of(shogi.read(golds.format("w"))) == 1, "a gold in front of the king would be mate"
    assert peril_of(shogi.read(golds.format("b"))) == 0
    assert peril_of(shogi.read("k8/2G6/G7p/9/9/9/9/9/4K4 w G 1")) == 4, "a pawn moves, and gold mates"
    assert peril_of(shogi.read("k8/9/G7p/9/9/9/9/9/4K4 w - 1")) == 0, "one gold alone mates nobody"
    assert np.isnan(peril_of(open_game("go").start()))


def test_a_mate_that_cannot_be_parried_is_given_up_though_there_seems_to_be_hope() -> None:
    shogi, patience = open_game("shogi"), Patience(min_ply=0)
    who, rng = Player(27, "shogiwars"), np.random.default_rng(1)

    def share(text: str, hope: float) -> float:
        query = Query(shogi.read(text), who, who)
        return sum(patience.gives_up(query, [hope] * 3, rng) is not None for _ in range(300)) / 300

    mated, at_ease = "k8/2G6/G7p/9/9/9/9/9/4K4 w G 1", "k8/9/G7p/9/9/9/9/9/4K4 w - 1"
    assert share(mated, 0.05) > 0.03
    assert share(mated, 0.15) > 0.0, "no network sees such mates, people do"
    assert share(at_ease, 0.15) == 0.0
    assert share(mated, 0.05) > share(at_ease, 0.05)
    assert share(at_ease, 0.001) == 1.0, "surer than the curves tell"


def test_points_are_reckoned_for_the_side_to_move_with_komi() -> None:
    go = open_game("go")
    position = go.start(Setup(size=9, komi=6.5))
    for row in range(1, 10):
        for column in "FG":  # two walls: six columns are Black's, three White's
            position = position.play(go.parse(position, f"{column}{row}"))
    ahead = lead_of(position)
    assert position.to_move == 0
    assert ahead == lead_of(position), "one board, one count"
    assert 5 < ahead <= 54 - 27 - 6.5
    after = position.play(go.parse(position, "pass"))
    assert -54 + 27 + 6.5 <= lead_of(after) < -5, "the other side sees the same board"
    assert lead_of(go.start(Setup(size=9, komi=90.5))) < 0
    assert np.isnan(lead_of(open_game("chess").start()))


def test_taking_and_taking_back_are_told_in_every_game() -> None:
    chess = open_game("chess")
    position = chess.start()
    for text in ("e2e4", "d7d5"):
        position = position.play(chess.parse(position, text))
    takes = chess.parse(position, "e4d5")
    assert captures(position, takes)
    assert not recaptures(position, takes)
    after = position.play(takes)
    assert recaptures(after, chess.parse(after, "d8d5"))
    assert not captures(after, chess.parse(after, "e7e6"))
    go = open_game("go")
    board = go.start()
    for text in ("A2", "A1", "B1"):
        before, move = board, go.parse(board, text)
        assert captures(before, move) == (text == "B1"), "only the last one takes a stone"
        board = board.play(move)
    shogi = open_game("shogi")
    held = shogi.read("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    assert not captures(held, shogi.parse(held, "P*5e"))


def test_one_turn_and_many_have_the_same_features() -> None:
    position = open_game("chess").read("4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    query = Query(position, Player(1900, "lichess"), Player(1500, "lichess"), Clock(20.0, 30.0))
    one = resign_features_of(query, Course([0.1, 0.3], [-5.0, 0.0], -12.0, 1.0))
    columns = {"rating": 1900, "opponent": 1500, "ply": 0, "remaining": 20.0, "hope0": 0.1, "hope1": 0.3}
    columns |= {"hope2": np.nan, "balance0": -5.0, "balance1": 0.0, "points": -12.0, "peril": 1.0}
    many = resign_features({name: np.array([value] * 3, dtype=np.float64) for name, value in columns.items()})
    assert {name: many[name][1] for name in many} == {name: one[name][0] for name in one}
    assert one["edge"].item() == -1.0
    assert one["swing"].item() == -5.0
    timed = features_of(query, Opinion(dist.uniform(len(position.legal))), int(position.legal[0]))
    assert timed["left"].item() == pytest.approx(np.log(20.5))
    assert timed["only"].item() == 0
