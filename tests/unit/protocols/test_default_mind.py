"""What an engine plays with where no mind is named, and that it says so."""

import json
from pathlib import Path

import pytest

from hitonami.minds import known_engine
from hitonami.models import shipped
from hitonami.parts import load_part


def mind_option(protocol: str, ask: str) -> str:
    said: list[str] = []
    session = load_part("protocols", protocol)(said.append)
    session.receive(ask)
    session.close()
    (line,) = [line for line in said if line.startswith("option name Mind ")]
    return line.removeprefix("option name Mind type string default ")


@pytest.mark.parametrize(("protocol", "ask", "game"), [("uci", "uci", "chess"), ("usi", "usi", "shogi")])
def test_human_where_its_network_is_packaged_else_what_is_installed(
    protocol: str, ask: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "EMBEDDED", tmp_path)
    assert mind_option(protocol, ask) == (known_engine(game) or "playout")
    (tmp_path / "small").mkdir()
    card = {"game": game, "heads": {"human": "moves"}}
    (tmp_path / "small" / "card.json").write_text(json.dumps(card), encoding="utf-8")
    assert mind_option(protocol, ask) == "human"


@pytest.mark.parametrize(("rating", "is_told"), [("1500", False), ("2700", True)])
def test_a_level_that_games_do_not_hold_is_told_before_the_game(rating: str, is_told: bool) -> None:
    said: list[str] = []
    session = load_part("protocols", "uci")(said.append, pool="lichess")
    for line in ("uci", f"setoption name UCI_Elo value {rating}", "isready"):
        session.receive(line)
    session.wait()
    session.close()
    assert any("hardly stronger" in line for line in said) is is_told
    assert "readyok" in said
