"""Peak memory of `hitonami ingest` on an input of more than 1 GB: `python benchmarks/memory_of_ingest.py [GIGABYTES]`.

Prints the peak of the process and of its largest child; the bar is 600 MB.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from _samples import pgn_text

BAR_MB = 600


def main() -> None:
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.1
    text = pgn_text(3_000).encode()
    with tempfile.TemporaryDirectory(prefix="hitonami-bench-") as folder:
        path = Path(folder) / "large.pgn"
        with path.open("wb") as file:
            while file.tell() < gigabytes * 1e9:
                file.write(text)
        size = path.stat().st_size / 1e6
        command = [
            sys.executable,
            "-m",
            "hitonami",
            "ingest",
            "chess",
            str(path),
            "--out",
            f"{folder}/out",
            "--jobs",
            "2",
        ]
        subprocess.run(command, check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{size:,.0f} MB of PGN: peak memory of the largest process {peak:,.0f} MB (bar: {BAR_MB} MB)")
    sys.exit(0 if peak < BAR_MB else 1)


if __name__ == "__main__":
    main()
