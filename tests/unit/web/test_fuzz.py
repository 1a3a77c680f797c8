"""Whatever is sent, the server does not break: to ids that nobody has, and to games and tests that are there."""

from itertools import cycle
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings

HOUSE = settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def test_no_request_of_the_schema_breaks_the_server(address: str) -> None:
    assert _broken(address, {}) == []


def test_no_request_about_something_that_is_there_breaks_the_server(address: str) -> None:
    with httpx.Client(base_url=address, timeout=120) as client:
        games = [_begin(client, **fields) for fields in _GAMES]
        study = {"title": "A", "game": "go", "size": 9, "mode": "play", "plies": 2, "games_per_visitor": 2}
        made = client.post("/api/studies", json=study | {"opponents": [{"label": "x", "style": "random"}]}).json()
        visit = client.post(f"/api/studies/{made['id']}/visits", json={"agreed": True}).json()["id"]
        trial = client.get(f"/api/visits/{visit}").json()["trial"]
    real = {"game_id": games, "study_id": [made["id"]], "visit_id": [visit], "trial_id": [trial]}
    assert _broken(address, real, made["key"]) == []


_GAMES: list[dict[str, Any]] = [
    {"game": "chess", "time_control": "300+3"},
    {"game": "chess", "opening": "Ruy Lopez", "side": "second"},
    {"game": "chess", "start": "8/8/8/4k3/8/8/8/R3K3 w - - 99 80", "style": "human"},
    {"game": "shogi", "handicap": "bishop", "time_control": "600+30/1"},
    {"game": "go", "start": "(;SZ[5]KM[0]AB[ca][cb][cc][cd][ce]AW[ea]PL[B];B[];W[])", "side": "second"},
    {"game": "go", "size": 9, "handicap": "3"},
]


def _begin(client: httpx.Client, **fields: Any) -> str:
    answer = client.post("/api/games", json={"style": "random", "pace": "instant"} | fields)
    assert answer.status_code == 201 or "over before" in answer.text, answer.text
    found: str = answer.json().get("id", "a" * 12)
    return found


def _broken(address: str, real: dict[str, list[str]], key: str = "") -> list[tuple[str, str, int, str]]:
    """The requests that failed on the server's side, with real ids in the paths where there are any."""
    broken: list[tuple[str, str, int, str]] = []
    ids = {name: cycle(found) for name, found in real.items()}

    def check(case: schemathesis.Case[Any]) -> None:
        for name in case.path_parameters or {}:
            if name in ids:
                case.path_parameters[name] = next(ids[name])
        answer = case.call(timeout=120, headers={"X-Study-Key": key} if key else None)
        if answer.status_code >= 500:
            broken.append((case.method, case.path, answer.status_code, answer.text))

    for found in schemathesis.openapi.from_url(f"{address}/api/openapi.json", timeout=120).get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]
        assert operation is not None
        if not ids or any(f"{{{name}}}" in operation.path for name in ids):
            HOUSE(given(case=operation.as_strategy())(check))()
    return broken
