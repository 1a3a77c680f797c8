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
