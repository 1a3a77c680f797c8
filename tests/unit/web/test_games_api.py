"""Games through the interface: rules, turns, taking back, endings, files."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

Begin = Callable[..., dict[str, Any]]
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def _post(client: httpx.Client, state: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/games/{state['id']}/{what}", json=body or None)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize(
    ("game", "move", "name"), [("chess", "e4", "e4"), ("shogi", "7g7f", "▲７六歩"), ("go", "D4", "D4")]
)
def test_a_move_is_played_and_answered(client: httpx.Client, begin: Begin, game: str, move: str, name: str) -> None:
    state = begin(game)
    assert state["your_turn"]
    after = _post(client, state, "moves", move=move, ply=0)
    assert after["moves"] == [name]
    assert not after["your_turn"]
    answered = _post(client, state, "answer")
    assert answered["ply"] == 2
    assert answered["your_turn"]
    assert _post(client, state, "answer") == answered  # asking again changes nothing
    assert client.get(f"/api/games/{state['id']}").json() == answered


def test_the_opponent_begins_where_the_visitor_is_second(client: httpx.Client, begin: Begin) -> None:
    state = begin("shogi", side="second")
    assert not state["your_turn"]
    assert _post(client, state, "answer")["ply"] == 1


def test_a_move_sent_twice_is_refused(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess")
    body = {"move": "e2e4", "ply": 0}
    assert client.post(f"/api/games/{state['id']}/moves", json=body).status_code == 200
    second = client.post(f"/api/games/{state['id']}/moves", json=body)
    assert second.status_code == 409
    assert client.get(f"/api/games/{state['id']}").json()["ply"] == 1


def test_an_illegal_move_is_refused_with_its_name_and_changes_nothing(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess")
    refused = client.post(f"/api/games/{state['id']}/moves", json={"move": "e2e5", "ply": 0})
    assert refused.status_code == 400
    assert "e2e5" in refused.json()["error"]
    assert client.get(f"/api/games/{state['id']}").json() == state


def test_mate_ends_the_game_and_can_be_taken_back(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess", start=BACK_RANK)
    mated = _post(client, state, "moves", move="a1a8", ply=0)
    assert mated["outcome"] == {"score": 1.0, "reason": "checkmate"}
    assert mated["board"]["check"]
    assert mated["board"]["legal"] == []
    again = _post(client, state, "undo")
    assert again["outcome"] is None
    assert again["ply"] == 0


def test_resigning_stays(client: httpx.Client, begin: Begin) -> None:
    state = begin("shogi")
    assert _post(client, state, "resign")["outcome"] == {"score": 0.0, "reason": "resignation"}
    assert client.post(f"/api/games/{state['id']}/moves", json={"move": "7g7f", "ply": 0}).status_code == 400
    assert client.get(f"/api/games/{state['id']}/hint").status_code == 400


def test_two_passes_are_counted(client: httpx.Client, begin: Begin) -> None:
    two_eyes = "(;SZ[3]AW[ba][ca][ab][bb][cb][ac][bc]PL[B])"  # Black has nothing but a pass
    state = begin("go", start=two_eyes, side="second")
    passed = _post(client, state, "answer")
    assert passed["moves"] == ["pass"]
    counted = _post(client, state, "moves", move="pass", ply=1)
    assert counted["outcome"]["score"] == 0.0
    assert "two passes" in counted["outcome"]["reason"]


def test_a_hint_is_a_distribution_over_legal_moves(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess")
    hint = client.get(f"/api/games/{state['id']}/hint", params={"count": 30}).json()
    assert {move["move"] for move in hint["moves"]} == set(state["board"]["legal"])
    assert sum(move["probability"] for move in hint["moves"]) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("game", "kind", "part"),
    [("chess", "pgn", "1. d4"), ("shogi", "kif", "手数"), ("shogi", "csa", "+7776FU"), ("go", "sgf", ";B[")],
)
def test_games_are_saved(client: httpx.Client, begin: Begin, game: str, kind: str, part: str) -> None:
    state = begin(game)
    _post(client, state, "moves", move={"chess": "d4", "shogi": "7g7f", "go": "C3"}[game], ply=0)
    saved = client.get(f"/api/games/{state['id']}/record", params={"kind": kind})
    assert part in saved.text
    assert f".{kind}" in saved.headers["content-disposition"]
    assert client.get(f"/api/games/{state['id']}/record", params={"kind": "exe"}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {"game": "checkers"},
        {"game": "chess", "style": "uci:sh"},
        {"game": "chess", "rating": 99},
        {"game": "go", "size": 8},
        {"game": "go", "pool": "nowhere"},
        {"game": "chess", "start": "rubbish"},
        {"game": "chess", "colour": "white"},
        {"game": "chess", "time_control": "soon"},
        {"game": "chess", "handicap": "king"},
        {"game": "chess", "handicap": "queen", "opening": "Ruy Lopez"},
        {"game": "go", "size": 9, "opening": "Low Chinese"},
        {"game": "chess", "start": "e4 e5 Ke3"},
        {"game": "chess", "start": "8/8/8/4k3/8/4K3/8/8 w - - 0 1"},
    ],
)
def test_a_game_that_cannot_be_is_refused(client: httpx.Client, body: dict[str, Any]) -> None:
    refused = client.post("/api/games", json=body)
    assert refused.status_code in (400, 422)
    assert refused.json()["error"]


@pytest.mark.parametrize(
    ("game", "fields", "moves"),
    [
        ("chess", {"opening": "Ruy Lopez"}, ["e4", "e5", "Nf3", "Nc6", "Bb5"]),
        ("chess", {"start": "1. d4 Nf6 2. c4"}, ["d4", "Nf6", "c4"]),
        ("chess", {"start": '[White "A"]\n\n1. e4 c5 *'}, ["e4", "c5"]),
        ("shogi", {"start": "7g7f 3c3d"}, ["▲７六歩", "△３四歩"]),
        ("shogi", {"start": "position startpos moves 2g2f"}, ["▲２六歩"]),
        ("go", {"size": 19, "opening": "Low Chinese"}, ["Q16", "D4", "Q3", "D16", "R9"]),
        ("go", {"size": 9, "start": "E5 C3"}, ["E5", "C3"]),
    ],
)
def test_a_game_begins_after_its_opening(begin: Begin, game: str, fields: dict[str, Any], moves: list[str]) -> None:
    assert begin(game, **fields)["moves"] == moves


def test_handicaps_are_on_the_board(begin: Begin) -> None:
    assert begin("go", size=9, handicap="4")["board"]["stones"].count("B") == 4
    assert begin("shogi", handicap="rook")["board"]["to_move"] == 1
    assert "RNB1KBNR" in begin("chess", handicap="queen")["board"]["text"]


def test_every_opening_and_handicap_can_be_begun(client: httpx.Client, begin: Begin) -> None:
    for game in client.get("/api/info").json()["games"]:
        for opening in game["openings"]:
            state = begin(game["name"], opening=opening["name"], size=opening["size"])
            assert len(state["moves"]) == len(opening["moves"].split())
        for handicap in game["handicaps"]:
            begin(game["name"], handicap=handicap["name"])
        for control in game["controls"]:
            assert begin(game["name"], time_control=control)["clock"]["seconds"][0] == float(control.split("+")[0])


def test_a_clock_is_kept_and_written(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess", time_control="300+3")
    assert state["clock"] == {"seconds": [300, 300], "running": False, "increment_seconds": 3, "byoyomi_seconds": 0}
    _post(client, state, "moves", move="e4", ply=0)
    answered = _post(client, state, "answer")
    assert answered["clock"]["running"]
    assert all(302 < left <= 303 for left in answered["clock"]["seconds"])
    text = client.get(f"/api/games/{state['id']}/record", params={"kind": "pgn"}).text
    assert '[TimeControl "300+3"]' in text
    assert "[%clk 0:05:03]" in text


def test_the_pace_can_be_changed(client: httpx.Client, begin: Begin) -> None:
    state = begin("chess")
    assert _post(client, state, "pace", pace="human")["pace"] == "human"
    assert client.get(f"/api/games/{state['id']}").json()["pace"] == "human"
    assert client.post(f"/api/games/{state['id']}/pace", json={"pace": "slow"}).status_code == 422


def test_a_ko_is_shown(begin: Begin) -> None:
    start = "(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc]PL[B];B[cb])"
    state = begin("go", start=start, side="second")
    assert state["board"]["ko"] == "B4"
    assert "B4" not in state["board"]["legal"]


def test_dead_stones_are_the_visitors_to_correct(client: httpx.Client, begin: Begin) -> None:
    stones = "(;SZ[5]KM[0]AB[ca][cb][cc][cd][ce]AW[ea]PL[B];B[];W[])"
    refused = client.post("/api/games", json={"game": "go", "start": stones})
    assert refused.status_code == 400  # it is over
    state = begin("go", start=stones.replace(";B[];W[]", ";B[]"), side="second")
    over = _post(client, state, "moves", move="pass", ply=1)
    assert over["board"]["dead"] == ["E5"]
    assert over["outcome"]["reason"] == "two passes, B+25"
    assert over["board"]["owners"] == "B" * 25
    corrected = _post(client, state, "dead", dead=[])
    assert corrected["outcome"]["reason"] == "two passes, B+14"
    assert client.get(f"/api/games/{state['id']}").json() == corrected
    assert client.post(f"/api/games/{state['id']}/dead", json={"dead": ["A1"]}).status_code == 400
    assert client.post(f"/api/games/{begin('chess')['id']}/dead", json={"dead": []}).status_code == 400


def test_no_draw_is_agreed_in_the_opening(client: httpx.Client, begin: Begin) -> None:
    assert _post(client, begin("chess"), "draw")["outcome"] is None


def test_games_are_listed_latest_first(client: httpx.Client, begin: Begin) -> None:
    older, newer = begin("chess"), begin("go", size=13)
    listed = client.get("/api/games").json()
    assert [line["id"] for line in listed[:2]] == [newer["id"], older["id"]]
    assert listed[0]["size"] == 13


def test_many_games_at_once_do_not_disturb_each_other(address: str) -> None:
    async def play_one(client: httpx.AsyncClient) -> list[str]:
        body = {"game": "chess", "style": "random", "pace": "instant"}
        state = (await client.post("/api/games", json=body)).json()
        for _ in range(3):
            body = {"move": state["board"]["legal"][0], "ply": state["ply"]}
            await client.post(f"/api/games/{state['id']}/moves", json=body)
            answers = [client.post(f"/api/games/{state['id']}/answer") for _ in range(2)]
            state = (await asyncio.gather(*answers))[0].json()
        moves: list[str] = state["moves"]
        return moves

    async def play_all() -> list[list[str]]:
        async with httpx.AsyncClient(base_url=address, timeout=120) as client:
            return await asyncio.gather(*[play_one(client) for _ in range(8)])

    assert [len(moves) for moves in asyncio.run(play_all())] == [6] * 8


def test_playing_again_keeps_the_board_and_the_clock_and_changes_the_sides(client: httpx.Client) -> None:
    asked = {"game": "heian", "variant": "8x8", "style": "random", "pace": "instant", "time_control": "300+3"}
    begun = client.post("/api/games", json=asked).json()
    client.post(f"/api/games/{begun['id']}/resign")
    again = client.post(f"/api/games/{begun['id']}/again").json()
    assert (again["ply"], again["you"], again["outcome"]) == (0, 1, None)
    assert again["board"]["drawing"]["pieces"] == begun["board"]["drawing"]["pieces"]
    assert again["clock"]["seconds"] == [300.0, 300.0]
    start = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    placed = client.post("/api/games", json={"game": "chess", "start": start, "style": "random"}).json()
    repeated = client.post(f"/api/games/{placed['id']}/again").json()
    assert repeated["board"]["text"] == placed["board"]["text"] == start
