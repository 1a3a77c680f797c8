"""A whole game of each of the package's board games in a real browser: by mouse, by keys, one on a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

STARTS = {
    "connect-four": ("d1 c1 d2 c2 d3 c3", ["d4"]),
    "gomoku": ("h8 a1 i8 a2 j8 a3 k8 a4", ["l8"]),
    "renju": ("h8 a1 i8 a2 j8 a3 k8 a5", ["l8"]),
    "hex": ("a1 k1 a2 k2 a3 k3 a4 k4 a5 k5 a6 k6 a7 k7 a8 k8 a9 k9 a10 k10", ["a11"]),
}
"""Moves after which the visitor, who moves first, wins by one more."""
MOVED = {
    "breakthrough": ("4b/5/5/5/5 w", "c2c3"),
}
WHOLE = ("othello", "heian", "breakthrough", "xiangqi", "openspiel:tic_tac_toe", "variant:minishogi")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, start_server: Callable[..., Any]) -> Iterator[Any]:
    started = start_server(tmp_path_factory.mktemp("games"))
    yield started
    started.end()


def sit_down(visitor: Any, game: str, **fields: Any) -> dict[str, Any]:
    state: dict[str, Any] = visitor.server.begin(game, **fields)
    visitor.open(f"/game/{state['id']}")
    visitor.find("main[data-turn=you], main[data-turn=over]")
    return state


def wait_ply(visitor: Any, least: int) -> None:
    WebDriverWait(visitor.driver, 90).until(
        lambda _: (
            int(visitor.find("main").get_attribute("data-ply")) >= least
            and visitor.find("main").get_attribute("data-turn") != "them"
        )
    )


def choose(visitor: Any, name: str) -> None:
    visitor.find(f".drawn .target[data-square='{name}']").click()


@pytest.mark.parametrize("game", STARTS)
def test_a_game_is_won_by_mouse(visitor: Any, game: str) -> None:
    start, squares = STARTS[game]
    state = sit_down(visitor, game, start=start)
    for square in squares:
        choose(visitor, square)
    visitor.wait_text(".status", "You won")
    assert visitor.server.show(state["id"])["outcome"]["reason"]
