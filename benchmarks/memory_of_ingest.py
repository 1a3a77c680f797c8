"""Peak memory of `hitonami ingest` on an input of more than 1 GB: `python benchmarks/memory_of_ingest.py [GB] [JOBS]`.

Adds up the memory of all its processes (shared pages counted once) every tenth of a second. Linux only. The
bar is 600 MB.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _samples import pgn_text

BAR_MB = 600


def memory_of_session(session: int) -> float:
    """MB of all processes of a session."""
    total = 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if int((place / "stat").read_text().rpartition(")")[2].split()[3]) != session:
                continue
            for line in (place / "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except (OSError, IndexError, ValueError):
            continue  # ended meanwhile
    return total / 1024


def main() -> None:
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.1
    jobs = sys.argv[2] if len(sys.argv) > 2 else "2"
    text = pgn_text(3_000).encode()
    with tempfile.TemporaryDirectory(prefix="hitonami-bench-") as folder:
        path = Path(folder) / "large.pgn"
        with path.open("wb") as file:
            while file.tell() < gigabytes * 1e9:
                file.write(text)
        size = path.stat().st_size / 1e6
        command = [sys.executable, "-m", "hitonami", "ingest", "chess", str(path), "--out", f"{folder}/out"]
        peak = 0.0
        with subprocess.Popen([*command, "--jobs", jobs], start_new_session=True) as child:
            while child.poll() is None:
                peak = max(peak, memory_of_session(child.pid))
                time.sleep(0.1)
    print(f"{size:,.0f} MB of PGN, {jobs} jobs: peak memory of all processes {peak:,.0f} MB (bar: {BAR_MB} MB)")
    sys.exit(0 if child.returncode == 0 and peak < BAR_MB else 1)


if __name__ == "__main__":
    main()
