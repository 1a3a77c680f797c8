"""Twins in a real browser: games are sent, somebody is chosen, a twin is made, played, seen through, and forgotten."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from hitonami.core import Player, Setup, open_game
from hitonami.records import Record, write_record

PERSON = "Hana Example"
ONE_GAME = '[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve games of a person who begins with the king's pawn, against twelve others."""
    records = []
    for at in range(12):
        rng, position, moves = np.random.default_rng(at), open_game("chess").start(), list[int]()
        while len(moves) < 16 and len(position.legal):
            wish = {0: "e2e4", 1: "e7e5"}.get(len(moves)) if len(moves) % 2 == at % 2 else None
            names = {position.game.format(position, int(move)): int(move) for move in position.legal}
            moves.append(names.get(wish or "", int(rng.choice(position.legal))))
            position = position.play(moves[-1])
        pair = (Player(1500.0, "lichess", PERSON), Player(1500.0, "lichess", f"Other {at}"))
        seats = pair if at % 2 == 0 else (pair[1], pair[0])
        records.append(Record("chess", Setup(), tuple(moves), seats, 0.5, date=f"2026-01-{at + 1:02d}"))
    path = tmp_path_factory.mktemp("games") / "hana.pgn"
    path.write_text("\n\n".join(write_record(record, "pgn") for record in records), encoding="utf-8")
    return path


@pytest.fixture
def twins_folder(server: Any) -> Path:
    return Path(server.twins)


def _send(visitor: Any, file: Path) -> None:
    visitor.find(".twin-form .dropzone input").send_keys(str(file))


def _make(visitor: Any, name: str) -> None:
    field = visitor.find("input[name=name]")
    visitor.driver.execute_script("arguments[0].select()", field)
    field.send_keys(name)
    visitor.click("input[name=consent]")
    visitor.click(".twin-form button.main")


def test_a_twin_is_made_played_seen_through_and_forgotten(far_visitor: Any, games: Path, twins_folder: Path) -> None:
    """All of it, 150 ms from the server."""
    visitor = far_visitor
    visitor.open("/twins")
    _send(visitor, games)
    visitor.wait_text(".people", PERSON)
    assert visitor.find("input[name=player]:checked").find_element(By.XPATH, "..").text.startswith(PERSON)
    assert visitor.find(".twin-form button.main").get_attribute("disabled")  # nobody has agreed yet
    _make(visitor, "hana")
    visitor.find(".twin[data-name=hana]:is([data-state=waiting], [data-state=working]) progress")
    visitor.find(".twin[data-state=done] .worth, .twin[data-state=done] .figures")
    assert [path.name for path in sorted(twins_folder.iterdir())] == ["hana.twin"]  # the games are gone
    visitor.click(".twin .play")
    visitor.find(".start input[value='twin:hana']:checked, .start .choices :checked")
    visitor.wait_text(".style-note", "as the person does")
    visitor.click(".start button.main")
    visitor.wait_turn("you")
    visitor.click_square("d2")
    visitor.click_square("d4")
    visitor.wait_turn("you")
    visitor.open("/twins")
    visitor.click(".twin .eyes")
    assert visitor.find("select[name=eyes]").get_attribute("value") == "twin:hana"
    visitor.click("label.check input")
    visitor.find(".upload textarea").send_keys("1. e4 e5 2. Nf3 *")
    visitor.click(".upload button.main")
    visitor.find(".reviewed[data-done=yes]")
    visitor.wait_text(".note.asked", "hana (twin)")
    visitor.open("/twins")
    visitor.click(".twin .forget")
    visitor.click(".twin .danger")
    WebDriverWait(visitor.driver, 90).until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, ".twin"))
    assert list(twins_folder.iterdir()) == []
    assert "twin:hana" not in visitor.server.client.get("/api/info").text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_on_a_phone_and_in_both_languages(visitor: Any, games: Path, language: str, tmp_path: Path) -> None:
    visitor.set_screen(390, 844)
    visitor.open("/twins", language=language, size=(390, 844), theme="dark" if language == "ja" else "light")
    one = tmp_path / "one.pgn"
    one.write_text(ONE_GAME, encoding="utf-8")
    _send(visitor, one)
    visitor.find(".people input:disabled")  # one game of each is too few
    assert not visitor.driver.find_elements(By.CSS_SELECTOR, ".people input:enabled")
    visitor.click(".found .copy")
    _send(visitor, games)
    visitor.wait_text(".people", PERSON)
    wide = visitor.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 390
    assert visitor.find_barriers() == []
    _make(visitor, "no name")
    visitor.wait_text(".wrong[role=alert]", {"en": "A name has", "ja": "名前は40字まで"}[language])
    assert all("400" in each for each in visitor.complaints())  # the browser notes the refusal itself


def test_a_file_without_games_is_told(visitor: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pgn"
    bad.write_bytes(b"\xff\xfe\x00no game at all")
    visitor.open("/twins")
    _send(visitor, bad)
    visitor.wait_text(".wrong[role=alert]", "no game in this file")
    visitor.find(".dropzone")
    assert all("400" in each for each in visitor.complaints())


@pytest.fixture
def own_visitor(driver: Any, person_at: Any, start_server: Any, tmp_path: Path) -> Iterator[Any]:
    """A person at a server of their own, which a test may put another in the place of."""
    person = person_at(driver, start_server(tmp_path))
    yield person
    person.server.end()
    driver.get_log("browser")


def test_a_server_killed_in_the_making_goes_on(
    own_visitor: Any, start_server: Any, games: Path, tmp_path: Path
) -> None:
    visitor = own_visitor
    visitor.open("/twins")
    _send(visitor, games)
    visitor.wait_text(".people", PERSON)
    _make(visitor, "hana")
    visitor.find(".twin[data-name=hana]")
    visitor.click(".twin .stop")
    visitor.find(".twin[data-state=stopped] .resume")
    visitor.server.end(signal.SIGKILL)
    port = re.search(r":([0-9]+)/", visitor.server.address)
    assert port is not None
    visitor.server = start_server(tmp_path, "--port", port[1])
    visitor.open("/twins")
    visitor.click(".twin[data-state=stopped] .resume")
    visitor.find(".twin[data-state=done]")
