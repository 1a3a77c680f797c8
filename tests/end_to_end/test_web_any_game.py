"""A game that is one file beside the package, played to its end in a real browser: by mouse, by keys, by touch."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PARTS = Path(__file__).parents[1] / "parts"
ALMOST = "d4 a1 a2 d5 d6 b1 b2"
"""Black, to put two stones, needs both for five in a row: d3 and d2."""

PROMOTABLE = "1n4sn1/l2k5/Psp1pg1pl/1p4p1p/3P1g3/6P1P/LPP1P2P1/1S1G1GK1L/1N4SN1 b - 49"
"""Heian shogi: a pawn on 9c may promote on 9b or not."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, start_server: Callable[..., Any]) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HITONAMI_PARTS", str(PARTS))
        started = start_server(tmp_path_factory.mktemp("any"))
        yield started
        started.end()


def _sit_down(visitor: Any, **fields: Any) -> dict[str, Any]:
    state: dict[str, Any] = visitor.server.begin("twofold", **fields)
    visitor.open(f"/game/{state['id']}")
    visitor.find("main[data-turn=you], main[data-turn=over]")
    return state


def _square(visitor: Any, name: str) -> Any:
    return visitor.find(f".drawn .target[data-square={name}]")


def _free(visitor: Any, state: dict[str, Any]) -> str:
    """A square that the visitor can put a stone on, as the server says."""
    return str(visitor.server.show(state["id"])["board"]["legal"][0])


def _wait_ply(visitor: Any, least: int) -> None:
    WebDriverWait(visitor.driver, 90).until(
        lambda _: (
            int(visitor.find("main").get_attribute("data-ply")) >= least
            and visitor.find("main").get_attribute("data-turn") != "them"
        )
    )


def test_a_whole_game_from_the_form_by_mouse(visitor: Any) -> None:
    visitor.open("/")
    visitor.click("input[name=Game][value=twofold]")
    assert visitor.find(".preview .drawn.board svg")
    assert not visitor.driver.find_elements(By.CSS_SELECTOR, "#level")
    assert visitor.find("#strength").get_attribute("value") == "4"
    visitor.click("input[name=Opponent][value=random]")
    visitor.click("input[name=Pace][value=instant]")
    visitor.click("button[type=submit]")
    visitor.wait_turn("you")
    state = {"id": visitor.driver.current_url.rsplit("/", 1)[1]}
    plies = [0]
    while visitor.find("main").get_attribute("data-turn") == "you":
        _square(visitor, _free(visitor, state)).click()
        _wait_ply(visitor, plies[-1] + 1)
        plies.append(int(visitor.find("main").get_attribute("data-ply")))
    assert plies[1:3] == [3, 4], "one stone, then two of the opponent's; of the next two the visitor has put one"
    ended = visitor.server.show(state["id"])
    assert ended["outcome"]["reason"] in ("five in a row", "full board")
    stones = visitor.driver.find_elements(By.CSS_SELECTOR, ".drawn-piece.stone")
    assert len(stones) == ended["ply"]
    assert visitor.find(".status").text
    assert visitor.find("a[download]").text == "Save as text"


def test_five_in_a_row_wins_by_keys(visitor: Any) -> None:
    state = _sit_down(visitor, start=ALMOST)

    def press(*keys: str) -> None:
        ActionChains(visitor.driver).send_keys(*keys).perform()

    for _ in range(40):
        press(Keys.TAB)
        if visitor.driver.execute_script("return document.activeElement.matches('.drawn.board')"):
            break
    press(Keys.ARROW_DOWN, Keys.ENTER)  # from the middle, d4, to d3
    _wait_ply(visitor, 8)
    assert "d3" in visitor.find(".drawn .unseen").get_attribute("textContent")
    press(Keys.ARROW_DOWN, Keys.ENTER)
    visitor.wait_text(".status", "You won")
    assert visitor.server.show(state["id"])["moves"][-2:] == ["d3", "d2"]


def test_five_in_a_row_wins_by_touch_on_a_phone(visitor: Any) -> None:
    driver = visitor.driver
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        state = _sit_down(visitor, start=ALMOST)
        for at, name in enumerate(("d3", "d2")):
            box = driver.execute_script("return arguments[0].getBoundingClientRect().toJSON()", _square(visitor, name))
            assert min(box["width"], box["height"]) >= 40, "large enough for a finger"
            point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            _wait_ply(visitor, 8 + at)
        visitor.wait_text(".status", "You won")
        assert visitor.server.show(state["id"])["outcome"]["reason"] == "five in a row"
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_the_opponent_of_a_chosen_strength_answers_and_hints_are_on_the_board(visitor: Any) -> None:
    state = _sit_down(visitor, style="playout-2")
    _square(visitor, "d4").click()
    _wait_ply(visitor, 3)
    assert visitor.server.show(state["id"])["style"]["mind"] == "playout:16"
    visitor.press_soon("Hint")
    assert visitor.find(".drawn .mark circle")
    visitor.press_soon("Take back")
    WebDriverWait(visitor.driver, 90).until(lambda _: visitor.find("main").get_attribute("data-ply") == "0")


