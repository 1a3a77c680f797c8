"""Whole games without a mouse: every key goes to whatever has the focus, as a keyboard's would."""

from typing import Any

import chess
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

LADDER = "8/8/7k/8/8/8/1R6/R3K3 w - - 0 1"
LADDER_MOVES = ("a1a5", "b2b6", "a5a7", "b6b8")  # mates in four, whatever the king does
PROMOTION = "7k/P7/6K1/8/8/8/8/8 w - - 0 1"
GOLD_IN_HAND = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
PROMOTABLE = "3k5/9/9/9/9/9/9/4R4/4K4 b - 1"


class Typist:
    """Presses keys. It knows where the board's cursor is, as somebody who watches it does."""

    def __init__(self, driver: Any, column: int, row: int) -> None:
        self.driver, self.at = driver, (column, row)

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def reach(self, selector: str) -> None:
        """Tab until something has the focus."""
        for _ in range(60):
            self.press(Keys.TAB)
            script = "return document.activeElement.matches(arguments[0])"
            if self.driver.execute_script(script, selector):
                return
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def pick(self, column: int, row: int) -> None:
        """Walk the cursor there, and Enter."""
        across, down = column - self.at[0], row - self.at[1]
        self.press((Keys.ARROW_RIGHT if across > 0 else Keys.ARROW_LEFT) * abs(across))
        self.press((Keys.ARROW_DOWN if down > 0 else Keys.ARROW_UP) * abs(down), Keys.ENTER)
        self.at = column, row

    def pick_square(self, square: int) -> None:
        self.pick(chess.square_file(square), 7 - chess.square_rank(square))


def sit_down(visitor: Any, state: dict[str, Any], column: int, row: int) -> Typist:
    """At the board of a game that has begun, the visitor to move; the board's cursor stands on that point at first."""
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    keys = Typist(visitor.driver, column, row)
    keys.reach(f".{state['game']}.board")
    return keys


def test_a_chess_game_from_the_form_to_mate(visitor: Any) -> None:
    visitor.open("/")
    visitor.find("form")
    keys = Typist(visitor.driver, 4, 4)
    keys.reach("input[name=Opponent]")
    keys.press(Keys.ARROW_LEFT)  # from the first to the last: the random mover
    keys.reach("input[name=Pace]")
    keys.press(Keys.ARROW_RIGHT)
    keys.reach("summary")
    keys.press(Keys.ENTER)
    keys.reach("textarea[name=start]")
    keys.press(LADDER)
    keys.reach("button[type=submit]")
    keys.press(Keys.ENTER)
    visitor.wait_turn("you")
    keys.reach(".chess.board")
    for at, move in enumerate(map(chess.Move.from_uci, LADDER_MOVES)):
        visitor.find(f"main[data-ply='{2 * at}'][data-turn=you]")
        keys.pick_square(move.from_square)
        keys.pick_square(move.to_square)
    visitor.wait_text(".status", "You won")


def test_a_promotion_is_called_off_with_escape_and_made_with_enter(visitor: Any) -> None:
    state = visitor.server.begin("chess", start=PROMOTION)
    keys = sit_down(visitor, state, 4, 4)
    keys.pick_square(chess.A7)
    keys.pick_square(chess.A8)
    visitor.find(".choice button:focus")
    keys.press(Keys.ESCAPE)
    WebDriverWait(visitor.driver, 90).until(
        lambda driver: driver.execute_script("return document.activeElement.matches('.chess.board')")
    )
    assert visitor.server.show(state["id"])["ply"] == 0
    keys.pick_square(chess.A7)
    keys.pick_square(chess.A8)
    visitor.find(".choice button:focus")
    keys.press(Keys.ENTER)
    visitor.wait_text(".status", "You won")


def test_a_piece_is_dropped_in_shogi_to_mate(visitor: Any) -> None:
    state = visitor.server.begin("shogi", start=GOLD_IN_HAND)
    keys = sit_down(visitor, state, 4, 5)  # eleven rows: the hands are the first and the last
    keys.pick(4, 10)
    visitor.find(".hand .picked")
    keys.pick(4, 2)
    visitor.wait_text(".status", "You won")
    assert visitor.server.show(state["id"])["board"]["last"] == "G*5b"


def test_shogi_asks_whether_to_promote(visitor: Any) -> None:
    state = visitor.server.begin("shogi", start=PROMOTABLE)
    keys = sit_down(visitor, state, 4, 5)
    keys.pick(4, 8)
    keys.pick(4, 3)
    visitor.find(".choice button[data-promote=yes]:focus")
    keys.press(Keys.ARROW_RIGHT)
    visitor.find(".choice button[data-promote=no]:focus")
    keys.press(Keys.ENTER)
    visitor.find("main[data-ply='2']")
    assert visitor.server.show(state["id"])["moves"][0].endswith("５三飛不成")


def test_a_go_game_is_played_passed_and_counted(visitor: Any) -> None:
    start = "(;SZ[5]KM[0]AB[ca][cb][cc][cd][ce]PL[W];W[])"
    state = visitor.server.begin("go", start=start, side="first")
    keys = sit_down(visitor, state, 2, 2)
    keys.pick(3, 2)
    visitor.find("main[data-ply='3']")
    assert visitor.server.show(state["id"])["moves"][1] == "D3"
    keys.reach("input[name=move]")
    keys.press("pass", Keys.ENTER)
    visitor.find("main[data-ply='5'], main[data-turn=over]")
