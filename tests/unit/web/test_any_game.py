"""A game that is one file beside the package, played through the JSON interface with no other edit."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from hitonami.core import open_game
from hitonami.records import Document, Record, open_format


@pytest.fixture
def at(game_in_one_file: str, serve: Callable[..., Any]) -> Iterator[httpx.Client]:
    with serve() as base, httpx.Client(base_url=base, timeout=120) as client:
        yield client


def _begin(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/games", json={"game": "twofold", "style": "playout-1", "pace": "instant"} | fields)
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = answer.json()
    return state


def _play(client: httpx.Client, state: dict[str, Any], move: str) -> dict[str, Any]:
    """The visitor's move and what the opponent answers."""
    sent = client.post(f"/api/games/{state['id']}/moves", json={"move": move, "ply": state["ply"]})
    assert sent.status_code == 200, sent.text
    answered: dict[str, Any] = client.post(f"/api/games/{state['id']}/answer").json()
    return answered


def test_it_is_offered_after_the_games_of_the_package(at: httpx.Client) -> None:
    games = at.get("/api/info").json()["games"]
    assert [game["name"] for game in games[:3]] == ["chess", "shogi", "go"]
    assert [game["large"] for game in games[:3]] == [True] * 3
    [found] = [game for game in games if game["name"] == "twofold"]
    assert (found["title"], found["board"], found["large"]) == ("Twofold", "drawing", False)
    assert [style["name"] for style in found["styles"]] == ["playout", "random"]
    assert found["styles"][0]["strengths"] == 8
    assert found["formats"] == ["plain"]
    start = at.post("/api/start", json={"game": "twofold"}).json()["drawing"]
    assert len(start["columns"]) == len(start["ranks"]) == 7
    refused = at.post("/api/start", json={"game": "variant:/etc/passwd"})
    assert (refused.status_code, "there is no game" in refused.text) == (422, True)


def test_a_whole_game_is_played_by_choosing_squares(at: httpx.Client) -> None:
    state = _begin(at, side="second", style="random")
    state = at.post(f"/api/games/{state['id']}/answer").json()
    assert (state["ply"], state["your_turn"]) == (1, True)
    assert state["board"]["kind"] == "drawing"
    turns = []
    while state["outcome"] is None:
        before = state["ply"]
        state = _play(at, state, state["board"]["drawing"]["moves"][0]["move"])
        turns.append(state["ply"] - before)
    assert turns[:2] == [1, 3], "the second stone of a turn is the visitor's, too; then the opponent puts two"
    assert state["outcome"]["reason"] in ("five in a row", "full board")
    assert state["board"]["drawing"]["moves"] == []
    past = at.get(f"/api/games/{state['id']}/boards").json()
    assert [len(board["drawing"]["pieces"]) for board in past] == list(range(state["ply"] + 1))


def test_the_opponent_thinks_as_long_as_its_strength_says(at: httpx.Client) -> None:
    state = _begin(at, style="playout-3")
    assert state["style"]["mind"] == "playout:32"
    state = _play(at, state, "d4")
    assert state["ply"] == 3
    hint = at.get(f"/api/games/{state['id']}/hint").json()
    assert {each["move"] for each in hint["moves"]} <= set(state["board"]["legal"])
    assert 0 <= at.get(f"/api/games/{state['id']}/chances").json()["score"] <= 1
    refused = at.post("/api/games", json={"game": "twofold", "style": "playout-9"})
    assert (refused.status_code, "playout-8" in refused.json()["error"]) == (400, True)


def test_it_is_saved_as_plain_text_and_goes_on_from_it(at: httpx.Client) -> None:
    state = _begin(at, style="random", time_control="300+3")
    for _ in range(2):
        state = _play(at, state, state["board"]["legal"][0])
    saved = at.get(f"/api/games/{state['id']}/record", params={"kind": "plain"})
    assert "hitonami-" in saved.headers["Content-Disposition"]
    [record] = open_format("plain").read(Document("saved", 0, saved.content))
    assert isinstance(record, Record)
    assert (record.game, len(record.moves), len(record.clocks)) == ("twofold", state["ply"], state["ply"])
    again = _begin(at, start=saved.text)
    assert again["moves"] == state["moves"]
    text = open_game("twofold").write(open_game("twofold").start())
    assert _begin(at, start=f"{text[:-1]}x")["board"]["to_move"] == 1
    assert _begin(at, start="d4 a1 a2")["ply"] == 3
    refused = at.post("/api/games", json={"game": "chess", "start": saved.text})
    assert refused.status_code == 400


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_other_games_are_saved_as_plain_text_too(client: httpx.Client, begin: Callable[..., Any], game: str) -> None:
    state = begin(game)
    sent = {"move": state["board"]["legal"][0], "ply": 0}
    client.post(f"/api/games/{state['id']}/moves", json=sent)
    text = client.get(f"/api/games/{state['id']}/record", params={"kind": "plain"}).text
    assert text.startswith(f"game: {game}\n")
    assert begin(game, start=text)["moves"] == client.get(f"/api/games/{state['id']}").json()["moves"]


def test_a_name_that_no_file_has_is_refused(at: httpx.Client) -> None:
    refused = at.post("/api/games", json={"game": "twofolds"})
    assert refused.status_code == 422
