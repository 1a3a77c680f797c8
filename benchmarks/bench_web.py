"""The page: how an answer's time grows from one visitor to many, and what a browser has to load.

Load is open loop: a move is sent when its time has come, whether or not earlier ones are answered, so that a slow
server cannot slow its visitors down. `run()` keeps it short for the table; the whole measurement is

    python benchmarks/bench_web.py --games 50 --rate 25 --seconds 120 --beside

and for memory over half an hour the same with --seconds 1800. With --beside the same load is measured twice, alone and
while visitors wait for a slow engine, somebody uploads what is hard to read, and connections stay half open.

It prints the errors, each kind with what the server said, the 95th percentile against one visitor's median, the
processor's time for a move, and whether the server's memory grows (a network that is loaded is no growth: hostile
uploads make a server load those of all games, so they are loaded before). With Chromium and its driver it also notes
when the first paint and the first move's answer came.
"""

import argparse
import asyncio
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import httpx

from _measure import Row, show

STATIC = Path(__file__).parents[1] / "src" / "hitonami" / "web" / "static"
SCRIPT_LIMIT_BYTES = 400_000
LATENCY_LIMIT = 5.0
MEMORY_LIMIT = 1.1
BESIDE_LIMIT = 2.0
SLOW_ENGINE = Path(__file__).parents[1] / "tests" / "unit" / "web" / "slow_engine.py"
_ENGINE_SECONDS = 3
_SLOW_GAMES = 6
_UPLOADERS = 2
_HALF_OPEN = 100
_SINGLE_MOVES = 20


@dataclass
class Load:
    """What a stretch of load came to."""

    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    """By what was said."""
    memory: list[int] = field(default_factory=list)
    """Resident bytes of the server, once a second."""
    cpu_seconds: float = 0.0
    """Of the server."""


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """A server of its own: its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"HITONAMI_DATABASE": f"{folder}/games.sqlite3"}
        engine = shlex.join([sys.executable, "-I", "-S", str(SLOW_ENGINE), str(_ENGINE_SECONDS)])
        command = [sys.executable, "-m", "hitonami", "serve", "--no-open", "--port", "0"]
        command += ["--opponent", f"chess:Slow=uci:{engine}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+/", server.stdout.readline())
                assert found is not None
                yield found[0].rstrip("/"), server.pid
            finally:
                server.terminate()


async def _move(client: httpx.AsyncClient, game: dict[str, Any], load: Load) -> None:
    """One move and its answer; a game that is over begins anew."""
    begin = perf_counter()
    try:
        state = game["state"]
        if state is None or state["outcome"] is not None or not state["your_turn"]:
            body = {"game": "chess", "style": "human", "pace": "instant", "rating": 1500}
            state = (await client.post("/api/games", json=body)).raise_for_status().json()
        legal = state["board"]["legal"]
        body = {"move": legal[state["ply"] * 7 % len(legal)], "ply": state["ply"]}
        (await client.post(f"/api/games/{state['id']}/moves", json=body)).raise_for_status()
        game["state"] = (await client.post(f"/api/games/{state['id']}/answer")).raise_for_status().json()
    except (httpx.HTTPError, KeyError) as wrong:
        load.errors[_told(wrong)] += 1
        game["state"] = None
    load.seconds.append(perf_counter() - begin)
    game["busy"] = False


def _told(wrong: Exception) -> str:
    """What went wrong: the status and the server's words, else what the client says."""
    if isinstance(wrong, httpx.HTTPStatusError):
        return f"{wrong.response.status_code} {wrong.request.url.path.rpartition('/')[2]} {wrong.response.text[:200]}"
    return repr(wrong)[:200]


