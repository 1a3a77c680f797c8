"""Bot or not: studies through the interface, and what a visitor cannot find out."""

import asyncio
import csv
import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import numpy as np
import pytest

from hitonami.core import Setup
from hitonami.web.studies.pace import CommonPace
from hitonami.web.studies.preparing import read_people

PEOPLE = (
    '[White "Somebody"]\n[Black "Else"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n'
)
OPPONENTS = [
    {
        "label": "people",
        "records": PEOPLE
        + "\n"
        + PEOPLE.replace("1. e4 e5", "1. d4 d5")
        .replace("3. Bb5 a6", "3. c3 a6")
        .replace("4. Ba4", "4. e3")
        .replace("5. O-O Be7", "5. h3 h6"),
    },
    {"label": "anything", "style": "random"},
    {"label": "network", "style": "human", "rating": 1500},
]


@pytest.fixture(scope="module")
def pages(serve: Callable[..., Any]) -> Iterator[httpx.Client]:
    with serve(study_seconds=0.02) as base, httpx.Client(base_url=base, timeout=120) as client:
        yield client


def _set_up(client: httpx.Client, **fields: Any) -> dict[str, str]:
    body = {"title": "A test", "game": "chess", "plies": 8, "games_per_visitor": 3, "games_per_opponent": 2}
    answer = client.post("/api/studies", json=body | {"opponents": OPPONENTS, "consent": "Fine?"} | fields)
    assert answer.status_code == 201, answer.text
    made: dict[str, str] = answer.json()
    while client.get(f"/api/studies/{made['id']}").json()["status"] == "preparing":
        pass
    return made


def _visit(client: httpx.Client, study: dict[str, str]) -> str:
    client.cookies.clear()  # somebody new
    answer = client.post(f"/api/studies/{study['id']}/visits", json={"agreed": True})
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def _verdict(client: httpx.Client, trial: str, likeness: float = 60.0) -> httpx.Response:
    body = {"called_human": likeness > 50, "likeness": likeness, "strong": 30, "careful": 10}
    return client.post(f"/api/trials/{trial}/verdict", json=body)


def test_a_visit_from_consent_to_results(pages: httpx.Client) -> None:
    study = _set_up(pages)
    assert pages.get("/api/studies").json()[0]["id"] == study["id"]
    assert pages.post(f"/api/studies/{study['id']}/visits", json={"agreed": False}).status_code == 422
    visit = _visit(pages, study)
    for done in range(3):
        state = pages.get(f"/api/visits/{visit}").json()
        assert (state["done"], state["total"], state["revealed"]) == (done, 3, [])
        shown = pages.get(f"/api/trials/{state['trial']}").json()
        assert len(shown["boards"]) == 9
        assert _verdict(pages, state["trial"], 20.0 * (1 + done)).status_code == 204
        assert _verdict(pages, state["trial"]).status_code == 409
    last = pages.get(f"/api/visits/{visit}").json()
    assert last["trial"] is None
    assert sorted(row["opponent"] for row in last["revealed"]) == ["anything", "network", "people"]
    assert [row["is_human"] for row in last["revealed"]].count(True) == 1
    told = pages.get(f"/api/studies/{study['id']}/results", headers={"X-Study-Key": study["key"]}).json()
    assert (told["visits"], told["answers"]) == (1, 3)
    assert [row["likeness"]["value"] for row in told["seemings"]] == [60, 40, 20]
    text = pages.get(f"/api/studies/{study['id']}/answers.csv", headers={"X-Study-Key": study["key"]}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["opponent"] for row in rows} == {"anything", "network", "people"}
    assert all(len(row["moves"].split()) == 8 and row["strong"] == "30.0" and row["aggressive"] == "" for row in rows)


def test_results_need_the_key(pages: httpx.Client) -> None:
    study = _set_up(pages)
    for what in ("results", "answers.csv"):
        for headers in ({}, {"X-Study-Key": "guess"}, {"X-Study-Key": study["id"]}):
            assert pages.get(f"/api/studies/{study['id']}/{what}", headers=headers).status_code == 403
    assert pages.post(f"/api/studies/{study['id']}/close").status_code == 403
    assert pages.post(f"/api/studies/{study['id']}/close", headers={"X-Study-Key": study["key"]}).status_code == 200
    assert pages.post(f"/api/studies/{study['id']}/visits", json={"agreed": True}).status_code == 409


def test_nothing_that_a_visitor_gets_tells_the_opponent(pages: httpx.Client) -> None:
    study = _set_up(pages)
    texts: dict[str, list[str]] = {}
    for _ in range(4):
        visit = _visit(pages, study)
        seen = []
        while (trial := pages.get(f"/api/visits/{visit}").json()["trial"]) is not None:
            answers = [pages.get(f"/api/visits/{visit}"), pages.get(f"/api/trials/{trial}")]
            seen.append((trial, [f"{dict(answer.headers)}{answer.text}" for answer in answers]))
            assert _verdict(pages, trial).status_code == 204
        rows = pages.get(f"/api/visits/{visit}").json()["revealed"]
        for row, (_, found) in zip(rows, seen, strict=True):
            texts.setdefault(row["opponent"], []).extend(found)
    secret = (
        "Somebody",
        "people",
        "anything",
        "network",
        "random",
        "human",
        "uniform",
        "1500",
        "records",
        study["key"],
    )
    for opponent, found in texts.items():
        for text in found:
            assert not [word for word in secret if word in text], opponent
    shapes = {opponent: {tuple(sorted(_shape(text))) for text in found} for opponent, found in texts.items()}
    assert len({frozenset(shape) for shape in shapes.values()}) == 1


