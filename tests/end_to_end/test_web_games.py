"""The package's board games in a real browser: each won by mouse and by keys, one on a phone; whole games are slow."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from hitonami.customs import customs_of, games_offered

NEARLY_WON = {
    "othello": ("xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxo1 x", "h8"),
    "connect-four": ("d1 c1 d2 c2 d3 c3", "d4"),
    "gomoku": ("h8 a1 i8 a2 j8 a3 k8 a4", "l8"),
    "renju": ("h8 a1 i8 a2 j8 a3 k8 a5", "l8"),
    "hex": ("x1o/x1o/3 x", "a3"),
    "breakthrough": ("4b3/2w5/8/8/8/8/8/8 w", "c7c8"),
    "heian": ("4k4/9/4G4/4L4/9/9/9/p8/4K4 b - 1", "5c5b"),
    "xiangqi": ("4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1", "b1b10"),
    "openspiel:tic_tac_toe": ("0 3 1 4", "x(0,2)"),
}
"""A position, or moves, after which the visitor wins by the move named."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, start_server: Callable[..., Any]) -> Iterator[Any]:
    started = start_server(tmp_path_factory.mktemp("games"))
    yield started
    started.end()


def sit_down(visitor: Any, game: str, **fields: Any) -> dict[str, Any]:
    state: dict[str, Any] = visitor.server.begin(game, **fields)
    visitor.open(f"/game/{state['id']}")
    visitor.find("main[data-turn=you], main[data-turn=over]")
    return state


def path_of(visitor: Any, state: dict[str, Any], move: str) -> list[int]:
    """The squares to choose for a move, as the server says."""
    drawn = visitor.server.show(state["id"])["board"]["drawing"]["moves"]
    [path] = [each["path"] for each in drawn if each["move"] == move]
    return list(path)


def click_through(visitor: Any, path: list[int], move: str) -> None:
    """Choose squares, or the button of a move that touches none; say which where the page asks."""
    for at in path:
        visitor.driver.find_elements(By.CSS_SELECTOR, ".drawn .target")[at].click()
    for button in visitor.driver.find_elements(By.CSS_SELECTOR, f'[data-move="{move}"]'):
        button.click()


