"""Studies in which visitors meet each other: pairing, what is logged, who waits in vain and who leaves."""

import csv
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

PERSON = {"label": "visitor", "person": True}
PROGRAM = {"label": "anything", "style": "random"}
BODY = {"title": "Live", "game": "connect-four", "mode": "play", "plies": 4, "opponents": [PERSON, PROGRAM]}


def _set_up(base: str, **fields: Any) -> dict[str, str]:
    answer = httpx.post(f"{base}/api/studies", json=BODY | fields)
    assert answer.status_code == 201, answer.text
    made: dict[str, str] = answer.json()
    return made


def _rows(base: str, study: dict[str, str]) -> list[dict[str, str]]:
    answer = httpx.get(f"{base}/api/studies/{study['id']}/answers.csv", headers={"X-Study-Key": study["key"]})
    return list(csv.DictReader(io.StringIO(answer.text)))


def _take_part(base: str, study: dict[str, str], most_moves: int = 99) -> dict[str, Any]:
    """A visitor from consent to the end, or until so many moves were made. The visit as it stands then."""
    with httpx.Client(base_url=base, timeout=60) as client:
        visit = client.post(f"/api/studies/{study['id']}/visits", json={"agreed": True}).json()["id"]
        while (found := client.get(f"/api/visits/{visit}").json())["trial"] is not None:
            trial = found["trial"]
            state = client.get(f"/api/trials/{trial}").json()
            while not state["judgeable"] and not state["done"]:
                if state["waiting"]:
                    assert not state["your_turn"]
                if state["your_turn"]:
                    if not most_moves:
                        return dict(found)
                    most_moves -= 1
                    body = {"move": state["boards"][0]["legal"][0], "ply": state["ply"]}
                    state = client.post(f"/api/trials/{trial}/moves", json=body).json()
                else:
                    state = client.post(f"/api/trials/{trial}/answer").json()
            if not state["done"]:
                answer = client.post(f"/api/trials/{trial}/verdict", json={"called_human": True, "likeness": 70})
                assert answer.status_code == 204
        return dict(found)


def test_two_visitors_meet_and_a_program_is_met_in_the_same_way(serve: Callable[..., Any]) -> None:
    with serve(study_seconds=0.3) as base:
        study = _set_up(base, games_per_visitor=2)
        with ThreadPoolExecutor() as pool:
            visits = [each.result() for each in [pool.submit(_take_part, base, study) for _ in range(2)]]
        rows = _rows(base, study)
        told = httpx.get(f"{base}/api/studies/{study['id']}/results", headers={"X-Study-Key": study["key"]}).json()
    assert sorted(row["kind"] for row in rows) == ["person", "person", "style", "style"]
    one, other = (row for row in rows if row["kind"] == "person")
    assert (one["moves"], one["think_seconds"]) == (other["moves"], other["think_seconds"])
    assert {one["side"], other["side"]} == {"0", "1"}
    assert one["visit"] != other["visit"]
    for row in rows:
        assert len(row["think_seconds"].split()) == len(row["moves"].split()) >= 4
        assert all(0 <= float(each) < 60 for each in row["think_seconds"].split())
    for visit in visits:
        assert sorted((row["opponent"], row["is_human"]) for row in visit["revealed"]) == [
            ("anything", False),
            ("visitor", True),
        ]
    assert {row["opponent"]: row["is_human"] for row in told["seemings"]} == {"visitor": True, "anything": False}


def test_who_waits_in_vain_gets_a_program(serve: Callable[..., Any]) -> None:
    with serve(study_seconds=0.02) as base:
        study = _set_up(base, games_per_visitor=2)
        visit = _take_part(base, study)
        assert [row["kind"] for row in _rows(base, study)] == ["style", "style"]
    assert not any(row["is_human"] for row in visit["revealed"])


def test_a_game_whose_other_side_has_gone_is_left_out(serve: Callable[..., Any]) -> None:
    with serve(study_seconds=0.06) as base:
        study = _set_up(base, games_per_visitor=1, opponents=[PERSON, PROGRAM])
        for _ in range(40):  # until two who are to meet a person come at once
            with ThreadPoolExecutor() as pool:
                stays, leaves = pool.submit(_take_part, base, study), pool.submit(_take_part, base, study, 0)
                seen = stays.result()
                leaves.result()
            if not seen["revealed"]:
                break
    assert (seen["trial"], seen["done"], seen["revealed"]) == (None, 1, [])


@pytest.mark.parametrize("fields", [{"mode": "watch"}, {"opponents": [PERSON]}])
def test_people_are_met_in_play_and_among_programs(serve: Callable[..., Any], fields: dict[str, Any]) -> None:
    with serve() as base:
        answer = httpx.post(f"{base}/api/studies", json=BODY | fields)
    assert answer.status_code == 400
    assert "add one" in answer.json()["error"]