def _shape(text: str) -> set[str]:
    """The keys of an answer's JSON, deep down, and how many boards there are."""
    body = json.loads(text[text.index("}{") + 1 :])
    return {
        *body,
        *(key for value in body.values() if isinstance(value, dict) for key in value),
        str(len(body.get("boards", []))),
    }


def test_trials_are_no_games_and_cannot_be_asked_before_their_turn(pages: httpx.Client) -> None:
    study = _set_up(pages, mode="play", opponents=OPPONENTS[1:], plies=2)
    visit = _visit(pages, study)
    trial = pages.get(f"/api/visits/{visit}").json()["trial"]
    for what in ("", "/hint", "/chances", "/record?kind=pgn"):
        assert pages.get(f"/api/games/{trial}{what}").status_code == 404
    assert pages.get("/api/games").json() == []
    assert _verdict(pages, trial).status_code == 409  # nothing was played yet


def test_a_hidden_opponent_is_played(pages: httpx.Client) -> None:
    study = _set_up(pages, mode="play", opponents=OPPONENTS[1:], plies=2, games_per_visitor=2)
    visit = _visit(pages, study)
    while (trial := pages.get(f"/api/visits/{visit}").json()["trial"]) is not None:
        state = pages.post(f"/api/trials/{trial}/answer").json()
        while not state["judgeable"]:
            assert state["your_turn"]
            body = {"move": state["boards"][0]["legal"][0], "ply": state["ply"]}
            assert pages.post(f"/api/trials/{trial}/moves", json=body).status_code == 200
            assert pages.post(f"/api/trials/{trial}/moves", json=body).status_code == 409
            state = pages.post(f"/api/trials/{trial}/answer").json()
        assert _verdict(pages, trial).status_code == 204
    assert len(pages.get(f"/api/visits/{visit}").json()["revealed"]) == 2


def test_what_was_not_answered_is_stored_and_counted_nowhere(pages: httpx.Client) -> None:
    study = _set_up(pages, games_per_visitor=1, opponents=OPPONENTS[1:2])
    for body in ({"called_human": True}, {"called_human": False, "likeness": 80, "strong": None}):
        trial = pages.get(f"/api/visits/{_visit(pages, study)}").json()["trial"]
        assert pages.post(f"/api/trials/{trial}/verdict", json=body).status_code == 204
    key = {"X-Study-Key": study["key"]}
    [row] = pages.get(f"/api/studies/{study['id']}/results", headers=key).json()["seemings"]
    assert row["likeness"] == {"value": 80.0, "low": None, "high": None}  # one of two judges has said it
    assert (row["scales"], row["called_human"]["value"], row["judges"]) == ({}, 0.5, 2)
    text = pages.get(f"/api/studies/{study['id']}/answers.csv", headers=key).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sorted((each["likeness"], each["strong"]) for each in rows) == [("", ""), ("80.0", "")]


def test_a_verdict_given_while_the_opponent_thinks_is_kept(serve: Callable[..., Any]) -> None:
    with serve(study_seconds=1.0) as base, httpx.Client(base_url=base, timeout=120) as client:
        study = _set_up(client, mode="play", opponents=OPPONENTS[1:2], plies=2, games_per_visitor=1)
        visit = _visit(client, study)
        trial = client.get(f"/api/visits/{visit}").json()["trial"]
        state = client.post(f"/api/trials/{trial}/answer").json()
        while not state["judgeable"] or state["your_turn"]:
            if state["your_turn"]:
                body = {"move": state["boards"][0]["legal"][0], "ply": state["ply"]}
                state = client.post(f"/api/trials/{trial}/moves", json=body).json()
            else:
                state = client.post(f"/api/trials/{trial}/answer").json()
        with ThreadPoolExecutor() as pool:
            reply = pool.submit(client.post, f"/api/trials/{trial}/answer")
            assert _verdict(client, trial).status_code == 204
            after = reply.result().json()
        assert (after["done"], after["ply"]) == (True, state["ply"])
        assert client.get(f"/api/visits/{visit}").json()["trial"] is None
        assert _results(client, study)["answers"] == 1


def test_of_eight_verdicts_at_once_the_one_that_was_taken_is_kept(pages: httpx.Client) -> None:
    study = _set_up(pages, games_per_visitor=1, opponents=OPPONENTS[1:2])
    trial = pages.get(f"/api/visits/{_visit(pages, study)}").json()["trial"]
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda likeness: _verdict(pages, trial, likeness).status_code, range(8)))
    assert sorted(codes) == [204, *[409] * 7]
    [row] = _results(pages, study)["seemings"]
    assert row["likeness"]["value"] == codes.index(204)


