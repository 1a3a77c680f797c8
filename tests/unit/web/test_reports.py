"""The folder of studies: what is listed, what is shown, and what is not let out."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hitonami.errors import BadInput
from hitonami.web.reports import SAMPLES, ReportShelf

PAGE = "<!doctype html><html><head><title>Levels &amp; Elo</title><style>p{color:red}</style></head><p>1</p>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "studies"
    (inside / "deep").mkdir(parents=True)
    (inside / "levels.html").write_text(PAGE)
    (inside / "deep" / "event.json").write_text('{"players": [{"name": "a", "elo": 1500.5}]}')
    (inside / "notes.txt").write_text("not shown")
    (inside / ".hidden.json").write_text("{}")
    (tmp_path / "secret.json").write_text('{"secret": 1}')
    (inside / "link.json").symlink_to(tmp_path / "secret.json")
    return inside


@pytest.fixture
def pages(serve: Callable[..., Any], folder: Path) -> Iterator[httpx.Client]:
    with serve(studies=folder) as base, httpx.Client(base_url=base, timeout=120) as client:
        yield client


def test_reports_are_listed_and_shown(pages: httpx.Client) -> None:
    listed = {report["name"]: report for report in pages.get("/api/reports").json()}
    assert set(listed) == {"levels.html", "deep/event.json"}
    assert listed["levels.html"]["title"] == "Levels & Elo"
    event = pages.get(f"/api/reports/{listed['deep/event.json']['id']}").json()
    assert event["players"][0]["elo"] == 1500.5
    shown = pages.get(f"/reports/{listed['levels.html']['id']}/page")
    assert shown.text == PAGE


def test_one_damaged_file_costs_the_others_nothing(pages: httpx.Client, folder: Path) -> None:
    (folder / os.fsdecode(b"caf\xe9.json")).write_text("{}")
    (folder / os.fsdecode(b"caf\xe9.html")).write_text("<title>Caf&#xdce9;</title>")
    (folder / "circle.json").symlink_to(folder / "circle.json")
    (folder / "nowhere.json").symlink_to(folder / "gone")
    answer = pages.get("/api/reports")
    assert answer.status_code == 200
    named = {report["name"]: report["id"] for report in answer.json()}
    assert set(named) == {"levels.html", "deep/event.json", "caf\ufffd.json", "caf\ufffd.html"}
    assert pages.get("/api/reports/" + named["caf\ufffd.json"]).json() == {}


@pytest.mark.parametrize("text", ["[" * 900 + "]" * 900, "[" * 100_000 + "]" * 100_000, '{"a": NaN}', "{", b"\xff\xfe"])
def test_no_report_is_an_error_of_the_server(pages: httpx.Client, folder: Path, text: str | bytes) -> None:
    (folder / "odd.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    (odd,) = [report["id"] for report in pages.get("/api/reports").json() if report["name"] == "odd.json"]
    answer = pages.get(f"/api/reports/{odd}")
    assert answer.status_code in (200, 503)
    assert answer.content
    assert answer.status_code == 200 or "odd.json is no JSON" in answer.json()["error"]


def test_a_report_runs_its_own_script_and_reaches_nothing(pages: httpx.Client) -> None:
    report = next(each for each in pages.get("/api/reports").json() if each["kind"] == "page")
    policy = pages.get(f"/reports/{report['id']}/page").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert policy.startswith("sandbox")
    assert "allow-same-origin" not in policy
    assert "script-src 'unsafe-inline';" in policy  # what stands in the page, and nothing that it would fetch
    assert "connect-src" not in policy  # so that the default holds
    assert "allow-top-navigation" not in policy


@pytest.mark.parametrize("name", ["../secret.json", "%2e%2e%2fsecret.json", "0" * 16, "levels.html", "deep/event.json"])
def test_no_request_names_a_path(pages: httpx.Client, name: str) -> None:
    for path in (f"/api/reports/{name}", f"/reports/{name}/page"):
        answer = pages.get(path)
        assert answer.status_code in (404, 422)
        assert "secret" not in answer.text.replace(name, "")


def test_without_a_folder_there_are_samples_and_they_are_small(client: httpx.Client, pages: httpx.Client) -> None:
    told = client.get("/api/reports").json()
    assert len(told) >= 3
    assert all(report["sample"] for report in told)
    assert not any(report["sample"] for report in pages.get("/api/reports").json())
    for report in told:
        kind = f"/reports/{report['id']}/page" if report["kind"] == "page" else f"/api/reports/{report['id']}"
        assert client.get(kind).status_code == 200
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < 270_000


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        ReportShelf(tmp_path / "nowhere")


def test_a_broken_report_is_said_to_be_broken(folder: Path) -> None:
    (folder / "broken.json").write_text("{")
    shelf = ReportShelf(folder)
    broken = next(each for each in shelf.reports() if each.name == "broken.json")
    with pytest.raises(Exception, match="no JSON"):
        shelf.read_data(broken.id)
