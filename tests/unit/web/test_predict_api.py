"""Predictions through the interface, and what may be pasted."""

from typing import Any

import httpx
import pytest

from hitonami.errors import BadInput
from hitonami.web.pasted import position_at, read_pasted

PGN = '[Event "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'
CSA = "V2.2\nPI\n+\n+7776FU\n-3334FU\n"
KIF = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n"


@pytest.mark.parametrize(
    ("game", "text", "plies"),
    [
        ("chess", "", 0),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 0),
        ("chess", PGN, 4),
        ("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0),
        ("shogi", "position startpos moves 7g7f 3c3d", 2),
        ("shogi", CSA, 2),
        ("shogi", KIF, 2),
        ("go", "(;SZ[9];B[ee];W[cc])", 2),
    ],
)
def test_positions_and_games_are_told_apart(game: str, text: str, plies: int) -> None:
    assert read_pasted(game, text).ply == plies


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
@pytest.mark.parametrize("text", ["rubbish", "1", "/" * 300, "(;", "\x00", "▲", "+7776FU" * 3])
def test_rubbish_is_refused(game: str, text: str) -> None:
    with pytest.raises(BadInput):
        read_pasted(game, text)


def test_a_game_is_opened_at_any_move() -> None:
    end = read_pasted("chess", PGN)
    assert position_at(end, 1).to_move == 1
    assert position_at(end, None) is end
    with pytest.raises(BadInput, match="4 moves"):
        position_at(end, 5)


def test_shares_of_each_level_sum_to_one(client: httpx.Client) -> None:
    body: dict[str, Any] = {"game": "chess", "text": PGN, "ply": 2, "style": "random", "ratings": [1100, 1900]}
    told = client.post("/api/predict", json=body).json()
    assert told["plies"] == 4
    assert told["played"] == "g1f3"
    assert told["ratings"] == [1100, 1900]
    for at in range(2):
        shares = [candidate["probabilities"][at] for candidate in told["candidates"]]
        assert sum(shares) + told["others"][at] == pytest.approx(1.0, abs=1e-4)


def test_a_prediction_is_of_the_board_that_is_chosen(client: httpx.Client) -> None:
    for size, pieces in ((5, 20), (8, 32)):
        told = client.post("/api/predict", json={"game": "breakthrough", "size": size, "style": "random"}).json()
        assert len(told["board"]["drawing"]["pieces"]) == pieces
    placed = client.post("/api/predict", json={"game": "go", "size": 9, "handicap": "4", "style": "random"}).json()
    assert (placed["board"]["to_move"], placed["board"]["stones"].count("B")) == (1, 4)
    moved = client.post("/api/predict", json={"game": "go", "size": 9, "text": "E5 C3", "style": "random"}).json()
    assert (moved["plies"], moved["board"]["size"]) == (2, 9)


def test_moves_with_a_remark_are_read_and_an_illegal_one_is_named(client: httpx.Client) -> None:
    asked = {"game": "chess", "style": "random"}
    told = client.post("/api/predict", json=asked | {"text": "1. e4 e5 2. Nf3 {a knight} Nc6"}).json()
    assert told["moves"] == ["e4", "e5", "Nf3", "Nc6"]
    refused = client.post("/api/predict", json=asked | {"text": "1. e4 e5 2. Ke3"})
    assert (refused.status_code, "Ke3" in refused.text) == (400, True), refused.text


def test_a_finished_game_has_nothing_to_predict(client: httpx.Client) -> None:
    mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
    refused = client.post("/api/predict", json={"game": "chess", "text": mated, "style": "random"})
    assert refused.status_code == 400
    assert "over" in refused.json()["error"]


@pytest.mark.parametrize(
    ("game", "text", "plies"),
    [
        ("chess", "1. f3 e5 2. g4 Qh4# 0-1", 4),
        ("go", "(;SZ[5];B[cc];W[];B[])", 3),
        ("shogi", "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b", 1),
    ],
)
def test_a_finished_game_shows_its_last_position_with_moves(
    client: httpx.Client, game: str, text: str, plies: int
) -> None:
    body = {"game": game, "style": "random", "text": text}
    told = client.post("/api/predict", json=body).json()
    assert (told["plies"], told["ply"]) == (plies, plies - 1)
    assert told["ended"]
    assert told["played"] is not None
    assert client.post("/api/predict", json=body | {"ply": plies - 1}).json()["ended"] is None
    assert client.post("/api/predict", json=body | {"ply": plies}).json()["ended"]


def test_a_position_that_is_over_is_refused_in_the_page_s_words(client: httpx.Client) -> None:
    body = {"game": "chess", "style": "random", "text": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}
    answer = client.post("/api/predict", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "over")


def test_a_typed_move_is_refused_without_the_position(client: httpx.Client, begin: Any) -> None:
    for game, position in (("chess", "rnbqkbnr"), ("shogi", "lnsgkgsnl")):
        state = begin(game)
        told = client.post(f"/api/games/{state['id']}/moves", json={"move": "Zz9", "ply": 0}).json()
        assert told["code"] == "bad-move"
        assert "Zz9" in told["error"]
        assert position not in told["error"]


def test_a_pasted_game_has_a_length_that_memory_bears() -> None:
    """Each position of Go holds the trail of all before it: 30,000 moves would be gigabytes."""
    moves = ";B[aa];W[bb];B[ab];W[ba];B[];W[cc]"
    with pytest.raises(BadInput, match="at most 2,000 moves"):
        read_pasted("go", f"(;SZ[9]{moves * 5_000})")


def test_a_long_shuffle_breaks_nothing(client: httpx.Client) -> None:
    text = " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * 500)
    numbered = " ".join(f"{at}. Nf3 Nf6 {at + 1}. Ng1 Ng8" for at in range(1, 1000, 2))
    for given in (text, numbered):
        assert client.post("/api/predict", json={"game": "chess", "text": given}).status_code in (200, 400)
        assert client.post("/api/games", json={"game": "chess", "start": given[:20_000]}).status_code in (201, 400)
