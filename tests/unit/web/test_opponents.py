"""Which opponents are offered, and on what scale."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from hitonami.core import open_game
from hitonami.customs import games_offered
from hitonami.errors import BadInput
from hitonami.intuition.knowledge import measured_ladder
from hitonami.models.self_played import packaged_ladder
from hitonami.models.shipped import shipped_models
from hitonami.scales import scale_of
from hitonami.specs import mind_spec
from hitonami.web.held import held_by
from hitonami.web.opponents import Roster, judge_for, read_roster, styles_of


@pytest.mark.parametrize("game", games_offered())
def test_every_style_names_a_mind_that_can_be_built(game: str) -> None:
    for style in styles_of(game):
        assert mind_spec(style.mind)
        assert Roster().style(game, style.name) is style
    assert Roster().style(game, "random").mind == "uniform"


@pytest.mark.parametrize("game", games_offered())
def test_the_human_network_comes_first_where_it_exists(game: str) -> None:
    shipped = game in shipped_models("human")
    assert (Roster().style(game, "").name == "human") is shipped
    judge = judge_for(open_game(game).start())
    measured = packaged_ladder(game) or measured_ladder(game)
    assert (judge is not None) is (shipped or measured is not None)
    assert (Roster().style(game, "").name == "expert") is (not shipped and game in shipped_models("expert"))


def test_people_without_levels_have_no_dial_and_their_game_has_the_one_that_was_measured() -> None:
    """Othello's records tell no ratings: its network of people has a range of one point, which is no scale."""
    by_name = {style.name: style for style in styles_of("othello")}
    assert (by_name["human"].follows_level, by_name["expert"].follows_level) == (False, True)
    scale, ladder = scale_of("othello"), packaged_ladder("othello")
    assert ladder is not None
    assert scale.low == 0
    assert scale.high == pytest.approx(ladder.rungs[-1].rating, abs=scale.step)
    assert scale.pools == ("wthor", "eothello")
    assert judge_for(open_game("othello").start()) is by_name["human"]


def test_the_dial_says_which_levels_games_hold() -> None:
    by_name = {style.name: held_by(style, "chess") for style in styles_of("chess")}
    low, high = by_name["human"]["lichess"]
    scale = scale_of("chess")
    assert scale.low < low < scale.default < high < scale.high
    assert "fide" not in by_name["human"]
    assert by_name["random"] == {}


@pytest.mark.parametrize("game", games_offered())
def test_the_usual_level_is_on_the_dial(game: str) -> None:
    scale = scale_of(game)
    assert scale.low <= scale.default <= scale.high
    assert scale.pools


@pytest.mark.parametrize("name", ["uci:sh -c true", "neural", "../../x", "HUMAN"])
def test_a_browser_cannot_name_a_mind_of_its_own(name: str) -> None:
    with pytest.raises(BadInput, match="style"):
        Roster().style("chess", name)


def test_opponents_named_at_the_start_are_offered_by_name(serve: Callable[..., Any]) -> None:
    with serve(opponents=("go:Any move=uniform",)) as base, httpx.Client(base_url=base, timeout=120) as client:
        games = {game["name"]: game for game in client.get("/api/info").json()["games"]}
        assert games["go"]["styles"][-1] == {
            "name": "Any move",
            "mind": "uniform",
            "follows_level": False,
            "strengths": 0,
            "usual_strength": 0,
            "held": {},
        }
        assert "Any move" not in [style["name"] for style in games["chess"]["styles"]]
        wanted = {"game": "go", "size": 9, "style": "Any move", "pace": "instant", "side": "second"}
        begun = client.post("/api/games", json=wanted).json()
        assert client.post(f"/api/games/{begun['id']}/answer").json()["ply"] == 1
        refused = client.post("/api/games", json=wanted | {"style": "uniform"})
        assert (refused.status_code, "Any move" in refused.json()["error"]) == (400, True)


def test_a_browser_does_not_hear_the_command_of_an_opponent() -> None:
    style = read_roster(["chess:Stockfish 5=uci:/home/somebody/bin/stockfish"]).style("chess", "Stockfish 5")
    assert style.shown == "uci"
    assert style.mind.endswith("/bin/stockfish")
    assert not style.follows_level


def test_an_opponent_that_reads_the_level_says_so() -> None:
    assert read_roster(["chess:Club=human"]).style("chess", "Club").follows_level


@pytest.mark.parametrize(
    "text",
    [
        "stockfish",
        "chess:Stockfish",
        "checkers:A=uniform",
        "chess:=uniform",
        "chess:human=uniform",
        "chess:Human=uniform",
    ],
)
def test_an_opponent_that_cannot_be_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(BadInput, match="opponent"):
        read_roster([text])


def test_two_opponents_of_one_name_are_refused() -> None:
    with pytest.raises(BadInput, match="taken"):
        read_roster(["go:A=uniform", "go:a=uniform"])


def test_an_opponent_without_a_mind_is_refused() -> None:
    with pytest.raises(BadInput, match="nosuch"):
        read_roster(["go:A=nosuch"])
