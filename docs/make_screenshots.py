"""Take the pictures of docs/web.md from the running page: `python docs/make_screenshots.py` (needs Chromium)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).parent / "pictures"
STARTS = {
    "chess": "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 w kq - 2 7",
    "shogi": "ln1g4l/1r1s1kg2/p1ppp1n1p/1p3pPp1/9/2P1P4/PP1PSP2P/2G1GS1R1/LN2K2NL w BPbsp 30",
    "go": "(;SZ[9]KM[7]AB[ee][fg][gf][cg][dc][fc]AW[ge][ec][ed][cd][gd][df]PL[B])",
}
DESKTOP, PHONE = (1280, 860), (390, 844)
SHOTS = (
    ("web-home", "/", DESKTOP, "light", "en"),
    ("web-home-phone-dark", "/", PHONE, "dark", "ja"),
    ("web-chess", "chess", DESKTOP, "light", "en"),
    ("web-shogi-dark", "shogi", DESKTOP, "dark", "ja"),
    ("web-go", "go", DESKTOP, "light", "en"),
    ("web-go-phone", "go", PHONE, "light", "en"),
    ("web-predict", "/predict", DESKTOP, "light", "en"),
    ("web-predict-dark", "/predict", DESKTOP, "dark", "en"),
)


def main() -> None:
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"HITONAMI_DATABASE": f"{folder}/games.sqlite3"}
        command = [sys.executable, "-m", "hitonami", "serve", "--no-open", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+/", server.stdout.readline())
                assert found is not None
                take_all(found[0])
            finally:
                server.terminate()


def take_all(address: str) -> None:
    """Every picture. Games start from set positions, so that pictures of one version are alike."""
    with httpx.Client(base_url=address, timeout=120) as client:
        games = {game: begin(client, game, start) for game, start in STARTS.items()}
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(option)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
    try:
        for name, place, size, theme, language in SHOTS:
            path = place if place.startswith("/") else f"/game/{games[place]}"
            take(driver, address.rstrip("/") + path, size, theme, language)
            driver.save_screenshot(HERE / f"{name}.png")
            print(name)
    finally:
        driver.quit()


def begin(client: httpx.Client, game: str, start: str) -> str:
    side = "second" if game == "shogi" else "first"
    body: dict[str, Any] = {"game": game, "start": start, "side": side, "pace": "instant"}
    found: str = client.post("/api/games", json=body).raise_for_status().json()["id"]
    return found


def take(driver: webdriver.Chrome, url: str, size: tuple[int, int], theme: str, language: str) -> None:
    """Show the page; in a game, with a hint."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.get(url)
    driver.execute_script(f"localStorage.setItem('theme', '{theme}'); localStorage.setItem('language', '{language}')")
    driver.get(url)
    wait = WebDriverWait(driver, 120)
    ready = {"/predict": ".bars li"}.get(url[url.index("/", 8) :], "main .panel")
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, ready))
    if "/game/" not in url:
        return
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, "main[data-turn=you]"))
    driver.find_element(By.TAG_NAME, "body").send_keys("h")
    wait.until(lambda page: page.find_elements(By.CSS_SELECTOR, ".bars li, .wrong"))


if __name__ == "__main__":
    main()
