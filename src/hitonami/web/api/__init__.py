"""The JSON interface, one router a family. Refusals are `{"error": …}` with a sentence for the visitor.

What a request depends on is found by coroutines even where nothing waits: plain functions would each cost a thread.
"""

import re
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, HTTPException, Request, Response

from hitonami.web.database import VISITOR_LETTERS, VISITOR_PATTERN, new_id
from hitonami.web.hall import Hall
from hitonami.web.schemas import Wrong

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Wrong} for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 503)
}

_REMEMBERED_SECONDS: Final = 400 * 24 * 3600  # browsers keep no cookie longer


T = TypeVar("T")


def here(found: T | None, what: str) -> T:
    """What was asked for, or 404."""
    if found is None:
        raise HTTPException(404, f"there is no such {what} here")
    return found


async def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def remember_visitor(request: Request, response: Response) -> str:
    """Give a browser an id of its own, in a cookie. Returns it."""
    visitor = new_id(VISITOR_LETTERS)
    encrypted = request.url.scheme == "https"
    response.set_cookie(
        VISITOR_COOKIE, visitor, max_age=_REMEMBERED_SECONDS, httponly=True, samesite="strict", secure=encrypted
    )
    return visitor


async def _visitor(request: Request) -> str | None:
    given = request.cookies.get(VISITOR_COOKIE, "")
    if not request.app.state.shared:
        return ""
    return given if re.fullmatch(VISITOR_PATTERN, given) else None


InHall = Annotated[Hall, Depends(_hall)]
VISITOR_COOKIE: Final = "hitonami_visitor"
Visitor = Annotated[str | None, Depends(_visitor)]
"""Who asks, by a random id in a cookie: "" where only this machine is served, None for somebody new."""
