"""The token of a server that others can reach: what it may be, and who has it."""

import hmac
import re
from collections import OrderedDict
from typing import Final
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from hitonami.errors import BadInput
from hitonami.web.limits import Meter, address_of
from hitonami.web.refusals import answer_refusal

COOKIE: Final = "hitonami_token"
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~-]{16,200}")
_GUESSES_A_MINUTE: Final = 10
_MOST_KNOWN: Final = 10_000


def check_token(token: str | None) -> None:
    """Raises BadInput for a token that could be guessed, or that no address and no cookie can hold."""
    if token is not None and not _TOKEN.fullmatch(token):
        raise BadInput(
            "a token has 16 to 200 characters of A-Z, a-z, 0-9 and . _ ~ -; "
            "leave HITONAMI_TOKEN out and one is made for you"
        )


class Door:
    """Lets in who has the token. Who guesses has to wait, and cannot keep an address out that was let in before."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._guesses = Meter(_GUESSES_A_MINUTE)
        self._known: OrderedDict[str, None] = OrderedDict()

    def refuse(self, scope: Scope, headers: Headers) -> Response | None:
        """None for who may pass; a redirection to the address without the token for who brings it there."""
        who = address_of(scope)
        wait = 0.0 if who in self._known else self._guesses.wait_seconds(who)
        if wait:
            later = {"Retry-After": str(int(wait) + 1)}
            return answer_refusal(429, "many-tokens", "too many wrong tokens; please wait a minute", later)
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        in_address = query.pop("token", [""])[-1]
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if in_address and self._is_right(in_address):
            self._remember(who)
            return self._enter(scope, urlencode(query, doseq=True))
        if not in_address and (self._is_right(bearer) or self._is_right(cookie)):
            self._remember(who)
            return None
        if in_address or bearer or cookie:
            self._guesses.take(who)
            told = "this token is not the one that was printed when the page was started"
            return answer_refusal(401, "wrong-token", told)
        told = "open the address with the token that was printed when the page was started"
        return answer_refusal(401, "no-token", told)

    def _is_right(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._token)

    def _remember(self, who: str) -> None:
        self._known[who] = None
        self._known.move_to_end(who)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    def _enter(self, scope: Scope, rest: str) -> Response:
        answer = RedirectResponse("/" + scope["path"].lstrip("/\\") + (f"?{rest}" if rest else ""), status_code=303)
        # the scheme is the proxy's where the proxy is one that the server trusts, else the connection's own
        secure = scope.get("scheme") == "https"
        answer.set_cookie(COOKIE, self._token.decode(), httponly=True, samesite="strict", secure=secure)
        return answer