def test_a_saved_game_goes_on_from_its_text(visitor: Any) -> None:
    state = _sit_down(visitor, start=ALMOST)
    text = visitor.server.client.get(f"/api/games/{state['id']}/record?kind=plain").text
    visitor.open("/")
    visitor.click("input[name=Game][value=twofold]")
    visitor.click("input[name=Opponent][value=random]")
    visitor.click("summary")
    visitor.find("textarea[name=start]").send_keys(text)
    visitor.click("button[type=submit]")
    visitor.wait_turn("you")
    assert visitor.find("main").get_attribute("data-ply") == "7"


def test_a_board_of_text_is_played_with_buttons(visitor: Any) -> None:
    state = visitor.server.begin("takeaway", start="2")
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    assert visitor.find(".drawn.as-text pre").text == "oo"
    assert [each.text for each in visitor.driver.find_elements(By.CSS_SELECTOR, ".move-buttons button")] == [
        "take1",
        "take2",
    ]
    visitor.press("take2")
    visitor.wait_text(".status", "You won")


def test_moves_with_the_same_squares_are_asked_for_by_name(visitor: Any) -> None:
    state = visitor.server.begin("heian", start=PROMOTABLE)
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    _square(visitor, "'9三'").click()
    visitor.find(".drawn .picked")
    _square(visitor, "'9二'").click()
    visitor.find(".choice button[data-move='9c9b']")
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    WebDriverWait(visitor.driver, 90).until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".choice"))
    _square(visitor, "'9三'").click()
    _square(visitor, "'9二'").click()
    visitor.click(".choice button[data-move='9c9b+']")
    _wait_ply(visitor, 2)
    assert visitor.server.show(state["id"])["moves"][0] == "歩9b+(9c)"


def test_its_positions_are_predicted_on_the_same_board(visitor: Any) -> None:
    visitor.open("/predict?kind=twofold")
    visitor.find(".bars li")
    _square(visitor, "d4").click()
    visitor.find(".drawn-piece.stone")
    assert "moves=d4" in visitor.driver.current_url


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_nobody_is_kept_out(visitor: Any, language: str, theme: str) -> None:
    state = visitor.server.begin("twofold", start=ALMOST)
    visitor.open(f"/game/{state['id']}", language=language, theme=theme)
    visitor.wait_turn("you")
    assert visitor.find_barriers() == []


def _shows_pieces(driver: Any, count: int) -> bool:
    return len(driver.find_elements(By.CSS_SELECTOR, ".preview .drawn-piece")) == count


def test_the_board_before_the_game_is_the_one_that_is_chosen(visitor: Any) -> None:
    visitor.open("/")
    visitor.click("input[value=breakthrough]")
    for size in (5, 6):
        visitor.click(f"input[name=Board][value='{size}']")
        WebDriverWait(visitor.driver, 90).until(partial(_shows_pieces, count=4 * size))
    visitor.driver.execute_script("localStorage.newGame = JSON.stringify({game: 'breakthrough'})")
    visitor.driver.refresh()
    visitor.find(".row.small .chosen")
    ring = "const row = document.querySelector('.row.small'), chip = row.querySelector('.chosen span');"
    place = "return chip.getBoundingClientRect().top - row.getBoundingClientRect().top"
    assert visitor.driver.execute_script(f"{ring} {place}") >= 4, "there is room for the ring of what has the focus"


def test_a_dial_that_does_nothing_stands_still(visitor: Any) -> None:
    """Othello's people have no levels, its expert has measured ones."""
    visitor.open("/")
    visitor.click("input[value=othello]")
    assert not visitor.find("#level").is_enabled()
    assert visitor.find("select[name=pool]").is_enabled()
    visitor.click("input[name=Opponent][value=expert]")
    assert visitor.find("#level").is_enabled()
    assert int(visitor.find("#level").get_attribute("max")) > 1000
    assert not visitor.driver.find_elements(By.CSS_SELECTOR, "select[name=pool]")
