"""What the page of a game is told beside the board: earlier positions, the count, what can be taken back, files."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

Begin = Callable[..., dict[str, Any]]


def _post(client: httpx.Client, state: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/games/{state['id']}/{what}", json=body or None)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize(("game", "move"), [("chess", "e4"), ("shogi", "7g7f"), ("go", "D4")])
def test_every_position_of_a_game_can_be_looked_at(client: httpx.Client, begin: Begin, game: str, move: str) -> None:
    seen = [begin(game)]
    seen.append(_post(client, seen[0], "moves", move=move, ply=0))
    seen.append(_post(client, seen[0], "answer"))
    boards = client.get(f"/api/games/{seen[0]['id']}/boards").json()
    assert boards == [state["board"] | {"legal": []} for state in seen]


@pytest.mark.parametrize("side", ["first", "second"])
def test_only_a_turn_that_was_had_can_be_taken_back(client: httpx.Client, begin: Begin, side: str) -> None:
    state = _post(client, begin("chess", side=side), "answer")
    assert not state["undoable"]
    assert client.post(f"/api/games/{state['id']}/undo").status_code == 400
    moved = _post(client, state, "moves", move=state["board"]["legal"][0], ply=state["ply"])
    assert moved["undoable"]
    assert _post(client, state, "undo")["ply"] == state["ply"]


def test_a_counted_board_tells_points_and_komi(client: httpx.Client, begin: Begin) -> None:
    start = "(;SZ[5]KM[6.5]AB[ca][cb][cc][cd][ce]PL[B];B[])"
    state = begin("go", start=start, side="second")
    assert state["count"] is None
    over = _post(client, state, "moves", move="pass", ply=1)
    assert over["count"] == {"black": 25.0, "white": 6.5, "komi": 6.5}
    assert over["outcome"]["reason"].endswith("B+18.5")


@pytest.mark.parametrize(("side", "levels"), [("first", (None, 1700)), ("second", (1700, None))])
def test_a_saved_game_gives_the_level_to_the_opponent_alone(
    client: httpx.Client, begin: Begin, side: str, levels: tuple[float | None, float | None]
) -> None:
    state = begin("chess", rating=1700, side=side)
    text = client.get(f"/api/games/{state['id']}/record?kind=pgn").text
    elos = {tag: f'[{tag}Elo "1700"]' in text for tag in ("White", "Black")}
    assert elos == {"White": levels[0] == 1700, "Black": levels[1] == 1700}
    assert text.count("1700") == 1
