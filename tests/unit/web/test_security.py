"""Who is let in, and with what headers."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest

from hitonami.web.security import HEADERS, LARGEST_BODY_BYTES

NEW = {"game": "chess", "style": "random"}


@pytest.mark.parametrize("path", ["/", "/predict", "/api/info", "/assets/index.js", "/nowhere"])
def test_every_answer_has_the_headers(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_the_page_has_no_inline_script_or_style(client: httpx.Client) -> None:
    page = client.get("/").text
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == page.count('src="/assets/') > 0


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[", ""])
def test_a_foreign_host_name_is_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/api/info", headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_another_site_cannot_change_anything(client: httpx.Client, headers: dict[str, str]) -> None:
    assert client.post("/api/games", json=NEW, headers=headers).status_code == 403


def test_the_page_itself_may(client: httpx.Client, address: str) -> None:
    headers = {"Origin": address, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/games", json=NEW, headers=headers).status_code == 201


def test_a_large_body_is_refused_with_and_without_its_length(client: httpx.Client) -> None:
    assert client.post("/api/games", content=b"x" * (LARGEST_BODY_BYTES + 1)).status_code == 413
    pieces = (b"x" * 65536 for _ in range(20))
    with suppress(httpx.RemoteProtocolError):  # the server may hang up on who sends on and on
        assert client.post("/api/games", content=pieces).status_code in range(400, 500)


@pytest.mark.parametrize(
    "path", ["/../app.py", "/..%2fapp.py", "/assets/..%2f..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd"]
)
def test_no_path_leaves_the_folder(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_a_token_is_asked_for_and_kept_in_a_cookie(serve: Callable[..., Any]) -> None:
    with serve(token="secret") as base, httpx.Client(base_url=base) as client:
        assert client.get("/api/info").status_code == 401
        assert client.get("/", params={"token": "guess"}).status_code == 401
        assert client.get("/api/info", headers={"Authorization": "Bearer secret"}).status_code == 200
        entered = client.get("/predict", params={"token": "secret"})
        assert entered.status_code == 303
        assert entered.headers["location"] == "/predict"
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert "SameSite=strict" in entered.headers["set-cookie"]
        assert client.get("/api/info", headers={"Host": "board.example"}).status_code == 200


def test_a_token_in_the_address_cannot_send_the_visitor_elsewhere(serve: Callable[..., Any]) -> None:
    with serve(token="secret") as base, httpx.Client() as client:
        answer = client.get(f"{base}//evil.example/?token=secret")
        assert answer.headers["location"] == "/evil.example/"


def test_visitors_see_their_own_games_only(serve: Callable[..., Any]) -> None:
    with serve(token="secret") as base:
        entered = {"Authorization": "Bearer secret"}
        with httpx.Client(base_url=base, headers=entered) as one, httpx.Client(base_url=base, headers=entered) as other:
            begun = one.post("/api/games", json=NEW)
            assert "HttpOnly" in begun.headers["set-cookie"]
            assert "SameSite=strict" in begun.headers["set-cookie"]
            assert "set-cookie" not in one.post("/api/games", json=NEW).headers
            assert len(one.get("/api/games").json()) == 2
            assert other.get("/api/games").json() == []
            mine = other.post("/api/games", json=NEW).json()["id"]
            assert [line["id"] for line in other.get("/api/games").json()] == [mine]
            foreign = {"Cookie": "hitonami_visitor=' OR 1=1 --"}
            assert httpx.get(f"{base}/api/games", headers=entered | foreign).json() == []


def test_this_machine_alone_needs_no_cookie(client: httpx.Client) -> None:
    begun = client.post("/api/games", json=NEW)
    assert "set-cookie" not in begun.headers
    assert begun.json()["id"] in [line["id"] for line in client.get("/api/games", params={"count": 100}).json()]
