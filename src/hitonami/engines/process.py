"""A child program spoken to by lines.

The program runs in a session of its own, so that Ctrl-C in our terminal does not reach it and all that it
started can be ended with it. Two threads drain its output, because a program that writes to a full pipe
stops: standard output goes to a queue bounded in bytes (a program that floods it is ended), the tail of
standard error is kept for messages. Commands are split like a shell's words and never given to a shell.

When our process dies the program reads the end of its input, at which every engine quits. A stronger tie
(Linux's parent-death signal) is left out on purpose: it fires when the *thread* that started the child ends. A worker
that ends with its parent kills its programs first. POSIX only: Windows has no process groups to end.
"""

import atexit
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, Self

from hitonami.cluster import before_end
from hitonami.errors import BadSpec, EngineFailed, quote

MAX_LINE_BYTES: Final = 1 << 20
MAX_WAITING_BYTES: Final = 16 << 20
_GAME_FOLDERS = ("/usr/games", "/usr/local/games")
"""Debian puts engines there, and the search path of services and editors often leaves them out."""
_LINE_COST = 64
"""Bytes that a waiting line costs beyond its text, so that a flood of empty lines counts too."""
_TAIL_LINES = 6
_POLITE_SECONDS = 1.0


class ProgramEnded(EngineFailed):
    """The program is gone: it crashed, quit, or was ended because it flooded us."""


class ProgramSilent(EngineFailed):
    """The program did not answer in time."""


