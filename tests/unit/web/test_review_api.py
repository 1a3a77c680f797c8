"""Reviews through the interface: streamed, limited, of whatever is uploaded."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from hitonami.web.uploads import Wanted, read_upload

PGN = '[White "A"]\n[WhiteElo "1400"]\n[Black "B"]\n[BlackElo "1450"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
KIF = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n"
SGF = "(;SZ[9]KM[7];B[ee];W[cc];B[gc])"


def _review(client: httpx.Client, content: bytes, **fields: Any) -> list[dict[str, Any]]:
    with client.stream("POST", "/api/reviews", params={"judge": "false"} | fields, content=content) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]


@pytest.mark.parametrize(
    ("game", "name", "content", "moves"),
    [
        ("chess", "game.pgn", PGN.encode(), ["f3", "e5", "g4", "Qh4#"]),
        ("shogi", "game.kif", KIF.encode("cp932"), ["▲７六歩", "△３四歩", "▲２六歩"]),
        ("shogi", "no ending", KIF.encode(), ["▲７六歩", "△３四歩", "▲２六歩"]),
        ("go", "../../etc/passwd", SGF.encode(), ["E5", "C7", "G7"]),
    ],
)
def test_a_review_comes_move_by_move(
    client: httpx.Client, game: str, name: str, content: bytes, moves: list[str]
) -> None:
    start, *steps, summary = _review(client, content, game=game, name=name)
    assert (start["kind"], start["moves"]) == ("start", len(moves))
    assert [step["name"] for step in steps] == moves
    assert all(0 <= step["probability"] <= 1 for step in steps)
    assert steps[0]["board"]["last"] == steps[0]["move"]
    assert summary["kind"] == "summary"
    assert len(summary["players"]) == 2
    assert "steps" not in summary


def test_the_level_is_the_records_or_the_visitors(client: httpx.Client) -> None:
    assert _review(client, PGN.encode(), game="chess")[-1]["told"] == [1400, 1450]
    assert _review(client, PGN.encode(), game="chess", rating=1800)[-1]["told"] == [1800, 1800]


def test_a_broken_record_is_reviewed_up_to_its_break(client: httpx.Client) -> None:
    start, *steps, _ = _review(client, PGN.replace("Qh4#", "Qa1").encode(), game="chess")
    assert start["broken"]
    assert len(steps) == 3


@pytest.mark.parametrize(
    "content", [b"", b"  ", b"rubbish", b"\x1f\x8b\x08\x00rubbish", b"PK\x03\x04", bytes(range(256)) * 9]
)
def test_what_is_no_record_is_refused_without_our_paths(client: httpx.Client, content: bytes) -> None:
    answer = client.post("/api/reviews", params={"game": "chess", "name": "a.pgn.gz"}, content=content)
    assert answer.status_code == 400
    assert "tmp" not in answer.json()["error"]


def test_an_archive_is_not_unpacked() -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (whatever the reader of PGN finds wrong with it)
        read_upload(Wanted("chess", "bomb.zip", b"PK\x03\x04" + b"\0" * 64))


def test_a_very_long_game_is_cut_and_says_so() -> None:
    moves = " ".join(f"{at}. Nf3 Nf6 {at + 1}. Ng1 Ng8" for at in range(1, 401, 2))
    chosen = read_upload(Wanted("chess", "long.pgn", f'[Result "*"]\n\n{moves} *\n'.encode()))
    assert len(chosen.record.moves) == 600
    assert "600" in chosen.broken


def test_the_page_is_told_who_judges_shogi(client: httpx.Client, need_program: Callable[[str], str]) -> None:
    """GPS Shogi knows no limit in nodes, so it does not judge here."""
    need_program("gpsusi")
    start, *steps, summary = _review(client, KIF.encode(), game="shogi", judge="true")
    assert start["judge"] == summary["judge"] == "the expert head of the packaged network"
    assert all(step["loss"] is not None for step in steps)


def _list(client: httpx.Client, content: bytes, **fields: Any) -> httpx.Response:
    return client.post("/api/records", params=fields, content=content)


def test_the_games_of_a_file_are_listed_and_one_is_chosen(client: httpx.Client) -> None:
    second = PGN.replace('"A"', '"C"').replace("1. f3 e5 2. g4 Qh4# 0-1", "1. e4 e5 *").replace('"0-1"', '"*"')
    content = (PGN + "\n" + second).encode()
    told = _list(client, content, name="two.pgn").json()
    assert (told["game"], told["total"]) == ("chess", 2)
    assert [game["players"][0] for game in told["games"]] == ["A", "C"]
    assert [game["moves"] for game in told["games"]] == [4, 2]
    start, *steps, _ = _review(client, content, game="chess", number=2)
    assert (start["number"], start["games"]) == (2, 2)
    assert [step["name"] for step in steps] == ["e4", "e5"]


@pytest.mark.parametrize(
    ("game", "content", "number", "moves"),
    [
        ("chess", PGN, 1, 4),
        ("shogi", KIF, 1, 3),
        ("go", SGF, 1, 3),
        ("go", f"(;PB[A]SZ[19]HA[2]AB[dd][pp];W[pd]) {SGF}", 1, 1),
        ("go", f"(;SZ[19];B[pd]) {SGF}", 2, 3),
    ],
)
def test_a_reviewed_game_can_be_predicted_wherever_it_came_from(
    client: httpx.Client, game: str, content: str, number: int, moves: int
) -> None:
    """The page has only bytes of a file; the server tells the one game of it as text, without its players."""
    start, *steps, _ = _review(client, content.encode(), game=game, number=number)
    asked = {"game": game, "style": "random", "text": start["text"], "ply": moves - 1}
    told = client.post("/api/predict", json=asked).raise_for_status().json()
    assert (told["ply"], told["plies"]) == (moves - 1, moves)
    before = ([start, *steps])[moves - 1]["board"]
    assert {name: told["board"][name] for name in ("text", "stones")} == {
        name: before[name] for name in ("text", "stones")
    }
    assert not any(f"[{player['name']}]" in start["text"] for player in start["players"] if player["name"])


@pytest.mark.parametrize(
    ("name", "content", "game"),
    [
        ("a.sgf", SGF.encode(), "go"),
        ("a.txt", SGF.encode(), "go"),
        ("", KIF.encode(), "shogi"),
        ("", KIF.encode("cp932"), "shogi"),
        ("", b"PI\n+\n+7776FU\n-3334FU\n", "shogi"),
        ("", "▲７六歩 △３四歩\n".encode(), "shogi"),
        ("", PGN.encode(), "chess"),
        ("game.KIF", KIF.encode(), "shogi"),
    ],
)
def test_a_record_is_of_its_own_game_whatever_is_chosen(
    client: httpx.Client, name: str, content: bytes, game: str
) -> None:
    for chosen in ("chess", "shogi", "go"):
        answer = _list(client, content, name=name, game=chosen)
        assert answer.status_code == 200, answer.text
        assert answer.json()["game"] == game


@pytest.mark.parametrize("content", [b"rubbish", bytes(range(256)) * 3, "手合割：平手\n1 ７七歩\n".encode()])
def test_refusals_have_a_code_and_quote_no_bytes(client: httpx.Client, content: bytes) -> None:
    told = client.post("/api/reviews", params={"game": "chess"}, content=content).json()
    assert told["code"] in ("unreadable", "no-game")
    assert "\\x" not in told["error"]
    assert "/" not in told["error"]  # neither a path nor a position


def test_sizes_are_told_in_megabytes(client: httpx.Client) -> None:
    answer = client.post("/api/reviews", params={"game": "chess"}, content=b"x" * ((1 << 20) + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert answer.json()["values"] == {"megabytes": 1}
    assert "1 MB" in answer.json()["error"]


def test_chances_of_unequal_players_come_with_those_of_equals(client: httpx.Client) -> None:
    content = PGN.replace("1450", "2300").encode()
    start, *_, summary = _review(client, content, game="chess")
    assert start["equal_rating"] == 1850
    people, equals = summary["curves"]["people"], summary["curves"]["equals"]
    assert len(people) == len(equals) == 5
    assert people[0] < 0.15
    assert 0.4 < equals[0] < 0.65
    assert people[-1] == equals[-1] == 0.0
