"""`hitonami puzzles` rates the agent that plays: with the draw of its level."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hitonami import levels
from hitonami.cli.puzzles import command
from hitonami.models.shipped import shipped_models

PUZZLE = "PuzzleId,FEN,Moves,Rating,RatingDeviation\na1,6k1/5pp1/7p/8/8/8/5PPP/RR4K1 b - - 0 30,g7g6 a1a8,900,90\n"
"""The rooks may come to the eighth rank, or do many other things."""


@pytest.mark.skipif("chess" not in shipped_models("human"), reason="no chess network is packaged")
def test_a_level_is_drawn_from_as_in_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    file, figures = tmp_path / "puzzles.csv", tmp_path / "figures.json"
    file.write_text(PUZZLE)

    def solved(rho: float | None, player: str = "human@1500") -> float:
        curve = {} if rho is None else {"level": {"human": {"pool": {"": [[0, rho]]}}}}
        (tmp_path / "chess.json").write_text(json.dumps(curve))
        levels.forget()
        done = CliRunner().invoke(command, ["chess", str(file), "--mind", player, "--json", str(figures)])
        assert done.exit_code == 0, done.output
        return float(json.loads(figures.read_text())["solved"])

    try:
        plain = solved(None)
        assert 0.0 < plain < 1.0
        flat, sharp, best = solved(0.2), solved(60.0), solved(0.2, "human@1500,best")
    finally:
        monkeypatch.undo()
        levels.forget()
    assert len({plain, flat, sharp}) == 3
    assert round(sharp, 3) == best in (0.0, 1.0)
