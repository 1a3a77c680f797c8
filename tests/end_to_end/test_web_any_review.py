"""A game that is one file beside the package, reviewed and predicted in a real browser: by `playout`, which it says."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PARTS = Path(__file__).parents[1] / "parts"
PLAIN = "game: twofold\nfirst: Ann\nsecond: Ben\nresult: 1-0\nending: resignation\n\nd4 c4 e4 d5\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, start_server: Callable[..., Any]) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HITONAMI_PARTS", str(PARTS))
        started = start_server(tmp_path_factory.mktemp("any"))
        yield started
        started.end()


def test_a_pasted_plain_record_is_reviewed_and_says_who_was_asked(visitor: Any) -> None:
    visitor.open("/review")
    visitor.find(".upload textarea").send_keys(PLAIN)
    visitor.click(".upload button[type=submit]")
    WebDriverWait(visitor.driver, 240).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, ".reviewed[data-done=yes]")
    )
    assert "Asked instead: Playouts" in visitor.find(".players .asked").text
    assert "Judge: Playouts" in visitor.find(".players .judge").text
    assert "Ann" in visitor.find(".players").text
    assert len(visitor.driver.find_elements(By.CSS_SELECTOR, ".review-moves li")) == 4
    visitor.click(".review-moves li:nth-child(3) button")
    visitor.find(".reviewed[data-at='3'] .drawn.board")
    first = visitor.find(".step .bars li")
    ActionChains(visitor.driver).move_to_element(first).perform()
    assert visitor.find(".drawn .mark"), "where a candidate would land"
    assert visitor.find_barriers() == []
    visitor.click(".to-predict")
    visitor.find("main.predict[data-ply='3'] .drawn.board")


def test_a_prediction_of_it_is_a_heat_map_and_moves_to_click(visitor: Any) -> None:
    visitor.open("/predict?kind=twofold")
    visitor.find("main.predict[data-ply='0'] .drawn.board")
    side = visitor.find(".panel.side").text
    assert "This mind does not follow the level" in side
    assert "expected score" in side
    visitor.click("input[value=heat]")
    assert visitor.find(".drawn .heat")
    visitor.click(".drawn .target[data-square=d4]")
    visitor.find("main.predict[data-ply='1'] .drawn.board")
    assert visitor.complaints() == []
