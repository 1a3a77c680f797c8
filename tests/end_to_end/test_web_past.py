"""A game's page beside the moves: looking back, the count, what can be taken back, frames and marks, words."""

import re
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CHECKED = "4k4/9/9/9/9/9/4r4/9/4K4 b 2G 1"
PROMOTABLE = "3k5/9/9/9/9/9/9/4R4/4K4 b - 1"
COUNTED = "(;SZ[5]KM[6.5]AB[ca][cb][cc][cd][ce]PL[B];B[])"
POOLS = r"lichess|fide|shogiwars|shogi-pro|shogi24|ogs|kgs|fox|goquest"
NOT_ENGLISH = rf"{POOLS}|English|Hitonami|Home|End|Tab|KIF|CSA|PGN|SGF|SFEN|FEN|uniform"


def play_some(visitor: Any, game: str, moves: tuple[str, ...], **fields: Any) -> dict[str, Any]:
    """A game with these moves of the visitor, each answered, on the page; of "C3 G7" the first that nobody has made."""
    state = visitor.server.begin(game, **fields)
    for choices in moves:
        move = next(choice for choice in choices.split() if choice not in state["moves"])
        state = visitor.server.post(f"/api/games/{state['id']}/moves", move=move, ply=state["ply"])
        state = visitor.server.post(f"/api/games/{state['id']}/answer")
    visitor.open(f"/game/{state['id']}")
    visitor.find(f"main[data-ply='{state['ply']}']")
    return dict(state)


def stones(visitor: Any) -> int:
    return len(visitor.driver.find_elements(By.CSS_SELECTOR, ".go .shadow"))


def press(visitor: Any, *keys: str) -> None:
    ActionChains(visitor.driver).send_keys(*keys).perform()


def wait_stones(visitor: Any, count: int) -> None:
    WebDriverWait(visitor.driver, 90).until(lambda _: stones(visitor) == count)


@pytest.mark.parametrize("latency", [0, 150])
def test_keys_and_clicks_look_back_and_return(visitor: Any, latency: int) -> None:
    visitor.add_latency(latency)
    state = play_some(visitor, "go", ("E5", "C3 G7"), size=9)
    now = stones(visitor)
    press(visitor, Keys.HOME)
    visitor.find("main[data-looking='0'] .through.looking")
    wait_stones(visitor, 0)
    press(visitor, Keys.ARROW_RIGHT)
    visitor.find("main[data-looking='1']")
    wait_stones(visitor, 1)
    visitor.click(".moves [data-ply='3']")
    visitor.find("main[data-looking='3']")
    press(visitor, Keys.ARROW_LEFT * 3)  # as fast as keys come
    visitor.find("main[data-looking='0']")
    assert visitor.find_barriers() == []
    press(visitor, Keys.END)
    visitor.find("main:not([data-looking])")
    wait_stones(visitor, now)
    assert visitor.server.show(state["id"])["ply"] == 4
    visitor.add_latency(0)


def test_a_click_on_an_earlier_board_returns_and_moves_nothing(visitor: Any) -> None:
    state = play_some(visitor, "chess", ("e4",))
    visitor.click(".steps button")
    visitor.find("main[data-looking='0']")
    visitor.click_square("d2")
    visitor.find("main:not([data-looking])")
    visitor.click_square("d2")
    visitor.click_square("d4")
    visitor.find("main[data-ply='4'], main[data-turn=over]")
    assert visitor.server.show(state["id"])["moves"][2] == "d4"


def test_a_typed_move_is_made_in_the_present(visitor: Any) -> None:
    state = play_some(visitor, "shogi", ("7g7f",))
    press(visitor, Keys.HOME)
    visitor.find("main[data-looking='0']")
    visitor.find("input[name=move]").send_keys("1g1f", Keys.ENTER)
    visitor.find("main[data-ply='4']:not([data-looking])")
    assert visitor.server.show(state["id"])["moves"][2].endswith("１六歩")


def test_keys_look_back_after_a_move_with_the_mouse(visitor: Any) -> None:
    """The board that was clicked has the focus, and leaves the arrow keys to the page."""
    state = visitor.server.begin("shogi")
    visitor.open(f"/game/{state['id']}")
    visitor.click("[data-square='7g']")
    visitor.click("[data-square='7f']")
    visitor.find("main[data-ply='2'][data-turn=you]")
    press(visitor, Keys.ARROW_LEFT)
    visitor.find("main[data-looking='1']")


def test_a_counted_game_shows_points_and_komi(visitor: Any) -> None:
    state = visitor.server.begin("go", start=COUNTED, side="second")
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    visitor.press("Pass")
    visitor.wait_text(".status", "Black wins by 18.5")
    assert re.findall(r"[\d.]+", visitor.find(".count-table").text) == ["25", "6.5", "0", "6.5"]
    assert "komi" in visitor.find(".count-table").text


