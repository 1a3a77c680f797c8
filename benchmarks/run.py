"""Run every benchmark in this folder and exit with 1 where a bar is missed: `make bench`."""

import importlib
import sys
from pathlib import Path

from _measure import Row, show

HERE = Path(__file__).parent


def main() -> None:
    wanted = sys.argv[1:]
    rows: list[Row] = []
    for path in sorted(HERE.glob("bench_*.py")):
        if not wanted or path.stem.removeprefix("bench_") in wanted:
            print(f"{path.stem} …", file=sys.stderr)
            rows += importlib.import_module(path.stem).run()
    show(rows)
    sys.exit(0 if all(row.holds for row in rows) else 1)


if __name__ == "__main__":
    main()
