"""Bot or not in a real browser: the quiz, answers that were not given, one judge, a slow line, small screens."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hitonami.web.studies.quiz import quiz_games

SCREENS = {"desktop": (1366, 768, 1), "phone": (390, 844, 1), "lying phone": (667, 375, 1), "zoomed": (1366, 768, 2)}
WATCHED = {"title": "Who?", "game": "chess", "mode": "watch", "plies": 2, "games_per_visitor": 2}
ANYTHING = [{"label": "anything", "style": "random"}]


@pytest.fixture(autouse=True)
def usual_line(visitor: Any) -> Iterator[None]:
    yield
    visitor.add_latency(0)


def _answer(visitor: Any, right: bool) -> str:
    """Answer the game on the board. Returns its id."""
    shown: str = visitor.find(".quiz-table:not([data-told])").get_attribute("data-quiz")
    human = quiz_games()[shown].is_human == right
    visitor.press("A person" if human else "A program")
    visitor.find(f"[data-quiz='{shown}'][data-told={'right' if right else 'wrong'}]")
    return shown


@pytest.mark.parametrize("latency", [0, 150])
def test_the_quiz_tells_at_once_counts_and_remembers(visitor: Any, latency: int) -> None:
    visitor.open("/bot-or-not")
    visitor.add_latency(latency)
    visitor.click("a[href='/bot-or-not/quiz']")
    seen = []
    for streak in (1, 2):
        seen.append(_answer(visitor, right=True))
        visitor.find(f"main[data-streak='{streak}'][data-best='{streak}']")
        visitor.press("Next game")
    seen.append(_answer(visitor, right=False))
    visitor.find("main[data-streak='0'][data-best='2']")
    game = quiz_games()[seen[-1]]
    truth = visitor.find(".truth").text
    assert game.source.name in truth
    assert ("It was a person." in truth) == game.is_human
    visitor.click(".steps button:last-child")  # the game can be looked through with the truth beside it
    visitor.wait_text(".steps span", f"{len(game.moves)} / {len(game.moves)}")
    ActionChains(visitor.driver).send_keys(Keys.ARROW_LEFT).perform()
    visitor.wait_text(".steps span", f"{len(game.moves) - 1} / {len(game.moves)}")
    visitor.driver.refresh()
    visitor.find("main[data-streak='0'][data-best='2'] .quiz-table")
    assert visitor.find(".quiz-table").get_attribute("data-quiz") not in seen
    assert len(set(seen)) == 3
    visitor.click("nav a[href='/bot-or-not']")
    visitor.wait_text(".quiz-card", "best 2")


def test_a_double_click_answers_once(far_visitor: Any) -> None:
    far_visitor.open("/bot-or-not/quiz")
    far_visitor.find(".quiz-table")
    button = far_visitor.driver.find_element(By.XPATH, "//button[normalize-space()='A person']")
    ActionChains(far_visitor.driver).double_click(button).perform()
    far_visitor.find("[data-told]")
    kept = json.loads(far_visitor.driver.execute_script("return localStorage.quiz"))
    assert len(kept["seen"]) == 1
    assert kept["best"] == kept["streak"] <= 1


def test_a_game_of_each_kind_can_be_chosen(visitor: Any) -> None:
    visitor.open("/bot-or-not/quiz")
    for game, board in (("chess", "cg-board"), ("shogi", ".shogi.board"), ("go", ".go.board")):
        visitor.click(f"input[value={game}]")
        visitor.find(f".quiz-table .{game}.board, .quiz-table {board}")
        assert quiz_games()[visitor.find(".quiz-table").get_attribute("data-quiz")].game == game


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_question_fits_the_screen(visitor: Any, screen: str, language: str) -> None:
    for game in ("chess", "shogi", "go"):
        visitor.open("/bot-or-not/quiz", language=language)
        visitor.set_screen(*SCREENS[screen])
        visitor.click(f"input[value={game}]")
        visitor.find(".guess")
        script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        board, guess = (visitor.driver.execute_script(script, each) for each in (".board", ".guess"))
        height, wide = visitor.driver.execute_script(
            "return [innerHeight, document.documentElement.scrollWidth - innerWidth]"
        )
        assert wide <= 0
        assert board["height"] <= height
        if screen != "phone" or game == "chess":
            assert guess["bottom"] <= height, game  # asked without scrolling


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_quiz(visitor: Any, theme: str) -> None:
    visitor.open("/bot-or-not/quiz", theme=theme)
    visitor.find(".guess")
    assert visitor.find_barriers() == []
    _answer(visitor, right=False)
    assert visitor.find_barriers() == []
    visitor.press("Next game")
    _answer(visitor, right=True)
    assert visitor.find_barriers() == []


def _begin(server: Any) -> tuple[dict[str, Any], str]:
    study = server.post("/api/studies", **WATCHED, opponents=ANYTHING, games_per_opponent=2)
    while server.client.get(f"/api/studies/{study['id']}").json()["status"] == "preparing":
        pass
    return study, server.post(f"/api/studies/{study['id']}/visits", agreed=True)["id"]


@pytest.mark.parametrize("latency", [0, 150])
def test_a_slider_that_nobody_touched_is_no_answer(visitor: Any, latency: int) -> None:
    study, visit = _begin(visitor.server)
    visitor.open(f"/bot-or-not/visit/{visit}")
    visitor.add_latency(latency)
    visitor.find("main[data-done='0'] .steps button:last-child:not(:disabled)").click()
    visitor.click(".judging input[value=yes]")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".slider.unset")) == 5
    visitor.find("input[name=likeness]").send_keys(Keys.ENTER)  # the middle, on purpose
    visitor.find("input[name=strong]").send_keys(Keys.ARROW_RIGHT * 4)
    visitor.click("input[name=careful]")  # the middle, by a click
    visitor.find("[data-scale=careful]:not(.unset)")
    visitor.click("[data-scale=careful] button")  # and taken away again
    visitor.find("[data-scale=careful].unset")
    visitor.wait_text("[data-scale=strong] output", "54")
    assert visitor.find_barriers() == []
    button = visitor.driver.find_element(By.XPATH, "//button[normalize-space()='Answer']")
    ActionChains(visitor.driver).double_click(button).perform()
    visitor.find("main[data-done='1'] .board")
    key = {"X-Study-Key": study["key"]}
    told = visitor.server.client.get(f"/api/studies/{study['id']}/results", headers=key).json()
    [row] = told["seemings"]
    assert told["answers"] == 1
    assert (row["likeness"]["value"], row["likeness"]["low"]) == (50, None)
    assert {scale: each["value"] for scale, each in row["scales"].items()} == {"strong": 54}
    visitor.driver.execute_script("localStorage.studies = arguments[0]", json.dumps([{**study, "title": "Who?"}]))
    visitor.driver.get(f"{visitor.server.address}bot-or-not/results/{study['id']}")
    visitor.wait_text(".likenesses", "one judge, no interval")
    assert "50 – 50" not in visitor.driver.page_source
    assert visitor.find_barriers() == []
    assert all("409" in complaint for complaint in visitor.complaints())


def test_an_answer_survives_a_server_that_dies(visitor: Any, start_server: Any, tmp_path: Path) -> None:
    server = start_server(tmp_path, "--port", "0")
    again = ("--port", server.address.split(":")[-1].strip("/"))
    visitor.server, usual = server, visitor.server
    try:
        _, visit = _begin(server)
        visitor.open(f"/bot-or-not/visit/{visit}")
        visitor.find("main[data-done='0'] .steps button:last-child:not(:disabled)").click()
        visitor.click(".judging input[value=no]")
        server.end(signal.SIGKILL)
        visitor.press("Answer")
        visitor.wait_text(".wrong", "does not answer")
        server = start_server(tmp_path, *again)
        visitor.press("Answer")
        visitor.find("main[data-done='1'] .board")
        assert visitor.driver.find_elements(By.CSS_SELECTOR, ".wrong, .lost") == []
    finally:
        server.end()
        visitor.server = usual
    assert all("ERR_" in complaint for complaint in visitor.complaints())


@pytest.mark.parametrize("screen", SCREENS)
def test_judging_fits_the_screen(visitor: Any, screen: str) -> None:
    _, visit = _begin(visitor.server)
    visitor.open(f"/bot-or-not/visit/{visit}")
    visitor.set_screen(*SCREENS[screen])
    visitor.find("main[data-done='0'] .steps button:last-child:not(:disabled)").click()
    visitor.find(".judging")
    assert visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0
    box = "return document.querySelector('.board').getBoundingClientRect().height - innerHeight"
    assert visitor.driver.execute_script(box) <= 0


def test_a_fresh_installation_has_samples(visitor: Any, start_server: Any, tmp_path: Path) -> None:
    server = start_server(tmp_path)
    visitor.server, usual = server, visitor.server
    try:
        visitor.open("/studies")
        visitor.wait_text(".sample", "Samples that come with Hitonami")
        count = len(visitor.driver.find_elements(By.CSS_SELECTOR, ".reports a"))
        assert count >= 3
        for at in range(count):
            visitor.driver.find_elements(By.CSS_SELECTOR, ".reports a")[at].click()
            visitor.find("iframe, .data table")
            for frame in visitor.driver.find_elements(By.CSS_SELECTOR, "iframe"):
                visitor.driver.switch_to.frame(frame)
                visitor.find("h1")
                visitor.driver.switch_to.default_content()
        assert visitor.find_barriers() == []
    finally:
        server.end()
        visitor.server = usual
