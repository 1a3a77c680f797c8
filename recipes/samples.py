"""The sample reports that the page shows where it is started without a folder: python recipes/samples.py

Small runs of our own commands on the sample games of the package; each report names its command.
"""

import subprocess
import sys
from pathlib import Path

from hitonami.web.reports import SAMPLES

COMMANDS = {
    "moves-chess.html": "evaluate chess sample:chess --filter plies:10 --band 400 --positions 120"
    " --mind human --mind expert --mind uniform --html",
    "winners-chess.html": "winrate chess sample:chess --filter plies:10 --positions 200 --mind human --mind expert"
    " --html",
    "tournament-chess.json": "tournament chess --player human@1100 --player human@1500 --player human@1900 --games 4"
    " --seed 15 --json",
}


def main() -> None:
    SAMPLES.mkdir(exist_ok=True)
    for name, command in COMMANDS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        print(f"hitonami {command} {name}", flush=True)
        subprocess.run([sys.executable, "-m", "hitonami", *command.split(), name], check=True, cwd=SAMPLES)
    print(f"{sum(path.stat().st_size for path in Path(SAMPLES).iterdir()) / 1000:.0f} KB")


if __name__ == "__main__":
    main()
