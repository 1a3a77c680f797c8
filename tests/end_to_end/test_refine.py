"""`hitonami refine` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_figures_by_level_as_table_json_and_page(run: Run, write_games: Callable[..., Path], tmp_path: Path) -> None:
    games = write_games("chess", 40)
    done = run("refine", "chess", games, "--filter", "none", "--games", "10", "--json", "r.json", "--html", "r.html")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert found["published"] == {"B": 35.0, "D": 80.0, "GR": 0.074}
    assert all(each["games"] <= 10 for each in found["groups"][:-1])
    every = found["groups"][-1]
    gr = every["figures"]["B"]["value"] ** 0.5 / every["figures"]["D"]["value"]
    assert every["figures"]["GR"]["value"] == pytest.approx(gr)
    for name in ("B", "D", "GR", "v", "a", "N", "jerk"):
        assert set(found[name]) == {"value", "low", "high"}
        assert found[name] == every["figures"]["j" if name == "jerk" else name]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 2
    assert "<script" not in page


def test_a_game_among_others(run: Run, write_games: Callable[..., Path], tmp_path: Path) -> None:
    assert run("refine", "go", "--games", "2", "--mind", "uniform", "--size", "5", "--json", "go.json").returncode == 0
    games = write_games("chess", 8)
    done = run("refine", "chess", games, "--filter", "none", "--among", "go.json", "--html", "r.html")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert ">go<" in page.replace("\n", "").replace(" ", "") or "go" in page
    (tmp_path / "bad.json").write_text("[]", encoding="utf-8")
    wrong = run("refine", "chess", games, "--filter", "none", "--among", "bad.json")
    assert wrong.returncode != 0
    assert "bad.json: not what `hitonami refine --json` writes" in wrong.stderr


def test_self_play_of_any_rules_and_one_clear_line_for_bad_wishes(run: Run) -> None:
    done = run("refine", "go", "--games", "2", "--mind", "uniform", "--size", "5")
    assert done.returncode == 0
    assert "2 games of uniform against itself" in done.stdout
    wrong = run("refine", "chess")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "DATA" in wrong.stderr
    assert "--games" in wrong.stderr
    wrong = run("refine", "chess", "sample:chess", "--mind", "uniform")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "--mind plays games where no DATA is given" in wrong.stderr
