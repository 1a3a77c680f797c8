"""The page through the real command and a real browser: games by mouse and on a phone, reload, kill -9."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
PROMOTION = "7k/P7/8/8/8/8/7P/4K3 w - - 0 1"
GOLD_IN_HAND = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def test_games_survive_kill_9_in_the_middle(tmp_path: Path, start_server: Any) -> None:
    """Every one, also those whose opponent was thinking: it thinks anew."""
    first = start_server(tmp_path)
    played = {"chess": "e2e4", "shogi": "7g7f", "go": "E5"}
    games = {game: first.begin(game, size=9 if game == "go" else 0)["id"] for game in played}
    ended = first.begin("chess")["id"]
    first.post(f"/api/games/{ended}/resign")
    for game, move in played.items():
        first.post(f"/api/games/{games[game]}/moves", move=move, ply=0)
    before = {game_id: first.show(game_id) for game_id in (*games.values(), ended)}
    first.end(signal.SIGKILL)
    second = start_server(tmp_path)
    assert {game_id: second.show(game_id) for game_id in before} == before
    assert {line["id"] for line in second.client.get("/api/games").json()} == set(before)
    for game_id in games.values():
        assert second.post(f"/api/games/{game_id}/answer")["ply"] == 2
    second.end()


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "hitonami", "serve", "--no-open", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert str(port) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_is_begun_from_the_form_and_played_by_mouse(visitor: Any) -> None:
    visitor.open("/")
    visitor.click("input[value=random][name=Opponent]")
    visitor.click("input[value=instant]")
    visitor.click("button[type=submit]")
    visitor.wait_turn("you")
    visitor.click_square("e2")
    visitor.click_square("e4")
    visitor.find("main[data-ply='2']")
    visitor.press("Take back")
    visitor.find("main[data-ply='0']")
    visitor.press("Resign")
    visitor.press("Yes")
    visitor.wait_text(".status", "You lost")
    visitor.press("Play again")
    visitor.find("main[data-ply='1'][data-turn=you]")  # the sides are changed: the opponent has begun


def test_mate_with_the_mouse(visitor: Any) -> None:
    state = visitor.server.begin("chess", start=BACK_RANK)
    visitor.open(f"/game/{state['id']}")
    visitor.click_square("a1")
    visitor.click_square("a8")
    visitor.wait_turn("over")
    visitor.wait_text(".status", "You won")


def test_the_promoted_piece_is_chosen(visitor: Any) -> None:
    state = visitor.server.begin("chess", start=PROMOTION)
    visitor.open(f"/game/{state['id']}")
    visitor.click_square("a7")
    visitor.click_square("a8")
    visitor.click(".choice button[aria-label=knight]")
    visitor.find("main[data-ply='2']")
    assert visitor.server.show(state["id"])["moves"][0] == "a8=N"


def test_a_game_of_typed_moves_goes_on_after_a_reload(visitor: Any) -> None:
    state = visitor.server.begin("chess")
    visitor.open(f"/game/{state['id']}")
    visitor.find("input[name=move]").send_keys("e4", Keys.ENTER)
    visitor.find("main[data-ply='2']")
    visitor.driver.refresh()
    visitor.find("main[data-ply='2']")
    visitor.find("body").send_keys("h")
    assert len(visitor.find(".bars").find_elements(By.TAG_NAME, "li")) == 5
    visitor.find("body").send_keys("u")
    visitor.find("main[data-ply='0']")


def test_shogi_drops_and_promotes_in_japanese(visitor: Any) -> None:
    state = visitor.server.begin("shogi", start=GOLD_IN_HAND)
    visitor.open(f"/game/{state['id']}", language="ja")
    visitor.click("[data-square='5c']")
    visitor.click("[data-square='5b']")
    visitor.click("[data-promote=yes]")
    visitor.find("main[data-ply='2'], main[data-turn=over]")
    assert visitor.server.show(state["id"])["moves"][0].endswith("５二歩成")
    visitor.press("待った")
    visitor.find("main[data-ply='0']")
    visitor.click("[data-hand='G*'] .piece")
    visitor.click("[data-square='5b']")
    visitor.wait_text(".status", "あなたの勝ち")


def test_go_on_a_phone_with_a_pass(visitor: Any) -> None:
    state = visitor.server.begin("go", size=9)
    visitor.open(f"/game/{state['id']}", size=(400, 850))
    visitor.click("[data-move=E5]")
    visitor.find("main[data-ply='2']")
    visitor.press("Pass")
    visitor.find("main[data-ply='4'], main[data-turn=over]")
    wide = visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_a_pasted_game_is_predicted(visitor: Any) -> None:
    visitor.open("/predict")
    visitor.click("input[value=random]")
    visitor.find(".paste textarea").send_keys("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    visitor.click(".paste button")
    visitor.find("[data-move=e1d2]")  # six moves: all are shown
    visitor.click("input[value=go]")
    visitor.find(".go svg")


def test_bad_text_is_answered_with_a_sentence(visitor: Any) -> None:
    visitor.open("/predict")
    visitor.click("input[value=random]")
    visitor.find(".bars")
    visitor.find(".paste textarea").send_keys("rubbish")
    visitor.click(".paste button")
    visitor.wait_text(".wrong", "neither a position nor a game")
    assert all("400" in complaint for complaint in visitor.complaints())  # the browser notes the refusal itself
