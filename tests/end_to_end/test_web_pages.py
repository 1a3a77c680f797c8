"""The page in a real browser: clocks, counting, keys, predictions, reviews, bot or not, studies, accessibility."""

import json
from pathlib import Path
from typing import Any

import axe_core_python  # type: ignore[import-untyped]
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PGN = '[White "A"]\n[WhiteElo "1400"]\n[Black "B"]\n[BlackElo "1450"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
PAGES = ("/", "/predict", "/review", "/bot-or-not", "/bot-or-not/new", "/studies")
AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


def test_a_game_with_clock_and_opening_from_the_form(visitor: Any) -> None:
    visitor.open("/")
    visitor.click("input[value=random][name=Opponent]")
    visitor.click(".more summary")
    visitor.click("select[name=clock] option[value='600+5']")
    Select(visitor.find("select[name=opening]")).select_by_visible_text("Ruy Lopez")
    visitor.click("input[name='You play'][value=second]")
    visitor.click("button[type=submit]")
    visitor.find("main[data-ply='5'][data-turn=you]")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".clock")) == 2
    visitor.press("Answer at once")
    visitor.find("input[name=move]").send_keys("a6", Keys.ENTER)
    visitor.find("main[data-ply='7']")
    visitor.find(".clock.running")


def test_a_go_game_is_counted_and_dead_stones_are_corrected(visitor: Any) -> None:
    start = "(;SZ[5]KM[0]AB[ca][cb][cc][cd][ce]AW[ea]PL[B];B[])"
    state = visitor.server.begin("go", start=start, side="second")
    visitor.open(f"/game/{state['id']}")
    visitor.wait_turn("you")
    visitor.press("Pass")
    visitor.wait_text(".status", "Black wins by 25")
    visitor.click("[data-stone=E5]")
    visitor.wait_text(".status", "Black wins by 14")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".of-black")) == 10


def test_a_ko_is_marked(visitor: Any) -> None:
    state = visitor.server.begin("go", start="(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc]PL[B];B[cb])", side="second")
    visitor.open(f"/game/{state['id']}")
    visitor.find(".ko")


def test_predictions_go_on_from_the_board(visitor: Any) -> None:
    visitor.open("/predict")
    visitor.click("input[value=random]")
    visitor.find(".bars li")
    visitor.click("input[value=heat]")
    visitor.find("rect.heat")
    visitor.click_square("e2")
    visitor.click_square("e4")
    visitor.find("[data-move=e7e5], [data-move=a7a6], [data-move=g8f6]")
    visitor.press("Back to the text")
    visitor.find("[data-move=e2e4], [data-move=a2a3], [data-move=g1f3]")


def test_an_uploaded_game_is_reviewed(visitor: Any, tmp_path: Path) -> None:
    files = [tmp_path / "first.pgn", tmp_path / "second.pgn"]
    files[0].write_text(PGN)
    files[1].write_text("rubbish")
    visitor.open("/review")
    visitor.click("label.check input")  # without the engine: it may not be there
    visitor.find(".dropzone input").send_keys("\n".join(map(str, files)))
    visitor.find(".reviewed[data-done=yes]")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".rated")) == 2
    visitor.click(".steps button[aria-label=Last]")
    visitor.wait_text(".step h2", "Qh4#")
    visitor.find(".graph .line")
    visitor.wait_text(".jobs li:last-child", "cannot be read")
    assert all("400" in complaint for complaint in visitor.complaints())  # the browser notes the refusal itself


def test_a_game_that_was_played_here_is_reviewed(visitor: Any) -> None:
    state = visitor.server.begin("chess")
    visitor.server.post(f"/api/games/{state['id']}/moves", move="e4", ply=0)
    visitor.server.post(f"/api/games/{state['id']}/answer")
    visitor.server.post(f"/api/games/{state['id']}/resign")
    visitor.open(f"/game/{state['id']}")
    visitor.click("a.button.main")
    visitor.find(".reviewed[data-done=yes]")


