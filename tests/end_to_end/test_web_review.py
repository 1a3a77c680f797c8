"""Review, predict and reports in a real browser: also with a slow network, on small and low screens, and zoomed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import axe_core_python  # type: ignore[import-untyped]
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
HEADS = '[White "Ann"]\n[WhiteElo "1200"]\n[Black "Ben"]\n[BlackElo "2000"]\n'
PGN = f'{HEADS}[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n'
SECOND = '[White "Cleo"]\n[Black "Dan"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
KIF = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n"
SGF = "(;SZ[9]KM[7];B[ee];W[cc];B[gc])"
LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *"
SCREENS = {"phone": (390, 844, 1), "low": (667, 375, 1), "zoomed": (640, 450, 2)}
"""Width and height of the page as it is laid out: 200% on a screen of 1280 × 900 leaves half of each."""


@pytest.fixture
def slow(visitor: Any) -> Iterator[None]:
    """150 ms more on every way to the server and back."""
    visitor.driver.execute_cdp_cmd("Network.enable", {})
    limits = {"offline": False, "latency": 150, "downloadThroughput": -1, "uploadThroughput": -1}
    visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", limits)
    yield
    visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", limits | {"latency": 0})


@contextmanager
def screen(visitor: Any, name: str) -> Iterator[None]:
    width, height, scale = SCREENS[name]
    wanted = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", wanted)
    yield
    visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def press(visitor: Any, *keys: str) -> None:
    ActionChains(visitor.driver).send_keys(*keys).perform()


def texts(visitor: Any, selector: str) -> list[str]:
    return [each.text for each in visitor.driver.find_elements(By.CSS_SELECTOR, selector)]


def review(visitor: Any, *files: Path, judge: bool = False) -> None:
    """Upload files on the page of reviews; without a judge unless one is wanted."""
    visitor.find(".upload")
    if not judge:
        visitor.click("label.check input")
    visitor.find(".dropzone input").send_keys("\n".join(map(str, files)))


def write(folder: Path, **contents: str) -> list[Path]:
    """write(folder, a__pgn="…"): files of these names."""
    paths = [folder / name.replace("__", ".") for name in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        path.write_text(content, encoding="utf-8")
    return paths


def audit(visitor: Any) -> list[Any]:
    visitor.driver.execute_script(AXE)
    report = visitor.driver.execute_async_script("axe.run({iframes: false}).then(arguments[arguments.length - 1])")
    serious = [each for each in report["violations"] if each["impact"] in ("serious", "critical")]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in serious]


def test_a_review_is_walked_through_with_keys_list_and_graph(visitor: Any, tmp_path: Path, need_program: Any) -> None:
    need_program("stockfish")
    visitor.open("/review")
    review(visitor, *write(tmp_path, game__pgn=PGN), judge=True)
    visitor.find(".reviewed[data-done=yes]")
    visitor.wait_text(".players .judge", "Stockfish")
    press(visitor, Keys.ARROW_RIGHT * 3)
    visitor.find(".reviewed[data-at='3']")
    press(visitor, Keys.END)
    visitor.find(".reviewed[data-at='13']")
    visitor.wait_text(".step h2", "Nd5#")
    press(visitor, Keys.HOME)
    visitor.find(".reviewed[data-at='0']")
    visitor.driver.find_elements(By.CSS_SELECTOR, ".review-moves button")[4].click()
    visitor.find(".reviewed[data-at='5'] .review-moves [aria-current=step]")
    press(visitor, "n")
    visitor.find(".review-moves [aria-current=step]:is(.blunder, .mistake, .typical-mistake, .hard-to-find)")
    visitor.driver.find_element(By.XPATH, "//ul[@class='mistakes']//button[contains(., 'Bxd1')]").click()
    visitor.find(".reviewed[data-at='10'] .mark.signed")  # what was better, on the board
    visitor.wait_text(".step", "★")
    press(visitor, "f")
    visitor.find(".reviewed[data-bottom='1']")
    for kind in ("people", "equals", "judge"):
        assert visitor.find(f".graph .line.{kind}").get_attribute("d")
    assert len(texts(visitor, ".chances-graph .legend span")) == 3
    visitor.find(".by-level .curve")
    assert len(texts(visitor, ".phases tbody tr")) >= 4
    visitor.click(".graph")
    visitor.find(".reviewed[data-at='6'], .reviewed[data-at='7']")


def test_a_shogi_game_is_reviewed_where_gps_shogi_is_installed(visitor: Any, tmp_path: Path, need_program: Any) -> None:
    need_program("gpsusi")
    visitor.open("/review")
    review(visitor, *write(tmp_path, game__kif=KIF), judge=True)
    visitor.find(".reviewed[data-done=yes]")
    visitor.wait_text(".players .judge", "expert head")
    assert visitor.driver.find_elements(By.CSS_SELECTOR, ".wrong") == []


def test_a_game_of_a_file_is_chosen(visitor: Any, tmp_path: Path, slow: None) -> None:
    visitor.open("/review")
    review(visitor, *write(tmp_path, two__pgn=f"{PGN}\n{SECOND}"))
    visitor.wait_text(".chooser", "Cleo")
    assert len(texts(visitor, ".chooser li")) == 2
    visitor.driver.find_elements(By.CSS_SELECTOR, ".chooser button")[1].click()
    visitor.find(".reviewed[data-done=yes]")
    visitor.wait_text(".players", "Cleo")
    visitor.driver.find_elements(By.CSS_SELECTOR, ".chooser button")[0].click()
    visitor.wait_text(".players", "Ann")
    visitor.find(".reviewed[data-done=yes]")


def test_mixed_files_are_each_of_their_own_game(visitor: Any, tmp_path: Path) -> None:
    visitor.open("/review")
    review(visitor, *write(tmp_path, a__pgn=SECOND, b__kif=KIF, c__sgf=SGF, d__txt=KIF))
    for at, board in enumerate(("chess", "shogi", "go", "shogi"), start=1):
        visitor.find(f".jobs li:nth-child({at}) button").click()
        visitor.find(f".reviewed[data-done=yes] .{board}.board")


@pytest.mark.parametrize(("language", "told"), [("en", "no game in this file"), ("ja", "読める棋譜がありません")])
def test_errors_are_in_the_visitors_language(visitor: Any, tmp_path: Path, language: str, told: str) -> None:
    visitor.open("/review", language=language)
    [file] = write(tmp_path, a__pgn="")
    file.write_bytes(b"\xff\xfe\x00\x80")
    review(visitor, file)
    visitor.find(".wrong[role=alert]")
    shown = visitor.find(".wrong[role=alert]").text
    assert told in shown or {"en": "cannot be read", "ja": "読めません"}[language] in shown
    assert "\\x" not in shown
    assert all("400" in each for each in visitor.complaints())  # the browser notes the refusal itself


def test_a_review_a_prediction_and_a_game_lead_to_each_other(visitor: Any, slow: None) -> None:
    state = visitor.server.begin("chess")
    for ply, move in ((0, "e4"), (2, "a3")):
        visitor.server.post(f"/api/games/{state['id']}/moves", move=move, ply=ply)
        visitor.server.post(f"/api/games/{state['id']}/answer")
    visitor.server.post(f"/api/games/{state['id']}/resign")
    visitor.open(f"/review?game={state['id']}&kind=chess&ply=2")
    visitor.find(".reviewed[data-done=yes][data-at='2']")
    visitor.click(".to-predict")
    visitor.find(f".predict[data-ply='2'][data-game='{state['id']}']")
    visitor.click(".to-review")
    visitor.find(".reviewed[data-done=yes]")
    visitor.click(".to-game")
    visitor.find("main[data-turn=over]")


def test_a_position_of_an_uploaded_file_is_predicted(visitor: Any, tmp_path: Path) -> None:
    visitor.open("/review")
    review(visitor, *write(tmp_path, a__sgf=SGF))
    visitor.find(".reviewed[data-done=yes]")
    press(visitor, Keys.ARROW_RIGHT * 2)
    visitor.find(".reviewed[data-at='2']")
    visitor.click(".to-predict")
    visitor.find(".predict[data-ply='2']")
    assert visitor.find(".steps span").text == "2 / 3"


def test_twelve_keys_are_twelve_steps_on_a_slow_network(visitor: Any, slow: None) -> None:
    visitor.open(f"/predict?kind=chess&ply=0&style=random#{quote(LONG)}")
    visitor.find(".predict[data-ply='0'] .bars li")
    press(visitor, Keys.ARROW_RIGHT * 12)
    visitor.find(".predict[data-ply='12']")
    assert visitor.find(".steps span").text == "12 / 20"
    press(visitor, Keys.END)
    visitor.find(".predict[data-ply='20']")


def test_a_prediction_has_an_address_that_shows_it_again(visitor: Any) -> None:
    visitor.open("/predict")
    visitor.find(".bars li")
    visitor.find("textarea").send_keys(LONG)
    visitor.click(".paste button")
    visitor.find(".predict[data-ply='20']")
    press(visitor, Keys.TAB)  # out of the field, where keys are letters
    press(visitor, Keys.ARROW_LEFT * 3)
    visitor.find(".predict[data-ply='17']")
    visitor.find("input[name=level]").send_keys(Keys.HOME)
    level, moves = visitor.find("input[name=level]").get_attribute("aria-valuetext"), texts(visitor, ".bars .name")
    WebDriverWait(visitor.driver, 30).until(lambda driver: f"level={level}" in driver.current_url)
    address = visitor.driver.current_url
    visitor.open("/studies")
    visitor.driver.get(address)
    visitor.find(".predict[data-ply='17']")
    assert visitor.find("input[name=level]").get_attribute("aria-valuetext") == level
    assert texts(visitor, ".bars .name") == moves


def test_a_finished_game_is_predicted_up_to_its_last_open_position(visitor: Any) -> None:
    visitor.open(f"/predict?kind=chess&style=random#{quote(SECOND)}")
    visitor.find(".predict[data-ply='3']")
    visitor.wait_text(".ended", "The game is over")
    visitor.wait_text(".bars", "played")
    press(visitor, Keys.ARROW_LEFT)
    visitor.find(".predict[data-ply='2']")


def test_an_engine_is_not_called_people(visitor: Any, need_program: Any) -> None:
    need_program("stockfish")
    visitor.open("/predict?kind=chess&style=engine")
    visitor.find(".bars li")
    assert "Engine" in visitor.find(".predict .side h2").text
    assert "people" not in visitor.find(".predict .legend").text
    assert "Engine" in visitor.find(".predict .legend").text


PROBE = """<!doctype html><title>A probe</title><p id="told">nothing ran</p><script>
const tries = {
  cookie: () => document.cookie, storage: () => localStorage.length, parent: () => parent.document.title,
};
const found = Object.entries(tries).map(([name, act]) => {
  try { act(); return `${name} reached`; } catch { return `${name} blocked`; }
});
const tell = (last) => { document.getElementById('told').textContent = [...found, last].join(', '); };
fetch('/api/games').then((answer) => tell(`fetch reached ${answer.status}`), () => tell('fetch blocked'));
</script>"""


def test_a_review_page_shows_its_board_under_studies_and_reaches_nothing(
    visitor: Any, tmp_path: Path, start_server: Any
) -> None:
    folder = tmp_path / "studies"
    folder.mkdir()
    (tmp_path / "game.pgn").write_text(PGN)
    command = [sys.executable, "-m", "hitonami", "review", "chess", str(tmp_path / "game.pgn"), "--mind", "uniform"]
    subprocess.run([*command, "--judge", "none", "--html", str(folder / "review.html")], check=True, timeout=300)
    (folder / "probe.html").write_text(PROBE)
    server = start_server(tmp_path, "--port", "0", "--studies", str(folder))
    try:
        visitor.driver.get(server.address + "studies")
        visitor.wait_text(".reports", "Ann – Ben")
        visitor.driver.find_element(By.PARTIAL_LINK_TEXT, "Ann – Ben").click()
        visitor.driver.switch_to.frame(visitor.find("iframe"))
        visitor.find("#board svg")
        assert len(texts(visitor, "#list button")) == 13
        visitor.driver.execute_script("document.getElementById('to-last').click()")  # wherever it is in the frame
        visitor.wait_text("#move-card", "Nd5#")
        visitor.driver.switch_to.default_content()
        assert visitor.complaints() == []
        visitor.driver.find_element(By.PARTIAL_LINK_TEXT, "A probe").click()
        WebDriverWait(visitor.driver, 30).until(lambda driver: "probe" in visitor.find("iframe").get_attribute("title"))
        visitor.driver.switch_to.frame(visitor.find("iframe"))
        visitor.wait_text("#told", "fetch")
        assert visitor.find("#told").text == "cookie blocked, storage blocked, parent blocked, fetch blocked"
        visitor.driver.switch_to.default_content()
        assert all("violates" in each or "CORS" in each for each in visitor.complaints())  # each names what was refused
    finally:
        server.end()


@pytest.mark.parametrize("name", list(SCREENS))
@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("ja", "dark")])
def test_pages_fit_small_low_and_zoomed_screens(
    visitor: Any, tmp_path: Path, name: str, language: str, theme: str
) -> None:
    width, height, _ = SCREENS[name]
    with screen(visitor, name):
        visitor.open("/review", language=language, theme=theme)
        assert audit(visitor) == []
        review(visitor, *write(tmp_path, two__pgn=f"{PGN}\n{SECOND}"))
        visitor.find(".chooser button").click()
        visitor.find(".reviewed[data-done=yes]")
        press(visitor, Keys.END)
        problems = [*audit(visitor), *_overflows(visitor, width, height)]
        visitor.driver.get(f"{visitor.server.address}predict?kind=chess&style=random#{quote(SECOND)}")
        visitor.find(".predict[data-ply='3'] .bars li")
        problems += [*audit(visitor), *_overflows(visitor, width, height)]
    assert problems == [], json.dumps(problems, ensure_ascii=False)


def _overflows(visitor: Any, width: int, height: int) -> list[str]:
    """What is wider than the screen, or a board that is taller than it."""
    script = "return [document.documentElement.scrollWidth, document.querySelector('.board').offsetHeight]"
    wide, tall = visitor.driver.execute_script(script)
    return [f"{what} {size}" for what, size, most in (("page", wide, width), ("board", tall, height)) if size > most]
