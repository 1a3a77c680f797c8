"""The page through the real command and a real browser: whole games by mouse and by keyboard, reload, kill -9."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
PROMOTION = "7k/P7/8/8/8/8/7P/4K3 w - - 0 1"
GOLD_IN_HAND = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


class Server:
    """`hitonami serve` in a process of its own, with a database in a folder of the test."""

    def __init__(self, folder: Path, *options: str) -> None:
        environment = os.environ | {"HITONAMI_DATABASE": str(folder / "games.sqlite3"), "PYTHONWARNINGS": "error"}
        command = [sys.executable, "-m", "hitonami", "serve", "--no-open", *(options or ("--port", "0"))]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        found = re.search(r"http://\S+/", told)
        assert found, told
        self.address = found[0]
        self.client = httpx.Client(base_url=self.address, timeout=120)

    def begin(self, game: str, **fields: Any) -> dict[str, Any]:
        body = {"game": game, "style": "random", "pace": "instant"} | fields
        return self._told(self.client.post("/api/games", json=body))

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        return self._told(self.client.post(path, json=body))

    def show(self, game_id: str) -> dict[str, Any]:
        return self._told(self.client.get(f"/api/games/{game_id}"))

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.client.close()
        self.process.send_signal(how)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    @staticmethod
    def _told(answer: httpx.Response) -> dict[str, Any]:
        assert answer.is_success, answer.text
        told: dict[str, Any] = answer.json()
        return told


class Visitor:
    """A person at the browser."""

    def __init__(self, driver: webdriver.Chrome, server: Server) -> None:
        self.driver = driver
        self.server = server

    def open(self, path: str, language: str = "en", size: tuple[int, int] = (1280, 900)) -> None:
        self.driver.set_window_size(*size)
        self.driver.get(self.server.address)
        self.driver.execute_script(f"localStorage.clear(); localStorage.setItem('language', '{language}')")
        self.driver.get(self.server.address + path.lstrip("/"))

    def find(self, selector: str) -> WebElement:
        wait = WebDriverWait(self.driver, 60)
        found: WebElement = wait.until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))
        return found

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def press(self, text: str) -> None:
        """Click the button with this text."""
        self.driver.find_element(By.XPATH, f"//button[normalize-space()='{text}']").click()

    def click_square(self, square: str) -> None:
        board = self.find("cg-board")
        side = board.size["width"] / 8
        x, y = (ord(square[0]) - 97 - 3.5) * side, (4.5 - int(square[1])) * side
        ActionChains(self.driver).move_to_element_with_offset(board, round(x), round(y)).click().perform()

    def wait_turn(self, turn: str) -> None:
        self.find(f"main[data-turn={turn}]")

    def wait_text(self, selector: str, text: str) -> None:
        WebDriverWait(self.driver, 60).until(lambda _: text in self.find(selector).text)

    def complaints(self) -> list[str]:
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("page"))
    yield started
    started.end()


@pytest.fixture(scope="module")
def driver(need_program: Callable[[str], str]) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = need_program("chromium")
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(need_program("chromedriver")))
    yield opened
    opened.quit()


@pytest.fixture
def visitor(driver: webdriver.Chrome, server: Server) -> Iterator[Visitor]:
    person = Visitor(driver, server)
    yield person
    assert person.complaints() == []


def test_a_game_survives_kill_9(tmp_path: Path) -> None:
    first = Server(tmp_path)
    state = first.begin("shogi")
    first.post(f"/api/games/{state['id']}/moves", move="7g7f", ply=0)
    before = first.show(state["id"])
    first.end(signal.SIGKILL)
    second = Server(tmp_path)
    assert second.show(state["id"]) == before
    assert second.post(f"/api/games/{state['id']}/answer")["ply"] == 2
    second.end()


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "hitonami", "serve", "--no-open", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert str(port) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_is_begun_from_the_form_and_played_by_mouse(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.click("input[value=random][name=Opponent]")
    visitor.click("input[value=instant]")
    visitor.click("button[type=submit]")
    visitor.wait_turn("you")
    visitor.click_square("e2")
    visitor.click_square("e4")
    visitor.find("main[data-ply='2']")
    visitor.press("Take back")
    visitor.find("main[data-ply='0']")
    visitor.press("Resign")
    visitor.press("Yes")
    visitor.wait_text(".status", "You lost")


def test_mate_with_the_mouse(visitor: Visitor) -> None:
    state = visitor.server.begin("chess", start=BACK_RANK)
    visitor.open(f"/game/{state['id']}")
    visitor.click_square("a1")
    visitor.click_square("a8")
    visitor.wait_turn("over")
    visitor.wait_text(".status", "You won")


def test_the_promoted_piece_is_chosen(visitor: Visitor) -> None:
    state = visitor.server.begin("chess", start=PROMOTION)
    visitor.open(f"/game/{state['id']}")
    visitor.click_square("a7")
    visitor.click_square("a8")
    visitor.click(".choice button[aria-label=knight]")
    visitor.find("main[data-ply='2']")
    assert visitor.server.show(state["id"])["moves"][0] == "a8=N"


def test_a_game_from_the_keyboard_goes_on_after_a_reload(visitor: Visitor) -> None:
    state = visitor.server.begin("chess")
    visitor.open(f"/game/{state['id']}")
    visitor.find("input[name=move]").send_keys("e4", Keys.ENTER)
    visitor.find("main[data-ply='2']")
    visitor.driver.refresh()
    visitor.find("main[data-ply='2']")
    visitor.find("body").send_keys("h")
    assert len(visitor.find(".bars").find_elements(By.TAG_NAME, "li")) == 5
    visitor.find("body").send_keys("u")
    visitor.find("main[data-ply='0']")


def test_shogi_drops_and_promotes_in_japanese(visitor: Visitor) -> None:
    state = visitor.server.begin("shogi", start=GOLD_IN_HAND)
    visitor.open(f"/game/{state['id']}", language="ja")
    visitor.click("[data-square='5c']")
    visitor.click("[data-square='5b']")
    visitor.click("[data-promote=yes] .option")
    visitor.find("main[data-ply='2'], main[data-turn=over]")
    assert visitor.server.show(state["id"])["moves"][0].endswith("５二歩成")
    visitor.press("待った")
    visitor.find("main[data-ply='0']")
    visitor.click("[data-hand='G*'] .piece")
    visitor.click("[data-square='5b']")
    visitor.wait_text(".status", "あなたの勝ち")


def test_go_on_a_phone_with_a_pass(visitor: Visitor) -> None:
    state = visitor.server.begin("go", size=9)
    visitor.open(f"/game/{state['id']}", size=(400, 850))
    visitor.click("[data-move=E5]")
    visitor.find("main[data-ply='2']")
    visitor.press("Pass")
    visitor.find("main[data-ply='4'], main[data-turn=over]")
    wide = visitor.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_a_pasted_game_is_predicted(visitor: Visitor) -> None:
    visitor.open("/predict")
    visitor.click("input[value=random]")
    visitor.find(".paste textarea").send_keys("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    visitor.click(".paste button")
    visitor.find("[data-move=a1a2], [data-move=e1c1], [data-move=a1a8]")
    visitor.click("input[value=go]")
    visitor.find(".go svg")


def test_bad_text_is_answered_with_a_sentence(visitor: Visitor) -> None:
    visitor.open("/predict")
    visitor.click("input[value=random]")
    visitor.find(".bars")
    visitor.find(".paste textarea").send_keys("rubbish")
    visitor.click(".paste button")
    visitor.wait_text(".wrong", "no position of chess")
    assert all("400" in complaint for complaint in visitor.complaints())  # the browser notes the refusal itself
