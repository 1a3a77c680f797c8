"""`hitonami review` and `hitonami rate` through the real command line; the page in a real browser."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hitonami.core import Setup
from hitonami.dataset.shards import read_records
from hitonami.records import write_record

HEADS = '[Event "Rated game"]\n[Site "https://lichess.org/x"]\n[White "ann"]\n[Black "ben"]\n[WhiteElo "1500"]\n'
ITALIAN = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O Nxc3"
PLAIN = ("--mind", "uniform", "--judge", "none")
Done = subprocess.CompletedProcess[str]


def _run(*arguments: str | Path) -> Done:
    command = [sys.executable, "-m", "hitonami", *map(str, arguments)]
    environment = os.environ | {"PYTHONWARNINGS": "error", "HITONAMI_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=550)


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """Two games, the second with an illegal move in it."""
    path = tmp_path / "games.pgn"
    path.write_text(f"{HEADS}\n{ITALIAN} 1-0\n\n{HEADS}\n{ITALIAN} 9. Kxc3 1-0\n")
    return path


def test_a_review_in_the_terminal_and_as_json(pgn: Path, tmp_path: Path) -> None:
    out = tmp_path / "review.json"
    done = _run("review", "chess", pgn, *PLAIN, "--moves", "--json", out)
    assert done.returncode == 0, done.stderr
    assert "holds 2 games; this is game 1" in done.stderr
    assert "8… Nxc3" in done.stdout
    assert "White ann, rated 1500" in done.stdout
    data: dict[str, Any] = json.loads(out.read_text())
    assert [step["ply"] for step in data["steps"]] == list(range(16))
    assert data["steps"][0]["name"] == "e4"
    assert data["told"] == [1500.0, 1500.0]


def test_a_broken_game_is_reviewed_up_to_the_break(pgn: Path) -> None:
    done = _run("review", "chess", pgn, *PLAIN, "--game", "2")
    assert done.returncode == 0, done.stderr
    assert "breaks after 16 moves" in done.stderr
    assert "Kxc3" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("review", "chess", "nowhere.pgn"), "nowhere.pgn"),
        (("review", "chess", "PGN", "--game", "3"), "there is no game 3"),
        (("review", "chess", "PGN", "--judge", "none", "--nodes", "5"), "--nodes is for a judge"),
        (("review", "chess", "PGN", "--html", "nowhere/x.html"), "there is no folder"),
        (("rate", "chess", "nowhere.pgn"), "nowhere.pgn"),
        (("rate", "chess", "PGN", "--player", "nobody"), "no such player"),
        (("rate", "chess", "PGN", "--measure"), "--pool"),
        (("rate", "chess", "PGN", "--moves", "0"), "--moves 0 needs --opponents"),
        (("rate", "chess", "PGN", "--html", "nowhere/x.html"), "there is no folder"),
    ],
)
def test_bad_input_is_explained(arguments: tuple[str, ...], told: str, pgn: Path) -> None:
    done = _run(*(str(pgn) if each == "PGN" else each for each in arguments))
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_players_are_rated_with_the_packaged_network(pgn: Path, tmp_path: Path) -> None:
    out = tmp_path / "rated.json"
    done = _run("rate", "chess", pgn, "--json", out)
    assert done.returncode == 0, done.stderr
    assert "1 games could not be used" in done.stderr
    data = json.loads(out.read_text())
    assert [player["name"] for player in data["players"]] == ["ann", "ben"]
    assert data["players"][0]["recorded"] == 1500.0
    for player in data["players"]:
        found = player["estimate"]
        assert found["moves"] == 3
        assert found["pool"] == "lichess"
        assert found["low"] < found["rating"] < found["high"]


def test_opponents_are_heard_on_request_and_posteriors_drawn(pgn: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "rated.json", tmp_path / "rated.html"
    done = _run("rate", "chess", pgn, "--opponents", "--json", out, "--html", page)
    assert done.returncode == 0, done.stderr
    alone = _run("rate", "chess", pgn, "--json", tmp_path / "alone.json")
    assert alone.returncode == 0, alone.stderr
    heard, moves = (json.loads(file.read_text())["players"] for file in (out, tmp_path / "alone.json"))
    assert [player["estimate"]["opponents"] for player in heard] == [0, 1], "of the second no rating is recorded"
    assert [player["estimate"]["opponents"] for player in moves] == [0, 0]
    assert heard[0]["estimate"] == moves[0]["estimate"]
    spans = [each["estimate"]["high"] - each["estimate"]["low"] for each in (heard[1], moves[1])]
    assert spans[0] < spans[1], "who was met tells more than three moves alone"
    text = page.read_text()
    assert "<svg" in text
    assert "ann" in text


def test_a_go_game_of_four_hundred_moves(write_games: Callable[..., Path], tmp_path: Path) -> None:
    folder = write_games("go", 1, Setup(size=19), most=400)
    [record] = read_records(folder / "shard-00000.parquet")
    path, page = tmp_path / "long.sgf", tmp_path / "long.html"
    path.write_text(write_record(record, "sgf"))
    done = _run("review", "go", path, *PLAIN, "--html", page)
    assert done.returncode == 0, done.stderr
    assert len(record.moves) == 400
    assert "400 moves" in done.stdout
    assert page.stat().st_size < 2_000_000


def test_the_page_is_clicked_through(driver: webdriver.Chrome, pgn: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    done = _run("review", "chess", pgn, *PLAIN, "--html", page)
    assert done.returncode == 0, done.stderr
    driver.set_window_size(390, 800)
    driver.get(page.as_uri())

    def shown() -> str:
        return driver.find_element(By.CSS_SELECTOR, "#board svg").get_attribute("aria-label") or ""

    assert shown() == "Position after 0 moves"
    ActionChains(driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert shown() == "Position after 2 moves"
    assert "1… e5" in driver.find_element(By.ID, "move-card").text
    ActionChains(driver).send_keys(Keys.END).perform()
    assert shown() == "Position after 16 moves"
    driver.find_elements(By.CSS_SELECTOR, "#list button")[4].click()
    assert shown() == "Position after 5 moves"
    driver.find_element(By.CSS_SELECTOR, "#graph svg").click()  # its middle
    assert shown() == "Position after 8 moves"
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 500  # nothing sticks out on a phone; Chromium's narrowest window is 500 wide
    entries = driver.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry["message"] for entry in entries if entry["level"] == "SEVERE"] == []


def test_the_page_tells_chances_and_turning_points(
    driver: webdriver.Chrome, need_program: Callable[[str], str], tmp_path: Path
) -> None:
    """Black overlooks mate in one: the costliest move of the game."""
    game, page = tmp_path / "mate.pgn", tmp_path / "mate.html"
    game.write_text(f"{HEADS}\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n")
    judge = f"uci:{need_program('stockfish')}"
    done = _run("review", "chess", game, "--judge", judge, "--nodes", "2000", "--html", page)
    assert done.returncode == 0, done.stderr
    driver.get(page.as_uri())
    turns = driver.find_elements(By.CSS_SELECTOR, "#turns button")
    [costliest] = [each for each in turns if "3… Nf6" in each.text]
    assert "blunder" in costliest.text or "mistake" in costliest.text
    chance = driver.find_element(By.ID, "chance")
    before = chance.text
    costliest.click()
    label = driver.find_element(By.CSS_SELECTOR, "#board svg").get_attribute("aria-label")
    assert label == "Position after 6 moves"
    assert chance.text != before
    first, second = (int(part.strip("%")) for part in chance.text.split() if part.endswith("%"))
    assert first + second in (99, 100, 101)
    assert first > 50  # White mates
    ActionChains(driver).send_keys(Keys.END).perform()
    assert "White 100%" in chance.text
