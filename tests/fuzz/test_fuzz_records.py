"""A short run of the coverage-guided fuzzer; `make fuzz` goes on for longer, from where it was."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("fuzz_records.py")


@pytest.mark.parametrize("seed", [1])
def test_no_reader_breaks_and_new_ways_are_found(
    need_module: Callable[[str], object], tmp_path: Path, seed: int
) -> None:
    if sys.platform != "linux":
        pytest.skip("atheris comes for Linux alone")
    need_module("atheris")
    corpus = tmp_path / "corpus"
    limits = [
        "-runs=2000",
        f"-seed={seed}",
        "-max_len=2000",
        "-timeout=60",
        "-rss_limit_mb=4096",
        f"-artifact_prefix={tmp_path}/",
    ]
    ran = subprocess.run(
        [sys.executable, SCRIPT, corpus, *limits],
        capture_output=True,
        text=True,
        check=False,
        timeout=550,
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    first, *_, last = [int(found) for found in re.findall(r"ft: ([0-9]+)", ran.stderr)]
    assert last > first  # it was led by what it covered: otherwise it would be throwing dice
