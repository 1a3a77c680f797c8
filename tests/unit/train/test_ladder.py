"""The small-data ladder: its table is sound, and its steps run, are skipped when done, and go on after a kill."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from hitonami.dataset.filters import parse_filter
from hitonami.train.recipe import Recipe

SCRIPT = Path(__file__).parents[3] / "recipes" / "experiments" / "ladder.py"


@pytest.fixture(scope="module")
def ladder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ladder", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def small(ladder: ModuleType, games: Path, tiny: Callable[..., Recipe], tmp_path: Path) -> Any:
    """Two rungs of one base, of networks that take milliseconds."""
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(_as_toml(tiny(training={"steps": 3}).as_dict()), encoding="utf-8")
    base = ladder.Base(name="made-up", folders=("$DATA",), filter="human")
    return ladder.Ladder(
        recipe=str(recipe), sizes=(20, 60), first=(60,), held_out=6, positions=20, filter="none", bases=(base,)
    )


def _as_toml(values: dict[str, Any]) -> str:
    """Enough of TOML for a recipe: JSON's scalars, lists, and tables written inline."""

    def shown(value: Any) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{name} = {shown(each)}" for name, each in value.items()) + " }"
        return json.dumps(value)

    return "\n".join(f"{name} = {shown(value)}" for name, value in values.items())


def test_the_table_is_sound(ladder: ModuleType) -> None:
    table = ladder.read_ladder()
    rungs = table.rungs()
    assert len({rung.name for rung in rungs}) == len(rungs) == 12
    assert {rung.games for rung in rungs[:6]} == {min(table.sizes), max(table.sizes)}
    for rung in rungs:
        assert parse_filter(rung.base.filter)
        assert ladder.rung_recipe(rung, table).name == f"ladder-{rung.name}"
    steps = ladder.rung_recipe(rungs[0], table).training
    assert steps.steps * steps.batch_size <= 2_000_000


def test_a_ladder_is_trained_measured_and_told(
    ladder: ModuleType, small: Any, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "read_ladder", lambda: small)
    out, run = tmp_path / "out", CliRunner()

    def call(*words: str) -> str:
        result = run.invoke(ladder.command, [*words, "--out", str(out)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    told = call("train", "--data", f"DATA={games}")
    assert [line.partition(":")[0] for line in told.splitlines()[:2]] == ["made-up-60", "made-up-20"]
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    call("train", "--data", f"DATA={games}")
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()} == before
    assert "2 rows" in call("measure", "--expert", "chance=uniform")
    answers = sorted(path.name for path in (out / "answers").iterdir())
    assert len(answers) == 6  # two networks and an expert, on two splits
    told = call("tell", "--svg", str(tmp_path / "plot.svg"))
    assert "| made-up | 20 |" in told
    assert "blended with chance" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_a_subset_that_a_kill_left_half_made_is_made_again(
    ladder: ModuleType, small: Any, games: Path, tmp_path: Path
) -> None:
    rung = ladder.Rung(base=small.bases[0], games=20)
    folder = tmp_path / "games" / rung.name
    folder.mkdir(parents=True)
    (folder / "shard-00000.parquet").write_bytes(b"half")
    made = ladder.take_games(rung, small, {"DATA": games}, tmp_path)
    assert json.loads((made / "manifest.json").read_text())["subset"]["games"] == 20
    assert (made / "shard-00000.parquet").stat().st_size > 4


def test_bad_words_are_refused(ladder: ModuleType, tmp_path: Path) -> None:
    result = CliRunner().invoke(ladder.command, ["measure", "--expert", "uniform", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "NAME=VALUE" in result.output
