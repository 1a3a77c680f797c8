"""The page over a slow line, in two tabs, and while the server is gone: no board stays frozen."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SLOW_ENGINE = """
import os, sys, time
from pathlib import Path
parent = os.getppid()
for line in sys.stdin:
    word = line.split()[:1]
    if word == ["uci"]:
        print("id name slow\\nuciok", flush=True)
    elif word == ["isready"]:
        print("readyok", flush=True)
    elif word == ["go"]:
        while not Path(sys.argv[1]).exists() and os.getppid() == parent:
            time.sleep(0.05)
        print("info depth 1 multipv 1 score cp 0 pv e7e5\\nbestmove e7e5", flush=True)
    elif word == ["quit"]:
        break
"""


def _shown_wrong(visitor: Any) -> list[str]:
    return [each.text for each in visitor.driver.find_elements(By.CSS_SELECTOR, ".wrong, .lost")]


def test_a_double_click_in_go_sends_one_move_and_the_game_goes_on(far_visitor: Any) -> None:
    state = far_visitor.server.begin("go", size=9)
    far_visitor.open(f"/game/{state['id']}")
    ActionChains(far_visitor.driver).double_click(far_visitor.find("[data-move=E5]")).perform()
    far_visitor.find("main[data-ply='2'][data-turn=you]")
    assert _shown_wrong(far_visitor) == []
    far_visitor.click(".target[data-move]")
    far_visitor.find("main[data-ply='4']")
    assert far_visitor.server.show(state["id"])["moves"][0] == "E5"


def test_a_double_click_in_shogi_sends_one_move_and_the_game_goes_on(far_visitor: Any) -> None:
    state = far_visitor.server.begin("shogi")
    far_visitor.open(f"/game/{state['id']}")
    far_visitor.click("[data-square='7g']")
    ActionChains(far_visitor.driver).double_click(far_visitor.find("[data-square='7f']")).perform()
    far_visitor.find("main[data-ply='2'][data-turn=you]")
    assert _shown_wrong(far_visitor) == []
    far_visitor.click("[data-square='1g']")
    far_visitor.click("[data-square='1f']")
    far_visitor.find("main[data-ply='4']")


def test_a_chess_piece_stays_where_it_was_put_while_the_move_is_on_its_way(far_visitor: Any) -> None:
    state = far_visitor.server.begin("chess")
    far_visitor.open(f"/game/{state['id']}")
    far_visitor.wait_turn("you")
    watch = """window.places = new Set();
    const board = document.querySelector('cg-board');
    const pawns = () => [...board.querySelectorAll('piece.white.pawn')].map((piece) => piece.cgKey);
    const look = () => window.places.add(pawns().filter((key) => key[0] === 'e').join());
    new MutationObserver(look).observe(board, { subtree: true, childList: true, attributes: true });"""
    far_visitor.driver.execute_script(watch)
    far_visitor.click_square("e2")
    far_visitor.click_square("e4")
    far_visitor.find("main[data-ply='2']")
    seen = far_visitor.driver.execute_script("return [...window.places]")
    assert seen == ["e2", "e4"], "the pawn went there once and never back"


@pytest.mark.parametrize(("game", "elsewhere", "here"), [("go", "C3", "[data-move=E5]"), ("shogi", "7g7f", None)])
def test_a_game_that_went_on_in_another_tab_goes_on_here(
    far_visitor: Any, game: str, elsewhere: str, here: str | None
) -> None:
    state = far_visitor.server.begin(game, size=9 if game == "go" else 0)
    far_visitor.open(f"/game/{state['id']}")
    far_visitor.wait_turn("you")
    far_visitor.server.post(f"/api/games/{state['id']}/moves", move=elsewhere, ply=0)
    far_visitor.server.post(f"/api/games/{state['id']}/answer")
    if here is None:
        far_visitor.click("[data-square='2g']")
        far_visitor.click("[data-square='2f']")
    else:
        far_visitor.click(here)
    far_visitor.find("main[data-ply='2'][data-turn=you]")  # the stale click has only brought the present board
    assert _shown_wrong(far_visitor) == []
    far_visitor.find("input[name=move]").send_keys("pass\n" if game == "go" else "1g1f\n")
    far_visitor.find("main[data-ply='4'], main[data-turn=over]")
    assert all("409" in complaint for complaint in far_visitor.complaints())  # the browser notes the refusal itself


def test_a_line_that_comes_back_is_found_by_the_page_itself(visitor: Any) -> None:
    state = visitor.server.begin("chess")
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    visitor.driver.execute_cdp_cmd("Network.enable", {})
    visitor.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/games/*"]})
    visitor.find("input[name=move]").send_keys("e4\n")
    visitor.find("[data-line=trying]")
    visitor.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    WebDriverWait(visitor.driver, 90).until(lambda _: _shown_wrong(visitor) == [])
    visitor.find("input[name=move]").send_keys("e4\n")
    visitor.find("main[data-ply='2'][data-turn=you]")
    assert all("ERR_BLOCKED" in complaint for complaint in visitor.complaints())


def test_a_server_that_dies_while_the_opponent_thinks_is_asked_again(
    visitor: Any, start_server: Any, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(SLOW_ENGINE)
    awake = tmp_path / "awake"
    engine = f"chess:slow=uci:{sys.executable} {tmp_path / 'slow.py'} {awake}"
    server = start_server(tmp_path, "--port", "0", "--opponent", engine)
    again = ("--port", server.address.split(":")[-1].strip("/"), "--opponent", engine)
    state = server.begin("chess", style="slow")
    visitor.server, usual = server, visitor.server
    try:
        visitor.open(f"/game/{state['id']}")
        visitor.find("input[name=move]").send_keys("e4\n")
        visitor.find("main[data-ply='1'][data-turn=them]")
        server.end(signal.SIGKILL)
        visitor.find("[data-line=trying]")
        visitor.find("[data-line=gone]")
        awake.touch()
        server = start_server(tmp_path, *again)
        visitor.press("Try again")
        visitor.find("main[data-ply='2'][data-turn=you]")
        visitor.find(".win-bar:not(.unknown)")  # the last that the page asks for
        assert _shown_wrong(visitor) == []
        noted = visitor.complaints()  # the browser notes what it could not reach
        assert [complaint for complaint in noted if "ERR_" not in complaint] == []
    finally:
        visitor.driver.get("about:blank")
        server.end()
        visitor.server = usual


def test_a_hidden_opponent_is_played_over_a_slow_line(far_visitor: Any) -> None:
    body = {"title": "Who?", "game": "go", "size": 9, "mode": "play", "plies": 4, "games_per_visitor": 1}
    study = far_visitor.server.post("/api/studies", **body, opponents=[{"label": "somebody", "style": "random"}])
    visit = far_visitor.server.post(f"/api/studies/{study['id']}/visits", agreed=True)
    far_visitor.open(f"/bot-or-not/visit/{visit['id']}")
    first = int(far_visitor.find("[data-turn=you]").get_attribute("data-ply"))
    ActionChains(far_visitor.driver).double_click(far_visitor.find(".target[data-move]")).perform()
    far_visitor.find(f"[data-ply='{first + 2}'][data-turn=you]")
    assert _shown_wrong(far_visitor) == []
    far_visitor.click(".target[data-move]")
    far_visitor.find(f"[data-ply='{first + 4}']")
