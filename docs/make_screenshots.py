"""Take the pictures of the page: `python docs/make_screenshots.py [NAME …]` (needs Chromium).

Every page, light and dark, on a desktop and on a phone, from a server of its own with games, a test and a report in it.
"""

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import hitonami

HERE = Path(__file__).parent / "screenshots"
STARTS = {
    "chess": "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 w kq - 2 7",
    "shogi": "ln1g4l/1r1s1kg2/p1ppp1n1p/1p3pPp1/9/2P1P4/PP1PSP2P/2G1GS1R1/LN2K2NL w BPbsp 30",
    "go": "(;SZ[9]KM[7]AB[ee][fg][gf][cg][dc][fc]AW[ge][ec][ed][cd][gd][df]PL[B])",
}
GAME = (
    '[White "A"]\n[Black "B"]\n[WhiteElo "1500"]\n[BlackElo "1500"]\n[Result "1-0"]\n\n'
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Bxf7+ Kd8 6. O-O Qxe5 7. c3 Nc6 8. d4 Qe7 "
    "9. Bxg8 Rxg8 10. f4 d6 11. f5 Bd7 12. Bg5 1-0\n"
)
SIZES = {"desktop": (1280, 860), "phone": (390, 844)}
Driver = webdriver.Chrome


def main(wanted: list[str]) -> None:
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_reports(folder / "studies")
        keep_twin(folder / "twins")
        kept = {"HITONAMI_DATABASE": str(folder / "games.sqlite3"), "HITONAMI_TWINS": str(folder / "twins")}
        environment = os.environ | kept
        command = [
            sys.executable,
            "-m",
            "hitonami",
            "serve",
            "--no-open",
            "--port",
            "0",
            "--studies",
            str(folder / "studies"),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+/", server.stdout.readline())
                assert found is not None
                take_all(found[0].rstrip("/"), wanted)
            finally:
                server.terminate()


def keep_twin(folder: Path) -> None:
    """The sample that comes with the package, as somebody's twin."""
    folder.mkdir()
    shutil.copy(Path(hitonami.__file__).parent / "minds" / "_sample.twin", folder / "rival.twin")


def send_games(driver: Driver) -> None:
    """Twelve beginnings of one person, up to the question whose they are."""
    firsts = ("e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3", "e3", "d3", "c3", "a3")
    games = [f'[White "Hana"]\n[Black "Guest {at}"]\n\n1. {move} *\n' for at, move in enumerate(firsts)]
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        file.write("\n".join(games))
        file.flush()
        wait(driver, ".dropzone input").send_keys(file.name)
        wait(driver, ".people input:checked")
    wait(driver, ".twin[data-state=done]")


def make_reports(folder: Path) -> None:
    """A small event, so that there is something to list."""
    folder.mkdir()
    players = [part for rating in (10, 20, 30) for part in ("--player", f"human@{rating}")]
    options = [
        "--games",
        "4",
        "--size",
        "9",
        "--json",
        str(folder / "event.json"),
        "--html",
        str(folder / "event.html"),
    ]
    subprocess.run(
        [sys.executable, "-m", "hitonami", "tournament", "go", *players, *options], check=True, capture_output=True
    )


def take_all(address: str, wanted: list[str]) -> None:
    """Every picture. Games start from set positions, so that pictures of one version are alike."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(option)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
    try:
        with httpx.Client(base_url=address, timeout=300) as client:
            for name, (path, prepare) in pages(client).items():
                if wanted and name not in wanted:
                    continue
                for place, size in SIZES.items():
                    for theme in ("light", "dark"):
                        language = "ja" if (place, theme) == ("phone", "dark") else "en"
                        take(driver, address + path, size, theme, language)
                        prepare(driver)
                        settle(driver)
                        save(driver, HERE / f"{name}-{place}-{theme}.webp")
                print(name, flush=True)
    finally:
        driver.quit()


def pages(client: httpx.Client) -> dict[str, tuple[str, Callable[[Driver], None]]]:
    """Where each page is, and what is done on it before its picture is taken."""
    games = {game: begin(client, game, start) for game, start in STARTS.items()}
    study, key, visit = run_study(client)
    reports = {report["kind"]: report["id"] for report in client.get("/api/reports").json()}
    return {
        "home": ("/", see_preview),
        "chess": (f"/game/{games['chess']}", ask_hint),
        "shogi": (f"/game/{games['shogi']}", ask_hint),
        "go": (f"/game/{games['go']}", ask_hint),
        "predict": ("/predict", lambda driver: choose(driver, "go", ".bars li .other")),
        "review": ("/review", review),
        "twins": ("/twins", send_games),
        "tests": ("/bot-or-not", lambda driver: wait(driver, ".reports li")),
        "new-test": ("/bot-or-not/new", lambda driver: wait(driver, ".opponent")),
        "judging": (f"/bot-or-not/visit/{visit}", see_all),
        "results": (f"/bot-or-not/results/{study}", lambda driver: give_key(driver, key)),
        "studies": (f"/studies/{reports['data']}", lambda driver: wait(driver, ".data table")),
    }


def begin(client: httpx.Client, game: str, start: str) -> str:
    side = "second" if game == "shogi" else "first"
    control = {"chess": "600+5", "shogi": "600+30/1", "go": ""}[game]
    body: dict[str, Any] = {"game": game, "start": start, "side": side, "pace": "instant", "time_control": control}
    found: str = client.post("/api/games", json=body).raise_for_status().json()["id"]
    return found


def run_study(client: httpx.Client) -> tuple[str, str, str]:
    """A test with answers of a few visitors, made up, and a visit that waits for its judge."""
    opponents = [
        {"label": "people", "records": GAME},
        {"label": "network at 1500", "style": "human", "rating": 1500},
        {"label": "random mover", "style": "random"},
    ]
    consent = "You will see games of chess. Judge the side that is named. Your answers are kept without your name."
    body = {
        "title": "Who plays chess like this?",
        "game": "chess",
        "opponents": opponents,
        "plies": 12,
        "consent": consent,
    }
    made = client.post("/api/studies", json=body | {"games_per_visitor": 3}).raise_for_status().json()
    while client.get(f"/api/studies/{made['id']}").json()["status"] == "preparing":
        pass
    for number in range(6):
        visit = enter(client, made["id"])
        while (trial := client.get(f"/api/visits/{visit}").json()["trial"]) is not None:
            odd = client.get(f"/api/trials/{trial}").json()["moves"][0] not in ("e4", "d4", "Nf3", "c4")
            verdict = {
                "called_human": number % 3 > 0 and not (odd and number % 2),
                "likeness": 40 + 9 * number - 25 * odd,
                "strong": 30 + 5 * number,
            }
            client.post(f"/api/trials/{trial}/verdict", json=verdict | {"careful": 50, "aggressive": 20 + 8 * number})
    return made["id"], made["key"], enter(client, made["id"])


def enter(client: httpx.Client, study: str) -> str:
    found: str = client.post(f"/api/studies/{study}/visits", json={"agreed": True}).raise_for_status().json()["id"]
    return found


def take(driver: Driver, url: str, size: tuple[int, int], theme: str, language: str) -> None:
    """Show the page."""
    phone = size == SIZES["phone"]
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": phone}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    if not driver.current_url.startswith("http"):
        driver.get(url)
    driver.execute_script(f"localStorage.clear(); localStorage.theme = '{theme}'; localStorage.language = '{language}'")
    driver.get(url)
    wait(driver, "main")


def wait(driver: Driver, selector: str) -> Any:
    return WebDriverWait(driver, 300).until(lambda page: page.find_element(By.CSS_SELECTOR, selector))


def see_preview(driver: Driver) -> None:
    """There is none on a phone."""
    narrow = driver.execute_script("return matchMedia('(max-width: 820px)').matches")
    wait(driver, ".recent li" if narrow else ".preview .mark")


def ask_hint(driver: Driver) -> None:
    wait(driver, "main[data-turn=you]")
    wait(driver, "body").send_keys("h")
    wait(driver, ".bars li, .wrong")


def choose(driver: Driver, game: str, ready: str) -> None:
    wait(driver, f"input[value={game}]").click()
    wait(driver, ready)


def review(driver: Driver) -> None:
    text = wait(driver, ".upload textarea")
    driver.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", text, GAME
    )
    wait(driver, ".upload button[type=submit]:not(:disabled)").click()
    wait(driver, ".reviewed[data-done=yes]")
    wait(driver, ".mistakes button").click()


def see_all(driver: Driver) -> None:
    wait(driver, ".steps button:last-child:not(:disabled)").click()
    wait(driver, ".judging")


def give_key(driver: Driver, key: str) -> None:
    wait(driver, "input[name=key]").send_keys(key)
    wait(driver, "form button").click()
    wait(driver, ".likenesses li")


def settle(driver: Driver) -> None:
    """Until no piece is on its way: a busy machine is slower than the animation."""
    moving = "return document.querySelectorAll('piece.anim, piece.fading').length"
    WebDriverWait(driver, 60).until(lambda page: page.execute_script(moving) == 0)


def save(driver: Driver, path: Path) -> None:
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 80})
    path.write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main(sys.argv[1:])
