"""Refusals as a visitor reads them: in the language of the page."""

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

TOKEN = "0123456789abcdef"


def test_a_japanese_page_says_in_japanese_why_it_is_refused(
    driver: webdriver.Chrome, tmp_path: Path, start_server: Any, monkeypatch: pytest.MonkeyPatch, person_at: Any
) -> None:
    monkeypatch.setenv("HITONAMI_TOKEN", TOKEN)
    server = start_server(tmp_path)
    visitor = person_at(driver, server)
    visitor.open(f"/?token={TOKEN}", language="ja")
    visitor.find("button[type=submit]")
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})  # as where the browser forgets, or the token is another
    visitor.click("button[type=submit]")
    visitor.wait_text("[role=alert]", "トークン付きのアドレス")
    server.end()
    assert all("401" in complaint for complaint in visitor.complaints())
