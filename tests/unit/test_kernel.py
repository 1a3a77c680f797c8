"""Kernels on disk: machine code is used again, not after what it contains has changed, and wherever there is room."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hitonami import kernel

INNER = """
from hitonami.kernel import kernel

@kernel
def inner(value):
    return value + {number}
"""
CONSTANTS = """
import numpy as np
FACTOR = {factor}
TABLE = np.array([{first}, 0])
"""
OUTER = """
from _constants import FACTOR, TABLE
from _inner import inner
from hitonami.kernel import kernel

@kernel
def outer(value):
    return inner(value) * FACTOR + TABLE[0]
"""
APART = """
from hitonami.kernel import kernel

@kernel
def apart(value):
    return value - 1
"""
MAIN = """
from _apart import apart
from _outer import outer
print(outer(1), sum(outer.stats.cache_hits.values()), apart(1), sum(apart.stats.cache_hits.values()))
print(outer._cache.cache_path if hasattr(outer._cache, "cache_path") else None)
"""


def write(folder: Path, number: int = 1, factor: int = 10, first: int = 0) -> None:
    (folder / "_inner.py").write_text(INNER.format(number=number))
    (folder / "_constants.py").write_text(CONSTANTS.format(factor=factor, first=first))
    (folder / "_outer.py").write_text(OUTER)
    (folder / "_apart.py").write_text(APART)
    (folder / "main.py").write_text(MAIN)


def run(folder: Path, **environment: str) -> tuple[str, str, str]:
    """What was computed (with how often machine code was found), where code is kept, and what was said."""
    known = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-B", folder / "main.py"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env=known | environment,
    )
    told, place = done.stdout.splitlines()
    return told, place, done.stderr


def test_what_changes_is_compiled_again_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path)
    first, place, said = run(tmp_path)
    assert first == "20 0 0 0"
    assert place == str(tmp_path / "__pycache__")
    assert said.count("compiling") == 1  # once, for two kernels and the one inside
    assert run(tmp_path)[::2] == ("20 1 0 1", "")
    for told, change in (("30 0 0 1", {"number": 2}), ("40 0 0 1", {"factor": 20}), ("27 0 0 1", {"first": 7})):
        write(tmp_path, **change)
        assert run(tmp_path)[0] == told


def test_without_room_beside_the_source_the_users_folder_serves(tmp_path: Path) -> None:
    """An installed package may not be writable: a file stands where its folder would be made."""
    (tmp_path / "source").mkdir()
    write(tmp_path / "source")
    (tmp_path / "source" / "__pycache__").write_text("no room")
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home" / "cache")}
    _, place, said = run(tmp_path / "source", **home)
    assert place.startswith(str(tmp_path / "home"))
    assert "once" in said
    assert run(tmp_path / "source", **home)[::2] == ("20 1 0 1", "")
    (tmp_path / "full").write_text("no room here either")
    nowhere = {"HOME": str(tmp_path / "full"), "XDG_CACHE_HOME": str(tmp_path / "full")}
    told, place, said = run(tmp_path / "source", **nowhere)
    assert (told, place) == ("20 0 0 0", "None")
    assert "each time" in said
    assert "NUMBA_CACHE_DIR" in said


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    """Sets have no order and functions an address: neither may get into the key."""
    ask = (
        "from hitonami import kernel; from hitonami.games.go_rules import score as s;"
        "print(kernel.fingerprint(s.play_out.py_func), kernel._literal(frozenset('abcdef')))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", ask],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_a_module_in_a_kernel_is_refused_unless_it_never_changes() -> None:
    assert list(kernel._named("np", np, set())) == ["np numpy"]
    with pytest.raises(TypeError, match="names the module os"):
        list(kernel._named("os", os, set()))
