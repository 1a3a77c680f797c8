"""What every request passes before anything else sees it: host, origin, rate, token, size; the headers of every answer.

Bound to this machine the page needs no account, but a foreign site must not reach it through the visitor's browser:
only names of this machine are accepted as Host (against DNS rebinding), and a request that changes something must come
from the page itself. With a token (doors.py) it is asked for on every address.
"""

import asyncio
from collections import Counter
from typing import Final
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hitonami.web.doors import Door
from hitonami.web.limits import PRIVATE, Limits, Meter, address_of
from hitonami.web.refusals import answer_refusal

LARGEST_BODY_BYTES: Final = 1 << 20
BODY_SECONDS: Final = 20.0
"""For the whole of a request's body."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TOO_LARGE: Final = f"a request may have {LARGEST_BODY_BYTES >> 20} MB at most"
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """An ASGI application around another. Without a token, only this machine's own names are served."""

    def __init__(self, app: ASGIApp, token: str | None = None, limits: Limits = PRIVATE) -> None:
        self.app = app
        self._door = None if token is None else Door(token)
        self._limits = limits
        self._meter = Meter(limits.requests_a_minute)
        self._running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        who = address_of(scope)
        self._running[who] += 1
        has_begun = False

        async def send_noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, _limited(receive), _with_headers(send_noted))
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if not has_begun:
                refusal = answer_refusal(503, "stopping", "the server is being stopped")
                await refusal(scope, receive, _with_headers(send))
        finally:
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]

    def _refuse(self, scope: Scope) -> Response | None:
        headers, who = Headers(scope=scope), address_of(scope)
        if self._door is None and _name_of(headers.get("host", "")) not in _LOCAL_NAMES:
            told = "this page is served to this machine only; start it with --host to open it to others"
            return answer_refusal(421, "this-machine", told)
        if scope["method"] not in _READING and not _same_origin(headers):
            return answer_refusal(403, "other-site", "this request comes from another site")
        if self._meter.take(who) or self._running[who] >= self._limits.requests_at_once:
            return answer_refusal(429, "too-many", "too many requests from this address; please wait a little")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY_BYTES:
            return answer_refusal(413, "too-large", _TOO_LARGE, megabytes=LARGEST_BODY_BYTES >> 20)
        return None if self._door is None else self._door.refuse(scope, headers)


def _name_of(host: str) -> str:
    """The name in a Host header, without its port; "" where it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _same_origin(headers: Headers) -> bool:
    """Browsers say where a request comes from; programs that say nothing are no browsers."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _limited(receive: Receive) -> Receive:
    """A body that is too large or too slow is refused where it is read. What comes after the body is not limited."""
    taken = 0
    due: float | None = None
    is_whole = False

    async def receive_some() -> Message:
        nonlocal taken, due, is_whole
        if is_whole:
            return await receive()
        now = asyncio.get_running_loop().time()
        due = now + BODY_SECONDS if due is None else due
        try:
            message = await asyncio.wait_for(receive(), max(0.0, due - now))
        except TimeoutError:
            raise HTTPException(408, "this request came too slowly", {"Connection": "close"}) from None
        taken += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if taken > LARGEST_BODY_BYTES:
            raise HTTPException(413, _TOO_LARGE)  # what still comes is thrown away, up to the connection's deadline
        return message

    return receive_some


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
