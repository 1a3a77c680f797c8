"""What the clients of all protocols share: one program, started again once after a crash, always ended."""

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final, Self, TypeVar

from hitonami.engines.process import Program, ProgramEnded
from hitonami.errors import EngineFailed, quote

T = TypeVar("T")

_log = logging.getLogger("hitonami")


class Client(ABC):
    """A context that holds one running program. Requests from several threads wait for each other.

    A program that crashes is started again and asked again, once a request, with a warning in the log. One
    that hangs or answers nonsense is ended and reported; the next request starts it afresh.
    """

    def __init__(self, command: str, timeout_seconds: float = 60.0) -> None:
        self.command: Final = command
        self.timeout_seconds: Final = timeout_seconds
        self._program: Program | None = None
        self._closed = False
        self._lock = threading.RLock()

    @property
    def pid(self) -> int | None:
        """The number of the running process, None while there is none."""
        return None if self._program is None else self._program.pid

    def __enter__(self) -> Self:
        try:
            self._ask(lambda program: None)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program, under a running request too. Later requests are refused."""
        self._closed = True
        if (program := self._program) is not None:
            program.close()
        with self._lock:  # a request that was starting the program just now must be done with it
            self._drop()

    @abstractmethod
    def _greet(self, program: Program) -> None:
        """Bring a program that was just started to where it takes requests. Forget what an earlier one was told."""

    def _ask(self, work: Callable[[Program], T]) -> T:
        with self._lock:
            try:
                return self._try(work)
            except ProgramEnded as ended:
                if self._closed:
                    raise
                _log.warning("%s; it is started again", ended)
            return self._try(work)

    def _try(self, work: Callable[[Program], T]) -> T:
        if self._closed:
            raise EngineFailed(f"{quote(self.command)} was closed")
        try:
            if self._program is None:
                self._program = Program(self.command)
                self._greet(self._program)
            return work(self._program)
        except BaseException:
            self._drop()  # whatever it was doing, the next request must not read the answer to this one
            raise

    def _drop(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.close()
