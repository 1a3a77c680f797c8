"""A mind dropped as one file is usable, documented and contract-tested with no other edit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hitonami.customs import customs_of, games_offered
from hitonami.errors import UnknownPart
from hitonami.parts import find_parts, load_part

ROOT = Path(__file__).parents[2]
CAUTIOUS = '''
"""Looks before it leaps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob, read_knob


@dataclass(frozen=True)
class VeryCautious:
    """Halfway between a mind and indifference."""

    mind: Mind
    care: Knob = 0.5

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        cares = read_knob(self.care, queries)
        return [
            replace(opinion, log_probs=dist.floor(opinion.log_probs, float(care)))
            for opinion, care in zip(self.mind(queries, effort), cares, strict=True)
        ]
'''


@pytest.fixture
def dropped(tmp_path: Path) -> dict[str, str]:
    """An environment in which the file is there."""
    (tmp_path / "minds").mkdir()
    (tmp_path / "minds" / "very_cautious.py").write_text(CAUTIOUS, encoding="utf-8")
    return {**os.environ, "HITONAMI_PARTS": str(tmp_path)}


def run(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_documented(dropped: dict[str, str]) -> None:
    assert "very-cautious  Halfway between a mind and indifference." in run(dropped, "-m", "hitonami", "minds")
    page = run(dropped, "-m", "hitonami", "minds", "very-cautious")
    assert "care               Knob, default 0.5" in page
    assert "mind               Mind, required" in page


def test_it_is_usable_from_toml(dropped: dict[str, str], tmp_path: Path) -> None:
    toml = tmp_path / "mine.toml"
    toml.write_text('kind = "very-cautious"\ncare = [[1000, 0.1], [2000, 0.2]]\nmind = "uniform"\n', encoding="utf-8")
    script = (
        "import sys; from hitonami.core import *; from hitonami.specs import open_mind\n"
        "with open_mind(sys.argv[1]) as mind:\n"
        "    query = Query(open_game('chess').start(), Player(1500.0))\n"
        "    print(len(mind([query], Effort.seeded())[0].log_probs))\n"
    )
    assert run(dropped, "-c", script, str(toml)).strip() == "20"


def test_the_contracts_cover_it(dropped: dict[str, str]) -> None:
    report = run(
        dropped,
        "-m",
        "pytest",
        "-q",
        "-rA",
        "-p",
        "no:cacheprovider",
        "-k",
        "very-cautious",
        "tests/contracts/test_minds.py",
    )
    passed = [line for line in report.splitlines() if line.startswith("PASSED") and "very-cautious" in line]
    assert len(passed) >= 2 + 2 * len([name for name in games_offered() if customs_of(name).place < 20])


def test_a_packaged_part_wins_and_a_wrong_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minds").mkdir()
    (tmp_path / "minds" / "uniform.py").write_text("class Uniform: pass\n", encoding="utf-8")
    (tmp_path / "minds" / "empty_head.py").write_text("", encoding="utf-8")
    (tmp_path / "minds" / "_hidden.py").write_text("", encoding="utf-8")
    monkeypatch.setenv("HITONAMI_PARTS", str(tmp_path))
    assert load_part("minds", "uniform").__module__ == "hitonami.minds.uniform"
    assert "_hidden" not in find_parts("minds")
    with pytest.raises(UnknownPart, match=r"empty_head\.py must define a class EmptyHead"):
        load_part("minds", "empty-head")
