"""Fixtures for engines and minds over them: a misbehaving engine's command, and whether a process is gone."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "engines" / "misbehaving.py"


@pytest.fixture(scope="session")
def misbehave() -> Callable[..., str]:
    """The command of an engine that misbehaves: misbehave("uci", "hang-in-search")."""

    def command(protocol: str, how: str, path: Path | None = None) -> str:
        words = [sys.executable, "-I", "-S", str(SCRIPT), protocol, how, *([str(path)] if path else [])]
        return " ".join(f"'{word}'" for word in words)

    return command


@pytest.fixture(scope="session")
def wait_gone() -> Callable[[int], bool]:
    """Whether a process ends within a generous time. One that has ended and waits for its parent has ended."""

    def is_gone(pid: int) -> bool:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return True
            if state == "Z":
                return True
            time.sleep(0.01)
        return False

    return is_gone
