"""What goes wrong on a user's machine is one line on standard error and an exit code, never a traceback."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hitonami import disk

PGN = '[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n'


def _run(*arguments: object, **fields: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hitonami", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL, **fields
    )


def _is_one_line(ran: subprocess.CompletedProcess[str], code: int, said: str) -> None:
    assert ran.returncode == code, ran.stderr
    (line,) = ran.stderr.strip().split("\n")
    assert line.startswith("hitonami: ")
    assert said in line
    assert len(line) < 500


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('kind = "temper"\nmind = "{path}"\n', "names itself"),
        (f"kind = {'[' * 5000}{']' * 5000}\n", "too deep"),
        ('kind = "neural"\nmodel = "a\\u0000.onnx"\n', "no such file"),
        ('kind = "neural"\nmodel = "a\\u0000"\n', "there is no model"),
        ('kind = "uci"\ncommand = "a\\u0000b"\n', "not a command"),
        ('kind = "book"\npath = "a\\u0000b"\nmind = "uniform"\n', "NUL"),
    ],
)
def test_a_bad_spec(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(text.replace("{path}", str(path)))
    ran = _run("predict", "chess", "startpos", "--mind", path)
    assert ran.returncode in (1, 2), ran.stderr
    _is_one_line(ran, ran.returncode, said)


def _no_large_files() -> None:
    """A disk that is full, as far as a process can tell: every file ends at a few bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_disk_that_takes_no_more(jobs: int, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(PGN * 50)
    out = tmp_path / "out"
    ran = _run("ingest", "chess", games, "--out", out, "--keep-names", "--jobs", jobs, preexec_fn=_no_large_files)
    _is_one_line(ran, 1, "File too large")
    again = _run("ingest", "chess", games, "--out", out, "--keep-names")
    assert again.returncode == 0, again.stderr


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(PGN)
    (tmp_path / "file").write_text("")
    ran = _run("ingest", "chess", games, "--out", tmp_path / "file" / "inside", "--keep-names")
    assert ran.returncode in (1, 2)
    _is_one_line(ran, ran.returncode, "file")


def test_the_second_of_two_ingests_into_one_folder(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(PGN)
    out = tmp_path / "out"
    (out / "unfinished").mkdir(parents=True)
    with disk.holding(out / "unfinished"):  # as the first does, until it ends
        _is_one_line(
            _run("ingest", "chess", games, "--out", out, "--keep-names"), 1, "another process is at work there"
        )
    assert _run("ingest", "chess", games, "--out", out, "--keep-names").returncode == 0