def find_command(command: str) -> list[str]:
    """The words of a command, the program's full path first. Raises BadSpec where there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as wrong:
        raise BadSpec(f"not a command: {quote(command)} ({wrong})") from None
    if not words or any(ord(letter) < 32 for letter in command):
        raise BadSpec(f"not a command: {quote(command)}; name a program, and its arguments after it")
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_GAME_FOLDERS])
    program = shutil.which(str(Path(words[0]).expanduser()), path=path)
    if program is None:
        raise BadSpec(f"there is no program {quote(words[0])} on the search path or in {_GAME_FOLDERS[0]}")
    return [program, *words[1:]]


class Program:
    """A running program. `close` always leaves it ended and reaped; it is called at exit too."""

    def __init__(self, command: str, farewell: str = "quit") -> None:
        self.command: Final = command
        self._farewell = farewell
        try:
            self._child = subprocess.Popen(
                find_command(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as wrong:
            raise EngineFailed(f"{quote(command)} cannot be started: {wrong.strerror}") from None
        self.pid: Final = self._child.pid
        self._owner = os.getpid()
        self._arrived = threading.Condition()
        self._lines: deque[str] = deque()
        self._waiting_bytes = 0
        self._at_end = False
        self._flood: str | None = None
        self._closed = False
        self._closing = threading.Lock()
        self._said: deque[str] = deque(maxlen=_TAIL_LINES)
        self._complained: deque[str] = deque(maxlen=_TAIL_LINES)
        self._threads = [self._drain(self._child.stdout, self._keep), self._drain(self._child.stderr, self._note)]
        _RUNNING.add(self)
        atexit.register(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, line: str) -> None:
        """Write one line. Raises ProgramEnded where nobody reads any more."""
        if "\n" in line or "\r" in line:
            raise EngineFailed(f"a command to {quote(self.command)} must be one line, got {quote(line)}")
        try:
            self._write(line)
        except (OSError, ValueError):  # ValueError: our end is closed already
            raise self.ended(f"{quote(line)} was to be sent") from None

    def _write(self, line: str) -> None:
        assert self._child.stdin is not None
        rest = memoryview(line.encode() + b"\n")
        while rest:
            rest = rest[self._child.stdin.write(rest) :]

    def read_line(self, seconds: float) -> str | None:
        """The next line, None when none came in time. Raises ProgramEnded after the last."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._lines or self._at_end, max(seconds, 0.0))
            if self._lines and self._flood is None:
                line = self._lines.popleft()
                self._waiting_bytes -= len(line) + _LINE_COST
                self._said.append(line)
                return line
            if not self._at_end:
                return None
        raise self.ended("an answer was expected")

    def expect(self, wanted: Callable[[str], bool], what: str, seconds: float) -> list[str]:
        """Read up to the first line that is `wanted`, and return all that came, that line last."""
        deadline = time.monotonic() + seconds
        came: list[str] = []
        while (line := self.read_line(deadline - time.monotonic())) is not None:
            came.append(line)
            if wanted(line):
                return came
            if time.monotonic() > deadline:
                break
        raise self.silent(f"{what} was expected within {seconds:g} s")

    def silent(self, expected: str) -> ProgramSilent:
        """An error that says what was expected and what came instead."""
        return ProgramSilent(f"{quote(self.command)} did not answer: {expected}{self._tail()}")

    def ended(self, expected: str) -> ProgramEnded:
        """An error that says how the program ended. Ends and reaps it first, to know."""
        self.close()
        how = self._flood or _describe_exit(self._child.returncode)
        return ProgramEnded(f"{quote(self.command)} {how} when {expected}{self._tail()}")

    def close(self) -> None:
        """Ask it to quit, then terminate it, then kill it and all that it started. Safe to call again."""
        with self._closing:
            if self._closed or os.getpid() != self._owner:  # a fork of us must not end what it does not own
                return
            self._closed = True
            assert self._child.stdin is not None
            with contextlib.suppress(OSError):
                self._write(self._farewell)
            with contextlib.suppress(OSError):
                self._child.stdin.close()
            if not self._is_over(0.0 if self._flood else _POLITE_SECONDS):
                self._signal(signal.SIGTERM)
                self._is_over(_POLITE_SECONDS)
            self._signal(signal.SIGKILL)  # the leader is not reaped yet, so the group's number is still ours
            self._child.wait()
            for thread in self._threads:
                thread.join(_POLITE_SECONDS)
            _RUNNING.discard(self)
            atexit.unregister(self.close)

    def kill(self) -> None:
        """End it and all that it started, at once and without reaping: our own end is near."""
        if not self._closed:
            self._signal(signal.SIGKILL)

    def _is_over(self, seconds: float) -> bool:
        """Whether the program has ended, without reaping it: its number must not be given to another yet."""
        deadline = time.monotonic() + seconds
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while os.waitid(os.P_PID, self.pid, flags) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.002)
        return True

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _drain(self, pipe: IO[bytes] | None, take: Callable[[bytes | None], None]) -> threading.Thread:
        assert pipe is not None
        thread = threading.Thread(target=_read_lines, args=(pipe, take), name=f"reads {self.command}", daemon=True)
        thread.start()
        return thread

    def _keep(self, came: bytes | None) -> None:
        with self._arrived:
            if came is None:
                self._at_end = True
            elif self._flood is None:
                line = came.decode(errors="replace")
                self._waiting_bytes += len(line) + _LINE_COST
                self._lines.append(line)
                self._check_flood(line)
            self._arrived.notify_all()

    def _check_flood(self, line: str) -> None:
        if len(line) > MAX_LINE_BYTES:
            self._flood = f"was ended for a line longer than {MAX_LINE_BYTES} bytes"
        elif self._waiting_bytes > MAX_WAITING_BYTES:
            self._flood = f"was ended for writing {MAX_WAITING_BYTES} bytes that nobody asked for"
        if self._flood is not None:
            self._lines.clear()
            self._at_end = True
            if not self._closed:
                self._signal(signal.SIGKILL)

    def _note(self, line: bytes | None) -> None:
        if line:
            self._complained.append(line.decode(errors="replace"))

    def _tail(self) -> str:
        said = "; its last lines: " + " | ".join(quote(line) for line in self._said) if self._said else ""
        complained = " | ".join(quote(line) for line in self._complained)
        return said + (f"; its last complaints: {complained}" if complained else "")


_RUNNING: set[Program] = set()


@before_end
def _kill_programs() -> None:
    for program in [*_RUNNING]:
        program.kill()


def _read_lines(pipe: IO[bytes], take: Callable[[bytes | None], None]) -> None:
    """Give each line to `take`, then None. A line too long is given once in its cut form."""
    rest = b""
    with pipe:
        while chunk := pipe.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                take(line.rstrip(b"\r"))
            if len(rest) > MAX_LINE_BYTES:
                take(rest)
                rest = b""
    if rest:
        take(rest)
    take(None)


def _describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"was ended by {name}"
    return f"ended with exit code {code}"
