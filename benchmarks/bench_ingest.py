"""Ingest, end to end: files on disk to finished shards.

PGN against python-chess's `read_game` alone on the same text; two jobs against one. Memory on a large input
is a script of its own, `memory_of_ingest.py`, since it takes minutes.
"""

import io
import shutil
import tempfile
from pathlib import Path

import chess.pgn

from _measure import Row, ratio_of, show
from _samples import pgn_text
from hitonami.dataset.ingest import IngestPlan, ingest
from hitonami.dataset.sources import find_sources

_GAMES = 1_500
_COPIES_FOR_JOBS = 120  # long enough that starting the workers does not count


def ingest_file(path: Path, jobs: int = 1) -> int:
    """Games read, of a fresh ingest; duplicates are read too."""
    out = path.parent / "out"
    shutil.rmtree(out, ignore_errors=True)
    manifest = ingest(IngestPlan("chess", out, b"k" * 32, jobs), find_sources([str(path)], "chess").documents(), [])
    return int(manifest["accepted"]) + sum(manifest["rejected"].values())


def read_with_python_chess(text: str, count: int) -> int:
    stream = io.StringIO(text)
    done = 0
    while done < count and chess.pgn.read_game(stream) is not None:
        done += 1
    return done


def run() -> list[Row]:
    text = pgn_text(_GAMES)
    with tempfile.TemporaryDirectory(prefix="hitonami-bench-") as folder:
        small, large = Path(folder) / "small.pgn", Path(folder) / "large.pgn"
        small.write_text(text * 4, encoding="utf-8")
        large.write_text(text * _COPIES_FOR_JOBS, encoding="utf-8")
        return [
            ratio_of(
                "ingest: PGN end to end / python-chess read_game",
                lambda: ingest_file(small),
                lambda: read_with_python_chess(text, 300),
                at_least=8.0,
            ),
            ratio_of(
                "ingest: two jobs / one",
                lambda: ingest_file(large, jobs=2),
                lambda: ingest_file(large, jobs=1),
                at_least=1.7,
                rounds=3,
            ),
        ]


if __name__ == "__main__":
    show(run())