def test_bot_or_not_from_set_up_to_results(visitor: Any) -> None:
    visitor.open("/bot-or-not/new")
    visitor.find("input[name=title]").send_keys("Who is it?")
    visitor.find("textarea[name=consent]").send_keys("Your answers are kept.")
    while len(buttons := visitor.driver.find_elements(By.CSS_SELECTOR, ".opponent > button")) > 1:
        buttons[-1].click()  # the others are drawn anew
    visitor.click(".opponent select option[value=random]")
    for field, value in zip(
        visitor.driver.find_elements(By.CSS_SELECTOR, "input[type=number]"), (2, 2, 4), strict=True
    ):
        field.clear()
        field.send_keys(str(value))
    visitor.click("button[type=submit]")
    visitor.find("a[href*='/bot-or-not/study/']").click()
    visitor.press_soon("I agree, begin")
    for done in (0, 1):
        visitor.find(f"main[data-done='{done}'] .steps button:last-child:not(:disabled)").click()
        visitor.click(".judging input[value=no]")
        visitor.find("input[name=likeness]").send_keys(Keys.ARROW_LEFT * 30)
        visitor.press("Answer")
    visitor.wait_text("h1", "Thank you")
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, "tbody tr")) == 2
    page = visitor.driver.page_source
    assert "random" in page  # told now that all answers are in
    visitor.click("nav a[href='/bot-or-not']")
    visitor.click("a[href*='/bot-or-not/results/']")
    visitor.wait_text(".likenesses", "20")


def test_nothing_in_the_page_tells_the_opponent_before_the_end(visitor: Any) -> None:
    body = {"title": "Hidden", "game": "go", "size": 9, "mode": "play", "plies": 2, "games_per_visitor": 1}
    study = visitor.server.post("/api/studies", **body, opponents=[{"label": "Xyzzy", "style": "random"}])
    visit = visitor.server.post(f"/api/studies/{study['id']}/visits", agreed=True)
    visitor.open(f"/bot-or-not/visit/{visit['id']}")
    visitor.find("[data-turn=you]")
    seen = visitor.driver.page_source + json.dumps(visitor.driver.execute_script("return {...localStorage}"))
    assert "Xyzzy" not in seen
    assert "random" not in seen.lower()
    assert "uniform" not in seen


def test_studies_are_listed_and_shown(visitor: Any) -> None:
    visitor.open("/studies")
    visitor.find(".reports li")
    links = visitor.driver.find_elements(By.CSS_SELECTOR, ".reports a")
    assert len(links) == 2
    next(link for link in links if "event.json" in link.text).click()
    visitor.wait_text(".data table", "1 0 – 2")
    visitor.driver.find_element(By.PARTIAL_LINK_TEXT, "A report").click()
    visitor.driver.switch_to.frame(visitor.find("iframe"))
    visitor.wait_text("h1", "Said")
    visitor.driver.switch_to.default_content()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(visitor: Any, theme: str) -> None:
    games = [visitor.server.begin(game)["id"] for game in ("chess", "shogi", "go", "chess")]
    visitor.server.post(f"/api/games/{games[-1]}/moves", move="e4", ply=0)
    visitor.server.post(f"/api/games/{games[-1]}/answer")
    visitor.server.post(f"/api/games/{games[-1]}/resign")
    study = {"title": "Who?", "game": "chess", "mode": "play", "plies": 2, "games_per_visitor": 1}
    made = visitor.server.post("/api/studies", **study, opponents=[{"label": "somebody", "style": "random"}])
    visit = visitor.server.post(f"/api/studies/{made['id']}/visits", agreed=True)["id"]
    tests = [f"/bot-or-not/study/{made['id']}", f"/bot-or-not/visit/{visit}", f"/bot-or-not/results/{made['id']}"]
    ready = {"/": ".preview .mark", "/predict": ".bars li", tests[1]: "[data-turn]", tests[2]: "form"}
    review = f"/review?game={games[-1]}&kind=chess"
    ready[review] = ".reviewed[data-done=yes]"
    found = []
    for path in (*PAGES, *tests, *(f"/game/{each}" for each in games), review):
        visitor.open(path, theme=theme)
        visitor.find(ready.get(path, "main"))
        visitor.driver.execute_script(AXE)
        report = visitor.driver.execute_async_script("axe.run({iframes: false}).then(arguments[arguments.length - 1])")
        found += [
            (path, problem["id"], problem["nodes"][0]["html"][:200])
            for problem in report["violations"]
            if problem["impact"] in ("serious", "critical")
        ]
    assert found == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_page_is_wider_than_a_phone(visitor: Any, language: str) -> None:
    for path in PAGES:
        visitor.open(path, language=language, size=(390, 850))
        visitor.find("main")
        assert visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth") <= 0, path