def test_a_game_leads_to_its_prediction_and_its_review(visitor: Any) -> None:
    state = play_some(visitor, "chess", ("e4",))
    press(visitor, Keys.ARROW_LEFT)
    visitor.find("main[data-looking='1']")
    links = {link.get_attribute("href") for link in visitor.driver.find_elements(By.CSS_SELECTOR, ".links a")}
    ends = {link.removeprefix(visitor.server.address) for link in links}
    assert {f"predict?game={state['id']}&ply=1", f"review?game={state['id']}&kind=chess"} <= ends
    visitor.click(f".links a[href*='predict?game={state['id']}']")
    visitor.find("main.predict .board")
    assert f"/predict?game={state['id']}&ply=1" in visitor.driver.current_url


def test_nothing_can_be_taken_back_before_ones_own_first_move(visitor: Any) -> None:
    state = visitor.server.begin("chess", side="second")
    visitor.open(f"/game/{state['id']}")
    visitor.find("main[data-ply='1'][data-turn=you]")
    button = visitor.driver.find_element(By.XPATH, "//button[normalize-space()='Take back']")
    assert not button.is_enabled()
    press(visitor, "u")
    visitor.press("Hint")  # later than the key: had it asked for something, the refusal would be there
    visitor.find(".bars")
    assert visitor.driver.find_elements(By.CSS_SELECTOR, ".wrong") == []


def test_no_frame_is_left_around_the_board_after_a_promotion_with_the_mouse(visitor: Any) -> None:
    state = visitor.server.begin("shogi", start=PROMOTABLE)
    visitor.open(f"/game/{state['id']}")
    visitor.click("[data-square='5h']")
    visitor.click("[data-square='5c']")
    visitor.click("[data-promote=yes]")
    visitor.find("main[data-ply='2']")
    press(visitor, "f")  # a key, and browsers frame what has the focus
    framed = "return getComputedStyle(document.querySelector(arguments[0])).outlineStyle"
    assert visitor.driver.execute_script(framed, ".shogi.board") == "none"
    state = visitor.server.begin("chess", start="7k/P7/8/8/8/8/7P/4K3 w - - 0 1")
    visitor.open(f"/game/{state['id']}")
    visitor.click_square("a7")
    visitor.click_square("a8")
    visitor.find(".choice button:focus")
    assert visitor.driver.execute_script(framed, ".choice button") == "none"


def test_a_king_in_check_is_marked_in_shogi(visitor: Any) -> None:
    state = visitor.server.begin("shogi", start=CHECKED)
    visitor.open(f"/game/{state['id']}")
    mark = visitor.find(".in-check").rect
    king = visitor.find("[data-square='5i']").rect
    assert (round(mark["x"]), round(mark["y"])) == (round(king["x"]), round(king["y"]))


def test_a_typed_move_that_is_none_is_named_in_the_visitors_language(visitor: Any) -> None:
    state = visitor.server.begin("chess")
    visitor.open(f"/game/{state['id']}", language="ja")
    visitor.find("input[name=move]").send_keys("Ke7", Keys.ENTER)
    visitor.wait_text(".wrong", "ここでは選べない手です： Ke7")
    assert "/" not in visitor.find(".wrong").text  # no FEN
    visitor.find("input[name=move]").send_keys("e4", Keys.ENTER)
    visitor.find("main[data-ply='2']")
    assert visitor.driver.find_elements(By.CSS_SELECTOR, ".wrong") == []
    assert all("400" in complaint for complaint in visitor.complaints())  # the browser notes the refusal itself


def _english(visitor: Any) -> list[str]:
    text = visitor.driver.find_element(By.TAG_NAME, "body").text
    return re.findall(r"[A-Za-z]{3,}", re.sub(NOT_ENGLISH, "", text))


def test_no_english_is_left_in_the_japanese_pages_of_play(visitor: Any) -> None:
    for game in ("chess", "shogi", "go"):
        visitor.open("/", language="ja")
        visitor.click(f".start input[value={game}]")
        visitor.click(".more summary")
        assert _english(visitor) == [], game
    ends = (
        ("chess", {"start": "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"}, "a1a8", "チェックメイト"),
        ("shogi", {"start": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "time_control": "600+30/1"}, "G*5b", "詰み"),
        ("go", {"start": COUNTED, "side": "second"}, "pass", "黒18.5目勝ち"),
    )
    for game, fields, move, ending in ends:
        state = visitor.server.begin(game, **fields)
        visitor.open(f"/game/{state['id']}", language="ja")
        visitor.wait_turn("you")
        assert _english(visitor) == [], game
        visitor.find("input[name=move]").send_keys(move, Keys.ENTER)
        visitor.wait_text(".status", ending)
        assert _english(visitor) == [], game
