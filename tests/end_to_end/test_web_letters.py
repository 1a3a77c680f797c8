"""The page on a machine without a Japanese font: letters and shogi pieces are drawn, not boxes."""

from typing import Any

import pytest

BOXES = """
const done = arguments[arguments.length - 1];
const family = getComputedStyle(document.body).fontFamily;
const letters = [...new Set(document.body.innerText)].filter((letter) => letter >= '\\u3000' && letter <= '\\uffef');
const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 40 });
const pen = canvas.getContext('2d', { willReadFrequently: true });
const draw = (letter, weight) => {
  pen.clearRect(0, 0, 40, 40);
  pen.font = `${weight} 30px ${family}`;
  pen.fillText(letter, 2, 32);
  return pen.getImageData(0, 0, 40, 40).data.join();
};
document.fonts.ready.then(() => {
  const missing = (weight) => letters.filter((letter) => draw(letter, weight) === draw('\\uf8ff', weight));
  done({ letters: letters.length, boxes: missing(400).join('') + missing(700).join('') });
});
"""


def _see(visitor: Any) -> dict[str, Any]:
    seen: dict[str, Any] = visitor.driver.execute_async_script(BOXES)
    return seen


def test_the_machine_of_this_test_has_no_japanese_letters(bare_visitor: Any) -> None:
    """Else the others here would prove nothing."""
    bare_visitor.open("/studies", language="ja")
    bare_visitor.find("main")
    script = BOXES.replace("getComputedStyle(document.body).fontFamily", "'sans-serif'")
    seen = bare_visitor.driver.execute_async_script(script)
    assert seen["letters"] > 10
    assert len(seen["boxes"]) == 2 * seen["letters"]


@pytest.mark.parametrize("path", ["/", "/predict", "/review", "/bot-or-not", "/bot-or-not/new", "/studies"])
def test_no_letter_of_a_japanese_page_is_a_box(bare_visitor: Any, path: str) -> None:
    bare_visitor.open(path, language="ja")
    bare_visitor.find("main")
    seen = _see(bare_visitor)
    assert seen["letters"] > 10
    assert seen["boxes"] == ""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_moves_and_pieces_of_shogi_are_drawn(bare_visitor: Any, language: str) -> None:
    state = bare_visitor.server.begin("shogi")
    bare_visitor.server.post(f"/api/games/{state['id']}/moves", move="7g7f", ply=0)
    bare_visitor.server.post(f"/api/games/{state['id']}/answer")
    bare_visitor.open(f"/game/{state['id']}", language=language)
    bare_visitor.find(".moves li")
    seen = _see(bare_visitor)
    assert seen["letters"] >= 4  # ７六歩 and the language's own name
    assert seen["boxes"] == ""
    script = "return [...document.querySelectorAll(arguments[0])].map((drawn) => drawn.getBBox().width > 5)"
    assert bare_visitor.driver.execute_script(script, ".piece .letter") == [True] * 40
    assert bare_visitor.driver.execute_script(script, ".names .letter") == [True] * 9
    assert bare_visitor.driver.execute_script("return document.querySelectorAll('.piece text').length") == 0


def test_the_set_of_pieces_is_chosen_and_remembered(bare_visitor: Any) -> None:
    state = bare_visitor.server.begin("shogi")
    bare_visitor.open(f"/game/{state['id']}")
    before = bare_visitor.find(".piece .letter").get_attribute("d")
    bare_visitor.click("[data-pieces=kanji]")
    bare_visitor.find(".signs")
    assert bare_visitor.find(".piece .letter").get_attribute("d") != before
    ranks = "return [...document.querySelectorAll('.names text')].map((each) => each.textContent).join('')"
    assert bare_visitor.driver.execute_script(ranks) == "112233445566778899"  # files and ranks in digits
    bare_visitor.driver.refresh()
    bare_visitor.find("[data-pieces=international]")
    bare_visitor.find(".signs")


@pytest.mark.parametrize("address", ["/predict?kind=shogi", "/review?kind=shogi#position startpos moves 7g7f"])
def test_the_set_of_pieces_is_chosen_where_shogi_is_drawn(visitor: Any, address: str) -> None:
    visitor.open(address)
    before = visitor.find(".piece .letter").get_attribute("d")
    visitor.click("[data-pieces=kanji]")
    visitor.find("[data-pieces=international]")
    visitor.find(".signs")
    assert visitor.find(".piece .letter").get_attribute("d") != before
