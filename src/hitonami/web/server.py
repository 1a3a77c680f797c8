"""Starting the page: a free port, a browser where there is one, and a word about each."""

import gc
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from hitonami.errors import BadInput
from hitonami.specs import open_mind
from hitonami.web.app import Settings, create_app
from hitonami.web.connections import BACKLOG, IDLE_SECONDS, SHUTDOWN_SECONDS, allow_connections, protocol_for
from hitonami.web.database import open_database
from hitonami.web.doors import check_token
from hitonami.web.opponents import read_roster

USUAL_PORT: Final = 8765
_TRIES: Final = 20
_SWITCH_SECONDS: Final = 0.0005
"""How long a thread keeps Python to itself. A saved move changes hands some ten times, at the usual 5 ms each."""
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Serving:
    """Where to serve. Without a host, this machine alone; without a port, the usual one or the next that is free."""

    host: str | None = None
    port: int | None = None
    open_browser: bool = True
    studies: Path | None = None
    """A folder of reports to show."""
    opponents: tuple[str, ...] = ()
    """More opponents, as GAME:NAME=MIND."""


def serve(serving: Serving, say: Callable[[str], Any]) -> None:
    """Serve until Ctrl-C.

    Raises BadInput for a token, a database or an address that cannot be had, or an opponent that cannot be started.
    """
    host = serving.host or "127.0.0.1"
    token = os.environ.get("HITONAMI_TOKEN") or (None if host in _LOCAL else secrets.token_urlsafe(16))
    check_token(token)
    try_opponents(serving.opponents)
    settings = Settings(token=token, studies=serving.studies, opponents=serving.opponents)
    app = create_app(settings, open_database())
    listening = listen(host, serving.port)
    port = listening.getsockname()[1]
    if serving.port is None and port != USUAL_PORT:
        say(f"Port {USUAL_PORT} is taken; using {port}.")
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/" + (f"?token={token}" if token else "")
    say(f"Hitonami is at {address}\nCtrl-C ends it. Games are kept.")
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.freeze()  # what was imported stays: looking through it for garbage would hold everybody up for 50 ms
    server = _Server(configure(app))
    if serving.open_browser:
        server.when_ready = lambda: _open_browser(address, say)
    server.run(sockets=[listening])
    if not server.started:
        raise BadInput("the page could not be started: see the message above")


def configure(app: FastAPI) -> uvicorn.Config:
    """How the application is served: deadlines for slow clients, and for the end."""
    return uvicorn.Config(
        app,
        http=protocol_for(allow_connections()),
        ws="none",
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        log_level="warning",
        server_header=False,
    )


def try_opponents(texts: tuple[str, ...]) -> None:
    """Start each opponent once, so that a wrong command is heard of now and not in somebody's game."""
    for styles in read_roster(texts).named.values():
        for style in styles:
            with open_mind(style.mind):
                pass


class _Server(uvicorn.Server):
    """Calls `when_ready` once it answers."""

    when_ready: Callable[[], None] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            Thread(target=self.when_ready, daemon=True).start()


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket. A named port is that one or an error; otherwise the usual one or the next free."""
    candidates = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + _TRIES), 0]
    refusal = ""
    for each in candidates:
        try:
            family, _, _, _, address = socket.getaddrinfo(host, each, type=socket.SOCK_STREAM)[0]
        except OSError as wrong:
            raise BadInput(f"{host} is no address of this machine: {wrong.strerror}") from None
        try:
            return _bind(family, address)
        except OSError as wrong:
            refusal = wrong.strerror or str(wrong)
    raise BadInput(f"port {port} of {host} cannot be used: {refusal}; leave --port out for the next free one")


def _bind(family: int, address: Any) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _open_browser(address: str, say: Callable[[str], Any]) -> None:
    """Open the address, or say that there is nothing to open it with. Text browsers would take the terminal over."""
    graphical = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    try:
        opened = bool(graphical) and webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("No browser could be opened here; open the address yourself.")
