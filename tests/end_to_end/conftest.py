"""What the tests of whole commands share: a command in a process of its own; a server, a real browser, and a person who
looks at the page."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_core_python  # type: ignore[import-untyped]
import httpx
import matplotlib
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

RECIPE = """
name = "small"
seed = 5
save_every = {save_every}
log_every = 1
[network]
encoder = {{ name = "lc0-rated", fields = {{ pools = ["lichess", "fide"] }} }}
channels = 8
blocks = 2
policy = "lc0"
policy_channels = 8
value_channels = 2
value_hidden = 8
condition = {{ low = 600, high = 2700, hidden = 8 }}
[data]
folders = ["$GAMES"]
positions_per_game = 4
games_per_group = 20
[training]
steps = {steps}
batch_size = 16
[validation]
every = {validate_every}
positions = 16
"""
AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """run("fit", "chess", …): that command in a process of its own, in the test's folder, where warnings are errors."""
    kept = {"HITONAMI_MODELS": str(tmp_path / "store"), "HITONAMI_CACHE": str(tmp_path / "cache")}

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONWARNINGS": "error", "HITONAMI_THREADS": "1"} | kept
        command = [sys.executable, "-m", "hitonami", *map(str, arguments)]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)

    return call


@pytest.fixture
def write_recipe(tmp_path: Path) -> Callable[..., Path]:
    """write_recipe(steps=4, save_every=1, validate_every=2): a file that trains a small network of chess."""

    def write(steps: int, save_every: int, validate_every: int) -> Path:
        path = tmp_path / "small.toml"
        text = RECIPE.format(steps=steps, save_every=save_every, validate_every=validate_every)
        path.write_text(text, encoding="utf-8")
        return path

    return write


class Server:
    """`hitonami serve` in a process of its own, with a database in a folder of the test."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.twins = folder / "twins"
        kept = {"HITONAMI_DATABASE": str(folder / "games.sqlite3"), "HITONAMI_TWINS": str(self.twins)}
        environment = os.environ | kept | {"PYTHONWARNINGS": "error"}
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

    def open(self, path: str, language: str = "en", size: tuple[int, int] = (1280, 900), theme: str = "light") -> None:
        self.driver.set_window_size(*size)
        self.driver.get(self.server.address + "studies")  # a page that asks for little
        kept = f"localStorage.language = '{language}'; localStorage.theme = '{theme}'"
        self.driver.execute_script(f"localStorage.clear(); {kept}")
        self.driver.get(self.server.address + path.lstrip("/"))

    def find(self, selector: str) -> WebElement:
        wait = WebDriverWait(self.driver, 90)
        found: WebElement = wait.until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))
        return found

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def press(self, text: str) -> None:
        """Click the button with this text."""
        self.driver.find_element(By.XPATH, f"//button[normalize-space()='{text}']").click()

    def press_soon(self, text: str) -> None:
        """Click the button with this text once it is there."""
        WebDriverWait(self.driver, 90).until(
            lambda driver: driver.find_elements(By.XPATH, f"//button[normalize-space()='{text}']")
        )
        self.press(text)

    def click_square(self, square: str) -> None:
        board = self.find("cg-board")
        side = board.size["width"] / 8
        x, y = (ord(square[0]) - 97 - 3.5) * side, (4.5 - int(square[1])) * side
        ActionChains(self.driver).move_to_element_with_offset(board, round(x), round(y)).click().perform()

    def wait_turn(self, turn: str) -> None:
        self.find(f"main[data-turn={turn}]")

    def wait_text(self, selector: str, text: str) -> None:
        WebDriverWait(self.driver, 90).until(lambda _: text in self.find(selector).text)

    def set_screen(self, width: int, height: int, zoom: float = 1.0) -> None:
        """A window of exactly this many pixels, at a zoom of the browser's."""
        size = {"width": round(width / zoom), "height": round(height / zoom)}
        metrics = size | {"deviceScaleFactor": zoom, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def find_barriers(self) -> list[tuple[str, str]]:
        """What axe-core finds serious in the page as it stands: its rule, and where."""
        self.driver.execute_script(AXE)
        report = self.driver.execute_async_script("axe.run({iframes: false}).then(arguments[arguments.length - 1])")
        serious = [problem for problem in report["violations"] if problem["impact"] in ("serious", "critical")]
        return [(problem["id"], problem["nodes"][0]["html"][:200]) for problem in serious]

    def add_latency(self, milliseconds: int) -> None:
        """Every request from now on takes so much longer; 0 ends it."""
        conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    def complaints(self) -> list[str]:
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "studies").mkdir()
    (folder / "studies" / "event.json").write_text(
        '{"players": [{"name": "a", "elo": {"value": 1, "low": 0, "high": 2}}]}'
    )
    (folder / "studies" / "report.html").write_text("<!doctype html><title>A report</title><h1>Said</h1>")
    started = Server(folder, "--port", "0", "--studies", str(folder / "studies"))
    yield started
    started.end()


@contextmanager
def _browser(need_program: Callable[[str], str], **environment: str) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = need_program("chromium")
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = Service(need_program("chromedriver"), env=os.environ | environment)
    opened = webdriver.Chrome(options=options, service=started)
    yield opened
    opened.quit()


@pytest.fixture(scope="session")
def one_driver(need_program: Callable[[str], str]) -> Iterator[webdriver.Chrome]:
    with _browser(need_program) as opened:
        yield opened


@pytest.fixture(scope="module")
def driver(one_driver: webdriver.Chrome) -> webdriver.Chrome:
    """The one browser, which has met no server before: they differ in their ports, and cookies know of none."""
    one_driver.get("about:blank")
    one_driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    one_driver.get_log("browser")  # type: ignore[no-untyped-call]
    return one_driver


@pytest.fixture(scope="module")
def bare_driver(
    need_program: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[webdriver.Chrome]:
    """A browser on a machine without a Japanese font: Matplotlib's fonts are all it has."""
    folder = tmp_path_factory.mktemp("fonts")
    fonts = f"<dir>{matplotlib.get_data_path()}/fonts/ttf</dir><cachedir>{folder}</cachedir>"
    (folder / "fonts.conf").write_text(f"<?xml version='1.0'?><fontconfig>{fonts}</fontconfig>")
    with _browser(need_program, FONTCONFIG_FILE=str(folder / "fonts.conf")) as opened:
        yield opened


@pytest.fixture
def person_at() -> type[Visitor]:
    """person_at(driver, server): a person at a browser who visits that server."""
    return Visitor


@pytest.fixture
def visitor(driver: webdriver.Chrome, server: Server) -> Iterator[Visitor]:
    person = Visitor(driver, server)
    yield person
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert person.complaints() == []


@pytest.fixture
def bare_visitor(bare_driver: webdriver.Chrome, server: Server) -> Iterator[Visitor]:
    """A person whose machine has no Japanese font."""
    person = Visitor(bare_driver, server)
    yield person
    assert person.complaints() == []


@pytest.fixture
def far_visitor(visitor: Visitor) -> Iterator[Visitor]:
    """A person at the browser, and the server 150 ms away."""
    visitor.add_latency(150)
    yield visitor
    visitor.add_latency(0)


@pytest.fixture(scope="session")
def start_server() -> type[Server]:
    """start_server(folder): another server, with its database in that folder."""
    return Server
