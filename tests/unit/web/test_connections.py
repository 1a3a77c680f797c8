"""Slow clients, at a real server in a process of its own with few file handles."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from hitonami.web.connections import PatientProtocol, protocol_for

SERVE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from hitonami.cli import main
main()
"""
HALF_A_HEAD = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


class Server:
    def __init__(self, folder: Path) -> None:
        environment = os.environ | {"HITONAMI_DATABASE": str(folder / "games.sqlite3"), "TMPDIR": str(folder)}
        command = [sys.executable, "-c", SERVE, "serve", "--no-open", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+/", self.process.stdout.readline())
        assert found
        self.address = found[0].rstrip("/")

    def connect(self, first: bytes) -> socket.socket:
        parts = urlsplit(self.address)
        connection = socket.create_connection((parts.hostname, parts.port or 80), timeout=60)
        connection.sendall(first)
        return connection

    def readers(self) -> list[int]:
        """The processes that read uploads: those that the server's own starter of processes has started."""
        parents = {}
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError):
                parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        return [pid for pid, parent in parents.items() if parents.get(parent) == self.process.pid]

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    pytest.importorskip("resource")
    started = Server(tmp_path)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.close()


def test_half_sent_requests_keep_nobody_out_and_do_not_hold_the_end_up(server: Server) -> None:
    with ExitStack() as stack:
        for first in (HALF_A_HEAD, HALF_A_BODY, b""):
            for _ in range(120):
                stack.enter_context(server.connect(first))
            assert httpx.get(f"{server.address}/api/info", timeout=60).status_code == 200
        server.close()  # which gives up after a minute


def test_an_upload_that_is_being_read_does_not_hold_the_end_up(server: Server, tmp_path: Path) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("no /proc to find the reading process in")
    nested = b"(;SZ[19]" + b"(;B[aa]" * 100_000

    def upload() -> int:
        try:
            return httpx.post(f"{server.address}/api/records?game=go", content=nested, timeout=300).status_code
        except httpx.HTTPError:
            return 0  # hung up

    with ThreadPoolExecutor(1) as visitors:
        told = visitors.submit(upload)
        while not list(tmp_path.glob("hitonami-*/*/upload.*")):
            assert not told.done(), told.result()
            time.sleep(0.01)
        [reader] = server.readers()
        os.kill(reader, signal.SIGSTOP)  # it stays in the middle for as long as anybody lets it
        assert list(tmp_path.glob("hitonami-*/*/upload.*"))
        server.close()
        assert told.result() in (0, 503)
    assert not Path(f"/proc/{reader}").exists()
    assert not list(tmp_path.glob("hitonami-*"))


def test_a_slow_request_has_a_deadline(monkeypatch: pytest.MonkeyPatch, serve: Callable[..., Any]) -> None:
    monkeypatch.setattr(PatientProtocol, "head_seconds", 0.2)
    monkeypatch.setattr(PatientProtocol, "body_seconds", 0.3)
    with serve() as base:
        parts = urlsplit(base)
        for first in (b"", HALF_A_HEAD, HALF_A_BODY):
            with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
                connection.sendall(first)
                with suppress(ConnectionResetError):
                    assert connection.recv(1000) == b""  # hung up
        assert httpx.get(f"{base}/api/info", timeout=60).status_code == 200


def test_a_connection_is_kept_between_requests(monkeypatch: pytest.MonkeyPatch, serve: Callable[..., Any]) -> None:
    monkeypatch.setattr(PatientProtocol, "head_seconds", 0.2)
    with serve() as base:
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
            for _ in range(2):
                connection.sendall(b"HEAD /api/none HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert connection.recv(10_000).startswith(b"HTTP/1.1 4")
                time.sleep(0.5)  # longer than a head may take
            connection.sendall(HALF_A_HEAD)
            with suppress(ConnectionResetError):
                assert connection.recv(1000) == b""  # hung up


def test_a_slow_body_is_told_so(monkeypatch: pytest.MonkeyPatch, serve: Callable[..., Any]) -> None:
    monkeypatch.setattr("hitonami.web.security.BODY_SECONDS", 0.2)
    with serve() as base:
        parts = urlsplit(base)
        with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
            connection.sendall(HALF_A_BODY)
            assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_a_protocol_keeps_its_number() -> None:
    assert protocol_for(40).most == 40
