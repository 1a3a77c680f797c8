"""Kernels on disk: machine code is used again, and not after a kernel that it contains has changed."""

import subprocess
import sys
from pathlib import Path

INNER = """
from hitonami.games._kernel import kernel

@kernel
def inner(value):
    return value + {number}
"""
OUTER = """
import sys
sys.path.insert(0, {folder!r})
from _inner import inner
from hitonami.games._kernel import kernel

@kernel
def outer(value):
    return inner(value) * 10

print(outer(1), sum(outer.stats.cache_hits.values()))
"""


def run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, folder / "_outer.py"], capture_output=True, text=True, check=True, cwd=folder
    )
    return done.stdout.strip()


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "_outer.py").write_text(OUTER.format(folder=str(tmp_path)))
    (tmp_path / "_inner.py").write_text(INNER.format(number=1))
    assert run(tmp_path) == "20 0"
    assert run(tmp_path) == "20 1"
    (tmp_path / "_inner.py").write_text(INNER.format(number=2))
    assert run(tmp_path) == "30 0"