async def _open_loop(address: str, pid: int, games: int, rate: float, seconds: float) -> Load:
    load = Load()
    tables: list[dict[str, Any]] = [{"state": None, "busy": False} for _ in range(games)]
    tasks: set[asyncio.Task[None]] = set()
    limits = httpx.Limits(max_connections=2 * games)
    spent = _cpu_seconds(pid)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        begin, sent, noted = perf_counter(), 0, 0
        while (now := perf_counter() - begin) < seconds:
            if now >= noted:
                load.memory.append(_resident(pid))
                noted += 1
            if now >= sent / rate:
                free = next((table for table in tables if not table["busy"]), None)
                sent += 1
                if free is None:
                    load.errors["every game waits for its answer: no place for this visitor"] += 1
                else:
                    free["busy"] = True
                    tables.append(tables.pop(tables.index(free)))
                    tasks.add(task := asyncio.create_task(_move(client, free, load)))
                    task.add_done_callback(tasks.discard)
            await asyncio.sleep(max(0.0, min(sent / rate, noted) - (perf_counter() - begin)))
        await asyncio.gather(*tasks)
    load.cpu_seconds = _cpu_seconds(pid) - spent
    return load


async def _wait_for_engine(client: httpx.AsyncClient) -> None:
    """A visitor of the slow engine, game after game."""
    while True:
        with suppress(httpx.HTTPError, KeyError):
            body = {"game": "chess", "style": "Slow", "pace": "instant"}
            path = f"/api/games/{(await client.post('/api/games', json=body)).json()['id']}"
            await client.post(f"{path}/moves", json={"move": "a2a3", "ply": 0})
            await client.post(f"{path}/answer")


async def _upload(client: httpx.AsyncClient) -> None:
    """Somebody who uploads broken records of nearly the largest size."""
    while True:
        await _upload_each(client)


async def _upload_each(client: httpx.AsyncClient) -> None:
    """One of each game. What can be read of it is reviewed, which loads the game's networks."""
    broken = {
        "go": b"(;SZ[19]" + b"(;B[aa]" * 100_000,
        "shogi": "手数----指手\n".encode() + "   1 ７六歩(77)\n   1 xx\n".encode() * 20_000,
        "chess": b"1. e4 e5 {" + b"(1. d4 " * 100_000,
    }
    for game, content in broken.items():
        with suppress(httpx.HTTPError):
            await client.post("/api/reviews", params={"game": game}, content=content)


