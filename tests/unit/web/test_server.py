"""Ports, and the files that come with the package."""

import gzip
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hitonami.errors import BadInput, HitonamiError
from hitonami.web.app import STATIC
from hitonami.web.database import open_database
from hitonami.web.server import USUAL_PORT, listen, try_opponents


def test_a_taken_usual_port_gives_way_to_another() -> None:
    first = listen("127.0.0.1", None)
    second = listen("127.0.0.1", None)
    ports = first.getsockname()[1], second.getsockname()[1]
    first.close()
    second.close()
    assert ports[0] != ports[1]
    assert ports[1] != USUAL_PORT


def test_a_named_port_is_that_one_or_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BadInput, match="next free"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(BadInput):
        listen("192.0.2.1", 0)  # reserved for documentation: nobody has it


def test_an_opponent_whose_program_is_missing_is_heard_of_at_the_start() -> None:
    with pytest.raises(HitonamiError, match="nosuchprogram"):
        try_opponents(("chess:A=uci:nosuchprogram",))


def test_the_script_is_small_and_asks_no_other_site() -> None:
    scripts = sorted(STATIC.rglob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(path.read_bytes())) for path in scripts) <= 400 * 1024
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            sites = set(re.findall(r"https?://([a-z0-9.-]+)", path.read_text(encoding="utf-8")))
            assert sites <= {"www.w3.org"}, path.name


def _start(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`hitonami serve`, which is to end by itself."""
    command = [sys.executable, "-m", "hitonami", "serve", "--no-open", "--port", "0"]
    own = {"HITONAMI_DATABASE": str(tmp_path / "games.sqlite3")}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=300, env=os.environ | own | environment
    )


def test_what_cannot_be_served_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"no database" * 99)
    held = open_database(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    for environment, reason in [
        ({"HITONAMI_TOKEN": "short"}, "16 to 200 characters"),
        ({"HITONAMI_DATABASE": str(tmp_path / "bad")}, "not a database"),
        ({"HITONAMI_DATABASE": f"sqlite:///file:{tmp_path / 'games.sqlite3'}?mode=ro&uri=true"}, "readonly"),
        ({}, "another server"),
    ]:
        ended = _start(tmp_path, **environment)
        assert ended.returncode == 2, ended
        assert ended.stdout == ""
        assert len(ended.stderr.splitlines()) == 1
        assert reason in ended.stderr
    held.close()
