"""The pages of play on small, low and zoomed screens: what begins a game is in sight, boards fit, nothing overlaps."""

from itertools import combinations
from math import hypot
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

SCREENS = {"phone": (390, 844, 1), "lying phone": (667, 375, 1), "small phone": (320, 568, 1), "zoomed": (1366, 768, 2)}
ONE_SQUARE = "7k/8/8/8/3q4/1N3N2/8/K7 w - - 0 1"  # both knights take the queen
FIRST_LINES = "(;SZ[{size}]AB[aa][ba][ca][ab][ac]AW[da][ea][ad]PL[B])"
BOXES = "return [...document.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect().toJSON())"
TEXTS = """
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const parent = walk.currentNode.parentElement;
  const apart = 'svg, option, .unseen, details:not([open]) > :not(summary), nav, .moves, button.main';
  const text = walk.currentNode.data.trim();
  if (!text || parent.closest(apart)) continue;
  const range = document.createRange();
  range.selectNodeContents(walk.currentNode);
  const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
  found.push(...boxes.map((box) => [text, box.left, box.top, box.right, box.bottom]));
}
return found;
"""


def _box(visitor: Any, selector: str) -> dict[str, float]:
    visitor.find(selector)
    script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    found: dict[str, float] = visitor.driver.execute_script(script, selector)
    return found


def _is_in_sight(visitor: Any, selector: str) -> bool:
    """Whether all of it is on the screen as the page stands, and nothing lies over it."""
    script = """const it = document.querySelector(arguments[0]), box = it.getBoundingClientRect();
    const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    return inside && it.contains(middle);"""
    visitor.find(selector)
    seen: bool = visitor.driver.execute_script(script, selector)
    return seen


def _overlaps(visitor: Any) -> list[tuple[str, str]]:
    texts = visitor.driver.execute_script(TEXTS)
    assert len(texts) > 5
    return [
        (one[0], other[0])
        for one, other in combinations(texts, 2)
        if min(one[3], other[3]) - max(one[1], other[1]) > 1 and min(one[4], other[4]) - max(one[2], other[2]) > 2
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_a_game_can_be_begun_without_scrolling(visitor: Any, language: str, game: str, width: int, height: int) -> None:
    visitor.set_screen(width, height)
    visitor.open("/", language=language)
    visitor.click(f".start input[value={game}]")
    visitor.find(f".start .chosen input[value={game}]")
    assert _is_in_sight(visitor, ".start button.main")
    assert _box(visitor, ".start .more")["bottom"] <= _box(visitor, ".start button.main")["top"], "it covers nothing"


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_whole_board_is_on_the_screen(visitor: Any, game: str, screen: str) -> None:
    visitor.set_screen(*SCREENS[screen])
    state = visitor.server.begin(game)
    visitor.open(f"/game/{state['id']}")
    assert _is_in_sight(visitor, ".board")
    wide = visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    board = _box(visitor, ".board")
    assert min(board["width"], board["height"]) >= 200


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_lies_over_another(visitor: Any, language: str, screen: str) -> None:
    visitor.set_screen(*SCREENS[screen])
    paths = [
        f"/game/{visitor.server.begin(game, time_control=clock)['id']}"
        for game, clock in (("chess", "600+5"), ("go", ""))
    ]
    for path in ("/", *paths):
        visitor.open(path, language=language)
        visitor.find("form")
        assert _overlaps(visitor) == [], path
        wide = visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path


@pytest.mark.parametrize("size", [9, 13, 19])
def test_stones_on_the_first_line_leave_the_letters_free(visitor: Any, size: int) -> None:
    state = visitor.server.begin("go", start=FIRST_LINES.format(size=size))
    visitor.open(f"/game/{state['id']}")
    visitor.find(".go .shadow")
    names = visitor.driver.execute_script(BOXES, ".go .names text")
    stones = visitor.driver.execute_script(BOXES, ".go circle[fill*=stone]:not(.ghost)")
    assert len(stones) == 8
    for stone in stones:
        x, y, r = stone["x"] + stone["width"] / 2, stone["y"] + stone["height"] / 2, stone["width"] / 2
        gaps = [
            hypot(max(name["left"] - x, 0, x - name["right"]), max(name["top"] - y, 0, y - name["bottom"])) - r
            for name in names
        ]
        assert min(gaps) > -1, "a stone over a name"


def test_hints_that_end_on_one_square_stand_side_by_side(visitor: Any) -> None:
    state = visitor.server.begin("chess", start=ONE_SQUARE)
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    visitor.press("Hint")
    visitor.find(".bars")
    script = BOXES.replace("arguments[0]", "'.arrows .mark circle'")
    circles = WebDriverWait(visitor.driver, 90).until(lambda driver: driver.execute_script(script))
    assert len(circles) >= 2
    for one, other in combinations(circles, 2):
        apart = hypot(
            one["x"] + one["width"] / 2 - other["x"] - other["width"] / 2,
            one["y"] + one["height"] / 2 - other["y"] - other["height"] / 2,
        )
        assert apart >= (one["width"] + other["width"]) / 2 - 1