def test_a_visitor_who_comes_again_after_the_reveal_is_the_same_judge(pages: httpx.Client) -> None:
    study = _set_up(pages)
    visit = _visit(pages, study)
    while (trial := pages.get(f"/api/visits/{visit}").json()["trial"]) is not None:
        _verdict(pages, trial)
    assert pages.get(f"/api/visits/{visit}").json()["revealed"]
    again = pages.post(f"/api/studies/{study['id']}/visits", json={"agreed": True}).json()["id"]
    assert again == visit
    assert (_results(pages, study)["visits"], _results(pages, study)["answers"]) == (1, 3)
    other = _set_up(pages)
    elsewhere = pages.post(f"/api/studies/{other['id']}/visits", json={"agreed": True}).json()["id"]
    assert elsewhere != visit
    assert _visit(pages, study) != visit  # somebody else
    assert _results(pages, study)["visits"] == 2


def test_a_study_that_is_closed_while_it_is_prepared_stays_closed(pages: httpx.Client) -> None:
    body = {"title": "A test", "game": "chess", "plies": 8, "opponents": OPPONENTS[:2], "games_per_opponent": 2}
    first, second = (pages.post("/api/studies", json=body).json() for _ in range(2))  # one after the other
    key = {"X-Study-Key": second["key"]}
    assert pages.post(f"/api/studies/{second['id']}/close", headers=key).json()["status"] == "closed"
    _set_up(pages)  # behind both of them
    assert pages.get(f"/api/studies/{first['id']}").json()["status"] == "open"
    assert pages.get(f"/api/studies/{second['id']}").json()["status"] == "closed"


def _results(client: httpx.Client, study: dict[str, str]) -> dict[str, Any]:
    answer = client.get(f"/api/studies/{study['id']}/results", headers={"X-Study-Key": study["key"]})
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    "fields",
    [
        {"opponents": []},
        {"opponents": [OPPONENTS[1], OPPONENTS[1]]},
        {"opponents": [{"label": "x", "style": "uci:sh"}]},
        {"opponents": [{"label": "x", "records": "rubbish"}]},
        {"opponents": [{"label": "x", "records": PEOPLE}], "plies": 40},
        {"opponents": [OPPONENTS[0]], "mode": "play"},
        {"plies": 300, "games_per_opponent": 50},
        {"title": ""},
    ],
)
def test_a_study_that_cannot_be_is_refused(pages: httpx.Client, fields: dict[str, Any]) -> None:
    body = {"title": "A test", "game": "chess", "plies": 8, "opponents": OPPONENTS} | fields
    answer = pages.post("/api/studies", json=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_people_are_shown_without_names_and_to_the_same_length() -> None:
    games = read_people("chess", Setup(), 4, PEOPLE * 2 + PEOPLE.replace("1. e4", "1. e3"))
    assert games == ["e2e4 e7e5 g1f3 b8c6", "e2e3 e7e5 g1f3 b8c6"]
    fen = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]\n\n1. Ra2 Ke7 2. Ra3 Ke6 3. Ra4 Ke5 *\n'
    assert read_people("chess", Setup(), 4, fen) == []
    sgf = "(;SZ[9];B[ee];W[cc];B[gc];W[gg])"
    assert read_people("go", Setup(size=9), 2, sgf + "\n" + sgf.replace("ee", "ed")) == ["E5 C7", "E6 C7"]
    assert read_people("go", Setup(size=19), 2, sgf) == []


def _moments(think: float) -> list[float]:
    """When answers come, of an opponent that thinks so long, by a clock that only waiting turns."""
    wall = [0.0]
    found = []

    async def sleep(seconds: float) -> None:
        wall[0] += seconds
        for _ in range(5):  # let the opponent look at the clock
            await asyncio.sleep(0)

    async def work(done: float) -> int:
        while wall[0] < done:
            await asyncio.sleep(0)
        return 1

    async def run() -> None:
        pace, rng = CommonPace(3.0, lambda: wall[0], sleep), np.random.default_rng(3)
        for _ in range(30):
            begin = wall[0]
            await pace.hold_back(work(begin + think), rng)
            found.append(round(wall[0] - begin, 9))

    asyncio.run(run())
    return found


def test_fast_and_slow_opponents_answer_at_the_same_moments() -> None:
    waits = _moments(0.0)
    assert waits == _moments(1.5)
    assert len(set(waits)) > 20
    assert 1.7 < min(waits) < 3.0 < max(waits) < 7.6


def test_who_is_late_answers_at_a_later_moment_and_failures_wait_too() -> None:
    assert all(wait > 4.0 for wait in _moments(4.0))

    async def fail() -> int:
        raise ValueError("no engine")

    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)

    async def run() -> None:
        with pytest.raises(ValueError, match="no engine"):
            await CommonPace(3.0, lambda: 0.0, sleep).hold_back(fail(), np.random.default_rng(0))

    asyncio.run(run())
    assert len(slept) >= 1
