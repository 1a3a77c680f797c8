"""The wrapper that speaks USI for zshogi: with a made-up library, and the real one where HITONAMI_ZSHOGI names it."""

import os
import shutil
from pathlib import Path

import pytest

import hitonami.engines
from hitonami.core import open_game
from hitonami.engines.uci import USI, Limits, Search, UciEngine

WRAPPER = Path(hitonami.engines.__file__).with_name("zshogi.mjs")
REAL = os.environ.get("HITONAMI_ZSHOGI", "")
SHOGI = open_game("shogi")
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

LIBRARY = """
export class Engine {
  static async init() { return new Engine(); }
  depth = 3;
  position = "";
  run(line) {
    const words = line.split(" ");
    if (line === "usi") return "id name made up\\noption name DepthLimit type spin default 3 min 0 max 127\\nusiok\\n";
    if (line === "isready") return "readyok\\n";
    if (words[0] === "setoption") this.depth = Number(words.at(-1));
    if (words[0] === "position") this.position = line;
    if (line !== "go") return "";
    const score = this.position.includes("7g7f") ? 32001 : 10 * this.depth;
    const move = this.position.includes("7g7f") ? "3c3d" : "2g2f";
    const nodes = 10 ** this.depth;
    return `info depth ${this.depth} score cp ${score} nodes ${nodes} time 0 pv ${move}\\nbestmove ${move}\\n`;
  }
}
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    (tmp_path / "library.mjs").write_text(LIBRARY, encoding="utf-8")
    return f"node '{WRAPPER}' '{tmp_path / 'library.mjs'}'"


@pytest.mark.parametrize(
    ("limits", "depth"), [(Limits(depth=4), 4), (Limits(nodes=1000), 3), (Limits(nodes=1001), 4), (Limits(nodes=1), 1)]
)
def test_limits_are_kept_by_deepening(command: str, limits: Limits, depth: int) -> None:
    with UciEngine(command, dialect=USI) as engine:
        assert engine.name == "made up"
        found = engine.search(Search(SHOGI.start(), limits))
    assert found.move == SHOGI.parse(SHOGI.start(), "2g2f")
    assert found.lines[0].centipawns == 10 * depth


def test_a_decided_game_is_not_deepened_for_ever(command: str) -> None:
    after = SHOGI.start().play(SHOGI.parse(SHOGI.start(), "7g7f"))
    with UciEngine(command, dialect=USI) as engine:
        found = engine.search(Search(after, Limits(nodes=10**12)))
    assert found.move == SHOGI.parse(after, "3c3d")


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="HITONAMI_ZSHOGI holds no path")
def test_the_real_zshogi_is_repeatable_and_sees_a_mate() -> None:
    mate = SHOGI.read("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
    with UciEngine(f"node '{WRAPPER}' '{REAL}'", dialect=USI) as engine:
        once, other, again = (
            engine.search(Search(position, Limits(nodes=2000))) for position in (SHOGI.start(), mate, SHOGI.start())
        )
    assert other.move == SHOGI.parse(mate, "G*5b")
    assert once == again