def press_through(visitor: Any, path: list[int], move: str) -> None:
    """The same by arrow keys and Enter, never by the mouse."""
    shown = visitor.server.show(visitor.driver.current_url.rpartition("/")[2])
    wide = len(shown["board"]["drawing"]["columns"])
    visitor.driver.execute_script("document.querySelector('.drawn.board').focus()")
    for at in path:
        keys = [Keys.ARROW_UP] * 30 + [Keys.ARROW_LEFT] * 30  # the corner, wherever the cursor was
        keys += [Keys.ARROW_DOWN] * (at // wide) + [Keys.ARROW_RIGHT] * (at % wide) + [Keys.ENTER]
        ActionChains(visitor.driver).send_keys(*keys).perform()
    for button in visitor.driver.find_elements(By.CSS_SELECTOR, f'[data-move="{move}"]'):
        button.send_keys(Keys.ENTER)


def touch_through(visitor: Any, path: list[int], move: str) -> None:
    """The same by a finger."""
    targets = ".drawn .target"
    found = [visitor.driver.find_elements(By.CSS_SELECTOR, targets)[at] for at in path]
    for cell in [*found, *visitor.driver.find_elements(By.CSS_SELECTOR, f'[data-move="{move}"]')]:
        box = visitor.driver.execute_script("return arguments[0].getBoundingClientRect().toJSON()", cell)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        visitor.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        visitor.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@contextmanager
def on_a_phone(driver: Any) -> Iterator[None]:
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def skip_absent(game: str) -> None:
    if game not in games_offered():
        pytest.skip(f"{game} needs a library that is not installed")


@pytest.mark.parametrize("game", NEARLY_WON)
def test_it_is_won_by_mouse(visitor: Any, game: str) -> None:
    skip_absent(game)
    start, move = NEARLY_WON[game]
    state = sit_down(visitor, game, start=start)
    click_through(visitor, path_of(visitor, state, move), move)
    visitor.wait_text(".status", "You won")
    assert visitor.server.show(state["id"])["outcome"]["reason"]


@pytest.mark.parametrize("game", NEARLY_WON)
def test_it_is_won_by_keys(visitor: Any, game: str) -> None:
    skip_absent(game)
    start, move = NEARLY_WON[game]
    state = sit_down(visitor, game, start=start)
    press_through(visitor, path_of(visitor, state, move), move)
    visitor.wait_text(".status", "You won")
    assert visitor.server.show(state["id"])["outcome"]["reason"]


def play_whole(visitor: Any, game: str, choose: Callable[[Any, list[int], str], None], **fields: Any) -> None:
    """From the first move until the game is over."""
    state = sit_down(visitor, game, **fields)
    while visitor.find("main").get_attribute("data-turn") == "you":
        shown = visitor.server.show(state["id"])
        drawn = shown["board"]["drawing"]["moves"]
        move = drawn[len(drawn) * 7 // 11]
        choose(visitor, move["path"], move["move"])
        WebDriverWait(visitor.driver, 90).until(
            lambda _, ply=shown["ply"]: (  # type: ignore[misc]
                int(visitor.find("main").get_attribute("data-ply")) > ply
                and visitor.find("main").get_attribute("data-turn") != "them"
            )
        )
        if shown["ply"] > 400:
            return
    assert visitor.server.show(state["id"])["outcome"]["reason"]


@pytest.mark.slow
@pytest.mark.parametrize("game", NEARLY_WON)
def test_a_whole_game_by_mouse(visitor: Any, game: str) -> None:
    skip_absent(game)
    play_whole(visitor, game, click_through)


@pytest.mark.slow
@pytest.mark.parametrize("game", NEARLY_WON)
def test_a_whole_game_by_keys(visitor: Any, game: str) -> None:
    skip_absent(game)
    play_whole(visitor, game, press_through, style="random")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hex", "heian"])
def test_a_whole_game_by_touch_on_a_phone(visitor: Any, game: str) -> None:
    with on_a_phone(visitor.driver):
        play_whole(visitor, game, touch_through, style="random")


def test_hex_is_won_by_touch_on_a_phone(visitor: Any) -> None:
    start, move = NEARLY_WON["hex"]
    with on_a_phone(visitor.driver):
        state = sit_down(visitor, "hex", start=start)
        touch_through(visitor, path_of(visitor, state, move), move)
        visitor.wait_text(".status", "You won")
        assert visitor.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_a_game_explains_its_rules_with_their_sources_before_and_while_it_is_played(visitor: Any) -> None:
    rules = customs_of("heian").rules
    assert all(rule.source and rule.source_japanese for rule in rules)
    visitor.server.begin("heian")
    visitor.open("/")
    visitor.find("input[value=heian]").find_element(By.XPATH, "..").click()
    for language in ("en", "ja"):
        visitor.find(".rules summary").click()
        told = [each.text for each in visitor.driver.find_elements(By.CSS_SELECTOR, "form .rules li")]
        pairs = [(r.text, r.source) if language == "en" else (r.japanese, r.source_japanese) for r in rules]
        assert told == [f"{text}\n{source}" for text, source in pairs]
        if language == "en":
            visitor.driver.execute_script("localStorage.setItem('language', 'ja')")
            visitor.driver.refresh()
            visitor.find("input[value=heian]").find_element(By.XPATH, "..").click()
    visitor.driver.execute_script("localStorage.removeItem('language')")
    sit_down(visitor, "heian")
    visitor.find(".side .rules summary").click()
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".side .rules li")) == len(rules)
    sit_down(visitor, "othello")
    assert not visitor.driver.find_elements(By.CSS_SELECTOR, ".rules")


def test_pieces_of_heian_shogi_are_drawn_in_the_set_that_is_chosen(visitor: Any) -> None:
    sit_down(visitor, "heian", start="4k4/4e4/+S+N+L+P5/9/9/9/9/9/4K4 b - 1")
    pieces = "[...document.querySelectorAll('.drawn .piece')]"
    count = f"return {pieces}.map((each) => each.querySelectorAll('.signs > *').length)"
    assert visitor.driver.execute_script(count) == [0] * 7
    visitor.click("[data-pieces=kanji]")
    visitor.find("[data-pieces=international]")
    assert sorted(visitor.driver.execute_script(count)) == [6, 6, 6, 6, 7, 8, 8], "golds six ways, the elephant seven"
    visitor.click("[data-pieces=international]")
    visitor.find("[data-pieces=kanji]")
