"""What the page learns first: every game's own words and sign, without the rules of any being opened."""

import subprocess
import sys
from pathlib import Path
from threading import enumerate as threads
from typing import Any

import httpx
import pytest

from hitonami.core import Player, Query, open_game
from hitonami.customs import customs_of, games_offered
from hitonami.web.board_schemas import Drawing
from hitonami.web.drawing import draw_position
from hitonami.web.thinking import Thinkers

_VISIT = """
import sys
from threading import Thread

import httpx
import uvicorn

from hitonami.web.app import Settings, create_app
from hitonami.web.server import configure, listen

listening = listen("127.0.0.1", 0)
server = uvicorn.Server(configure(create_app(Settings(database=sys.argv[1]))))
thread = Thread(target=server.run, kwargs={"sockets": [listening]})
thread.start()
base = f"http://127.0.0.1:{listening.getsockname()[1]}"
for path in ("/", "/api/info"):
    assert httpx.get(base + path, timeout=120).status_code == 200, path
for game in sys.argv[2:]:
    assert httpx.post(base + "/api/start", json={"game": game}, timeout=120).status_code == 200, game
server.should_exit = True
thread.join()
print(*sorted({"pyspiel", "pyffish"} & set(sys.modules)))
"""


def test_a_game_begins_on_the_board_that_is_chosen(client: httpx.Client) -> None:
    [heian] = [game for game in client.get("/api/info").json()["games"] if game["name"] == "heian"]
    shapes = {}
    for variant in heian["variants"]:
        asked = {"game": "heian", "variant": variant["name"], "pace": "instant"}
        state = client.post("/api/games", json=asked).json()
        start = client.post("/api/start", json={"game": "heian", "variant": variant["name"]}).json()
        assert state["board"]["drawing"]["pieces"] == start["drawing"]["pieces"]
        drawing = start["drawing"]
        shapes[variant["name"]] = (len(drawing["ranks"]), len(drawing["columns"]), len(drawing["pieces"]))
    assert shapes == {
        "": (9, 9, 36),
        "9x8": (9, 8, 32),
        "8x8": (8, 8, 32),
        "second": (9, 9, 36),
        "elephant": (9, 9, 38),
    }
    for refused in (
        client.post("/api/start", json={"game": "heian", "variant": "7x7"}),
        client.post("/api/games", json={"game": "go", "variant": "8x8"}),
    ):
        assert (refused.status_code, "has no variant" in refused.text) == (400, True), refused.text


@pytest.mark.parametrize(
    ("asked", "rows", "pieces"),
    [
        ({"game": "breakthrough", "size": 5}, 5, 20),
        ({"game": "breakthrough", "size": 10}, 10, 40),
        ({"game": "hex", "size": 13, "start": "c2 d4"}, 13, 2),
        ({"game": "renju", "opening": "Kansei"}, 15, 3),
        ({"game": "xiangqi"}, 10, 32),
    ],
)
def test_what_is_shown_before_a_game_is_how_it_begins(
    asked: dict[str, Any], rows: int, pieces: int, client: httpx.Client
) -> None:
    if asked["game"] == "xiangqi":
        pytest.importorskip("pyffish")
    shown = client.post("/api/start", json=asked).json()["drawing"]
    assert (len(shown["ranks"]), len(shown["pieces"])) == (rows, pieces)
    begun = client.post("/api/games", json=asked | {"side": "second", "style": "random", "pace": "human"}).json()
    assert begun["board"]["drawing"]["pieces"] == shown["pieces"]


def test_a_handicap_and_a_board_that_there_is_not_are_told_before_the_game(client: httpx.Client) -> None:
    placed = client.post("/api/start", json={"game": "go", "size": 9, "handicap": "4"}).json()
    assert placed["stones"].count("B") == 4
    lance = client.post("/api/start", json={"game": "shogi", "handicap": "lance"}).json()
    assert lance["text"].split()[1] == "w"
    refused = client.post("/api/start", json={"game": "breakthrough", "size": 7})
    assert (refused.status_code, "has no board size 7" in refused.text) == (400, True), refused.text


def test_an_expert_plays_on_its_own_board_and_is_refused_on_others(client: httpx.Client) -> None:
    """Nobody named: whoever knows the board. A review of a game on another board has a judge all the same."""
    asked = {"game": "heian", "pace": "instant"}
    styles = [
        client.post("/api/games", json=asked | {"variant": variant}).json()["style"]["name"] for variant in ("", "8x8")
    ]
    assert styles == ["expert", "playout"]
    other = client.post("/api/games", json=asked | {"variant": "8x8"}).json()
    assert other["judge"]["name"] == "playout", (
        "hints and chances are the opponent's own where no expert knows the board"
    )
    for what in ("hint", "chances"):
        told = client.get(f"/api/games/{other['id']}/{what}")
        assert told.status_code == 200, told.text
    refused = client.post("/api/games", json=asked | {"variant": "8x8", "style": "expert"})
    assert (refused.status_code, refused.json()["code"]) == (400, "other-board")
    [heian] = [game for game in client.get("/api/info").json()["games"] if game["name"] == "heian"]
    assert heian["scale"]["low"] == 0
    assert heian["styles"][0]["follows_level"]


@pytest.mark.parametrize(
    ("asked", "loaded"),
    [([], ""), (["openspiel:clobber"], "pyspiel"), (["xiangqi"], "pyffish")],
)
def test_a_library_of_rules_is_loaded_when_somebody_chooses_its_game(
    asked: list[str], loaded: str, tmp_path: Path
) -> None:
    for library in loaded.split():
        pytest.importorskip(library)
    words = [sys.executable, "-c", _VISIT, f"sqlite:///{tmp_path / 'games.sqlite3'}", *asked]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == loaded


def _middle(drawing: Drawing) -> list[str]:
    """Three rows of three, as a sign has them."""
    width, height = len(drawing.columns), len(drawing.ranks)
    left, top = (width - 3) // 2, (height - 3) // 2
    sides = {divmod(each.at, width): "xo"[each.side] for each in drawing.pieces if each.side is not None}
    return ["".join(sides.get((top + row, left + column), ".") for column in range(3)) for row in range(3)]


@pytest.mark.parametrize("game", [name for name in games_offered() if customs_of(name).board == "drawing"])
def test_the_sign_is_what_the_diagram_shows(game: str) -> None:
    customs, drawing = customs_of(game), draw_position(open_game(game).start(), movable=False)
    assert customs.diagram_style == drawing.style
    assert list(customs.middle or ["..."] * 3) == _middle(drawing)


def test_all_strengths_of_playout_share_a_thread() -> None:
    begun = set(threads())  # those of a server that another test has just closed may still be there
    thinkers = Thinkers()
    queries = [Query(open_game("connect-four").start(), Player(), Player())]
    try:
        for simulations in (8, 16, 32, 64):
            assert len(thinkers.ask(f"playout:{simulations}", queries).answer.result()) == 1
        lanes = {thread.name for thread in set(threads()) - begun}
    finally:
        thinkers.close()
    assert lanes == {"lane playout"}
