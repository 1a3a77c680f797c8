"""`hitonami --help` and an engine's `uciok` come within 0.3 s of a bare interpreter's start.

The ratio is (bare start + 0.3 s) / ours, so 1 is the bar on any machine. The first game of a PGN is compared with
loading every record format for it.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

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


def _seconds(arguments: list[str], say: str | None = None, until: str = "") -> float:
    """From start to exit, or to the first line that begins with `until`."""
    begin = perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        if say is not None:
            child.stdin.write(say)
            child.stdin.flush()
            for line in child.stdout:
                if line.startswith(until):
                    break
            taken = perf_counter() - begin
            child.stdin.write("quit\n")
            child.stdin.flush()
            child.stdout.read()
        else:
            child.stdout.read()
            taken = perf_counter() - begin
    return taken


def run() -> list[Row]:
    cases: dict[str, tuple[list[str], str | None, str]] = {
        "start-up: hitonami --help": (["-m", "hitonami", "--help"], None, ""),
        "start-up: uciok": (["-m", "hitonami", "engine", "chess", "--mind", "uniform"], "uci\n", "uciok"),
        "start-up: usiok": (["-m", "hitonami", "engine", "shogi", "--mind", "uniform"], "usi\n", "usiok"),
        "start-up: GTP name": (["-m", "hitonami", "engine", "go", "--mind", "uniform"], "name\n", "="),
    }
    rows = []
    for name, (arguments, say, until) in cases.items():
        ratios, extra = [], []
        for _ in range(ROUNDS):
            bare, ours = _seconds(["-c", "pass"]), _seconds(arguments, say, until)
            ratios.append((bare + ALLOWANCE_SECONDS) / ours)
            extra.append(ours - bare)
        note = f"{1000 * median(extra):.0f} ms more than a bare interpreter here"
        rows.append(Row(name, median(ratios), min(ratios), max(ratios), 1.0, note))
    return [*rows, _first_game()]


def _first_game() -> Row:
    ratios, saved = [], []
    for _ in range(ROUNDS):
        every = _seconds(["-c", _EVERY_FORMAT + _FIRST_GAME, str(_GAMES)])
        ours = _seconds(["-c", _FIRST_GAME, str(_GAMES)])
        ratios.append(every / ours)
        saved.append(every - ours)
    note = f"{1000 * median(saved):.0f} ms less than with every format loaded here"
    return Row("start-up: the first game of a PGN", median(ratios), min(ratios), max(ratios), 1.0, note)


if __name__ == "__main__":
    show(run())
