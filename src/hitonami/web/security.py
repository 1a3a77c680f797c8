"""What every request passes before anything else sees it: host, origin, token, size; and the headers of every answer.

Bound to this machine the page needs no account, but a foreign site must not reach it through the visitor's browser:
only names of this machine are accepted as Host (against DNS rebinding), and a request that changes something must come
from the page itself. Bound to another address it needs the token that was printed at the start.
"""

import hmac
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY_BYTES: Final = 1 << 20
COOKIE: Final = "hitonami_token"
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
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Guard:
    """An ASGI application around another. Without a token, only this machine's own names are served."""

    app: ASGIApp
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self.app(scope, _limited(receive), _with_headers(send))

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if self.token is None and _name_of(headers.get("host", "")) not in _LOCAL_NAMES:
            return _wrong(421, "this page is served to this machine only; start it with --host to open it to others")
        if scope["method"] not in _READING and not _same_origin(headers):
            return _wrong(403, "this request comes from another site")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY_BYTES:
            return _wrong(413, f"a request may have {LARGEST_BODY_BYTES} bytes at most")
        return None if self.token is None else self._ask_for_token(scope, headers, self.token)

    def _ask_for_token(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if given := query.pop("token", None):
            if not _equal(given[-1], token):
                return _wrong(401, "this token is not the one that was printed when the page was started")
            rest = urlencode(query, doseq=True)
            answer = RedirectResponse("/" + scope["path"].lstrip("/\\") + (f"?{rest}" if rest else ""), status_code=303)
            answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
            return answer
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if _equal(bearer, token) or _equal(cookie, token):
            return None
        return _wrong(401, "open the address with the token that was printed when the page was started")


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode())


def _wrong(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status_code=status)


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
    """A body without a length is cut off at the limit, as if the sender had gone."""
    taken = 0

    async def receive_some() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return message if taken <= LARGEST_BODY_BYTES else {"type": "http.disconnect"}

    return receive_some


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