async def _stay_half_open(address: str) -> None:
    """Connections that send the beginning of a request, again and again."""
    host, _, port = address.removeprefix("http://").partition(":")
    while True:
        open_: list[asyncio.StreamWriter] = []
        with suppress(OSError):
            for _ in range(_HALF_OPEN):
                _, writer = await asyncio.open_connection(host, int(port))
                writer.write(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
                open_.append(writer)
        await asyncio.sleep(5)
        for writer in open_:
            writer.close()


async def _beside(address: str, pid: int, games: int, rate: float, seconds: float) -> Load:
    """The load while others do their worst."""
    async with httpx.AsyncClient(base_url=address, timeout=600) as client:
        await _upload_each(client)
        others = [_wait_for_engine(client) for _ in range(_SLOW_GAMES)] + [_upload(client) for _ in range(_UPLOADERS)]
        tasks = [asyncio.create_task(other) for other in [*others, _stay_half_open(address)]]
        await asyncio.sleep(2)  # until all of them are at it
        load = await _open_loop(address, pid, games, rate, seconds)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return load


def beside_rows(games: int, rate: float, seconds: float) -> list[Row]:
    """The same load alone and beside others, on one server."""
    with serving() as (address, pid):
        asyncio.run(_open_loop(address, pid, games, rate, min(seconds, 10.0)))  # networks are loaded
        quiet = asyncio.run(_open_loop(address, pid, games, rate, min(seconds, 120.0)))
        load = asyncio.run(_beside(address, pid, games, rate, seconds))
    calm, late = quantiles(quiet.seconds, n=20)[-1], quantiles(load.seconds, n=20)[-1]
    ratio = BESIDE_LIMIT * calm / late if not load.errors else 0.0
    note = f"p95 {1000 * late:.0f} ms, quiet {1000 * calm:.0f} ms; {_errors(load)}, {len(load.seconds)} moves"
    name = f"page beside a slow engine and hostile visitors: {games} games, {rate:g} moves/s, {seconds:g} s"
    return [Row(f"{name}: 2 × quiet p95 / p95", ratio, ratio, ratio, 1.0, note), _memory_row(name, load)]


def _cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return 0 if found is None else 1024 * int(found[1])


def measure_load(games: int, rate: float, seconds: float) -> tuple[Load, float]:
    """The load, and one visitor's median on the same server just before."""
    with serving() as (address, pid):

        async def alone() -> list[float]:
            load, table = Load(), {"state": None, "busy": False}
            async with httpx.AsyncClient(base_url=address, timeout=120) as client:
                for _ in range(_SINGLE_MOVES):
                    await _move(client, table, load)
            return load.seconds[3:]  # the first ones load the network

        single = median(asyncio.run(alone()))
        return asyncio.run(_open_loop(address, pid, games, rate, seconds)), single


def load_rows(games: int, rate: float, seconds: float) -> list[Row]:
    load, single = measure_load(games, rate, seconds)
    late = quantiles(load.seconds, n=20)[-1]
    note = (
        f"p95 {1000 * late:.0f} ms, alone {1000 * single:.0f} ms; {_errors(load)}, {len(load.seconds)} moves; "
        f"{1000 * load.cpu_seconds / len(load.seconds):.0f} ms of the server's processor a move"
    )
    ratio = LATENCY_LIMIT * single / late if not load.errors else 0.0
    name = f"page: {games} games, {rate:g} moves/s, {seconds:g} s"
    return [Row(f"{name}: 5 × one visitor / p95", ratio, ratio, ratio, 1.0, note), _memory_row(name, load)]


def _errors(load: Load) -> str:
    """How many, and of what kinds."""
    kinds = "; ".join(f"{count} × {told}" for told, count in load.errors.most_common())
    return f"{load.errors.total()} errors" + (f" ({kinds})" if kinds else "")


def _memory_row(name: str, load: Load) -> Row:
    half = len(load.memory) // 2
    grown = max(load.memory[half:], default=0) / max(max(load.memory[:half], default=1), 1)
    still = MEMORY_LIMIT / grown
    flat = f"{load.memory[0] / 1e6:.0f} MB at first, {load.memory[-1] / 1e6:.0f} MB at last"
    return Row(f"{name}: 1.1 × memory of the first half / of the second", still, still, still, 1.0, flat)


def script_row() -> Row:
    size = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*.js"))
    ratio = SCRIPT_LIMIT_BYTES / size
    return Row("page: 400 KB / compressed JavaScript", ratio, ratio, ratio, 1.0, f"{size / 1000:.1f} KB")


def browser_row() -> Row | None:
    """First paint and first move, against a bare request of the page; None without a browser."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        return None
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    with serving() as (address, _), httpx.Client(base_url=address, timeout=120) as client:
        body = {"game": "chess", "style": "human", "pace": "instant"}
        game = client.post("/api/games", json=body).json()["id"]
        begin = perf_counter()
        client.get("/")
        bare = perf_counter() - begin
        driver = webdriver.Chrome(options=options, service=Service(chromedriver))
        try:
            driver.get(f"{address}/game/{game}")
            wait = WebDriverWait(driver, 120)
            field_ = wait.until(lambda page: page.find_element(By.CSS_SELECTOR, "input[name=move]"))
            script = "return performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
            paint = float(driver.execute_script(script))
            begin = perf_counter()
            field_.send_keys("e4\n")
            wait.until(lambda page: page.find_element(By.CSS_SELECTOR, "main[data-ply='2']"))
            first = perf_counter() - begin
        finally:
            driver.quit()
    note = f"first paint {1000 * paint:.0f} ms, first move answered {1000 * first:.0f} ms here, network loaded in it"
    return Row("page: bare request / first paint", bare / paint, bare / paint, bare / paint, None, note)


def run() -> list[Row]:
    rows = [script_row(), *load_rows(10, 5.0, 10.0)]
    return rows + [row for row in [browser_row()] if row is not None]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--beside", action="store_true", help="also beside a slow engine and hostile visitors")
    given = parser.parse_args()
    found = [script_row(), *load_rows(given.games, given.rate, given.seconds)]
    if given.beside:
        found += beside_rows(given.games, given.rate, given.seconds)
    show(found + [row for row in [browser_row()] if row is not None])
