"""Who is let in, and with what headers."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from hitonami.errors import BadInput
from hitonami.web.app import Settings, create_app
from hitonami.web.limits import Limits, Meter, address_of
from hitonami.web.security import HEADERS, LARGEST_BODY_BYTES

TOKEN = "0123456789abcdef"
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
    for path in ("/api/games", "/api/predict", "/api/reviews?game=chess"):
        pieces = (b"x" * 65536 for _ in range(40))
        assert client.post(path, content=pieces).status_code == 413, path


@pytest.mark.parametrize(
    "path", ["/../app.py", "/..%2fapp.py", "/assets/..%2f..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd"]
)
def test_no_path_leaves_the_folder(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_a_token_is_asked_for_and_kept_in_a_cookie(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base, httpx.Client(base_url=base) as client:
        assert client.get("/api/info").status_code == 401
        assert client.get("/api/info").json()["code"] == "no-token"
        assert client.get("/", params={"token": "guess"}).status_code == 401
        assert client.get("/api/info", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        entered = client.get("/predict", params={"token": TOKEN})
        assert entered.status_code == 303
        assert entered.headers["location"] == "/predict"
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert "SameSite=strict" in entered.headers["set-cookie"]
        assert client.get("/api/info", headers={"Host": "board.example"}).status_code == 200


@pytest.mark.parametrize(
    "token", ["short", "fifteen-letters", "a token with spaces", "mit-Ümlaut-genügend", "", "\0" * 16]
)
def test_a_token_that_cannot_be_is_refused_at_the_start(token: str) -> None:
    with pytest.raises(BadInput, match="16 to 200 characters"):
        create_app(Settings(database="sqlite://", token=token))


@pytest.mark.parametrize("given", ["é" * 16, "%ff%fe", "\udcff", "名前" * 8])
def test_a_wrong_token_of_any_letters_is_refused_cleanly(serve: Callable[..., Any], given: str) -> None:
    raw = given.encode("utf-8", "surrogateescape")
    with serve(token=TOKEN) as base:
        for headers in ({b"Authorization": b"Bearer " + raw}, {b"Cookie": b"hitonami_token=" + raw}):
            assert httpx.get(f"{base}/api/info", headers=headers).status_code == 401
        assert httpx.get(f"{base}/api/info", params={"token": raw.decode("latin-1")}).status_code == 401


def test_who_guesses_tokens_has_to_wait(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base, httpx.Client(base_url=base) as client:
        answers = [client.get("/", params={"token": f"guess-{at}"}) for at in range(12)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert client.get("/", params={"token": TOKEN}).status_code == 429  # a guess is not looked at


def test_guesses_do_not_keep_out_who_was_let_in(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base, httpx.Client(base_url=base) as client:
        client.get("/", params={"token": TOKEN})
        for at in range(30):
            assert httpx.get(f"{base}/", params={"token": f"guess-{at}"}).status_code == 401
        assert client.get("/api/info").status_code == 200


def test_the_cookie_is_secure_behind_tls(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base, httpx.Client(base_url=base) as client:
        plain = client.get("/", params={"token": TOKEN})
        assert "Secure" not in plain.headers["set-cookie"]
        behind = client.get("/", params={"token": TOKEN}, headers={"X-Forwarded-Proto": "https"})  # loopback is trusted
        assert "Secure" in behind.headers["set-cookie"]


def test_one_address_has_its_share(serve: Callable[..., Any]) -> None:
    limits = Limits(requests_a_minute=40, requests_at_once=9, games_a_minute=9, games_kept=3)
    with serve(token=TOKEN, limits=limits) as base:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=base, headers=headers, timeout=60) as client:
            begun = [client.post("/api/games", json=NEW) for _ in range(5)]
            assert [answer.status_code for answer in begun] == [201] * 3 + [429] * 2  # as many as are kept
            assert begun[-1].json()["code"] == "games-kept"
            assert begun[-1].json()["values"] == {"count": 3}
            fresh = [
                httpx.post(f"{base}/api/games", json=NEW, headers=headers, timeout=60).status_code for _ in range(6)
            ]
            assert fresh.count(429) >= 2  # without the cookie, as many as may be begun in a minute
            asked = [client.get("/api/info") for _ in range(40)]
            assert asked[0].status_code == 200
            assert asked[-1].status_code == 429
            assert asked[-1].json()["code"] == "too-many"


def test_an_allowance_fills_up_again() -> None:
    now = [0.0]
    meter = Meter(60, now=lambda: now[0])
    assert [meter.take("a") for _ in range(60)] == [0.0] * 60
    assert 0 < meter.take("a") <= 1.0
    assert meter.take("b") == 0.0
    now[0] = 2.0
    assert [meter.take("a") > 0 for _ in range(3)] == [False, False, True]


def test_addresses_of_one_network_are_one_visitor() -> None:
    near = {address_of({"client": (f"2001:db8:1:2::{at:x}", 1)}) for at in range(9)}
    assert near == {"2001:db8:1:2::"}
    assert address_of({"client": ("192.0.2.7", 1)}) == "192.0.2.7"
    assert address_of({"client": None}) == ""


def test_a_token_in_the_address_cannot_send_the_visitor_elsewhere(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base, httpx.Client() as client:
        answer = client.get(f"{base}//evil.example/?token={TOKEN}")
        assert answer.headers["location"] == "/evil.example/"


def test_visitors_see_their_own_games_only(serve: Callable[..., Any]) -> None:
    with serve(token=TOKEN) as base:
        entered = {"Authorization": f"Bearer {TOKEN}"}
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
