"""Connections with deadlines: who sends a request slowly, or never, is hung up on, and keeps nobody else out.

uvicorn has a time limit between requests only. Here a request's head and body have one each, and where there are too
many connections, those go first that have sent least; those whose request is being answered stay. Between requests a
connection is kept for long: a browser that sends on one while we hang up has lost its move.
"""

import asyncio
import sys
from typing import Any, Final, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

IDLE_SECONDS: Final = 75
HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 25.0
"""More than the application allows (security.py), which can say so before it hangs up."""
SHUTDOWN_SECONDS: Final = 5
BACKLOG: Final = 64
"""Connections that are accepted in one go."""
_OWN_HANDLES: Final = 128
"""For the database, engines and files."""
_WANTED_HANDLES: Final = 4_096
_FEWEST: Final = 32

Phase = Literal["idle", "head", "body", "answer"]


def allow_connections() -> int:
    """How many connections there may be, by the file handles of this process, of which it takes what it is allowed."""
    if sys.platform == "win32":
        return 500
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_HANDLES if hard == resource.RLIM_INFINITY else min(hard, _WANTED_HANDLES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(_FEWEST, min(soft, _WANTED_HANDLES) - _OWN_HANDLES)


class PatientProtocol(H11Protocol):
    """One connection. `most` and the seconds are the server's."""

    most = _WANTED_HANDLES - _OWN_HANDLES
    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self._phase: Phase = "answer"
        self._due: asyncio.TimerHandle | None = None
        self._answered = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._make_room()
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_due(None)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """A request that has not come whole is not waited for."""
        if self._phase == "answer":
            super().shutdown()
        else:
            self.transport.abort()

    def _look(self) -> None:
        """Begin another deadline where the request has come further."""
        states: dict[Any, Phase] = {h11.IDLE: "head", h11.SEND_BODY: "body"}
        phase = states.get(self.conn.their_state, "answer")
        if phase == "head" and self._answered and not self.conn.trailing_data[0]:
            phase = "idle"  # uvicorn ends it
        if phase != self._phase:
            self._phase = phase
            self._answered = self._answered or phase == "answer"
            self._set_due({"head": self.head_seconds, "body": self.body_seconds}.get(phase))

    def _set_due(self, seconds: float | None) -> None:
        if self._due is not None:
            self._due.cancel()
        self._due = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self.transport.abort()

    def _make_room(self) -> None:
        """Hang up on whoever has sent least for longest; on this one where everybody else is being answered."""
        there = [each for each in self.connections if isinstance(each, PatientProtocol)]
        there = [each for each in there if not each.transport.is_closing()]  # who was hung up on goes a little later
        if len(there) <= self.most:
            return
        waiting = [each for each in there if each is not self]
        for phase in ("idle", "head", "body"):
            ready = [each for each in waiting if each._phase == phase]
            if ready:
                min(ready, key=lambda each: each._due.when() if each._due else 0.0).transport.abort()
                return
        self.transport.abort()


def protocol_for(most: int) -> type[PatientProtocol]:
    """A protocol that keeps so many connections."""
    return type("Protocol", (PatientProtocol,), {"most": most})
