"""`hitonami --help` and an engine's `uciok` come within 0.3 s of a bare interpreter's start.

The ratio is (bare start + 0.3 s) / ours, so 1 is the bar. Seconds are of the processor, not of the clock, and each is
the least of several rounds in which all take turns: what else the machine does hardly counts. Beside it stands how many
times `import numpy` it is, which says the same on any machine. The first game of a PGN is compared with loading every
record format for it.

    python benchmarks/bench_startup.py --against OTHER/src     the same commands of another checkout, ours / theirs
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from _measure import Row, show

ALLOWANCE_SECONDS = 0.3
ROUNDS = 9
_GAMES = Path(__file__).parents[1] / "tests" / "golden" / "records" / "games.pgn"
_FIRST_GAME = (
    "import sys; from hitonami.dataset.sources import find_sources;"
    "next(find_sources([sys.argv[1]], 'chess').documents())"
)
_EVERY_FORMAT = (
    "from hitonami.parts import find_parts; from hitonami.records import open_format;"
    "[open_format(name) for name in find_parts('records')];"
)
Case = tuple[list[str], str]
"""What follows `python`, and what it is told."""
BARE: Case = (["-c", "pass"], "")
NUMPY: Case = (["-c", "import numpy"], "")
COMMANDS: dict[str, Case] = {
    "start-up: hitonami --help": (["-m", "hitonami", "--help"], ""),
    "start-up: uciok": (["-m", "hitonami", "engine", "chess", "--mind", "uniform"], "uci\nquit\n"),
    "start-up: usiok": (["-m", "hitonami", "engine", "shogi", "--mind", "uniform"], "usi\nquit\n"),
    "start-up: GTP name": (["-m", "hitonami", "engine", "go", "--mind", "uniform"], "name\nquit\n"),
}


def _seconds(case: Case, source: Path | None = None) -> float:
    """Of the processor, from start to exit; with the package of another checkout where a source is named."""
    arguments, say = case
    own = {} if source is None else {"PYTHONPATH": str(source)}
    before = os.times()
    subprocess.run(
        [sys.executable, *arguments], input=say, text=True, capture_output=True, env=os.environ | own, check=True
    )
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def _rounds(cases: dict[str, Case], source: Path | None = None) -> Iterator[dict[str, float]]:
    """Seconds of every case, taken in turns; the first round only warms the disk."""
    for at in range(ROUNDS + 1):
        found = {name: _seconds(case, source if name.startswith("other ") else None) for name, case in cases.items()}
        if at:
            yield found


def _compare(name: str, held: list[dict[str, float]], ours: str, other: str, *, more: float = 0.0) -> Row:
    """The least of the other (and so many seconds more) over the least of ours; the spread is that of the rounds."""
    least = {each: min(row[each] for row in held) for each in held[0]}
    ratios = [(row[other] + more) / row[ours] for row in held]
    note = f"{1000 * (least[ours] - least[other]):+.0f} ms of the processor"
    if "numpy" in least:
        times = (least[ours] - least["bare"]) / (least["numpy"] - least["bare"])
        note = f"{1000 * (least[ours] - least['bare']):.0f} ms more than a bare interpreter, {times:.2f} × import numpy"
    return Row(name, (least[other] + more) / least[ours], min(ratios), max(ratios), 1.0, note)


def run() -> list[Row]:
    held = list(_rounds({"bare": BARE, "numpy": NUMPY, **COMMANDS}))
    rows = [_compare(name, held, name, "bare", more=ALLOWANCE_SECONDS) for name in COMMANDS]
    first = {
        "every format": (["-c", _EVERY_FORMAT + _FIRST_GAME, str(_GAMES)], ""),
        "one format": (["-c", _FIRST_GAME, str(_GAMES)], ""),
    }
    return [*rows, _compare("start-up: the first game of a PGN", list(_rounds(first)), "one format", "every format")]


def compare_with(source: Path) -> list[Row]:
    """Above 1: the other checkout starts slower than this one."""
    cases = {name: each for own, case in COMMANDS.items() for name, each in ((own, case), (f"other {own}", case))}
    held = list(_rounds(cases, source))
    rows = [_compare(name, held, name, f"other {name}") for name in COMMANDS]
    return [Row(row.name, row.ratio, row.low, row.high, None, row.note) for row in rows]


if __name__ == "__main__":
    show(compare_with(Path(sys.argv[2]).resolve()) if sys.argv[1:2] == ["--against"] else run())
