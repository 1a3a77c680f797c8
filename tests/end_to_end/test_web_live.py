"""Two people at two browsers, one with a phone and 150 ms away: they meet, play, and judge each other and a program."""

import csv
import io
from contextlib import suppress
from time import monotonic, sleep
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

PHONE = (390, 844)
OPPONENTS = [{"label": "visitor", "person": True}, {"label": "anything", "style": "random"}]
STUDY = {"title": "Who is there?", "game": "connect-four", "mode": "play", "plies": 4, "games_per_visitor": 2}


def _go_on(person: Any) -> bool:
    """Whatever the page asks for next. Whether all is done."""
    driver = person.driver
    with suppress(WebDriverException):  # what was found is drawn anew meanwhile
        if driver.find_elements(By.CSS_SELECTOR, "section.home h1"):
            return True
        if driver.find_elements(By.CSS_SELECTOR, ".judging"):
            driver.find_element(By.CSS_SELECTOR, ".judging input[value=yes]").click()
            person.press("Answer")
        elif found := driver.find_elements(By.CSS_SELECTOR, "[data-turn=you] .target:not(.idle)"):
            found[0].click()
    return False


def test_two_people_meet_and_judge_each_other(far_visitor: Any, bare_visitor: Any) -> None:
    people = [far_visitor, bare_visitor]
    study = far_visitor.server.post("/api/studies", **STUDY, opponents=OPPONENTS, consent="Times are kept.")
    for person, size in zip(people, (PHONE, (1280, 900)), strict=True):
        person.open(f"/bot-or-not/study/{study['id']}", size=size)
        person.press_soon("I agree, begin")
        if person is far_visitor:  # nobody else is there yet; the other one may be met at once
            person.wait_text(".status", "Looking for an opponent")
        person.find(".status")
        assert person.find_barriers() == []
    width = far_visitor.driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    deadline = monotonic() + 150
    while sum(_go_on(person) for person in people) < len(people):
        assert monotonic() < deadline
        sleep(0.1)
    for person in people:
        told = person.find("tbody").text
        assert "visitor" in told
        assert "anything" in told
    key = {"X-Study-Key": study["key"]}
    answer = far_visitor.server.client.get(f"/api/studies/{study['id']}/answers.csv", headers=key)
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    met = [row for row in rows if row["kind"] == "person"]
    assert (len(rows), len(met)) == (4, 2)
    assert met[0]["moves"] == met[1]["moves"]
    assert all(len(row["think_seconds"].split()) == len(row["moves"].split()) for row in rows)


def test_another_visitor_is_added_to_a_test_that_is_played(visitor: Any) -> None:
    visitor.open("/bot-or-not/new")
    visitor.find("input[name=title]").send_keys("Live")
    assert not visitor.driver.find_elements(By.XPATH, "//button[normalize-space()='Add another visitor']")
    visitor.click("input[value=play]")
    visitor.press_soon("Add another visitor")
    visitor.wait_text(".opponents", "at the same time")
    visitor.click("button[type=submit]")
    visitor.find("a[href*='/bot-or-not/study/']")
